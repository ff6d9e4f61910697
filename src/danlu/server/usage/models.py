"""Measured usage of tasks and nodes: the numbers behind the plots."""

from typing import Annotated

from pydantic import Field

from danlu.files.quantities import Duration
from danlu.ports import usage
from danlu.server.http.models import MAX_NUMBER, Answer, RequestBody
from danlu.server.http.rendering import GIVEN
from danlu.server.live.models import TRY

LONGEST_WINDOW = 31 * 86_400_000


class UsageQuery(RequestBody):
    """Which time range, and in how many points."""

    window: Annotated[Duration, Field(ge=10_000, le=LONGEST_WINDOW)] = Field(
        3_600_000, description="How far back from now, or from the end of the attempt."
    )
    points: int = Field(300, ge=10, le=2_000, description="The maximum number of points per line.")


class JobUsageQuery(UsageQuery):
    task: str | None = Field(None, max_length=100, description="Only of this task.")
    try_: int | None = Field(None, alias="try", ge=0, le=MAX_NUMBER, description=TRY)
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The attempt; default: the latest.")


class Line(Answer, of=usage.Line):
    """A quantity over time: mean and maximum of each interval; null where nothing was measured."""

    mean: list[float | None]
    high: list[float | None]


class GpuLines(Answer, of=usage.GpuLines):
    """One GPU: utilisation in percent, and bytes of its memory in use."""

    index: int
    busy: Line
    memory: Line


class Usage(Answer, of=usage.Usage):
    """Measured usage; `times` are the middles of the intervals in milliseconds, `cpus` is in cores, `memory` in
    bytes."""

    times: list[int]
    cpus: Line
    memory: Line
    gpus: list[GpuLines]


class TaskUsage(Usage):
    """What one task used, and what it was given."""

    task: Annotated[str, GIVEN]
    node: Annotated[str, GIVEN]
    attempt: Annotated[int, GIVEN]
    cpus_given: Annotated[float, GIVEN]
    memory_given: Annotated[int, GIVEN]
    gpus_given: Annotated[list[int], GIVEN]


class JobUsage(Answer):
    """Usage by task; `measured_every` is the time between two samples in milliseconds."""

    items: list[TaskUsage]
    measured_every: int


class NetworkLines(Answer, of=usage.NetworkLines):
    """What a node received and sent, in bytes per second, with times of its own. `shared`: the node is virtual, and
    these are the figures of the whole machine."""

    times: list[int]
    received: Line
    sent: Line
    shared: Annotated[bool, GIVEN]


class NodeUsage(Usage):
    """What all tasks on a node used together, and what the node has; `network` is null where it is not measured."""

    node: Annotated[str, GIVEN]
    cpus_total: Annotated[float, GIVEN]
    memory_total: Annotated[int, GIVEN]
    network: Annotated[NetworkLines | None, GIVEN]
    measured_every: Annotated[int, GIVEN]
