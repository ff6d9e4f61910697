"""The audit log as the JSON and the tables that clients get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from danlu.control.audit import Verdict
from danlu.domain.acts import sentence
from danlu.domain.audit import Noted
from danlu.server.http.answering import Json, as_json, instant, words
from danlu.server.http.tables import csv_lines

_COLUMNS = (
    "seq", "time", "by", "act", "subject", "reason", "address", "means", "before", "after", "seal",
)  # fmt: skip


def entry(noted: Noted) -> Json:
    return {**_plain(noted), "text": words(sentence(noted.entry))}


def verdict(one: Verdict) -> Json:
    broken = None if one.broken is None else {"seq": one.broken.seq, "why": one.broken.why}
    return {
        "ok": one.broken is None,
        "count": one.count,
        "seq": one.seq,
        "seal": one.seal,
        "broken": broken,
    }


def json_lines(entries: Iterable[Noted]) -> Iterator[bytes]:
    """One entry a line, with its exact time: what is needed to follow the chain without us."""
    for noted in entries:
        yield as_json({**_plain(noted), "time_ms": noted.time}) + b"\n"


def table(entries: Iterable[Noted]) -> Iterator[bytes]:
    return csv_lines(_COLUMNS, ([_cell(_plain(noted)[name]) for name in _COLUMNS] for noted in entries))


def _cell(value: object) -> object:
    return as_json(value).decode() if isinstance(value, dict) else value


def _plain(noted: Noted) -> Json:
    one = noted.entry
    return {
        "seq": noted.seq,
        "time": instant(noted.time),
        "by": one.by,
        "act": one.act,
        "subject": one.subject,
        "before": one.before,
        "after": one.after,
        "reason": one.reason,
        "address": one.address,
        "means": one.means,
        "seal": noted.seal,
    }
