"""Held, requested and used resources over days and weeks, as lines over equal steps of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from danlu.control.usage.hourly import HOUR
from danlu.domain.errors import FieldError, Invalid, NotAllowed
from danlu.domain.job import JobClass, Time
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.governance import HourlyQuery, TrendRow, TrendStore

MOST_POINTS = 2_000
MOST_LINES = 50
OTHERS = "others"
"""The line that sums up all but the largest."""

_DAY = 24 * HOUR
_MONDAY = 3 * _DAY
"""1970 began on a Thursday."""
_FEW_STEPS = 62
"""Up to this many steps all lines are read at once; for more, and for all users, the largest lines are found first."""
_ALL_OF_TIME = 10_000 * 365 * _DAY
_SUMS = tuple(field.name for field in fields(TrendRow) if field.name not in ("at", "key"))


class Interval(StrEnum):
    """Steps in UTC; a week starts on Monday."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"

    @property
    def length(self) -> Time:
        return {Interval.HOUR: HOUR, Interval.DAY: _DAY, Interval.WEEK: 7 * _DAY}[self]

    def begin(self, time: Time) -> Time:
        return time - (time + _MONDAY) % self.length


class GroupBy(StrEnum):
    """What the lines stand for."""

    PROJECT = "project"
    USER = "user"
    CLASS = "class"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class WantedTrend:
    """Which usage to read. Without a model, all GPUs count; tasks without GPUs count CPUs under the model `cpu`."""

    since: Time
    until: Time | None = None
    step: Interval = Interval.DAY
    by: GroupBy | None = None
    project: str | None = None
    user: str | None = None
    model: str | None = None
    job_class: JobClass | None = None


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One step: the mean of held and queued GPUs (CPUs for `cpu`), the share in use where measured, the mean wait of
    started jobs in seconds, and how many attempts started, jobs ended and jobs failed."""

    at: Time
    held: float
    queued: float
    use: float | None
    wait: float | None
    starts: int
    ended: int
    failed: int


@dataclass(frozen=True, slots=True)
class TrendLine:
    key: str
    points: tuple[TrendPoint, ...]


@dataclass(frozen=True, slots=True)
class CapacityLine:
    """GPUs of a model (or CPUs) that could take jobs, on average over each step."""

    model: str
    points: tuple[tuple[Time, float], ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """Every line has a point for every step in [since, until); the last step may be incomplete."""

    since: Time
    until: Time
    step: Interval
    lines: tuple[TrendLine, ...]
    capacity: tuple[CapacityLine, ...]


class Trends:
    """Reads trends for people. Thread-safe."""

    def __init__(self, store: TrendStore, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def read(self, caller: Caller, wanted: WantedTrend) -> Trend:
        """NotAllowed unless it is the caller's own usage or that of a project they belong to, or they may see all."""
        _allow(caller, wanted)
        now = self._clock.now()
        steps = _steps(wanted, now)
        query = HourlyQuery(
            since=steps[0],
            until=steps[-1] + wanted.step.length,
            step=wanted.step.length,
            by=_COLUMNS.get(wanted.by) if wanted.by is not None else None,
            projects=None if wanted.project is None else (wanted.project,),
            users=None if wanted.user is None else (wanted.user,),
            model=wanted.model,
            job_class=None if wanted.job_class is None else wanted.job_class.value,
            gpus=wanted.model is None and wanted.by is not GroupBy.MODEL,
        )
        began, until = self._store.recorded_since(), self._store.recorded_until()
        lengths = _lengths(steps, wanted.step.length, began or 0, now if until is None else min(now, until))
        return Trend(
            since=query.since,
            until=query.until,
            step=wanted.step,
            lines=tuple(_line(key, rows, steps, lengths) for key, rows in self._rows(query, len(steps))),
            capacity=self._capacity(query, steps, lengths),
        )

    def _rows(self, query: HourlyQuery, steps: int) -> list[tuple[str, list[TrendRow]]]:
        """The rows of each line, the largest first; lines beyond the maximum are summed up in one."""
        if query.by is None:
            return [("", list(self._store.trend(query)))]
        if query.by in _FEW_LINES or (steps <= _FEW_STEPS and (query.by != "user" or query.projects)):
            return _largest(self._store.trend(query))
        # There are far fewer sums by the day, and they are enough to find the largest lines.
        since, until = query.since - query.since % _DAY, -(-query.until // _DAY) * _DAY
        whole = replace(query, since=since, until=until, step=_ALL_OF_TIME)
        sizes = {row.key: _size(row) for row in self._store.trend(whole)}
        if len(sizes) <= MOST_LINES:
            return _largest(self._store.trend(query))
        keys = sorted(sizes, key=lambda key: (-sizes[key], key))[: MOST_LINES - 1]
        rows = self._store.trend(replace(query, keys=tuple(keys)))
        shown = _by_step(rows)
        rest = [_less(row, shown.get(row.at)) for row in self._store.trend(replace(query, by=None))]
        return [*_largest(rows), (OTHERS, rest)]

    def _capacity(
        self, query: HourlyQuery, steps: Sequence[Time], lengths: Sequence[int]
    ) -> tuple[CapacityLine, ...]:
        totals: dict[str, dict[Time, int]] = defaultdict(dict)
        for row in self._store.capacity(query.since, query.until, query.step, query.model):
            totals[row.model][row.hour] = row.total
        return tuple(
            CapacityLine(
                model,
                tuple(
                    (at, _mean(known.get(at, 0), length)) for at, length in zip(steps, lengths, strict=True)
                ),
            )
            for model, known in sorted(totals.items())
        )


_COLUMNS = {
    GroupBy.PROJECT: "project",
    GroupBy.USER: "user",
    GroupBy.CLASS: "job_class",
    GroupBy.MODEL: "model",
}
_FEW_LINES = frozenset({"job_class", "model"})
"""There are never many of these."""


def _allow(caller: Caller, wanted: WantedTrend) -> None:
    permission = Permission.USAGE_READ
    caller.require(permission)
    if caller.may_everywhere(permission) or wanted.user == caller.name:
        return
    if wanted.project is not None and caller.may(permission, wanted.user or ANYBODY, wanted.project):
        return
    raise NotAllowed(
        say(
            "{name} may not see what others used: ask for your own usage (user=me), or for a project that you "
            "belong to (project=NAME)",
            "{name} 无权查看他人的用量：请查看自己的（user=me），或所属项目组的（project=NAME）",
            name=caller.name,
        )
    )


def _steps(wanted: WantedTrend, now: Time) -> list[Time]:
    """The start of every step; Invalid if there is none, or too many."""
    step = wanted.step
    until = now if wanted.until is None else min(now, wanted.until)
    if wanted.since >= until:
        message = Words(
            "the time range must end after it starts, and start before now",
            "起止时间有误：结束须晚于开始，开始须早于现在",
        )
        raise Invalid((FieldError(("since",), "bad_value", message),))
    begin = step.begin(max(0, wanted.since))
    count = -(-(until - begin) // step.length)
    if count > MOST_POINTS:
        message = say(
            "this would be {count} steps; the maximum is {most}",
            "共有 {count} 个数据点，一次最多显示 {most} 个",
            count=count,
            most=MOST_POINTS,
        )
        hint = Words("choose a longer step, or a shorter time range", "请使用更长的步长，或缩短时间范围")
        raise Invalid((FieldError(("step",), "too_large", message, step.value, hint=hint),))
    return [begin + number * step.length for number in range(count)]


def _lengths(steps: Sequence[Time], length: Time, since: Time, until: Time) -> list[Time]:
    """How much of each step was recorded: its mean is over that. The first and the last may be incomplete."""
    found = []
    for at in steps:
        end = until if at < until < at + length else at + length
        found.append(end - since if at < since < end else end - at)
    return found


def _line(key: str, rows: Sequence[TrendRow], steps: Sequence[Time], lengths: Sequence[Time]) -> TrendLine:
    known = {row.at: row for row in rows}
    nothing = TrendRow(0, key, *(0 for _ in _SUMS))
    return TrendLine(
        key,
        tuple(_point(at, known.get(at, nothing), length) for at, length in zip(steps, lengths, strict=True)),
    )


def _point(at: Time, row: TrendRow, length: Time) -> TrendPoint:
    return TrendPoint(
        at=at,
        held=_mean(row.held, length),
        queued=_mean(row.queued, length),
        use=round(min(1.0, row.busy / row.measured), 4) if row.measured > 0 else None,
        wait=round(row.waited / row.starts / 1000, 1) if row.starts > 0 else None,
        starts=row.starts,
        ended=row.ended,
        failed=row.failed,
    )


def _mean(sum_: int, length: Time) -> float:
    return round(max(0, sum_) / length / 1000, 5)


def _largest(rows: Sequence[TrendRow]) -> list[tuple[str, list[TrendRow]]]:
    lines: dict[str, list[TrendRow]] = defaultdict(list)
    for row in rows:
        lines[row.key].append(row)
    sizes = {key: sum(map(_size, found)) for key, found in lines.items()}
    keys = sorted(lines, key=lambda key: (-sizes[key], key))
    if len(keys) <= MOST_LINES:
        return [(key, lines[key]) for key in keys]
    shown, rest = keys[: MOST_LINES - 1], keys[MOST_LINES - 1 :]
    others = _by_step(row for key in rest for row in lines[key])
    return [*((key, lines[key]) for key in shown), (OTHERS, list(others.values()))]


def _size(row: TrendRow) -> int:
    return row.held + row.queued


def _by_step(rows: Iterable[TrendRow]) -> dict[Time, TrendRow]:
    """The sum of all lines at each step."""
    found: dict[Time, TrendRow] = {}
    for row in rows:
        known = found.get(row.at)
        found[row.at] = row if known is None else _plus(known, row, 1)
    return found


def _less(row: TrendRow, other: TrendRow | None) -> TrendRow:
    return row if other is None else _plus(row, other, -1)


def _plus(row: TrendRow, other: TrendRow, sign: int) -> TrendRow:
    sums = (getattr(row, name) + sign * getattr(other, name) for name in _SUMS)
    return TrendRow(row.at, row.key, *sums)
