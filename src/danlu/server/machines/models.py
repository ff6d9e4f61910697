"""Nodes as clients send and get them."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictStr, WithJsonSchema

from danlu.control.machines.node_moves import Moved
from danlu.control.machines.nodes import NodeNetwork as NetworkNow
from danlu.control.machines.nodes import NodeUse
from danlu.domain import isolation, node
from danlu.domain.isolation import Ability, IsolationForm
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


class IsolationLack(Answer, of=isolation.Lack):
    """What tasks on a node could have and do not: which ability, why, and how to fix it."""

    code: str
    ability: Ability
    text: Text
    fix: Text


class NodeIsolation(Answer, of=isolation.TaskIsolation):
    """How tasks on a node are kept apart: their form, what protects them, and what they lack; `text` says it in a few
    words. `one_user`: tasks of different people are one user to the machine; `root`: tasks have root's privileges;
    `subordinate_ids`: how many people can have a user of their own if these are subordinate ids, else 0."""

    form: IsolationForm
    abilities: list[Ability]
    lacking: list[IsolationLack]
    one_user: bool
    root: bool
    subordinate_ids: int
    text: Text


class Used(Answer):
    cpus: float
    memory: int
    gpus: float


class NodeNetwork(Answer, of=NetworkNow):
    """What a node receives and sends, in bytes per second. `shared`: the node is virtual, and these are the figures of
    the whole machine, the same for all its virtual nodes."""

    received: int
    sent: int
    shared: bool


class NodeTask(Answer):
    """A task on a node; its job is shown to those who may read the job."""

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


def _free(use: NodeUse) -> Json:
    free = use.free
    return {
        "cpus": plain_number(free.cpu_milli),
        "memory": free.memory,
        "gpus": plain_number(free.gpu_milli),
    }


def _note(use: NodeUse) -> str:
    """For a node that was put aside: why."""
    return "" if use.rule.put_aside else use.rule.note


class Node(Answer, of=NodeUse):
    """A node: a machine, or a part of one (`virtual`). `cluster` is empty for the machine that Danlu itself runs
    on. `used` is what Danlu's tasks use, `foreign` what workloads outside Danlu use, `free` what jobs could still
    get: nothing on a node that accepts none; `why` says why it accepts no tasks. `given_labels` are those of its
    `labels` that administrators set. `network` is null where it is not measured, as on Kubernetes. `note` is the
    note given when it was cordoned. `isolation` says how its tasks are kept apart, if that is known. `drain_by` is
    the deadline of a drain; at `closes_at` the node closes (or closed), for a drain or a `maintenance`."""

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
    network: NodeNetwork | None
    free: Annotated[Used, By(_free)]
    why: Annotated[str, At("node.why")]
    note: Annotated[str, By(_note)]
    drain_by: Annotated[Moment | None, At("rule.drain_by")]
    closes_at: Annotated[Moment | None, At("node.closes_at")]
    maintenance: Annotated[Said, At("node.closes_for")]
    isolation: Annotated[NodeIsolation | None, At("node.isolation")]


class NodeList(Answer):
    items: list[Node]


class NodeEdit(RequestBody):
    """What to change on a node; a label set to null is removed."""

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
                "this must be a time in the future; write 2026-01-31T12:00:00Z, or milliseconds since 1970",
                "须晚于当前时间；请写成 2026-01-31T12:00:00Z 或 1970 年以来的毫秒数",
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
    """Nodes to move to a pool; a preview only shows the effects."""

    nodes: NodeNames
    pool: RuleName
    preview: StrictBool = False


class NodeCordon(RequestBody):
    """Nodes to cordon with a note, or to uncordon, which also ends a drain."""

    nodes: NodeNames
    cordoned: StrictBool
    note: Note | None = None


class NodeDrain(RequestBody):
    """Nodes to drain: jobs that still run there after the deadline are evicted and requeued."""

    nodes: NodeNames
    deadline: Annotated[Duration, Field(ge=0, le=LONGEST_DRAIN)]
    note: Note = ""
    preview: StrictBool = False


class MaintenanceEdit(Ruling):
    """What to change on a maintenance; fields that are left out stay as they are, and a pool set to null is removed."""

    may_be_none = frozenset({"pool"})

    start: Instant | None = None
    end: Instant | None = None
    nodes: AnyNodeNames | None = None
    pool: RuleName | None = None
    description: ShortText | None = None


class MaintenanceCreate(MaintenanceEdit):
    """A time during which nodes accept no jobs: the named nodes, and all nodes of the pool if one is named."""

    name: RuleName
    start: Instant
    end: Instant


class MaintenancePreview(RequestBody):
    """A maintenance to preview."""

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
    """A job; its name is shown to those who may read it."""

    job_id: str | None
    name: str | None
    owner: str
    job_class: JobClass = Field(alias="class")


class MovedJob(ConcernedJob):
    """`served` says whether the new pool serves jobs of its class; the job keeps running in any case."""

    served: bool


class NodeMoved(Answer):
    """What a move does, or would do: `running` jobs keep running; `waiting` jobs could no longer start anywhere. Also
    the flavors that no node could hold any more for a job class, and those that some node now could."""

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
    """`ends_by_itself`: its max_time ends before the deadline."""

    ends_by_itself: bool


class NodesDrained(Answer):
    """Nodes to be drained by a deadline, and the jobs that run there now."""

    nodes: list[str]
    jobs: list[LeavingJob]
    drain_by: Moment


class Maintenance(Answer, of=Window):
    """A time during which nodes accept no jobs; `pool` means all nodes of that pool."""

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
