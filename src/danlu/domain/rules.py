"""The rules that administrators set: projects, priorities, pools, flavors, limits, quotas, groups, clusters, and
settings of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from danlu.domain.job import JobClass, NetworkPolicy, Time
from danlu.domain.people import User
from danlu.domain.resources import Resources

PUBLIC = "public"
NORMAL = "normal"
EACH = "*"
"""In a limit: each user (or project) separately."""

CPUS, MEMORY, GPUS = "cpus", "memory", "gpus"
"""What an amount may count besides the GPUs of one model, which are counted under the model's name."""

Amounts = Mapping[str, int]
"""How much of what: `cpus`, `gpus` (of all models) and single models in thousandths, `memory` in bytes."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The root of all rules, identified by kind and name."""

    kind: ClassVar[str] = ""
    name: str


@dataclass(frozen=True, slots=True)
class Project(Rule):
    """A project is also a queue. Without a weight it draws on the share of `public`.

    Everybody may queue in an open project without being a member. The defaults apply to jobs that name no size or
    image."""

    kind = "project"
    weight: float | None = None
    guarantee: Amounts = field(default_factory=dict)
    cap: Amounts = field(default_factory=dict)
    closed: bool = False
    reclaimable: bool = True
    node_selector: Mapping[str, str] = field(default_factory=dict)
    priorities: tuple[str, ...] = ()
    description: str = ""
    creator: str = ""
    open: bool = False
    default_flavor: str = ""
    default_image: str = ""

    @property
    def account(self) -> str:
        """Whose share its jobs draw on."""
        return PUBLIC if self.weight is None else self.name

    def allows(self, priority: str) -> bool:
        return not self.priorities or priority in self.priorities


@dataclass(frozen=True, slots=True)
class PriorityClass(Rule):
    """Jobs with a higher value start sooner. Without groups (projects) it is open to everybody (every project).

    With `needs_reason` a job says why it is urgent. `budget_milli` is how many GPU-hours, in thousandths, each person
    may spend on jobs of this class in a calendar month (UTC)."""

    kind = "priority"
    value: int = 0
    may_preempt: bool = False
    may_be_preempted: bool = True
    groups: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    description: str = ""
    needs_reason: bool = False
    budget_milli: int | None = None

    def open_to(self, user: User, project: str) -> bool:
        """Roles count as groups, so that a class can be kept for administrators."""
        mine = {user.role.value, *user.groups}
        return (not self.groups or not mine.isdisjoint(self.groups)) and (
            not self.projects or project in self.projects
        )


@dataclass(frozen=True, slots=True)
class Pool(Rule):
    """Nodes that serve some classes of jobs; no classes means all."""

    kind = "pool"
    classes: tuple[JobClass, ...] = ()
    description: str = ""

    def serves(self, job_class: JobClass) -> bool:
        return not self.classes or job_class in self.classes


@dataclass(frozen=True, slots=True)
class Flavor(Rule):
    """A named size of a task; no classes means all."""

    kind = "flavor"
    resources: Resources = field(default_factory=Resources)
    classes: tuple[JobClass, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Limit(Rule):
    """A limit on the GPUs in use at once, and on how long a job may run.

    It applies to jobs that match user, project and class (None matches all of them together; `*` each user or project
    separately)."""

    kind = "limit"
    user: str | None = EACH
    project: str | None = None
    job_class: JobClass | None = None
    gpu_milli: int | None = None
    max_time: int | None = None

    def concerns(self, user: str, project: str, job_class: JobClass) -> bool:
        return (
            self.user in (None, EACH, user)
            and self.project in (None, EACH, project)
            and self.job_class in (None, job_class)
        )


@dataclass(frozen=True, slots=True)
class NodeRule(Rule):
    """What an administrator set on a node, in addition to what its engine reports."""

    kind = "node"
    pool: str | None = None
    cordoned: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)
    drain_by: Time | None = None
    note: str = ""
    put_aside: bool = False
    """Cordoned by Danlu itself, with the reason in `note`."""


@dataclass(frozen=True, slots=True)
class Maintenance(Rule):
    """A time during which nodes accept no jobs: the named nodes, and all nodes of the pool if one is named.

    Jobs that would not end before it are not started there; jobs that still run when it begins are evicted and
    requeued."""

    kind = "maintenance"
    start: Time = 0
    end: Time = 0
    nodes: tuple[str, ...] = ()
    pool: str | None = None
    description: str = ""

    def concerns(self, node: str, pool: str) -> bool:
        return node in self.nodes or self.pool == pool


@dataclass(frozen=True, slots=True)
class Group(Rule):
    """People who may do more: its members get its permissions on everybody's things."""

    kind = "group"
    permissions: tuple[str, ...] = ()
    description: str = ""


