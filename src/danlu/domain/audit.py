"""The audit log: who did what, from where, with the values before and after; a chain in which every change is noticed.

Every entry is sealed with a hash over itself and the previous seal. Changing, removing or inserting an entry would
require new seals for all later entries; anyone who has noted a later seal will notice. Seals are signed with a key that
is not in the database: who can write to that alone cannot make new ones."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from danlu.domain.job import Time
from danlu.domain.words import Words, say

FIRST_SEAL = "0" * 64
"""What the first entry is chained to."""
ITSELF = "danlu"
"""The actor when Danlu itself acts; no person can have this name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry before it is stored. `act` is a stable word, `subject` a kind and a name such as `project:nlp`; `means`
    is how the person was authenticated: session, token NAME, or task."""

    by: str
    act: str
    subject: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    reason: str = ""
    address: str = ""
    means: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry as it is stored; those from before there was a key are not signed."""

    seq: int
    time: Time
    entry: Entry
    seal: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class SealKey:
    """The key that signs seals, and the first entry that is signed with it."""

    secret: bytes = field(repr=False)
    since: int

    def sign(self, seal: str) -> str:
        """A seal says which entries came before it; so does its signature."""
        return hmac.new(self.secret, b"audit:" + seal.encode(), hashlib.sha256).hexdigest()

    def signed(self, noted: Noted) -> bool:
        """Whether the entry has the signature it must have."""
        if noted.seq < self.since:
            return True
        return hmac.compare_digest((noted.signature or "").encode(), self.sign(noted.seal).encode())


def sealed(previous: str, seq: int, time: Time, entry: Entry) -> str:
    """The seal of an entry: SHA-256 over the seal before it, a newline, and the entry as canonical JSON."""
    parts = [seq, time, entry.by, entry.act, entry.subject, entry.before, entry.after]
    text = json.dumps(
        [*parts, entry.reason, entry.address, entry.means], sort_keys=True, separators=(",", ":"), default=str
    )
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Broken:
    """Where the chain is broken, and how."""

    seq: int
    why: Words


class Verifier:
    """Follows the chain entry by entry, from `previous` on."""

    def __init__(self, previous: str = FIRST_SEAL, after: int = 0, key: SealKey | None = None) -> None:
        self.seal, self.seq = previous, after
        self.count = 0
        self._key = key

    def follow(self, entries: Iterable[Noted]) -> Broken | None:
        """The first entry that does not match its seal, is not signed, or is missing."""
        for noted in entries:
            if noted.seq != self.seq + 1:
                return Broken(self.seq + 1, missing(self.seq + 1, noted.seq))
            if sealed(self.seal, noted.seq, noted.time, noted.entry) != noted.seal:
                return Broken(noted.seq, changed(noted.seq))
            if self._key is not None and not self._key.signed(noted):
                return Broken(noted.seq, unsigned(noted.seq))
            self.seal, self.seq, self.count = noted.seal, noted.seq, self.count + 1
        return None


def missing(seq: int, found: int) -> Words:
    return say(
        "entry {seq} is missing: the next one found is {found}",
        "缺少条目 {seq}：找到的下一条是 {found}",
        seq=seq,
        found=found,
    )


def changed(seq: int) -> Words:
    return say(
        "entry {seq} was changed: it does not match its seal",
        "条目 {seq} 已被改动：与其封印不符",
        seq=seq,
    )


def unsigned(seq: int) -> Words:
    return say(
        "entry {seq} was not written by Danlu: its seal is not signed with this server's key",
        "条目 {seq} 并非由丹炉写入：其封印没有本服务端密钥的签名",
        seq=seq,
    )
