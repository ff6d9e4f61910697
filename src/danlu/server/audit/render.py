"""The audit log as the lines and tables that clients get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from danlu.domain.audit import Noted
from danlu.server.audit.models import ExportedEntry
from danlu.server.http.answering import as_json
from danlu.server.http.tables import csv_lines

_COLUMNS = (
    "seq", "time", "by", "act", "subject", "reason", "address", "means", "before", "after", "seal",
)  # fmt: skip


def json_lines(entries: Iterable[Noted]) -> Iterator[bytes]:
    """One entry per line, with its exact time: enough to verify the chain without Danlu."""
    for noted in entries:
        yield as_json({**ExportedEntry.render(noted), "time_ms": noted.time}) + b"\n"


def table(entries: Iterable[Noted]) -> Iterator[bytes]:
    rows = map(ExportedEntry.render, entries)
    return csv_lines(_COLUMNS, ([_cell(row[name]) for name in _COLUMNS] for row in rows))


def _cell(value: object) -> object:
    return as_json(value).decode() if isinstance(value, dict) else value
