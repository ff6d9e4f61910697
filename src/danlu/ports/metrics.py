"""Metrics of trainings: stored per try of a task, returned as lines over steps or time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.ports.logs import LogKey

Axis = Literal["step", "time"]
MOST_NAMES = 1_000
"""The maximum number of metrics per task; more are left out."""
TOTAL_STEPS = "total_steps"
"""The metric by which a training tells how many steps it will take."""


@dataclass(frozen=True, slots=True)
class Run:
    """One try of a task to read from; `key` names its files. `until` is the last step that counts, because another try
    continued from there; None: all count."""

    key: LogKey
    role: str
    task: str
    until: int | None = None


class Point(NamedTuple):
    step: int
    time: Time
    value: float


@dataclass(frozen=True, slots=True)
class MetricName:
    """A metric, the tasks that reported it, and its latest value."""

    name: str
    tasks: tuple[str, ...]
    last: Point


@dataclass(frozen=True, slots=True)
class Series:
    """A metric of one task: each point has its last step and time, and the mean, lowest and highest value; None if
    none is a finite number. `attempt` is the latest attempt with values in it."""

    name: str
    role: str
    task: str
    attempt: int
    steps: list[int]
    times: list[Time]
    values: list[float | None]
    low: list[float | None]
    high: list[float | None]


@dataclass(frozen=True, slots=True)
class WantedMetrics:
    """Which lines: of these names (None: the first ones, up to a limit), of all tasks or only the first that reported
    each, in at most this many points."""

    names: tuple[str, ...] | None = None
    all_tasks: bool = False
    points: int = 500
    by: Axis = "step"


@dataclass(frozen=True, slots=True)
class Pace:
    """The first and last step of the latest run within the requested time."""

    first: Point
    last: Point


@dataclass(frozen=True, slots=True)
class Metrics:
    names: tuple[MetricName, ...]
    series: tuple[Series, ...]


class Latest(NamedTuple):
    """What a training reported last, in short: its step, of how many if it told, and the value of the metric that says
    most about it; None where that is not a finite number."""

    step: int
    time: Time
    total_steps: int | None
    metric: str | None
    value: float | None


class LatestReader(Protocol):
    """One thread. Reads only what was reported since the last look."""

    def look(self, run: LogKey) -> Latest | None:
        """None where this try of a task has reported nothing."""

    def keep_only(self, runs: Collection[LogKey]) -> None:
        """Forget what was read of others."""


class MetricsReader(Protocol):
    """Any thread. Runs are given in the order of their starts; where two of a task overlap, the later counts. What was
    never reported, or cannot be read, is left out."""

    def read(self, runs: Sequence[Run], wanted: WantedMetrics) -> Metrics: ...

    def pace(self, runs: Sequence[Run], window: int | None) -> Pace | None:
        """The pace of the latest run that reported steps: over its last `window` milliseconds (and at least the last
        two steps), or over all of it. None with fewer than two steps."""

    def points(self, runs: Sequence[Run], names: Sequence[str]) -> Iterator[list[tuple[Run, str, Point]]]:
        """Every single value that counts (no names: of all metrics), run by run, in the order they were reported. In
        batches: each is read in a moment, and may be empty."""
