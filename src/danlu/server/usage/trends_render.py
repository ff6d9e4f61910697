"""Trends as the JSON and the tables that clients get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from danlu.control.usage.trends import By, CapacityLine, Point, Trend, TrendLine
from danlu.server.http.answering import instant
from danlu.server.http.tables import csv_lines

Json = dict[str, Any]
_COLUMNS = ("held", "queued", "use", "wait", "starts", "ended", "failed")


def trend(one: Trend) -> Json:
    return {
        "since": instant(one.since),
        "until": instant(one.until),
        "step": one.step.value,
        "lines": [_line(line) for line in one.lines],
        "capacity": [_capacity(line) for line in one.capacity],
    }


def table(one: Trend, by: By | None) -> Iterator[bytes]:
    """A row for every point of every line, the points of a line one after the other."""
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


def _line(line: TrendLine) -> Json:
    return {"key": line.key, "points": [_point(point) for point in line.points]}


def _point(point: Point) -> Json:
    return {"at": instant(point.at), **{name: getattr(point, name) for name in _COLUMNS}}


def _capacity(line: CapacityLine) -> Json:
    return {
        "model": line.model,
        "points": [{"at": instant(at), "total": total} for at, total in line.points],
    }
