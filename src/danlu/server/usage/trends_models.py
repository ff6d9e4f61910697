"""What was held, asked for and used over days and weeks: the numbers behind the panel's plots."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from danlu.control.usage import trends
from danlu.domain.job import JobClass
from danlu.files.moments import WrittenMoment
from danlu.server.http.answering import instant
from danlu.server.http.models import Answer, Moment, RequestBody
from danlu.server.http.rendering import By, Json

FilterText = Annotated[str, Field(min_length=1, max_length=200)]


class TrendQuery(RequestBody):
    """Which part of what was used, and how finely."""

    since: WrittenMoment | None = Field(
        None, description="From this moment on, or from so long ago (-30d) on; default: seven days ago."
    )
    until: WrittenMoment | None = Field(None, description="Up to this moment; default: now.")
    step: Literal["hour", "day", "week"] = Field(
        "day", description="How much time a point stands for: hours, days or weeks (from Monday on) of UTC."
    )
    by: Literal["project", "user", "class", "model"] | None = Field(
        None, description="A line for each of these; default: one line for all."
    )
    project: FilterText | None = Field(None, description="Of this project only.")
    user: FilterText | None = Field(None, description="Of this person only; `me` is oneself.")
    model: FilterText | None = Field(
        None,
        description="Of this GPU model only; `cpu` is what has no GPUs. Default: the GPUs of all models.",
    )
    job_class: JobClass | None = Field(None, alias="class", description="Of this class only.")
    format: Literal["json", "csv"] = Field("json", description="JSON, or a table of all points of all lines.")


class TrendPoint(Answer, of=trends.TrendPoint):
    """A step, from `at` on: GPUs `held` and asked for by those `queued`, on average (CPUs for the model cpu); how much
    of what could be measured was in `use` (0 to 1); the mean `wait` of those who were started, in seconds; how many
    attempts began and how many jobs ended or `failed`."""

    at: Moment
    held: float
    queued: float
    use: float | None
    wait: float | None
    starts: int
    ended: int
    failed: int


class TrendLine(Answer, of=trends.TrendLine):
    """`key` is empty when there is one line for all; `others` sums up what is beyond the largest lines."""

    key: str
    points: list[TrendPoint]


class CapacityPoint(Answer):
    at: Moment
    total: float


def _points(one: trends.CapacityLine) -> list[Json]:
    return [{"at": instant(at), "total": total} for at, total in one.points]


class CapacityLine(Answer, of=trends.CapacityLine):
    """GPUs of a model (CPUs for cpu) on nodes that took jobs, on average."""

    model: str
    points: Annotated[list[CapacityPoint], By(_points)]


class Trend(Answer, of=trends.Trend):
    """Every line has a point for every step between `since` and `until`; the last one may not be over yet."""

    since: Moment
    until: Moment
    step: Literal["hour", "day", "week"]
    lines: list[TrendLine]
    capacity: list[CapacityLine]
