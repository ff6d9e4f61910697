"""Metrics of trainings, from the files that tasks write: names, lines and pace."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from danlu.domain.arrays import Floats, np
from danlu.ports.logs import LogKey
from danlu.ports.metrics import MOST_NAMES, MetricName, Metrics, Pace, Point, Run, Series, WantedMetrics
from danlu.ports.reports import ReportedPoint as Told
from danlu.ports.reports import read_points, reports_folder
from danlu.telemetry.columns import MetricsFile, ReadingBudget, SeenPoints, told_so_far
from danlu.telemetry.logs import log_path
from danlu.telemetry.stretches import Points, joined, thinned, up_to

MOST_SERIES = 32
"""Drawn when no names are asked for."""
KEPT_BYTES = 256 << 20
BATCH_BYTES = 1 << 17
"""How much of a file an export reads at a time."""


class FileMetrics:
    """The MetricsReader over `logs/` of the data directory; what was parsed is kept, up to `kept_bytes` of it."""

    def __init__(self, logs: Path, kept_bytes: int = KEPT_BYTES) -> None:
        self._logs, self._kept_bytes = logs, kept_bytes
        self._files: OrderedDict[LogKey, MetricsFile] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, runs: Sequence[Run], wanted: WantedMetrics) -> Metrics:
        by_task: dict[str, list[Run]] = {}
        for run in runs:
            by_task.setdefault(run.task, []).append(run)
        # Twice, since points of all tasks at once may be too many to hold.
        budget = ReadingBudget()
        names = _names({task: self._lasts(tries, budget) for task, tries in by_task.items()})
        chosen = names if wanted.names is None else [one for one in names if one.name in wanted.names]
        series: list[Series] = []
        budget = ReadingBudget()
        for task, tries in by_task.items():
            own = [one.name for one in chosen if task in (one.tasks if wanted.all_tasks else one.tasks[:1])]
            if wanted.names is None:
                own = own[: MOST_SERIES - len(series)]
            series += self._lines(tries, own, wanted, budget)
        series.sort(key=lambda one: one.name)
        return Metrics(tuple(names), tuple(series))

    def pace(self, runs: Sequence[Run], window: int | None) -> Pace | None:
        budget = ReadingBudget()
        for attempt in sorted({run.key.attempt for run in runs}, reverse=True):
            tried = [run for run in runs if run.key.attempt == attempt]
            told = [seen.points for run in tried for seen in self._seen(run.key, budget).values()]
            if told:
                return _pace(max(told, key=lambda points: float(points.steps[-1])), window)
        return None

    def points(self, runs: Sequence[Run], names: Sequence[str]) -> Iterator[list[tuple[Run, str, Point]]]:
        budget, firsts = ReadingBudget(), []
        for run in runs:
            firsts.append({name: seen.first_step for name, seen in self._seen(run.key, budget).items()})
            yield []
        for at, run in enumerate(runs):
            later = [firsts[at + 1 + on] for on, other in enumerate(runs[at + 1 :]) if other.task == run.task]
            until: dict[str, float] = {}
            for batch in self._told(run.key):
                found = []
                for told in batch:
                    for name, value in told.values.items():
                        if names and name not in names:
                            continue
                        if name not in until:
                            until[name] = _until(run, [one[name] for one in later if name in one])
                        if told.step <= until[name]:
                            found.append((run, name, Point(told.step, told.time, value)))
                yield found

    def _lines(
        self, tries: Sequence[Run], names: Sequence[str], wanted: WantedMetrics, budget: ReadingBudget
    ) -> Iterator[Series]:
        """Of one task, by name."""
        counted = self._counted(tries, budget) if names else {}
        for name in names:
            if name in counted:  # it may have gone since it was looked for
                parts = [points for _, points in counted[name]]
                last, _ = counted[name][-1]
                yield _series(name, last, thinned(joined(parts), wanted.points, wanted.by))

    def _lasts(self, tries: Sequence[Run], budget: ReadingBudget) -> dict[str, Point]:
        return {name: _point(parts[-1][1], -1) for name, parts in self._counted(tries, budget).items()}

    def _counted(self, tries: Sequence[Run], budget: ReadingBudget) -> dict[str, list[tuple[Run, Points]]]:
        """The values of one task's tries that count, by name; the latest comes last."""
        counted: dict[str, list[tuple[Run, Points]]] = {}
        later: dict[str, list[float]] = {}
        for run in reversed(tries):
            for name, seen in self._seen(run.key, budget).items():
                points = up_to(seen.points, _until(run, later.get(name, ())))
                if points.steps.size:
                    counted.setdefault(name, []).insert(0, (run, points))
                later.setdefault(name, []).append(seen.first_step)
        return counted

    def _seen(self, key: LogKey, budget: ReadingBudget) -> Mapping[str, SeenPoints]:
        with self._lock:
            file = self._files.pop(key, None) or MetricsFile(self._folder(key))
            self._files[key] = file
        seen = file.seen(budget)
        with self._lock:
            if not seen and not file.being_read:
                self._files.pop(key, None)
            while len(self._files) > 1 and sum(one.bytes for one in self._files.values()) > self._kept_bytes:
                self._files.popitem(last=False)
        return seen

    def _told(self, key: LogKey) -> Iterator[list[Told]]:
        """Everything reported until now: a task that writes faster than we read must not make this endless."""
        folder = self._folder(key)
        size, offset, after = told_so_far(folder), -1, 0
        while offset < after < size:
            offset = after
            points, after = read_points(folder, offset, BATCH_BYTES)
            yield points

    def _folder(self, key: LogKey) -> str:
        return reports_folder(str(log_path(self._logs, key)))


def _until(run: Run, later_firsts: Sequence[float]) -> float:
    """The last step of a run that counts: steps that a later run repeated are taken from that one."""
    bounds = [first - 1 for first in later_firsts]
    return min([*bounds, math.inf if run.until is None else run.until])


def _names(lasts: Mapping[str, Mapping[str, Point]]) -> list[MetricName]:
    """Sorted; the latest value is that of the first task."""
    tasks: dict[str, dict[str, Point]] = {}
    for task, by_name in lasts.items():
        for name, last in by_name.items():
            tasks.setdefault(name, {})[task] = last
    found = [
        MetricName(name, tuple(by_task), next(iter(by_task.values()))) for name, by_task in tasks.items()
    ]
    return sorted(found, key=lambda one: one.name)[:MOST_NAMES]


def _pace(points: Points, window: int | None) -> Pace | None:
    if points.steps.size < 2:
        return None
    begin = 0
    if window is not None:
        recent = int(np.searchsorted(points.times, points.times[-1] - window))
        begin = min(recent, points.steps.size - 2)
    return Pace(_point(points, begin), _point(points, -1))


def _point(points: Points, at: int) -> Point:
    return Point(int(points.steps[at]), int(points.times[at]), float(points.values[at]))


def _series(name: str, run: Run, drawn: Points) -> Series:
    return Series(
        name,
        run.role,
        run.task,
        run.key.attempt,
        drawn.steps.astype(np.int64).tolist(),
        drawn.times.astype(np.int64).tolist(),
        _plain(drawn.values),
        _plain(drawn.low),
        _plain(drawn.high),
    )


def _plain(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]
