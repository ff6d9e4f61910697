"""What the server answers about usage."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import Drawn
from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class Line(Drawn):
    """A quantity over time: in each stretch its mean and its highest value; null where nothing was measured."""

    mean: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class GpuLines:
    """One GPU: how busy in percent, and bytes of its memory in use."""

    index: int = 0
    busy: Line = Line()
    memory: Line = Line()


@dataclass(frozen=True)
class TaskUsage:
    """What one task used of what it was given."""

    times: tuple[int, ...] = ()
    cpus: Line = Line()
    memory: Line = Line()
    gpus: tuple[GpuLines, ...] = ()
    task: str = ""
    node: str = ""
    attempt: int = 0
    cpus_given: float = 0
    memory_given: int = 0
    gpus_given: tuple[int, ...] = ()


@dataclass(frozen=True)
class JobUsage:
    """By task; `measured_every` is the time between two measurements in milliseconds."""

    items: tuple[TaskUsage, ...] = ()
    measured_every: int = 0


@dataclass(frozen=True)
class NodeUsage:
    """What all tasks on a node used together, of what it has."""

    times: tuple[int, ...] = ()
    cpus: Line = Line()
    memory: Line = Line()
    gpus: tuple[GpuLines, ...] = ()
    node: str = ""
    cpus_total: float = 0
    memory_total: int = 0
    measured_every: int = 0


@dataclass(frozen=True)
class Resources:
    """As of `at`; `nodes` counts them by state, `classes` tells it of each class of jobs."""

    at: str = ""
    gpus: tuple[Mapping[str, Any], ...] = ()
    cpus: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, float] = field(default_factory=dict)
    jobs: Mapping[str, int] = field(default_factory=dict)
    mine: Mapping[str, int] = field(default_factory=dict)
    nodes: Mapping[str, int] = field(default_factory=dict)
    classes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class TrendPoint:
    """A step, from `at` on: GPUs `held` and asked for by those `queued`, on average (CPUs for the model cpu); how
    much of what could be measured was in `use` (0 to 1); the mean `wait` of those who were started, in seconds; how
    many attempts began and how many jobs ended or `failed`."""

    at: str = ""
    held: float = 0
    queued: float = 0
    use: float | None = None
    wait: float | None = None
    starts: int = 0
    ended: int = 0
    failed: int = 0


@dataclass(frozen=True)
class TrendLine:
    """`key` is empty when there is one line for all; `others` sums up what is beyond the largest lines."""

    key: str = ""
    points: tuple[TrendPoint, ...] = ()


@dataclass(frozen=True)
class CapacityPoint:
    at: str = ""
    total: float = 0


@dataclass(frozen=True)
class CapacityLine:
    """GPUs of a model (CPUs for cpu) on nodes that took jobs, on average."""

    model: str = ""
    points: tuple[CapacityPoint, ...] = ()


@dataclass(frozen=True)
class Trend:
    """Every line has a point for every step between `since` and `until`; the last one may not be over yet."""

    since: str = ""
    until: str = ""
    step: str = ""
    lines: tuple[TrendLine, ...] = ()
    capacity: tuple[CapacityLine, ...] = ()


READERS.update(
    {
        Line: {"mean": ("mean", tuple), "high": ("high", tuple)},
        GpuLines: {"busy": ("busy", one(Line)), "memory": ("memory", one(Line))},
        TaskUsage: {
            "times": ("times", tuple),
            "cpus": ("cpus", one(Line)),
            "memory": ("memory", one(Line)),
            "gpus": ("gpus", each(GpuLines)),
            "gpus_given": ("gpus_given", tuple),
        },
        JobUsage: {"items": ("items", each(TaskUsage))},
        NodeUsage: {
            "times": ("times", tuple),
            "cpus": ("cpus", one(Line)),
            "memory": ("memory", one(Line)),
            "gpus": ("gpus", each(GpuLines)),
        },
        Resources: {"gpus": ("gpus", tuple), "classes": ("classes", tuple)},
        TrendLine: {"points": ("points", each(TrendPoint))},
        CapacityLine: {"points": ("points", each(CapacityPoint))},
        Trend: {"lines": ("lines", each(TrendLine)), "capacity": ("capacity", each(CapacityLine))},
    }
)
