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
"""The moment it is where the file does not say: fixed, so that the same file gives the same plan for ever."""

Word = Annotated[StrictStr, Field(min_length=1, max_length=100)]
CardIndex = Annotated[StrictInt, Field(ge=0, le=9999)]


def _cards(value: Any) -> Any:
    """So many cards are those with the first indices."""
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
    """What others than Danlu hold on a node."""

    gpus: Annotated[StrictInt, Field(ge=0, le=MAX_CARDS)] = Field(0, description="Whole GPUs.")
    cpus: Cpus = Field(0, description="CPUs.", ge=0)
    memory: Size = Field(0, description="Memory.", ge=0)


class NodePart(_StatePart):
    """A machine, or several equal ones."""

    name: Word = Field(description="Its name; with count, `{}` stands for the number, from 0.")
    count: StrictInt = Field(1, description="How many such nodes there are.", ge=1, le=MAX_NODES)
    gpus: Cards = Field(default_factory=list, description="How many GPUs it has, or their indices.")
    gpu: Word | None = Field(None, description="The GPUs' model; `GPU` when left out.")
    cpus: Cpus = Field(64_000, description="CPUs.", ge=0)
    memory: Size = Field(512 * 2**30, description="Memory.", ge=0)
    labels: Labels = Field(default_factory=dict, description="Labels, for selectors and topology.")
    pool: RuleName = Field("default", description="The pool it is in.")
    state: NodeState = Field(
        NodeState.READY, description="ready, occupied, cordoned, unreachable or off; the first two serve."
    )
    cluster: Annotated[StrictStr, Field(max_length=100)] = Field(
        "", description="The cluster it is in; all tasks of a job are in one."
    )
    foreign: ForeignPart = Field(
        default_factory=ForeignPart, description="What others than Danlu hold: not there for jobs."
    )
    closes_in: Duration | None = Field(
        None, description="How long until it closes, as for a maintenance; left out: it does not.", ge=0
    )


class PoolPart(Ruling):
    """Nodes that serve some classes of jobs."""

    name: RuleName = Field(description="Its name.")
    classes: Classes = Field(
        default_factory=list, description="workspace, single, distributed, service; none means all."
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
        None, description="Its part of what nobody is guaranteed; without one it draws on `public`'s share."
    )
    guarantee: AmountsPart = Field(
        default_factory=AmountsPart, description="What it gets whenever it wants it; needs a weight."
    )
    cap: AmountsPart = Field(default_factory=AmountsPart, description="What it never holds more of.")
    closed: StrictBool = Field(False, description="Whether none of its jobs may start.")
    reclaimable: StrictBool = Field(True, description="Whether others may take back what they lent it.")
    node_selector: Labels = Field(default_factory=dict, description="Labels that nodes need for its jobs.")


class PriorityPart(Ruling):
    """A priority class."""

    name: RuleName = Field(description="Its name.")
    value: Value = Field(description="The higher, the sooner.")
    may_preempt: StrictBool = Field(
        False, description="Whether its jobs may evict lower ones in their project."
    )
    may_be_preempted: StrictBool = Field(True, description="Whether its jobs may be evicted.")


class FlavorPart(Ruling):
    """A named size of a task."""

    name: RuleName = Field(description="Its name.")
    resources: ResourcesPart = Field(description="What a task of this size gets, as in a job file.")


class LimitPart(Ruling):
    """A bound on GPUs in use at once, on run time, or on both."""

    may_be_none = frozenset({"user", "project", "job_class", "gpus", "max_time"})

    name: RuleName = Field(description="Its name.")
    user: Whom | None = Field(EACH, description="One user; `*` each for itself, null all together.")
    project: Whom | None = Field(None, description="One project; `*` each for itself, null all together.")
    job_class: JobClass | None = Field(None, alias="class", description="One class of jobs; null all.")
    gpus: NonNegative | None = Field(None, description="How many GPUs may be in use at once.")
    max_time: Annotated[Duration, Field(ge=1)] | None = Field(
        None, description="The longest max_time that jobs may have; without one they wait."
    )


class PolicyPart(_StatePart):
    """The scheduler's settings."""

    score_time: Duration = Field(6 * 3_600_000, description="How long use weighs on a score.", ge=1_000)
    minimum_run_time: Duration = Field(
        10 * 60_000, description="How long a job has run before it may be evicted.", ge=0
    )
    evict_workspaces: StrictBool = Field(False, description="Whether workspaces may be evicted.")
    default_max_time: dict[JobClass, Annotated[Duration, Field(ge=1)]] = Field(
        default_factory=dict, description="max_time of jobs that set none, by class."
    )
    maintenance_notice: Duration = Field(
        24 * 3_600_000,
        description="How far off a node's closing must be for jobs without max_time to still start there.",
        ge=0,
    )


class UsePart(_StatePart):
    """A row of the ledger: something that was held and given back."""

    user: Word = Field(description="Who held it.")
    model: Word = Field("cpu", description="Of which GPU model; `cpu` for CPUs of tasks without GPUs.")
    amount: Annotated[Count, Field(ge=0)] = Field(description="How many GPUs (or CPUs).")
    began: WrittenMoment = Field(description="From when.")
    ended: WrittenMoment = Field(description="Until when.")


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────────


class CardPart(_Short):
    """A GPU of a node; an index alone will do."""

    index: CardIndex = Field(description="Its index.")
    share: Gpus | None = Field(
        None, description="How much of it, at most 1; default: as the task's size.", ge=1
    )

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: Any) -> Any:
        return data if isinstance(data, Mapping) else {"index": data}

    @classmethod
    def short(cls) -> dict[str, Any]:
        return {"type": "integer", "minimum": 0}


