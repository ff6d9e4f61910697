"""What trainings tell of themselves: kept per try of a task, answered here as lines over steps or time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.ports.logs import LogKey

Axis = Literal["step", "time"]
MOST_NAMES = 1_000
"""Of each task; what comes beyond is left out."""


@dataclass(frozen=True, slots=True)
class Run:
    """One try of a task to read from; `key` names its files. `until` is the last step of it that counts, since
    another try went on from there; None: all do."""

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
    """A metric, the tasks that told of it, and its latest value."""

    name: str
    tasks: tuple[str, ...]
    last: Point


@dataclass(frozen=True, slots=True)
class Series:
    """A metric of one task: in each stretch its last step and time, and the mean, the lowest and the highest value;
    None where none is a finite number. `attempt` is the latest that has a part in it."""

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
    """Which lines: of these names (None: of the first so many that are bearable), of all tasks or of the first that
    told of each, in at most so many points."""

    names: tuple[str, ...] | None = None
    all_tasks: bool = False
    points: int = 500
    by: Axis = "step"


@dataclass(frozen=True, slots=True)
class Pace:
    """From where to where the steps of the latest run went, within the stretch of time that was asked for."""

    first: Point
    last: Point


@dataclass(frozen=True, slots=True)
class Metrics:
    names: tuple[MetricName, ...]
    series: tuple[Series, ...]


class MetricsReader(Protocol):
    """Any thread. Runs are given in the order of their beginnings; where two of a task overlap, the later counts. What
    was never told, or cannot be read, is not there."""

    def read(self, runs: Sequence[Run], wanted: WantedMetrics) -> Metrics: ...

    def pace(self, runs: Sequence[Run], window: int | None) -> Pace | None:
        """How the steps went in the latest run that told of any: in its last `window` milliseconds (and at least from
        the last step but one), or in all of it. None where fewer than two steps are known."""

    def points(self, runs: Sequence[Run], names: Sequence[str]) -> Iterator[tuple[Run, str, Point]]:
        """Every single value that counts (no names: of all), run by run, in the order they were told."""
