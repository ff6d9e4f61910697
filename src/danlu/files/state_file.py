"""The state file of `danlu sim decide`: nodes, rules and jobs as one decision of the scheduler sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StrictBool,
    StrictInt,
    StrictStr,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

from danlu.domain.job import JobClass
from danlu.domain.node import NodeState
from danlu.domain.rules import EACH
from danlu.domain.words import BadValue, say
from danlu.files.job_file import MAX_TASKS, ResourcesPart, RolePart, TopologyPart
from danlu.files.moments import Moment, WrittenMoment
from danlu.files.quantities import Bytes, Count, Cpus, Duration, Gpus, NodeCount, Size
from danlu.files.rulings import (
    Amounts,
    Classes,
    Labels,
    NonNegative,
    RuleName,
    Ruling,
    Value,
    Weight,
    Whom,
)

MAX_NODES = 100_000
MAX_CARDS = 64
NEW_YEAR = 1_767_225_600_000
"""The default of `now`: fixed, so that the same file always gives the same plan."""

Word = Annotated[StrictStr, Field(min_length=1, max_length=100)]
CardIndex = Annotated[StrictInt, Field(ge=0, le=9999)]


def _cards(value: Any) -> Any:
    """A number of GPUs means those with the first indices."""
    if isinstance(value, list):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_CARDS:
        raise BadValue(
            say(
                "{value} is neither a number of GPUs (0–{most}) nor a list of their indices",
                "{value} 既不是 GPU 数量（0–{most}），也不是 GPU 序号的列表",
                value=repr(value),
                most=MAX_CARDS,
            )
        )
    return list(range(value))


Cards = Annotated[
    list[CardIndex],
    BeforeValidator(_cards),
    Field(max_length=MAX_CARDS),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MAX_CARDS},
                {"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": MAX_CARDS},
            ]
        }
    ),
]


class _StatePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Short(_StatePart):
    """A mapping that may be written as its most important value alone."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": [cls.short(), handler(core)]}

    @classmethod
    def short(cls) -> dict[str, Any]:
        raise NotImplementedError


# ── what there is ────────────────────────────────────────────────────────────────────────────────────


class ForeignPart(_StatePart):
    """What workloads outside Danlu use on a node."""

    gpus: Annotated[StrictInt, Field(ge=0, le=MAX_CARDS)] = Field(0, description="Whole GPUs.")
    cpus: Cpus = Field(0, description="CPUs.", ge=0)
    memory: Size = Field(0, description="Memory.", ge=0)


class NodePart(_StatePart):
    """A machine, or several equal ones."""

    name: Word = Field(description="Its name; with count, `{}` is replaced by a number, from 0.")
    count: StrictInt = Field(1, description="How many such nodes there are.", ge=1, le=MAX_NODES)
    gpus: Cards = Field(default_factory=list, description="How many GPUs it has, or their indices.")
    gpu: Word | None = Field(None, description="The GPU model; default: `GPU`.")
    cpus: Cpus = Field(64_000, description="CPUs.", ge=0)
    memory: Size = Field(512 * 2**30, description="Memory.", ge=0)
    labels: Labels = Field(default_factory=dict, description="Labels, for selectors and topology.")
    pool: RuleName = Field("default", description="The pool it is in.")
    state: NodeState = Field(
        NodeState.READY,
        description="ready, occupied, cordoned, unreachable or off; jobs start only on the first two.",
    )
    cluster: Annotated[StrictStr, Field(max_length=100)] = Field(
        "", description="Its cluster; all tasks of a job run in one cluster."
    )
    foreign: ForeignPart = Field(
        default_factory=ForeignPart, description="What workloads outside Danlu use; jobs cannot have it."
    )
    closes_in: Duration | None = Field(
        None,
        description="How long until it closes, for example for a maintenance; default: it stays open.",
        ge=0,
    )


class PoolPart(Ruling):
    """Nodes that serve some classes of jobs."""

    name: RuleName = Field(description="Its name.")
    classes: Classes = Field(
        default_factory=list,
        description="The job classes it serves: workspace, single, distributed, service; default: all.",
    )


class AmountsPart(Amounts):
    """How much of what, for guarantee and cap alike. The GPUs of one model stand under its name: `A100: 16`."""

    cpus: NonNegative | None = Field(None, description="CPUs.")
    memory: Annotated[Bytes, Field(ge=0, le=2**60)] | None = Field(None, description="Memory.")
    gpus: NonNegative | None = Field(None, description="GPUs of all models together.")


