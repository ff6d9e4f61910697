"""The audit log for those who may read it: search, export and verification."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from danlu.domain.audit import Broken, Noted, SealKey, Verifier
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.governance import AuditQuery, AuditStore

_AT_ONCE = 1_000
_SEARCHED = 25_000
"""A search reads every entry: at most this many for one page; the next page continues from there."""


@dataclass(frozen=True, slots=True)
class Page:
    """Entries, latest first; there may be more before the entry with this number. A page of a search may be empty
    although there is more to read."""

    rows: tuple[Noted, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """How far the chain is intact: `count` entries up to `seq`, whose seal is `seal`. Note both to check the log
    against them later. Entries are signed from `signed_since` on, if at all."""

    count: int
    seq: int
    seal: str
    broken: Broken | None = None
    signed_since: int | None = None


class Audit:
    """Any thread."""

    def __init__(self, store: AuditStore, clock: Clock, key: SealKey | None = None) -> None:
        self._store, self._clock, self._key = store, clock, key

    def entries(self, caller: Caller, query: AuditQuery) -> Page:
        """As many as the query wants, the latest first."""
        caller.require(Permission.AUDIT_READ, ANYBODY)
        read_to = self._read_to(query)
        bounded = query if read_to is None else replace(query, after=read_to)
        found = self._store.noted(replace(bounded, limit=query.limit + 1))
        rows = found[: query.limit]
        if len(found) > query.limit:
            return Page(rows, rows[-1].seq)
        return Page(rows, None if read_to is None else read_to + 1)

    def export(self, caller: Caller, query: AuditQuery) -> Iterator[Noted]:
        """All matching entries, oldest first, a page at a time; the export itself is recorded first."""
        caller.require(Permission.AUDIT_READ, ANYBODY)
        self._store.note([caller.entry("exported", "audit:")], self._clock.now())
        return self._all(query)

    def _all(self, query: AuditQuery) -> Iterator[Noted]:
        after = query.after
        while page := self._store.noted(replace(query, after=after, oldest_first=True, limit=_AT_ONCE)):
            yield from page
            after = page[-1].seq

    def _read_to(self, query: AuditQuery) -> int | None:
        """The entry at which a page of a search stops reading; None reads all, if something else narrows the query."""
        if not query.search or query.by is not None or query.subject is not None:
            return None
        last = self._store.last_noted()
        newest = last.seq if last else 0
        before = newest + 1 if query.before is None else min(query.before, newest + 1)
        return max(0, before - 1 - _SEARCHED) or None

    def verify(self, caller: Caller, seq: int | None = None, seal: str | None = None) -> AuditVerdict:
        """Verify the whole chain; with a number and a seal noted earlier, check that they are still in it."""
        caller.require(Permission.AUDIT_READ, ANYBODY)
        if (seq is None) is not (seal is None):
            lacking = "seq" if seq is None else "seal"
            message = Words(
                "give seq and seal together: the number of an entry and the seal it had",
                "seq 与 seal 须一并填写：条目的序号及其当时的封印",
            )
            raise Invalid((FieldError(("query", lacking), "missing", message),))
        verifier, expected = Verifier(key=self._key), {seq: seal} if seq else {}
        broken = None
        while broken is None and (page := self._store.chain(verifier.seq, _AT_ONCE)):
            broken = verifier.follow(page) or _strange(page, expected)
        if broken is None and seq is not None and seq > verifier.seq:
            broken = Broken(seq, _ends(verifier.seq, seq))
        since = None if self._key is None else self._key.since
        return AuditVerdict(verifier.count, verifier.seq, verifier.seal, broken, since)


def _strange(page: tuple[Noted, ...], expected: dict[int, str | None]) -> Broken | None:
    for noted in page:
        if noted.seq in expected and expected[noted.seq] != noted.seal:
            why = say(
                "entry {seq} has a different seal than the one that was noted",
                "条目 {seq} 的封印与当时记下的不同",
                seq=noted.seq,
            )
            return Broken(noted.seq, why)
    return None


def _ends(last: int, seq: int) -> Words:
    return say(
        "the log ends at entry {last}, but entry {seq} existed when its seal was noted",
        "日志止于条目 {last}，但记下封印时已有条目 {seq}",
        last=last,
        seq=seq,
    )
