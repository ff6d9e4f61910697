"""Tables for spreadsheets: CSV, one line at a time, with formula injection prevented."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

CSV = "text/csv; charset=utf-8"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(header: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """The header, if any, and the rows, each a line. Spreadsheets read text that begins like a formula as one: an
    apostrophe before it keeps it text. Numbers stay numbers."""
    line = io.StringIO()
    writer = csv.writer(line)
    if header is not None:
        writer.writerow(header)
        yield _taken(line)
    for cells in rows:
        writer.writerow([_harmless(cell) for cell in cells])
        yield _taken(line)


def _harmless(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return "" if cell is None else cell


def _taken(line: io.StringIO) -> bytes:
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text.encode("utf-8", "replace")