class ProjectPart(Ruling):
    """A project, which is also a queue."""

    may_be_none = frozenset({"weight"})

    name: RuleName = Field(description="Its name.")
    weight: Weight | None = Field(
        None,
        description="Its part of what is left beyond guarantees; without a weight it draws on `public`'s share.",
    )
    guarantee: AmountsPart = Field(
        default_factory=AmountsPart, description="What it can always have; needs a weight."
    )
    cap: AmountsPart = Field(default_factory=AmountsPart, description="What it never exceeds.")
    closed: StrictBool = Field(False, description="If true, none of its jobs may start.")
    reclaimable: StrictBool = Field(True, description="Whether other projects may reclaim what they lent it.")
    node_selector: Labels = Field(default_factory=dict, description="Labels that nodes need for its jobs.")


class PriorityPart(Ruling):
    """A priority class."""

    name: RuleName = Field(description="Its name.")
    value: Value = Field(description="Jobs of a class with a higher value start sooner.")
    may_preempt: StrictBool = Field(
        False, description="Whether its jobs may evict lower ones in their project."
    )
    may_be_preempted: StrictBool = Field(True, description="Whether its jobs may be evicted.")


class FlavorPart(Ruling):
    """A named size of a task."""

    name: RuleName = Field(description="Its name.")
    resources: ResourcesPart = Field(description="What a task of this size gets, as in a job file.")


class LimitPart(Ruling):
    """A limit on GPUs in use at once, on run time, or on both."""

    may_be_none = frozenset({"user", "project", "job_class", "gpus", "max_time"})

    name: RuleName = Field(description="Its name.")
    user: Whom | None = Field(
        EACH, description="One user; `*`: each user separately; null: all users together."
    )
    project: Whom | None = Field(
        None, description="One project; `*`: each project separately; null: all projects together."
    )
    job_class: JobClass | None = Field(None, alias="class", description="One job class; null: all.")
    gpus: NonNegative | None = Field(None, description="How many GPUs may be in use at once.")
    max_time: Annotated[Duration, Field(ge=1)] | None = Field(
        None, description="The longest max_time that jobs may have; jobs without max_time wait."
    )


class PolicyPart(_StatePart):
    """The scheduler's settings."""

    score_time: Duration = Field(
        6 * 3_600_000,
        description="The time constant of the score: past GPU use counts 37 % after this time.",
        ge=1_000,
    )
    minimum_run_time: Duration = Field(
        10 * 60_000, description="How long a job must have run before it may be evicted.", ge=0
    )
    evict_workspaces: StrictBool = Field(False, description="Whether workspaces may be evicted.")
    default_max_time: dict[JobClass, Annotated[Duration, Field(ge=1)]] = Field(
        default_factory=dict, description="The default max_time by job class."
    )
    maintenance_notice: Duration = Field(
        24 * 3_600_000,
        description="Jobs without max_time start on a node only if it closes at least this far in the future.",
        ge=0,
    )


class UsePart(_StatePart):
    """A row of the ledger: past use."""

    user: Word = Field(description="The user who held it.")
    model: Word = Field("cpu", description="The GPU model; `cpu` for the CPUs of tasks without GPUs.")
    amount: Annotated[Count, Field(ge=0)] = Field(description="How many GPUs (or CPUs).")
    began: WrittenMoment = Field(description="From when.")
    ended: WrittenMoment = Field(description="Until when.")


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────────


class CardPart(_Short):
    """A GPU of a node; may be written as its index alone."""

    index: CardIndex = Field(description="Its index.")
    share: Gpus | None = Field(
        None, description="How much of the GPU, at most 1; default: by the task's size.", ge=1
    )

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: Any) -> Any:
        return data if isinstance(data, Mapping) else {"index": data}

    @classmethod
    def short(cls) -> dict[str, Any]:
        return {"type": "integer", "minimum": 0}


class TaskPart(_Short):
    """A task and where it runs; may be written as the name of its node alone."""

    role: Word | None = Field(None, description="Its role; default: the job's first role that lacks tasks.")
    index: CardIndex | None = Field(None, description="Its index in the role; default: the next free one.")
    task: Word | None = Field(
        None, description="Its name as printed in plans (role-index), instead of role and index."
    )
    node: Word = Field(description="The node it runs on.")
    gpus: list[CardPart] | None = Field(None, description="Its GPUs; default: the first free ones.")
    leaving: StrictBool = Field(False, description="Whether it was told to end but has not ended yet.")

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: Any) -> Any:
        return {"node": data} if isinstance(data, str) else data

    @classmethod
    def short(cls) -> dict[str, Any]:
        return {"type": "string"}


class BlockMountPart(_Short):
    """A block volume that a job mounts; may be written as its name alone, to read it."""

    volume: Word = Field(description="The volume.")
    mode: Literal["ro", "rw"] = Field("ro", description="ro: any number of jobs; rw: one job alone.")

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: Any) -> Any:
        return {"volume": data} if isinstance(data, str) else data

    @classmethod
    def short(cls) -> dict[str, Any]:
        return {"type": "string"}


