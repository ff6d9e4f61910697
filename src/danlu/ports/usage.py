"""What tasks and nodes used over time: measured where they run, answered here as lines."""

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
    """How far back from `end` (None: from now), in at most so many points."""

    window: int
    points: int
    end: Time | None = None


class Line(NamedTuple):
    """A quantity over time: its mean and its highest value in each stretch; None where nothing was measured."""

    mean: list[float | None]
    high: list[float | None]


@dataclass(frozen=True, slots=True)
class GpuLines:
    """One card: how busy in percent, and bytes of its memory in use."""

    index: int
    busy: Line
    memory: Line


@dataclass(frozen=True, slots=True)
class Usage:
    """Lines over the same times: processors in cores, memory in bytes."""

    times: list[Time]
    cpus: Line
    memory: Line
    gpus: tuple[GpuLines, ...]


class UsageReader(Protocol):
    """Any thread. What was never measured, or cannot be read, has empty lines."""

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage: ...

    def of_node(self, name: str, span: TimeWindow) -> Usage:
        """All tasks on the node together."""
