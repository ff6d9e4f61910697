"""What the server answers about usage."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import Drawn
from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class Line(Drawn):
    """A quantity over time: mean and maximum of each interval; null where nothing was measured."""

    mean: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class GpuLines:
    """One GPU: utilisation in percent, and bytes of its memory in use."""

    index: int = 0
    busy: Line = Line()
    memory: Line = Line()


@dataclass(frozen=True)
class TaskUsage:
    """What one task used, and what it was given."""

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
    """Usage by task; `measured_every` is the time between two samples in milliseconds."""

    items: tuple[TaskUsage, ...] = ()
    measured_every: int = 0


@dataclass(frozen=True)
class NetworkLines:
    """What a node received and sent, in bytes per second, with times of its own. `shared`: the node is virtual, and
    these are the figures of the whole machine."""

    times: tuple[int, ...] = ()
    received: Line = Line()
    sent: Line = Line()
    shared: bool = False


@dataclass(frozen=True)
class NodeUsage:
    """What all tasks on a node used together, and what the node has; `network` is null where it is not measured."""

    times: tuple[int, ...] = ()
    cpus: Line = Line()
    memory: Line = Line()
    gpus: tuple[GpuLines, ...] = ()
    node: str = ""
    cpus_total: float = 0
    memory_total: int = 0
    network: NetworkLines | None = None
    measured_every: int = 0


@dataclass(frozen=True)
class Resources:
    """Resources as of `at`; `nodes` counts nodes by state, `classes` has the numbers of each job class."""

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
    """A step that starts at `at`: average GPUs `held` by running jobs and requested by `queued` jobs (CPUs for the
    model cpu); measured utilisation as `use` (0 to 1); the mean `wait` of jobs that started, in seconds; how many
    attempts started and how many jobs ended or `failed`."""

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
    """One line; `key` is empty if there is one line for everything; `others` is the sum of all but the largest
    lines."""

    key: str = ""
    points: tuple[TrendPoint, ...] = ()


@dataclass(frozen=True)
class CapacityPoint:
    at: str = ""
    total: float = 0


@dataclass(frozen=True)
class CapacityLine:
    """Average number of GPUs of a model (CPUs for cpu) on nodes that accepted jobs."""

    model: str = ""
    points: tuple[CapacityPoint, ...] = ()


@dataclass(frozen=True)
class Trend:
    """Lines over time; each has a point for every step between `since` and `until`, and the last step may still be
    running."""

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
        NetworkLines: {
            "times": ("times", tuple),
            "received": ("received", one(Line)),
            "sent": ("sent", one(Line)),
        },
        NodeUsage: {
            "times": ("times", tuple),
            "cpus": ("cpus", one(Line)),
            "memory": ("memory", one(Line)),
            "gpus": ("gpus", each(GpuLines)),
            "network": ("network", one(NetworkLines)),
        },
        Resources: {"gpus": ("gpus", tuple), "classes": ("classes", tuple)},
        TrendLine: {"points": ("points", each(TrendPoint))},
        CapacityLine: {"points": ("points", each(CapacityPoint))},
        Trend: {"lines": ("lines", each(TrendLine)), "capacity": ("capacity", each(CapacityLine))},
    }
)
