"""What the server answers about metrics."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping

from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class MetricPoint:
    """The latest value of a metric; null where it is not a number (diverged, for example)."""

    step: int = 0
    time: int = 0
    value: float | None = None


@dataclass(frozen=True)
class MetricName:
    """A metric and the tasks that told of it."""

    name: str = ""
    tasks: tuple[str, ...] = ()
    last: MetricPoint = MetricPoint()


@dataclass(frozen=True)
class MetricSeries:
    """A metric of one task over its steps: in each stretch its last step and time (milliseconds), and the mean, the
    lowest and the highest value; null where none is a number. `attempt` is the latest that has a part in it."""

    name: str = ""
    role: str = ""
    task: str = ""
    attempt: int = 0
    steps: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    values: tuple[float | None, ...] = ()
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Throughput:
    """Steps per second over the last minutes of a job that runs, over all of what has ended; null when nobody
    knows."""

    steps_per_second: float | None = None
    over_ms: int = 0


@dataclass(frozen=True)
class GpuBusy:
    """How busy its GPUs were over the same time, in percent of all of them; null where none is measured."""

    busy: float | None = None


@dataclass(frozen=True)
class JobMetrics:
    """What a job's tasks told by `danlu.log` or wrote for TensorBoard. At most 1000 names are listed; `hint` says
    what seems to hold the training up."""

    names: tuple[MetricName, ...] = ()
    series: tuple[MetricSeries, ...] = ()
    latest_step: int | None = None
    throughput: Throughput = Throughput()
    gpu: GpuBusy = GpuBusy()
    hint: Mapping[str, str] | None = None


READERS.update(
    {
        MetricName: {"tasks": ("tasks", tuple), "last": ("last", one(MetricPoint))},
        MetricSeries: {
            "steps": ("steps", tuple),
            "times": ("times", tuple),
            "values": ("values", tuple),
            "low": ("low", tuple),
            "high": ("high", tuple),
        },
        JobMetrics: {
            "names": ("names", each(MetricName)),
            "series": ("series", each(MetricSeries)),
            "throughput": ("throughput", one(Throughput)),
            "gpu": ("gpu", one(GpuBusy)),
        },
    }
)
