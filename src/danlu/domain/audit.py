"""The audit log: who did what, from where, with the values before and after; a chain in which every change is noticed.

Every entry is sealed with a hash over itself and the previous seal. Changing, removing or inserting an entry would
require new seals for all later entries; anyone who has noted a later seal will notice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.job import Time

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
    """An entry as it is stored."""

    seq: int
    time: Time
    entry: Entry
    seal: str


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
    why: str


class Verifier:
    """Follows the chain entry by entry, from `previous` on."""

    def __init__(self, previous: str = FIRST_SEAL, after: int = 0) -> None:
        self.seal, self.seq = previous, after
        self.count = 0

    def follow(self, entries: Iterable[Noted]) -> Broken | None:
        """The first entry that does not match its seal, or is missing."""
        for noted in entries:
            if noted.seq != self.seq + 1:
                return Broken(
                    self.seq + 1, f"entry {self.seq + 1} is missing: the next one found is {noted.seq}"
                )
            if sealed(self.seal, noted.seq, noted.time, noted.entry) != noted.seal:
                return Broken(noted.seq, f"entry {noted.seq} was changed: it does not match its seal")
            self.seal, self.seq, self.count = noted.seal, noted.seq, self.count + 1
        return None
