"""The audit log, and its chain, followed without any server."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Iterable, Iterator, Mapping

from danlu.domain.words import Words, say
from danlu.sdk.models.audit import AuditEntry, AuditVerdict
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Resource
from danlu.sdk.resources.former import Listed

FIRST_SEAL = "0" * 64


class Audit(Resource, Listed):
    """Filters are `by`, `act`, `subject`, `search`, `since` and `until`."""

    path = "audit"

    def list(self, limit: int | None = None, **filters: object) -> Iterator[AuditEntry]:
        """Entries, latest first."""
        return (read(AuditEntry, one) for one in self.http.pages("audit", limit, filters))

    def export(self, format: str = "jsonl", **filters: object) -> Iterator[bytes]:  # noqa: A002 (as in the API)
        """The whole log, oldest first, as lines of JSON or as CSV, in chunks."""
        with self.http.stream("audit/export", {"format": format, **filters}) as answer:
            while True:
                piece = answer.read(65_536)
                if not piece:
                    return
                yield piece

    def verify(self, seq: int | None = None, seal: str | None = None) -> AuditVerdict:
        """Have the server verify the chain; with a number and its seal noted earlier, compare with them too."""
        return read(AuditVerdict, self.http.json("GET", "audit/verify", {"seq": seq, "seal": seal}))


def verify_lines(
    lines: Iterable[str], noted_seq: int | None = None, noted_seal: str | None = None
) -> AuditVerdict:
    """Follow the chain in an exported file. It may begin in the middle: then the first entry is taken as it is. With a
    number and its seal noted earlier, see that they are in it."""
    found = _follow(lines, noted_seq, noted_seal)
    if found.ok and noted_seq is not None and found.seq < noted_seq:
        why = say(
            "the file ends at entry {last}, but entry {seq} existed when its seal was noted",
            "文件止于条目 {last}，但记下封印时已有条目 {seq}",
            last=found.seq,
            seq=noted_seq,
        )
        return _broken(found.count, found.seq, found.seal, noted_seq, why)
    return found


def _follow(lines: Iterable[str], noted_seq: int | None, noted_seal: str | None) -> AuditVerdict:
    seal, seq, count = FIRST_SEAL, 0, 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        one = _entry(line)
        if one is None:
            why = say(
                "line {number} is not an entry of an audit log",
                "第 {number} 行不是审计日志的条目",
                number=number,
            )
            return _broken(count, seq, seal, seq + 1, why)
        if noted_seq is not None and one["seq"] == noted_seq and one["seal"] != noted_seal:
            why = say(
                "the seal of entry {seq} differs from the one that was noted",
                "条目 {seq} 的封印与当时记下的不同",
                seq=noted_seq,
            )
            return _broken(count, seq, seal, noted_seq, why)
        if count == 0 and one["seq"] > 1:
            seal, seq, count = one["seal"], one["seq"], 1
            continue
        if one["seq"] != seq + 1:
            why = say(
                "entry {seq} is missing; {found} comes next",
                "缺少条目 {seq}，下一条是 {found}",
                seq=seq + 1,
                found=one["seq"],
            )
            return _broken(count, seq, seal, seq + 1, why)
        if _sealed(seal, one) != one["seal"]:
            why = say("entry {seq} does not match its seal", "条目 {seq} 与其封印不符", seq=one["seq"])
            return _broken(count, seq, seal, one["seq"], why)
        seal, seq, count = one["seal"], one["seq"], count + 1
    return AuditVerdict(True, count, seq, seal)


def _broken(count: int, seq: int, seal: str, at: int, why: Words) -> AuditVerdict:
    told = {"seq": at, "why": why.en, "text": why.by_language}
    return AuditVerdict(False, count, seq, seal, told)


_SEALED = ("seq", "time_ms", "by", "act", "subject", "before", "after", "reason", "address", "means")


def _entry(line: str) -> Mapping[str, Any] | None:
    try:
        one = json.loads(line)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(one, dict) and isinstance(one.get("seq"), int) and one.keys() >= {*_SEALED, "seal"}
    return one if whole else None


def _sealed(previous: str, one: Mapping[str, Any]) -> str:
    text = json.dumps([one[name] for name in _SEALED], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()