EVERY_CLASS = "all"
"""In a quota: jobs of all classes together."""

JOBS, TASKS = "jobs", "tasks"
"""What a quota may count besides resources: plain numbers."""

UNLIMITED = -1
"""In a quota: unlimited, even if the default has a limit."""

DEFAULT_QUOTA = "default"

QuotaAmounts = Mapping[str, Amounts]
"""How much of what, by class or `all`; `jobs` and `tasks` count too."""


@dataclass(frozen=True, slots=True)
class Raise:
    """A temporary raise of a quota; what it does not name stays as it is."""

    amounts: QuotaAmounts
    until: Time
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Quota(Rule):
    """How much jobs may use at once, queued jobs included: of a person (`user:NAME`), of all members of a group
    together (`group:NAME`), or of everybody without their own quota (`default`). Unlimited where nothing is set.

    `storage` is bytes by type of volume."""

    kind = "quota"
    amounts: QuotaAmounts = field(default_factory=dict)
    storage: Amounts = field(default_factory=dict)
    raises: tuple[Raise, ...] = ()
    description: str = ""


CLUSTER_LABEL, ENGINE_LABEL, RDMA_LABEL = "cluster", "engine", "rdma"
"""Labels that engines put on nodes: the cluster's name, what runs tasks there, and that it has RDMA."""

KUBERNETES = "kubernetes"


@dataclass(frozen=True, slots=True)
class KubernetesCluster(Rule):
    """A Kubernetes cluster that jobs may run on; its credentials are stored separately, with the secrets.

    `image` is the default image of jobs, `helper` the image that fetches their code. With `dns` false, tasks get each
    other's IP addresses instead of names. Only taints with these keys are tolerated. `credentials_at` is when the
    credentials were last set, so that new ones change the rule too.

    Volumes that people create there get claims of `block_class` and `filesystem_class`; without one there are none of
    that kind. Personal directories are folders of `personal_claim`, or where that is empty a claim for each person, of
    `personal_size` and of the filesystem class."""

    kind = "cluster"
    server: str = ""
    namespace: str = "danlu-jobs"
    image: str = "python:3.12-slim"
    helper: str = ""
    dns: bool = True
    pull_policy: str = "IfNotPresent"
    pull_secrets: tuple[str, ...] = ()
    tolerations: tuple[str, ...] = ("nvidia.com/gpu", "amd.com/gpu")
    rdma_resource: str = "rdma/hca"
    admission_time: int = 60_000
    lost_time: int = 60_000
    description: str = ""
    credentials_at: int = 0
    block_class: str = ""
    filesystem_class: str = ""
    personal_claim: str = ""
    personal_size: int = 100 * 2**30


@dataclass(frozen=True, slots=True)
class Policy:
    """The scheduler's settings. Times in milliseconds. A task counts for at least the CPUs and memory that its
    supervisor and sandbox take."""

    score_time: int = 6 * 3_600_000
    minimum_run_time: int = 10 * 60_000
    evict_workspaces: bool = False
    default_max_time: Mapping[JobClass, int] = field(default_factory=dict)
    maintenance_notice: int = 24 * 3_600_000
    tasks_per_node: int | None = None
    task_cpu_milli: int = 0
    task_memory: int = 0
    network_limit: NetworkPolicy = NetworkPolicy.ALL
    gpu_cpu_milli: int | None = None
    """What goes with each GPU where a job file does not say; None: the GPU's part of its node."""
    gpu_memory: int | None = None


KINDS: Mapping[str, type[Rule]] = {kind.kind: kind for kind in Rule.__subclasses__()}

BUILT_IN: tuple[Rule, ...] = (
    Project(PUBLIC, weight=1, open=True),
    PriorityClass("low", 100),
    PriorityClass(NORMAL, 200, may_preempt=True),
    PriorityClass("high", 300, may_preempt=True, groups=("administrator",)),
    Pool("default"),
)
"""What they are for is said in each language where nobody described them, see `built_in`."""
"""Created at the first start; all can be changed, but `public` and `normal` cannot be removed."""


def changed(old: Rule | None, new: Rule | None) -> str | None:
    """The word for a change of a node's rule (nodes are not created by people); None for other rules."""
    if not isinstance(old or new, NodeRule):
        return None
    before, after = (one if isinstance(one, NodeRule) else NodeRule("") for one in (old, new))
    if after.drain_by is not None and after.drain_by != before.drain_by:
        return "drained"
    if before.cordoned != after.cordoned:
        return "put_aside" if after.put_aside else "cordoned" if after.cordoned else "uncordoned"
    return "edited" if before.pool == after.pool else "moved"
