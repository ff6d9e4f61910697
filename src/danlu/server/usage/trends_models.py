"""What was allocated, requested and used over days and weeks: the numbers behind the panel's plots."""

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
    """Which part of the usage, and in which steps."""

    since: WrittenMoment | None = Field(
        None,
        description="The start of the time range; relative times such as -30d work too. Default: seven days "
        "ago.",
    )
    until: WrittenMoment | None = Field(None, description="The end of the time range; default: now.")
    step: Literal["hour", "day", "week"] = Field(
        "day", description="The time that each point covers: an hour, a day or a week (from Monday) in UTC."
    )
    by: Literal["project", "user", "class", "model"] | None = Field(
        None, description="One line for each of these; default: one line for everything."
    )
    project: FilterText | None = Field(None, description="Only this project.")
    user: FilterText | None = Field(None, description="Only this person; `me` is the caller.")
    model: FilterText | None = Field(
        None,
        description="Only this GPU model; `cpu`: jobs without GPUs. Default: the GPUs of all models.",
    )
    job_class: JobClass | None = Field(None, alias="class", description="Only this job class.")
    format: Literal["json", "csv"] = Field("json", description="JSON, or CSV with all points of all lines.")


class TrendPoint(Answer, of=trends.TrendPoint):
    """A step that starts at `at`: average GPUs `held` by running jobs and requested by `queued` jobs (CPUs for the
    model cpu); measured utilisation as `use` (0 to 1); the mean `wait` of jobs that started, in seconds; how many
    attempts started and how many jobs ended or `failed`."""

    at: Moment
    held: float
    queued: float
    use: float | None
    wait: float | None
    starts: int
    ended: int
    failed: int


class TrendLine(Answer, of=trends.TrendLine):
    """One line; `key` is empty if there is one line for everything; `others` is the sum of all but the largest
    lines."""

    key: str
    points: list[TrendPoint]


class CapacityPoint(Answer):
    at: Moment
    total: float


def _points(one: trends.CapacityLine) -> list[Json]:
    return [{"at": instant(at), "total": total} for at, total in one.points]


class CapacityLine(Answer, of=trends.CapacityLine):
    """Average number of GPUs of a model (CPUs for cpu) on nodes that accepted jobs."""

    model: str
    points: Annotated[list[CapacityPoint], By(_points)]


class Trend(Answer, of=trends.Trend):
    """Lines over time; each has a point for every step between `since` and `until`, and the last step may still be
    running."""

    since: Moment
    until: Moment
    step: Literal["hour", "day", "week"]
    lines: list[TrendLine]
    capacity: list[CapacityLine]