class TaskPart(_Short):
    """A task at its place; the name of a node alone will do."""

    role: Word | None = Field(None, description="Its role; default: the job's first that is not complete.")
    index: CardIndex | None = Field(None, description="Its index in the role; default: the next.")
    task: Word | None = Field(
        None, description="Its name as plans print it (role-index), instead of role and index."
    )
    node: Word = Field(description="Where it is.")
    gpus: list[CardPart] | None = Field(None, description="Its GPUs; default: the first that are free.")
    leaving: StrictBool = Field(False, description="Whether it was told to end and has not yet.")

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: Any) -> Any:
        return {"node": data} if isinstance(data, str) else data

    @classmethod
    def short(cls) -> dict[str, Any]:
        return {"type": "string"}


class _Job(_StatePart):
    """What running and queued jobs have in common; sizes and shapes as in a job file."""

    id: Word = Field(description="Its id.")
    owner: Word = Field("somebody", description="Whose it is.")
    project: Word = Field("public", description="The project it queues in.")
    priority: Word = Field("normal", description="Its priority class.")
    kind: Literal["workspace", "training", "service"] = Field(
        "training", description="What sort of job it is."
    )
    resources: ResourcesPart | None = Field(None, description="What each task gets, as in a job file.")
    flavor: Word | None = Field(None, description="A named size instead of resources.")
    nodes: Annotated[NodeCount, Field(le=MAX_TASKS)] | None = Field(
        None,
        description="Short for one role `worker` of so many tasks; auto: the scheduler divides resources.",
    )
    min: StrictInt | None = Field(None, description="The fewest tasks in all that may start.", ge=1)
    roles: Annotated[list[RolePart], Field(min_length=1, max_length=64)] | None = Field(
        None, description="Where tasks differ, as in a job file; commands and variables are of no account."
    )
    node_selector: Labels = Field(default_factory=dict, description="Labels a node must have.")
    topology: TopologyPart | None = Field(None, description="How close the tasks must or should be.")
    max_time: Annotated[Duration, Field(ge=1)] | None = Field(
        None, description="Past it, the end; default: the policy's for its class, else none."
    )
    preemptible: StrictBool = Field(True, description="Whether it may be evicted.")
    pinned: WrittenMoment | None = Field(
        None, description="When an administrator pinned it; the latest is first."
    )
    slot: WrittenMoment | None = Field(
        None, description="The moment that counts for its turn among its owner's jobs; default: created."
    )
    gave_way_to: list[Word] = Field(
        default_factory=list, description="Jobs it was evicted for; it evicts none of them."
    )


class RunningPart(_Job):
    """A job that holds something."""

    tasks: Annotated[list[TaskPart], Field(min_length=1, max_length=MAX_TASKS)] = Field(
        description="Its tasks at their places; without nodes and roles the job has just these."
    )
    began: WrittenMoment = Field(Moment(-3_600_000, ago=True), description="When it began to run.")
    created: WrittenMoment | None = Field(None, description="When it was created; default: when it began.")
    leaving: StrictBool = Field(False, description="Whether all of it was told to end and has not yet.")
    nominated: list[TaskPart] = Field(
        default_factory=list,
        description="Where room is kept for it once it has left; its GPUs must be named.",
    )


class PendingPart(_Job):
    """A queued job, or several equal ones."""

    count: StrictInt = Field(
        1, description="How many such jobs; `{}` in id stands for the number, from 0.", ge=1, le=MAX_NODES
    )
    created: WrittenMoment | None = Field(
        None, description="When it was created; default: in the file's order."
    )
    refusals: Annotated[StrictInt, Field(ge=0, le=1000)] = Field(
        0, description="How often in a row a cluster did not take it where it was placed."
    )
    held_for: Annotated[Duration, Field(ge=1)] | None = Field(
        None, description="For how long it is not placed because of that; it keeps its place in the queue."
    )
    nominated: list[TaskPart] = Field(
        default_factory=list, description="Where room is being made for it; its GPUs must be named."
    )


class StateFile(_StatePart):
    """Everything that a decision depends on. Only nodes are required."""

    now: WrittenMoment = Field(
        Moment(NEW_YEAR),
        description="The moment it is: RFC 3339, or milliseconds since 1970. Never the clock's.",
    )
    nodes: Annotated[list[NodePart], Field(max_length=MAX_NODES)] = Field(description="The machines.")
    pools: list[PoolPart] = Field(default_factory=list, description="Pools; `default` is there.")
    projects: list[ProjectPart] = Field(default_factory=list, description="Projects; `public` is there.")
    priorities: list[PriorityPart] = Field(
        default_factory=list, description="Priority classes; `low`, `normal` and `high` are there."
    )
    flavors: list[FlavorPart] = Field(default_factory=list, description="Named sizes.")
    limits: list[LimitPart] = Field(default_factory=list, description="Limits.")
    policy: PolicyPart = Field(default_factory=PolicyPart, description="The scheduler's settings.")
    scores: dict[Word, dict[Word, Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]]] = Field(
        default_factory=dict,
        description="Scores now, by user and GPU model (or `cpu`); else worked out of ledger and running jobs.",
    )
    ledger: list[UsePart] = Field(default_factory=list, description="What was held and given back.")
    running: list[RunningPart] = Field(default_factory=list, description="Jobs that hold something.")
    pending: list[PendingPart] = Field(default_factory=list, description="Queued jobs.")


def schema() -> dict[str, Any]:
    """The JSON Schema of the state file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "danlu:state",
        **StateFile.model_json_schema(),
    }
