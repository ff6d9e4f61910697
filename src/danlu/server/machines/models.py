"""Nodes as clients send and get them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictStr, WithJsonSchema

from danlu.control.machines.node_moves import Moved
from danlu.control.machines.nodes import NodeUse
from danlu.domain import node
from danlu.domain.job import JobClass, Time
from danlu.domain.node import NodeState
from danlu.domain.rules import Maintenance as Window
from danlu.domain.words import BadValue, say
from danlu.files.moments import LATEST, parse_moment
from danlu.files.quantities import Duration, plain_number
from danlu.files.rulings import LabelKey, LabelValue, RuleName, Ruling, ShortText
from danlu.server.http.models import Answer, Moment, RequestBody, Said, Text, Thousandths
from danlu.server.http.rendering import GIVEN, At, By, Json


class Gpu(Answer, of=node.Gpu):
    index: int
    uuid: str | None
    declared: bool


class Used(Answer):
    cpus: float
    memory: int
    gpus: float


class NodeTask(Answer):
    """A task on a node; which job it belongs to is told to those who may read the job."""

    job_id: str | None
    job_name: str | None
    owner: str
    task: str
    gpus: list[int]
    started_at: Moment | None


def _used(use: NodeUse) -> Json:
    gpus, cpus = plain_number(use.gpu_milli), plain_number(use.cpu_milli)
    return {"cpus": cpus, "memory": use.memory, "gpus": gpus}


def _foreign(use: NodeUse) -> Json:
    held = use.node.foreign
    return {"cpus": plain_number(held.cpu_milli), "memory": held.memory, "gpus": held.gpus}


def _note(use: NodeUse) -> str:
    """Of one that was put aside it is why it is cordoned."""
    return "" if use.rule.put_aside else use.rule.note


class Node(Answer, of=NodeUse):
    """A machine, or a part of one that poses as a machine (`virtual`). `cluster` is empty where Danlu itself runs.
    `used` is by Danlu's tasks, `foreign` what others than Danlu hold; `why` says what keeps it from taking tasks.
    Of its `labels`, `given_labels` are those that administrators gave it. `note` is what was said when it was cordoned.
    At `drain_by` what runs there must have left as it is drained; at `closes_at` it closes (or did), for that or for a
    `maintenance`."""

    name: Annotated[str, At("node.name")]
    state: Annotated[NodeState, At("node.state")]
    virtual: Annotated[bool, At("node.virtual")]
    address: Annotated[str | None, At("node.address")]
    cpus: Annotated[Thousandths, At("node.cpu_milli")]
    memory: Annotated[int, At("node.memory")]
    gpu_model: Annotated[str | None, At("node.gpu_model")]
    gpus: Annotated[list[Gpu], At("node.gpus")]
    labels: Annotated[dict[str, str], At("node.labels")]
    given_labels: Annotated[dict[str, str], At("rule.labels")]
    used: Annotated[Used, By(_used)]
    tasks: Annotated[list[NodeTask], GIVEN]
    pool: Annotated[str, At("node.pool")]
    cluster: Annotated[str, At("node.cluster")]
    foreign: Annotated[Used, By(_foreign)]
    why: Annotated[str, At("node.why")]
    note: Annotated[str, By(_note)]
    drain_by: Annotated[Moment | None, At("rule.drain_by")]
    closes_at: Annotated[Moment | None, At("node.closes_at")]
    maintenance: Annotated[Said, At("node.closes_for")]


class NodeList(Answer):
    items: list[Node]


class NodeEdit(RequestBody):
    """What holds for a node from now on; a label that is null goes."""

    pool: RuleName | None = None
    cordoned: StrictBool | None = None
    labels: Annotated[dict[LabelKey, LabelValue | None], Field(max_length=100)] | None = None


LONGEST_DRAIN = 30 * 86_400_000
MOST_NODES = 2_000


def _instant(value: Any) -> Time:
    moment = parse_moment(value)
    if moment.ago:
        raise BadValue(
            say(
                "this must be a time ahead; write 2026-01-31T12:00:00Z, or milliseconds since 1970",
                "这里须为将来的时间；请写成 2026-01-31T12:00:00Z 或 1970 年以来的毫秒数",
            )
        )
    return moment.millis


Instant = Annotated[
    int,
    BeforeValidator(_instant),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "format": "date-time", "examples": ["2026-01-31T12:00:00Z"]},
                {"type": "integer", "minimum": 0, "maximum": LATEST},
            ]
        }
    ),
]
NodeNames = Annotated[
    list[Annotated[StrictStr, Field(min_length=1, max_length=300)]],
    Field(min_length=1, max_length=MOST_NODES),
]
AnyNodeNames = Annotated[
    list[Annotated[StrictStr, Field(min_length=1, max_length=300)]], Field(max_length=MOST_NODES)
]
Note = Annotated[StrictStr, Field(max_length=500)]


class NodeMove(RequestBody):
    """Nodes to move to a pool; a preview only tells what that would do."""

    nodes: NodeNames
    pool: RuleName
    preview: StrictBool = False


class NodeCordon(RequestBody):
    """Nodes to cordon with a note, or to open again, which also ends a drain."""

    nodes: NodeNames
    cordoned: StrictBool
    note: Note | None = None


class NodeDrain(RequestBody):
    """Nodes to empty: what still runs there after the deadline gives way and queues again."""

    nodes: NodeNames
    deadline: Annotated[Duration, Field(ge=0, le=LONGEST_DRAIN)]
    note: Note = ""
    preview: StrictBool = False


class MaintenanceEdit(Ruling):
    """What to change of a maintenance; what is left out stays, and a pool that is null goes."""

    may_be_none = frozenset({"pool"})

    start: Instant | None = None
    end: Instant | None = None
    nodes: AnyNodeNames | None = None
    pool: RuleName | None = None
    description: ShortText | None = None


class MaintenanceCreate(MaintenanceEdit):
    """A time during which nodes take no jobs: those named, and all of the pool if one is named."""

    name: RuleName
    start: Instant
    end: Instant


class MaintenancePreview(RequestBody):
    """A maintenance as it might be."""

    start: Instant
    end: Instant
    nodes: AnyNodeNames = Field(default_factory=list)
    pool: RuleName | None = None

    def window(self) -> Window:
        return Window("", self.start, self.end, tuple(dict.fromkeys(self.nodes)), self.pool)


class MovedNode(Answer, of=Moved):
    name: str
    before: str = Field(alias="from")
    after: str = Field(alias="to")


class ConcernedJob(Answer):
    """A job; which one is told to those who may read it."""

    job_id: str | None
    name: str | None
    owner: str
    job_class: JobClass = Field(alias="class")


class MovedJob(ConcernedJob):
    """`served` says whether the pool takes jobs of its class; it goes on in any case."""

    served: bool


class NodeMoved(Answer):
    """What a move does, or would do: `running` jobs go on; `waiting` ones could start nowhere any more. Of flavors,
    those that no node could hold any more for a class of jobs, and those that some node now could."""

    nodes: list[MovedNode]
    running: list[MovedJob]
    waiting: list[ConcernedJob]
    flavors_lost: list[str]
    flavors_gained: list[str]


class NodeOutcome(Answer):
    name: str
    ok: bool
    error: str | None
    text: Text | None


class NodesCordoned(Answer):
    items: list[NodeOutcome]


class LeavingJob(ConcernedJob):
    """`ends_by_itself`: by its max_time it surely has ended before."""

    ends_by_itself: bool


class NodesDrained(Answer):
    """Nodes that must be empty by a time, and the jobs that run there now."""

    nodes: list[str]
    jobs: list[LeavingJob]
    drain_by: Moment


class Maintenance(Answer, of=Window):
    """A time during which nodes take no jobs; `pool` stands for all nodes that are in it."""

    name: str
    start: Moment
    end: Moment
    nodes: list[str]
    pool: str | None
    description: str
    state: Annotated[Literal["planned", "now", "past"], GIVEN]


class MaintenanceList(Answer):
    items: list[Maintenance]
    next_cursor: str | None
