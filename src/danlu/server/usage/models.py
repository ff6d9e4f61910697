"""What tasks and nodes use, as measured: the numbers behind the plots."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from danlu.files.quantities import Duration
from danlu.server.http.models import MAX_NUMBER, Answer, Request
from danlu.server.live.models import TRY

LONGEST_WINDOW = 31 * 86_400_000


class UsageQuery(Request):
    """Which stretch of time, and how finely."""

    window: Annotated[Duration, Field(ge=10_000, le=LONGEST_WINDOW)] = Field(
        3_600_000, description="How far back from now, or from the end of what is over."
    )
    points: int = Field(300, ge=10, le=2_000, description="The most points of each line to answer.")


class JobUsageQuery(UsageQuery):
    task: str | None = Field(None, max_length=100, description="Of this task only.")
    try_: int | None = Field(None, alias="try", ge=0, le=MAX_NUMBER, description=TRY)
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="Default: the latest.")


class Line(Answer):
    """A quantity over time: in each stretch its mean and its highest value; null where nothing was measured."""

    mean: list[float | None]
    high: list[float | None]


class GpuLines(Answer):
    """One GPU: how busy in percent, and bytes of its memory in use."""

    index: int
    busy: Line
    memory: Line


class Usage(Answer):
    """Measured use; `times` in milliseconds are the middles of the stretches, `cpus` in cores, `memory` in bytes."""

    times: list[int]
    cpus: Line
    memory: Line
    gpus: list[GpuLines]


class TaskUsage(Usage):
    """What one task used of what it was given."""

    task: str
    node: str
    attempt: int
    cpus_given: float
    memory_given: int
    gpus_given: list[int]


class JobUsage(Answer):
    """By task; `measured_every` is the time between two measurements in milliseconds."""

    items: list[TaskUsage]
    measured_every: int


class NodeUsage(Usage):
    """What all tasks on a node used together, of what it has."""

    node: str
    cpus_total: float
    memory_total: int
    measured_every: int
