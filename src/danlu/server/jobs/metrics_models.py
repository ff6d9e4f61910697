"""What a training tells of itself over its steps: the numbers behind its charts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from danlu.ports import metrics
from danlu.server.http.models import MAX_NUMBER, Answer, RequestBody, Text

MOST_NAMED = 64
"""So many names may be asked for at once."""


class MetricsQuery(RequestBody):
    """Which metrics, of which task, and how finely."""

    name: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=MOST_NAMED, description="This metric; may repeat. Default: the first 32 by name."
    )
    task: str | None = Field(None, max_length=100, description="Of this task only.")
    attempt: int | None = Field(
        None,
        ge=1,
        le=MAX_NUMBER,
        description="Of this attempt only; default: all, joined where each went on.",
    )
    points: int = Field(500, ge=10, le=5_000, description="The most points of each line to answer.")
    by: Literal["step", "time"] = Field("step", description="Stretches of equal steps, or of equal time.")
    all_tasks: bool = Field(
        False, description="A line for every task that told of the metric; default: of the first one only."
    )
    format: Literal["json", "csv"] = Field(
        "json",
        description="csv: every single value, as rows of step, time (milliseconds), name, task and value.",
    )


class MetricPoint(Answer):
    """The latest value of a metric; null where it is not a number (diverged, for example)."""

    step: int
    time: int
    value: float | None


class MetricName(Answer):
    """A metric and the tasks that told of it."""

    name: str
    tasks: list[str]
    last: MetricPoint


class MetricSeries(Answer, of=metrics.Series):
    """A metric of one task over its steps: in each stretch its last step and time (milliseconds), and the mean, the
    lowest and the highest value; null where none is a number. `attempt` is the latest that has a part in it."""

    name: str
    role: str
    task: str
    attempt: int
    steps: list[int]
    times: list[int]
    values: list[float | None]
    low: list[float | None]
    high: list[float | None]


class Throughput(Answer):
    """Steps per second over the last minutes of a job that runs, over all of what has ended; null when nobody knows."""

    steps_per_second: float | None
    over_ms: int


class GpuBusy(Answer):
    """How busy its GPUs were over the same time, in percent of all of them; null where none is measured."""

    busy: float | None


class JobMetrics(Answer):
    """What a job's tasks told by `danlu.log` or wrote for TensorBoard. At most 1000 names are listed; `hint` says what
    seems to hold the training up."""

    names: list[MetricName]
    series: list[MetricSeries]
    latest_step: int | None
    throughput: Throughput
    gpu: GpuBusy
    hint: Text | None