class _Job(_StatePart):
    """What running and queued jobs have in common; sizes and shapes as in a job file."""

    id: Word = Field(description="Its id.")
    owner: Word = Field("somebody", description="The user who owns it.")
    project: Word = Field("public", description="The project it queues in.")
    priority: Word = Field("normal", description="Its priority class.")
    kind: Literal["workspace", "training", "service"] = Field("training", description="The kind of job.")
    resources: ResourcesPart | None = Field(None, description="What each task gets, as in a job file.")
    flavor: Word | None = Field(None, description="A named size instead of resources.")
    nodes: Annotated[NodeCount, Field(le=MAX_TASKS)] | None = Field(
        None,
        description="Short for one role `worker` with this many tasks; auto: the scheduler divides resources.",
    )
    min: StrictInt | None = Field(
        None, description="The minimum number of tasks in total to start with.", ge=1
    )
    roles: Annotated[list[RolePart], Field(min_length=1, max_length=64)] | None = Field(
        None,
        description="Roles, as in a job file, for jobs whose tasks differ; commands and variables are ignored.",
    )
    node_selector: Labels = Field(default_factory=dict, description="Labels that a node must have.")
    topology: TopologyPart | None = Field(None, description="How close the tasks must or should be.")
    max_time: Annotated[Duration, Field(ge=1)] | None = Field(
        None,
        description="After this time the job is ended; default: the policy's default for its class, else none.",
    )
    preemptible: StrictBool = Field(True, description="Whether it may be evicted.")
    pinned: WrittenMoment | None = Field(
        None, description="When an administrator pinned it; the latest pin goes first."
    )
    slot: WrittenMoment | None = Field(
        None, description="The time that decides its place among its owner's jobs; default: created."
    )
    gave_way_to: list[Word] = Field(
        default_factory=list, description="Jobs that it was evicted for; it never evicts those."
    )
    mounts: list[BlockMountPart] = Field(
        default_factory=list, description="Block volumes that it mounts: one job writes, or any number read."
    )


class RunningPart(_Job):
    """A running job."""

    tasks: Annotated[list[TaskPart], Field(min_length=1, max_length=MAX_TASKS)] = Field(
        description="Its tasks and where they run; without nodes and roles the job has just these."
    )
    began: WrittenMoment = Field(Moment(-3_600_000, ago=True), description="When it started to run.")
    created: WrittenMoment | None = Field(None, description="When it was created; default: when it started.")
    leaving: StrictBool = Field(
        False, description="Whether the whole job was told to end but has not ended yet."
    )
    nominated: list[TaskPart] = Field(
        default_factory=list,
        description="Where room is kept for it after it has left; name its GPUs.",
    )


class PendingPart(_Job):
    """A queued job, or several equal ones."""

    count: StrictInt = Field(
        1, description="How many such jobs; `{}` in id is replaced by a number, from 0.", ge=1, le=MAX_NODES
    )
    created: WrittenMoment | None = Field(
        None, description="When it was created; default: in the file's order."
    )
    refusals: Annotated[StrictInt, Field(ge=0, le=1000)] = Field(
        0, description="How often in a row a cluster rejected it after it was placed."
    )
    held_for: Annotated[Duration, Field(ge=1)] | None = Field(
        None, description="For how long it is held back because of that; it keeps its place in the queue."
    )
    nominated: list[TaskPart] = Field(
        default_factory=list, description="Where room is being made for it; name its GPUs."
    )


class StateFile(_StatePart):
    """Everything that a decision depends on. Only nodes are required."""

    now: WrittenMoment = Field(
        Moment(NEW_YEAR),
        description="The current time in the state: RFC 3339, or milliseconds since 1970. The real clock is never "
        "used.",
    )
    nodes: Annotated[list[NodePart], Field(max_length=MAX_NODES)] = Field(description="The nodes.")
    pools: list[PoolPart] = Field(default_factory=list, description="Pools; `default` always exists.")
    projects: list[ProjectPart] = Field(default_factory=list, description="Projects; `public` always exists.")
    priorities: list[PriorityPart] = Field(
        default_factory=list, description="Priority classes; `low`, `normal` and `high` always exist."
    )
    flavors: list[FlavorPart] = Field(default_factory=list, description="Flavors (named sizes).")
    limits: list[LimitPart] = Field(default_factory=list, description="Limits.")
    policy: PolicyPart = Field(default_factory=PolicyPart, description="The scheduler's settings.")
    scores: dict[Word, dict[Word, Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]]] = Field(
        default_factory=dict,
        description="Current scores by user and GPU model (or `cpu`); default: computed from ledger and running "
        "jobs.",
    )
    ledger: list[UsePart] = Field(default_factory=list, description="Past use that counts towards scores.")
    running: list[RunningPart] = Field(default_factory=list, description="Running jobs.")
    pending: list[PendingPart] = Field(default_factory=list, description="Queued jobs.")


def schema() -> dict[str, Any]:
    """The JSON Schema of the state file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "danlu:state",
        **StateFile.model_json_schema(),
    }
