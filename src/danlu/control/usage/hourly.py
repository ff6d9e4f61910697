"""Amounts over time, cut at full hours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from danlu.domain.job import Time
from danlu.ports.governance import CapacityRow, HourRow

HOUR: Time = 3_600_000

HourKey = tuple[str, str, str, str]
"""A sort of jobs: project, user, class and model, as in HourRow."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be written together, and up to when all is recorded then."""

    rows: tuple[HourRow, ...]
    capacity: tuple[CapacityRow, ...]
    until: Time


class Hourly:
    """Sums that wait to be written."""

    def __init__(self) -> None:
        self._rows: dict[tuple[Time, HourKey], Counter[str]] = {}
        self._capacity: Counter[tuple[Time, str]] = Counter()

    def add(self, key: HourKey, field: str, milli: int, begin: Time, end: Time) -> None:
        """So much from `begin` to `end`; when that lies before, so much is taken away again."""
        for hour, length in _cut(begin, end):
            self.count(key, hour, **{field: milli * length})

    def offer(self, model: str, milli: int, begin: Time, end: Time) -> None:
        for hour, length in _cut(begin, end):
            self._capacity[hour, model] += milli * length

    def count(self, key: HourKey, hour: Time, **amounts: int) -> None:
        row = self._rows.setdefault((hour, key), Counter())
        for name, amount in amounts.items():
            row[name] += amount

    def taken(self, until: Time) -> Batch:
        """All of it, in the order of its keys (so that two writers never wait for each other); it begins anew."""
        rows = tuple(_row(hour, key, sums) for (hour, key), sums in sorted(self._rows.items()))
        capacity = tuple(CapacityRow(*place, total) for place, total in sorted(self._capacity.items()))
        self._rows, self._capacity = {}, Counter()
        return Batch(rows, capacity, until)


def _row(hour: Time, key: HourKey, sums: Mapping[str, int]) -> HourRow:
    project, user, job_class, model = key
    return replace(HourRow(hour, project, user, job_class, model), **sums)  # type: ignore[arg-type]


def hour_of(time: Time) -> Time:
    return time - time % HOUR


def _cut(begin: Time, end: Time) -> Iterator[tuple[Time, int]]:
    """The hours between two moments and how much of each; below zero when the second is the earlier one."""
    sign = 1 if begin <= end else -1
    at, last = min(begin, end), max(begin, end)
    while at < last:
        upto = min(last, hour_of(at) + HOUR)
        yield hour_of(at), sign * (upto - at)
        at = upto
