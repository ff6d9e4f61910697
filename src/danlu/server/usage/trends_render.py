"""Trends as the tables that clients get."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.control.usage.trends import GroupBy, Trend
from danlu.server.http.answering import instant
from danlu.server.http.tables import csv_lines

_COLUMNS = ("held", "queued", "use", "wait", "starts", "ended", "failed")


def table(one: Trend, by: GroupBy | None) -> Iterator[bytes]:
    """One row for every point of every line, line by line."""
    header = ("at", *(() if by is None else (by.value,)), *_COLUMNS)
    rows = (
        (
            instant(point.at),
            *(() if by is None else (line.key,)),
            *(getattr(point, name) for name in _COLUMNS),
        )
        for line in one.lines
        for point in line.points
    )
    return csv_lines(header, rows)
