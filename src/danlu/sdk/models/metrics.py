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
    """A metric and the tasks that reported it."""

    name: str = ""
    tasks: tuple[str, ...] = ()
    last: MetricPoint = MetricPoint()


@dataclass(frozen=True)
class MetricSeries:
    """A metric of one task over its steps. Each point has its last step and time (milliseconds), and the mean,
    lowest and highest value; null if none is a number. `attempt` is the latest attempt with values in it."""

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
    """Steps per second: over the last minutes of a running job, or over all of one that ended; null if unknown."""

    steps_per_second: float | None = None
    over_ms: int = 0


@dataclass(frozen=True)
class GpuBusy:
    """Mean utilisation of the job's GPUs over the same time, in percent; null if not measured."""

    busy: float | None = None


@dataclass(frozen=True)
class JobMetrics:
    """Metrics that a job's tasks reported with `danlu.log` or wrote for TensorBoard. At most 1000 names are listed;
    `total_steps` is the last value of the metric of that name, `hint` says what seems to slow the training down."""

    names: tuple[MetricName, ...] = ()
    series: tuple[MetricSeries, ...] = ()
    latest_step: int | None = None
    total_steps: int | None = None
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
