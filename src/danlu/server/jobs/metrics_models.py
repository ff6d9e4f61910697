"""Metrics that a training reports over its steps: the numbers behind its charts."""

from typing import Annotated, Literal

from pydantic import Field

from danlu.ports import metrics
from danlu.server.http.models import MAX_NUMBER, Answer, RequestBody, Text

MOST_NAMED = 64
"""How many metrics may be requested at once."""


class MetricsQuery(RequestBody):
    """Which metrics, of which task, and in how many points."""

    name: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=MOST_NAMED, description="A metric; may be repeated. Default: the first 32 by name."
    )
    task: str | None = Field(None, max_length=100, description="Only of this task.")
    attempt: int | None = Field(
        None,
        ge=1,
        le=MAX_NUMBER,
        description="Only of this attempt; default: all attempts, joined where each continued.",
    )
    points: int = Field(500, ge=10, le=5_000, description="The maximum number of points per line.")
    by: Literal["step", "time"] = Field(
        "step", description="Whether points cover equal numbers of steps or equal times."
    )
    all_tasks: bool = Field(
        False, description="One line for every task that reported the metric; default: only the first task."
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
    """A metric and the tasks that reported it."""

    name: str
    tasks: list[str]
    last: MetricPoint


class MetricSeries(Answer, of=metrics.Series):
    """A metric of one task over its steps. Each point has its last step and time (milliseconds), and the mean, lowest
    and highest value; null if none is a number. `attempt` is the latest attempt with values in it."""

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
    """Steps per second: over the last minutes of a running job, or over all of one that ended; null if unknown."""

    steps_per_second: float | None
    over_ms: int


class GpuBusy(Answer):
    """Mean utilisation of the job's GPUs over the same time, in percent; null if not measured."""

    busy: float | None


class JobMetrics(Answer):
    """Metrics that a job's tasks reported with `danlu.log` or wrote for TensorBoard. At most 1000 names are listed;
    `total_steps` is the last value of the metric of that name, `hint` says what seems to slow the training down."""

    names: list[MetricName]
    series: list[MetricSeries]
    latest_step: int | None
    total_steps: int | None
    throughput: Throughput
    gpu: GpuBusy
    hint: Text | None
