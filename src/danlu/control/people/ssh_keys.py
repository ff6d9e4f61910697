"""SSH keys: reading public keys, and storing them per person."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound
from danlu.domain.people import SshKey
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.words import Words, listed, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock, Ids
from danlu.ports.governance import KeyStore

MOST_KEYS = 50
TYPES = (
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)
_RSA_BITS = (2048, 16_384)
_PRIVATE = re.compile(r"PRIVATE KEY-----|^PuTTY-User-Key-File", re.MULTILINE)
_MAKE_ONE = Words("make one with: ssh-keygen -t ed25519", "可用 ssh-keygen -t ed25519 生成")
P = Permission


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key as authorized_keys has it, without options and comment."""

    type: str
    fingerprint: str
    line: str


class KeysAndPeople(KeyStore, PeopleStore, Protocol):
    """Keys, and whose they are."""


class Keys:
    """One's own keys, and for those who may read them everybody's."""

    def __init__(self, store: KeysAndPeople, clock: Clock, ids: Ids) -> None:
        self._store, self._clock, self._ids = store, clock, ids

    def keys(self, caller: Caller, user: str) -> tuple[SshKey, ...]:
        """A person's, the oldest first."""
        caller.require(P.KEY_READ, user)
        if self._store.user(user) is None:
            raise NotFound(no_such("user", user))
        return self._store.keys(user)

    def add(self, caller: Caller, name: str, text: str) -> SshKey:
        caller.require(P.KEY_WRITE)
        read = read_key(text)
        if len(self._store.keys(caller.name)) >= MOST_KEYS:
            raise Conflict(
                say(
                    "you already have {most} keys, the maximum; remove one first",
                    "你已有 {most} 个密钥，达到上限，请先删除一个",
                    most=MOST_KEYS,
                )
            )
        now = self._clock.now()
        key = SshKey(self._ids.new(), caller.name, name, read.type, read.fingerprint, read.line, now)
        self._store.add_key(key, now, by=caller.entry("key_added", ""))
        return key

    def remove(self, caller: Caller, key_id: str) -> None:
        caller.require(P.KEY_WRITE)
        by = caller.entry("key_removed", "")
        if not self._store.remove_key(caller.name, key_id, self._clock.now(), by=by):
            raise NotFound(say("you have no key '{key_id}'", "你没有密钥“{key_id}”", key_id=key_id))


def read_key(text: str) -> PublicKey:
    """The key in a line of a `.pub` file or of authorized_keys; Invalid at `key` says what is wrong."""
    if _PRIVATE.search(text):
        raise _refused(
            "private_key",
            Words(
                "this is a PRIVATE key: anyone who has it can sign in as you. Danlu did not store it, but it has "
                "left your machine",
                "这是私钥：任何人持有它都能以你的身份登录。丹炉没有保存其任何内容，但它已经离开过你的机器",
            ),
            Words(
                "make a new pair (ssh-keygen -t ed25519), use it everywhere instead of this one, and send its "
                ".pub file",
                "请生成新的密钥对（ssh-keygen -t ed25519），在所有用到旧密钥的地方替换，并提交新的 .pub 文件",
            ),
        )
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise _refused("missing", Words("this contains no key", "其中没有密钥"), _MAKE_ONE)
    if lines[0].startswith("----"):
        raise _refused(
            "bad_form",
            Words(
                "this key is in another format; Danlu needs the one-line format that starts with the key type, such "
                "as ssh-ed25519",
                "这是其他格式的密钥；需要的是以类型（如 ssh-ed25519）开头的一行",
            ),
            Words("convert it with: ssh-keygen -i -f FILE", "可用以下命令转换：ssh-keygen -i -f FILE"),
        )
    if len(lines) > 1:
        raise _refused(
            "several",
            say(
                "this has {count} lines; add one key at a time",
                "这里有 {count} 行，请每次只添加一个密钥",
                count=len(lines),
            ),
        )
    type_, blob = _parts(lines[0])
    return _checked(type_, blob)


def _parts(line: str) -> tuple[str, bytes]:
    """The type and the key itself, of a line that may end with a comment."""
    words = line.split()
    type_ = words[0]
    if type_ not in TYPES:
        raise _no_type(type_, line)
    try:
        return type_, base64.b64decode(words[1], validate=True)
    except (IndexError, binascii.Error, ValueError):
        message = say(
            "the key in base64 must follow {type}; here it is cut off or damaged",
            "{type} 之后应为 base64 编码的密钥，这里不完整或被改动过",
            type=type_,
        )
        raise _refused(
            "bad_form", message, Words("copy the whole line of the .pub file", "请复制 .pub 文件的整行内容")
        ) from None


def _no_type(word: str, line: str) -> Invalid:
    if word == "ssh-dss":
        return _refused(
            "weak_key",
            Words("DSA keys are no longer safe and are not accepted", "DSA 密钥已不安全，不予接受"),
            _MAKE_ONE,
        )
    if word.endswith("-cert-v01@openssh.com"):
        return _refused(
            "bad_form",
            Words("this is a certificate, not a key", "这是证书，不是密钥"),
            Words("send the .pub file of the key it certifies", "请提交它所对应的 .pub 文件"),
        )
    if any(f" {type_} " in f" {line} " for type_ in (*TYPES, "ssh-dss")):
        message = say(
            "options before a key are not accepted: leave out '{option}'",
            "不接受密钥前的选项，请去掉“{option}”",
            option=line.partition(" ")[0][:40],
        )
        return _refused(
            "options",
            message,
            Words("start with the key type, such as ssh-ed25519", "请以类型开头，例如 ssh-ed25519"),
        )
    message = say(
        "'{type}' is not an accepted key type: {types}",
        "“{type}”不是可接受的密钥类型：{types}",
        type=word[:40],
        types=listed(TYPES),
    )
    return _refused("bad_form", message, _MAKE_ONE)


def _checked(type_: str, blob: bytes) -> PublicKey:
    # Loaded with the first key that somebody adds.
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import load_ssh_public_key

    encoded = base64.b64encode(blob).decode()
    line = f"{type_} {encoded}"
    try:
        key = load_ssh_public_key(line.encode())
    except (ValueError, UnsupportedAlgorithm):
        message = say(
            "this is not a valid {type} key: its content does not match its type, or is damaged",
            "这不是有效的 {type} 密钥：内容与类型不符，或已损坏",
            type=type_,
        )
        raise _refused(
            "bad_form", message, Words("copy the whole line of the .pub file", "请复制 .pub 文件的整行内容")
        ) from None
    if isinstance(key, RSAPublicKey) and not _RSA_BITS[0] <= key.key_size <= _RSA_BITS[1]:
        message = say(
            "an RSA key has {least} to {most} bits; this one has {bits}",
            "RSA 密钥应为 {least} 至 {most} 位，这个密钥为 {bits} 位",
            least=_RSA_BITS[0],
            most=_RSA_BITS[1],
            bits=key.key_size,
        )
        raise _refused("weak_key", message, _MAKE_ONE)
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return PublicKey(type_, f"SHA256:{digest}", line)


def _refused(code: str, message: Words, hint: Words | None = None) -> Invalid:
    return Invalid((FieldError(("key",), code, message, hint=hint),))
