"""The metrics of one task, read as its file grows: a column of points for each name."""

from __future__ import annotations

import math
import threading
import time
from typing import NamedTuple

from danlu.domain.arrays import Floats, np
from danlu.ports.metrics import MOST_NAMES
from danlu.ports.reports import METRICS_FILE, READ_AT_ONCE, look_at, read_points
from danlu.ports.reports import ReportedPoint as Told
from danlu.telemetry.stretches import Points

MOST_POINTS = 1 << 21
"""The maximum number of points of one file in memory; beyond that neighbours are merged, keeping extremes."""
MOST_AT_ONCE = 128 << 20
"""How many bytes of one file a look reads; the next look continues."""
MOST_OF_ALL = 512 << 20
"""How many bytes of all files together."""
LOOK_S = 2.0
"""How long one look at a file may take; the next look continues."""
PATIENCE_S = 1.0
"""How long to wait for another thread that reads the same file, before using what is known."""
_FIRST_ROOM = 64


class ReadingBudget:
    """How many bytes one look at some files may still read."""

    def __init__(self, left: int = MOST_OF_ALL) -> None:
        self.left = left


class SeenPoints(NamedTuple):
    """The points of one name as they were at a moment."""

    points: Points
    first_step: float


class MetricColumn:
    """The points of one name, in the order they were reported."""

    def __init__(self) -> None:
        self.count = 0
        self._first_step = math.inf
        self._room: Floats = np.empty((3, _FIRST_ROOM))

    @property
    def bytes(self) -> int:
        return self._room.nbytes

    def seen(self) -> SeenPoints:
        """As it is now; what is added later does not change it."""
        return SeenPoints(self._points(), self._first_step)

    def _points(self) -> Points:
        steps, times, values, *extremes = self._room[:, : self.count]
        low, high = extremes or (values, values)
        return Points(steps, times, values, low, high)

    def add(self, told: list[tuple[float, float, float]]) -> None:
        new = np.array(told, dtype=np.float64).T
        new[2, ~np.isfinite(new[2])] = np.nan
        if self.count + len(told) > self._room.shape[1]:
            roomier = np.empty((len(self._room), max(2 * self._room.shape[1], self.count + len(told))))
            roomier[:, : self.count] = self._room[:, : self.count]
            self._room = roomier
        here = slice(self.count, self.count + len(told))
        self._room[:3, here] = new
        self._room[3:, here] = new[2]
        self.count = here.stop
        self._first_step = min(self._first_step, float(new[0].min()))

    def halve(self) -> None:
        """Two neighbours become one, which has the step and time of the later."""
        points, even = self._points(), self.count - self.count % 2
        rest = Points(*(column[even:] for column in points))
        first, second = (Points(*(column[at:even:2] for column in points)) for at in (0, 1))
        means = np.where(np.isnan(first.values), second.values, first.values / 2 + second.values / 2)
        means = np.where(np.isnan(second.values), first.values, means)
        low, high = np.fmin(first.low, second.low), np.fmax(first.high, second.high)
        merged = Points(second.steps, second.times, means, low, high)
        self._room = np.array([np.concatenate(pair) for pair in zip(merged, rest, strict=True)])
        self.count = self._room.shape[1]


def told_so_far(folder: str) -> int:
    """The size of the metrics file in bytes."""
    found = look_at(folder, METRICS_FILE)
    return found.st_size if found is not None else 0


class MetricsFile:
    """The metrics that a task reported, as far as they were read. Any thread."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._columns: dict[str, MetricColumn] = {}
        self._lock = threading.Lock()
        self._known: dict[str, SeenPoints] = {}
        self.bytes = 0

    @property
    def being_read(self) -> bool:
        return self._lock.locked()

    def seen(self, budget: ReadingBudget) -> dict[str, SeenPoints]:
        """Points by name, as the file is now; empty if it is gone or cannot be read."""
        if self._lock.acquire(timeout=PATIENCE_S):
            try:
                self._refresh(budget)
                self.bytes = sum(column.bytes for column in self._columns.values())
                self._known = {name: column.seen() for name, column in self._columns.items()}
            finally:
                self._lock.release()
        return self._known

    def _refresh(self, budget: ReadingBudget) -> None:
        found = look_at(self._folder, METRICS_FILE)
        if found is None:
            self._begin(None)
            return
        identity = (found.st_dev, found.st_ino)
        if identity != self._identity or found.st_size < self._offset:
            self._begin(identity)
        most, until = min(MOST_AT_ONCE, budget.left), time.monotonic() + LOOK_S
        while self._offset < found.st_size and most > 0 and time.monotonic() < until:
            points, after = read_points(self._folder, self._offset)
            if after == self._offset:
                return
            read = min(after - self._offset, READ_AT_ONCE)  # holes cost nothing
            most, budget.left = most - read, budget.left - read
            self._offset = after
            self._take(points)

    def _begin(self, identity: tuple[int, int] | None) -> None:
        self._identity, self._offset, self._columns = identity, 0, {}

    def _take(self, told: list[Told]) -> None:
        new: dict[str, list[tuple[float, float, float]]] = {}
        for at, step, values in told:
            for name, value in values.items():
                if name in new:
                    new[name].append((step, at, value))
                elif name in self._columns or len(self._columns.keys() | new.keys()) < MOST_NAMES:
                    new[name] = [(step, at, value)]
        for name, points in new.items():
            self._columns.setdefault(name, MetricColumn()).add(points)
        while sum(column.count for column in self._columns.values()) > MOST_POINTS:
            max(self._columns.values(), key=lambda column: column.count).halve()
