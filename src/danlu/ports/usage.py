"""Measured usage of tasks and nodes over time, as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.ports import samples
from danlu.ports.logs import LogKey

TASKS_EVERY = samples.EVERY_MS
NODES_EVERY = 15_000
"""Milliseconds between two measurements."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The `window` milliseconds before `end` (None: now), in at most `points` points."""

    window: int
    points: int
    end: Time | None = None


class Line(NamedTuple):
    """A quantity over time: its mean and maximum in each interval; None where nothing was measured."""

    mean: list[float | None]
    high: list[float | None]


@dataclass(frozen=True, slots=True)
class GpuLines:
    """One GPU: its utilization in percent and its used memory in bytes."""

    index: int
    busy: Line
    memory: Line


@dataclass(frozen=True, slots=True)
class Usage:
    """Lines over the same times: CPUs in cores, memory in bytes."""

    times: list[Time]
    cpus: Line
    memory: Line
    gpus: tuple[GpuLines, ...]


@dataclass(frozen=True, slots=True)
class NetworkLines:
    """What a machine received and sent over time, in bytes per second."""

    times: list[Time]
    received: Line
    sent: Line


class Traffic(NamedTuple):
    """What a machine receives and sends now in bytes per second, and has received and sent since it started."""

    received: int
    sent: int
    all_received: int
    all_sent: int


class UsageReader(Protocol):
    """Thread-safe. Tasks and nodes without measurements, or with unreadable ones, have empty lines."""

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage: ...

    def of_node(self, name: str, span: TimeWindow) -> Usage:
        """The sum over all tasks on the node."""


class NetworkReader(Protocol):
    """Thread-safe."""

    def of_network(self, span: TimeWindow) -> NetworkLines:
        """The network of the machine that Danlu runs tasks on."""

    def traffic(self) -> Traffic | None:
        """The same now; None if it was not measured recently."""


class MeasuredUse(UsageReader, NetworkReader, Protocol):
    """All that is measured."""
