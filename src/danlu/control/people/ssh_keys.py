"""SSH keys: which text is a public key that may open workspaces, and whose it is."""

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
from danlu.ports.clock import Clock, Ids
from danlu.ports.governance import KeyStore
from danlu.ports.store import PeopleStore

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
_MAKE_ONE = "make one with: ssh-keygen -t ed25519"
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
            raise NotFound(f"there is no user '{user}'")
        return self._store.keys(user)

    def add(self, caller: Caller, name: str, text: str) -> SshKey:
        caller.require(P.KEY_WRITE)
        read = read_key(text)
        if len(self._store.keys(caller.name)) >= MOST_KEYS:
            raise Conflict(f"you have {MOST_KEYS} keys, which is the most; remove one first")
        now = self._clock.now()
        key = SshKey(self._ids.new(), caller.name, name, read.type, read.fingerprint, read.line, now)
        self._store.add_key(key, now, by=caller.entry("key_added", ""))
        return key

    def remove(self, caller: Caller, key_id: str) -> None:
        caller.require(P.KEY_WRITE)
        by = caller.entry("key_removed", "")
        if not self._store.remove_key(caller.name, key_id, self._clock.now(), by=by):
            raise NotFound(f"you have no key '{key_id}'")


def read_key(text: str) -> PublicKey:
    """The key in a line of a `.pub` file or of authorized_keys; Invalid at `key` says what it is instead."""
    if _PRIVATE.search(text):
        raise _refused(
            "private_key",
            "this is a PRIVATE key: whoever has it can sign in as you. Nothing of it was kept here, but it has left "
            "your machine",
            "make a new pair (ssh-keygen -t ed25519), use it everywhere instead of this one, and send its .pub file",
        )
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise _refused("missing", "there is no key in it", _MAKE_ONE)
    if lines[0].startswith("----"):
        raise _refused(
            "bad_form",
            "this is a key in another format; it is one line that begins with its type, such as ssh-ed25519",
            "turn it into one with: ssh-keygen -i -f FILE",
        )
    if len(lines) > 1:
        raise _refused("several", f"these are {len(lines)} lines; add one key at a time")
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
        message = f"after {type_} comes the key in base64; this is cut off or altered"
        raise _refused("bad_form", message, "copy the whole line of the .pub file") from None


def _no_type(word: str, line: str) -> Invalid:
    if word == "ssh-dss":
        return _refused("weak_key", "DSA keys are no longer safe and are not taken", _MAKE_ONE)
    if word.endswith("-cert-v01@openssh.com"):
        return _refused("bad_form", "this is a certificate, not a key", "send the .pub file it was made for")
    if any(f" {type_} " in f" {line} " for type_ in (*TYPES, "ssh-dss")):
        message = f"options before a key are not taken: leave out '{line.partition(' ')[0][:40]}'"
        return _refused("options", message, "begin with the type, such as ssh-ed25519")
    message = f"'{word[:40]}' is no type of key that is taken: {', '.join(TYPES)}"
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
        message = f"this is no {type_} key: what is in it does not agree with its type, or is damaged"
        raise _refused("bad_form", message, "copy the whole line of the .pub file") from None
    if isinstance(key, RSAPublicKey) and not _RSA_BITS[0] <= key.key_size <= _RSA_BITS[1]:
        message = f"an RSA key has {_RSA_BITS[0]} to {_RSA_BITS[1]} bits; this one has {key.key_size}"
        raise _refused("weak_key", message, _MAKE_ONE)
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return PublicKey(type_, f"SHA256:{digest}", line)


def _refused(code: str, message: str, hint: str | None = None) -> Invalid:
    return Invalid((FieldError(("key",), code, message, hint=hint),))
