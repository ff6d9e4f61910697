"""Projects, priority classes, pools, flavors and limits as clients send and get them."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictStr

from danlu.domain import rules
from danlu.domain.job import JobClass
from danlu.domain.members import MemberRole
from danlu.domain.quantity import exact_size
from danlu.domain.resources import Resources
from danlu.files.forms import IMAGE_OR_NONE
from danlu.files.job_file import ResourcesPart
from danlu.files.quantities import Duration, plain_number
from danlu.files.rulings import (
    Amounts,
    Classes,
    GroupNames,
    Labels,
    NonNegative,
    RuleName,
    RuleNames,
    Ruling,
    ShortText,
    Value,
    Weight,
    Whom,
)
from danlu.server.http.models import Answer, Span, Thousandths
from danlu.server.http.rendering import GIVEN, At, Via

# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────


class ProjectEdit(Ruling):
    """What to change on a project; fields that are left out stay as they are. Without a weight it draws on `public`'s
    share.

    In an open project everybody may queue. The defaults are for jobs that name no size or image; empty is none."""

    may_be_none = frozenset({"weight"})

    description: ShortText | None = None
    weight: Weight | None = None
    guarantee: Amounts | None = None
    cap: Amounts | None = None
    closed: StrictBool | None = None
    reclaimable: StrictBool | None = None
    node_selector: Labels | None = None
    priorities: RuleNames | None = None
    open: StrictBool | None = None
    default_flavor: Annotated[StrictStr, Field(max_length=63)] | None = None
    default_image: Annotated[StrictStr, Field(pattern=IMAGE_OR_NONE, max_length=1_000)] | None = None


class ProjectCreate(ProjectEdit):
    """A new project. Only administrators may set anything but the description and the defaults."""

    name: RuleName


class PriorityEdit(Ruling):
    """What to change on a priority class; without groups (projects) it is open to everybody (every project). `budget`
    is the GPU-hours that each person may spend in a calendar month (UTC); null removes it."""

    may_be_none = frozenset({"budget"})

    value: Value | None = None
    may_preempt: StrictBool | None = None
    may_be_preempted: StrictBool | None = None
    groups: GroupNames | None = None
    projects: RuleNames | None = None
    description: ShortText | None = None
    needs_reason: StrictBool | None = None
    budget: NonNegative | None = None


class PriorityCreate(PriorityEdit):
    """A new priority class; jobs of a class with a higher value start sooner."""

    name: RuleName
    value: Value


class PoolEdit(Ruling):
    """What to change on a pool; no classes means all."""

    classes: Classes | None = None
    description: ShortText | None = None


class PoolCreate(PoolEdit):
    """A new pool; nodes can then be moved into it."""

    name: RuleName


class FlavorEdit(Ruling):
    """What to change on a flavor; its resources are replaced as a whole."""

    resources: ResourcesPart | None = None
    classes: Classes | None = None
    description: ShortText | None = None


class FlavorCreate(FlavorEdit):
    """A new flavor: a named size of a task, with resources as in a job file."""

    name: RuleName
    resources: ResourcesPart


class LimitEdit(Ruling):
    """What to change on a limit. `*` is each user (project) separately, null all of them together."""

    may_be_none = frozenset({"user", "project", "job_class", "gpus", "max_time"})

    user: Whom | None = None
    project: Whom | None = None
    job_class: JobClass | None = Field(None, alias="class")
    gpus: NonNegative | None = None
    max_time: Annotated[Duration, Field(ge=1)] | None = None


class LimitCreate(LimitEdit):
    """A new limit on GPUs in use at once, on run time, or on both; by default for each user separately."""

    name: RuleName
    user: Whom | None = rules.EACH


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────


def _amounts(amounts: rules.Amounts) -> dict[str, float]:
    return {key: amount if key == rules.MEMORY else plain_number(amount) for key, amount in amounts.items()}


ShownAmounts = Annotated[dict[str, float], Via(_amounts)]
SizeText = Annotated[str, Via(exact_size)]


class Project(Answer, of=rules.Project):
    """A project; amounts are GPUs and CPUs as numbers, memory in bytes. `members` is the number of members, `my_role`
    the caller's role in it."""

    name: str
    weight: float | None
    guarantee: ShownAmounts
    cap: ShownAmounts
    closed: bool
    reclaimable: bool
    node_selector: dict[str, str]
    priorities: list[str]
    description: str
    creator: str
    open: bool
    default_flavor: str
    default_image: str
    members: Annotated[int, GIVEN]
    my_role: Annotated[MemberRole | None, GIVEN]


class Priority(Answer, of=rules.PriorityClass):
    """A priority class. `needs_reason`: its jobs must have a justification. `budget`: GPU-hours of each person in a
    calendar month."""

    name: str
    value: int
    may_preempt: bool
    may_be_preempted: bool
    groups: list[str]
    projects: list[str]
    description: str
    needs_reason: bool
    budget: Annotated[Thousandths | None, At("budget_milli")]


class Pool(Answer, of=rules.Pool):
    name: str
    classes: list[JobClass]
    description: str


class FlavorResources(Answer, of=Resources):
    """A size, as in a job file."""

    cpus: Annotated[Thousandths, At("cpu_milli")]
    memory: SizeText
    gpus: Annotated[Thousandths, At("gpu_milli")]
    gpu: Annotated[str | None, At("gpu_model")]
    shm: SizeText
    rdma: bool


class Flavor(Answer, of=rules.Flavor):
    name: str
    resources: FlavorResources
    classes: list[JobClass]
    description: str


class Limit(Answer, of=rules.Limit):
    """`*` is each user (project) separately, null all of them together."""

    name: str
    user: str | None
    project: str | None
    job_class: JobClass | None = Field(alias="class")
    gpus: Annotated[Thousandths | None, At("gpu_milli")]
    max_time: Span | None


class ProjectList(Answer):
    items: list[Project]
    next_cursor: str | None


class PriorityList(Answer):
    items: list[Priority]
    next_cursor: str | None


class PoolList(Answer):
    items: list[Pool]
    next_cursor: str | None


class FlavorList(Answer):
    items: list[Flavor]
    next_cursor: str | None


class LimitList(Answer):
    items: list[Limit]
    next_cursor: str | None
