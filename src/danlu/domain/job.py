"""The job: what a person asked for, and how its attempts to run went."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from danlu.domain.inputs import JobInput
from danlu.domain.mount import Mount
from danlu.domain.names import run_title
from danlu.domain.output import Output
from danlu.domain.reasons import Reason
from danlu.domain.resources import GpuGrant, Resources

Time = int
"""A moment: milliseconds since 1970, UTC. Durations are milliseconds too."""

HOST_IMAGE = "host"
"""No image: the machine's own environment."""

NO_FRAMEWORK = "none"
"""No framework: only Danlu's own environment variables."""

_RUN = re.compile(r"(.+-[0-9]+)-r([1-9][0-9]{0,8})")


class Kind(StrEnum):
    WORKSPACE = "workspace"
    TRAINING = "training"
    SERVICE = "service"


class JobClass(StrEnum):
    """The class that quotas, pools and lanes use: derived from kind and number of tasks, fixed at submit."""

    WORKSPACE = "workspace"
    SINGLE = "single"
    DISTRIBUTED = "distributed"
    SERVICE = "service"


class JobState(StrEnum):
    CREATED = "created"
    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


ACTIVE = frozenset({JobState.QUEUED, JobState.STARTING, JobState.RUNNING, JobState.STOPPING})
ENDED = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.STOPPED})


class TaskState(StrEnum):
    PENDING = "pending"
    STARTING = "starting"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    LOST = "lost"
    STOPPED = "stopped"


LIVE_TASKS = frozenset({TaskState.PENDING, TaskState.STARTING, TaskState.RUNNING})


class NetworkPolicy(StrEnum):
    """What a job's tasks reach besides each other and Danlu; each reaches more than the one before."""

    NONE = "none"
    REGISTRIES = "registries"
    ALL = "all"
    SHARED = "shared"
    """No network of its own: what the machine reaches, its own services and other jobs too."""

    def within(self, most: NetworkPolicy) -> bool:
        order = list(NetworkPolicy)
        return order.index(self) <= order.index(most)


class Trouble(StrEnum):
    """What can go wrong with a task or its job, as the job file's `on:` names it."""

    TASK_FAILED = "task_failed"
    OUT_OF_MEMORY = "out_of_memory"
    NODE_LOST = "node_lost"
    EVICTED = "evicted"
    HUNG = "hung"
    TASK_COMPLETED = "task_completed"


class Remedy(StrEnum):
    """What is done about trouble."""

    FAIL = "fail"
    RESTART_TASK = "restart_task"
    RESTART_JOB = "restart_job"
    REQUEUE = "requeue"
    COMPLETE = "complete"
    IGNORE = "ignore"


KEEP_ALIVE = "tail -f /dev/null"
"""The command of a workspace that names none: it only waits, and whoever ends it is done."""
USUAL_REMEDIES: Mapping[Trouble, Remedy] = {
    Trouble.TASK_FAILED: Remedy.FAIL,
    Trouble.OUT_OF_MEMORY: Remedy.FAIL,
    Trouble.NODE_LOST: Remedy.FAIL,
    Trouble.EVICTED: Remedy.REQUEUE,
    Trouble.HUNG: Remedy.FAIL,
    Trouble.TASK_COMPLETED: Remedy.IGNORE,
}
"""What is done where neither the job file nor its framework says otherwise."""


@dataclass(frozen=True, slots=True)
class Code:
    """Where the code comes from: an uploaded archive, or a Git repository."""

    archive: str | None = None
    git: str | None = None
    ref: str | None = None
    subdir: str | None = None


@dataclass(frozen=True, slots=True)
class Packages:
    """What tasks find installed besides what their machine or image has: one of names for pip, a requirements file or
    a conda file in the code, or an environment that exists already."""

    pip: tuple[str, ...] = ()
    requirements: str | None = None
    conda: str | None = None
    venv: str | None = None

    @property
    def file(self) -> str | None:
        """The file in the code that says what to install."""
        return self.requirements or self.conda


@dataclass(frozen=True, slots=True)
class Checkpoint:
    path: str | None = None
    grace: int = 30_000


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before a restart: `first` after the first failure, twice as long after each further one, up to
    `most`."""

    first: int = 2_000
    most: int = 600_000

    def after(self, troubles: int) -> int:
        """The wait after this many failures in a row (at least one)."""
        return min(self.most, self.first << min(troubles - 1, 30))


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint that a task has reported; `step` if it reported one."""

    path: str
    step: int | None
    at: Time
    attempt: int


@dataclass(frozen=True, slots=True)
class Role:
    """A named group of equal tasks.

    A role that `serves` does not end by itself: when all others are done, its tasks are ended and the job is
    completed. `processes` is how many processes the framework starts in each task (None: the framework's default)."""

    name: str
    replicas: int
    resources: Resources
    command: str | tuple[str, ...]
    min: int
    env: Mapping[str, str] = field(default_factory=dict)
    flavor: str | None = None
    image: str | None = None
    on: Mapping[Trouble, Remedy] = field(default_factory=dict)
    restarts: int | None = None
    processes: int | None = None
    serves: bool = False

    def split(self, tasks: int) -> Role:
        """Its resources, which are a total, divided into this many equal tasks."""
        return replace(self, replicas=tasks, min=tasks, resources=self.resources.split(tasks))


@dataclass(frozen=True, slots=True)
class Topology:
    """Labels that must (`same`) or should (`prefer`) have the same value on the nodes of all tasks."""

    same: str | None = None
    prefer: str | None = None


@dataclass(frozen=True, slots=True)
class JobSpec:
    """One immutable version of what a person asked for.

    With `total`, the one role's resources are for all tasks together and the scheduler divides them. `min` is a
    minimum number of tasks in total, in addition to each role's own minimum."""

    kind: Kind
    name: str
    roles: tuple[Role, ...]
    project: str = "public"
    description: str = ""
    image: str = HOST_IMAGE
    code: Code | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    priority: str = "normal"
    node_selector: Mapping[str, str] = field(default_factory=dict)
    expected_time: int | None = None
    max_time: int | None = None
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    on: Mapping[Trouble, Remedy] = field(default_factory=dict)
    restarts: int = 0
    preemptible: bool = True
    topology: Topology = Topology()
    total: bool = False
    min: int | None = None
    mounts: tuple[Mount, ...] = ()
    outputs: tuple[Output, ...] = ()
    justification: str = ""
    """Why its priority is needed, where the class asks for a reason."""
    framework: str = NO_FRAMEWORK
    strategy: str = ""
    backoff: Backoff = Backoff()
    network: NetworkPolicy | None = None
    """None: what the installation gives."""
    hang_after: int | None = None
    """After this long without progress it counts as hung; None: never."""
    packages: Packages | None = None
    inputs: tuple[JobInput, ...] = ()

    @property
    def job_class(self) -> JobClass:
        if self.kind is Kind.WORKSPACE:
            return JobClass.WORKSPACE
        if self.kind is Kind.SERVICE:
            return JobClass.SERVICE
        return JobClass.SINGLE if self.size == 1 else JobClass.DISTRIBUTED

    @property
    def size(self) -> int:
        """How many tasks the job has at full size; the maximum if the scheduler divides."""
        if self.total:
            return max(1, self.roles[0].resources.whole_gpus)
        return sum(role.replicas for role in self.roles)

    @property
    def tasks_asked(self) -> int:
        """How many tasks were asked for; 0 where the scheduler divides."""
        return 0 if self.total else self.size

    @property
    def minimum(self) -> int:
        """How many tasks must start together."""
        if self.total:
            return 1
        return max(self.min or 0, sum(role.min for role in self.roles))

    def shapes(self) -> tuple[tuple[Role, ...], ...]:
        """The possible divisions into roles, the one with the fewest tasks first; only one unless the scheduler
        divides."""
        if not self.total:
            return (self.roles,)
        gpus = self.size
        small = [tasks for tasks in range(1, math.isqrt(gpus) + 1) if gpus % tasks == 0]
        divisors = sorted({*small, *(gpus // tasks for tasks in small)})
        return tuple((self.roles[0].split(tasks),) for tasks in divisors)

    def wanted(self) -> Iterator[tuple[Role, int]]:
        """Every task of the job: its role and its index in that role."""
        return ((role, index) for role in self.roles for index in range(role.replicas))

    def role(self, name: str) -> Role:
        return next(role for role in self.roles if role.name == name)

    def remedy(self, role: str, trouble: Trouble) -> Remedy:
        """What is done about trouble with a task of this role: as the role says, else the job."""
        on = self.role(role).on
        return on.get(trouble) or self.on.get(trouble) or USUAL_REMEDIES[trouble]

    def task_restarts(self, role: str) -> int:
        """How often one task of this role may be started again by itself."""
        own = self.role(role).restarts
        return self.restarts if own is None else own


@dataclass(frozen=True, slots=True)
class Task:
    """One process group or pod of an attempt; `leaving` says why this task alone was told to end.

    `tries` counts its restarts in this attempt; it does not restart before `not_before`."""

    role: str
    index: int
    node: str
    address: str
    gpus: tuple[GpuGrant, ...] = ()
    model: str | None = None
    placed_at: Time | None = None
    state: TaskState = TaskState.PENDING
    step: str = ""
    isolation: str = ""
    leaving: Reason | None = None
    reason: Reason | None = None
    exit_code: int | None = None
    started_at: Time | None = None
    ended_at: Time | None = None
    tries: int = 0
    not_before: Time | None = None

    @property
    def name(self) -> str:
        return f"{self.role}-{self.index}"

    @property
    def run(self) -> str:
        """The name of its current try in engines and logs, unique within the attempt."""
        return f"{self.name}-r{self.tries}" if self.tries else self.name

    @property
    def live(self) -> bool:
        return self.state in LIVE_TASKS


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to run a job, with its placement.

    It continued from `resumed`, and `saved` is the last checkpoint it reported. `lost` is the work since then, in
    GPU-milliseconds; `then` is what was done about its end."""

    number: int
    tasks: tuple[Task, ...]
    created_at: Time
    ended_at: Time | None = None
    reason: Reason | None = None
    resumed: Saved | None = None
    saved: Saved | None = None
    lost: int = 0
    then: Remedy | None = None

    @property
    def live_tasks(self) -> tuple[Task, ...]:
        return tuple(task for task in self.tasks if task.live)


@dataclass(frozen=True, slots=True)
class Ending:
    """The state that a stopping job enters once its last task has ended, and the remedy if trouble was the cause;
    tasks have `grace`, or what their job says. With `fresh`, checkpoints they still save are ignored."""

    state: JobState
    reason: Reason | None
    since: Time
    then: Remedy | None = None
    grace: int | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a job stands in the queue beyond what its specification says; kept over a requeue.

    A slot is the creation time and id of the job whose place it takes among its owner's jobs. `nominated` is where
    room is being made for it; `gave_way_to` are the latest jobs it was evicted for. `refusals` counts how often in a
    row a cluster rejected it, `troubles` how often in a row it had to be restarted; it is not placed before
    `held_until`. `avoids` are the nodes on which it had trouble: others are tried first. `fetched`: its inputs came."""

    pinned_at: Time | None = None
    slot_at: Time | None = None
    slot_id: str | None = None
    nominated: tuple[Task, ...] = ()
    gave_way_to: tuple[str, ...] = ()
    refusals: int = 0
    held_until: Time | None = None
    troubles: int = 0
    avoids: tuple[str, ...] = ()
    fetched: bool = False


@dataclass(frozen=True, slots=True)
class ClonedFrom:
    """The job that this one was cloned from, with its name and run at that time."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands; `version` guards every write."""

    id: str
    owner: str
    spec: JobSpec
    created_at: Time
    version: int = 1
    spec_version: int = 1
    state: JobState = JobState.CREATED
    reason: Reason | None = None
    attempt: Attempt | None = None
    attempts: int = 0
    restarts: int = 0
    ending: Ending | None = None
    warned: bool = False
    turn: Turn = Turn()
    queued_at: Time | None = None
    started_at: Time | None = None
    ended_at: Time | None = None
    cloned_from: ClonedFrom | None = None
    run: int = 1
    """Which run of its name it is; given by the store, and 0 in what is noted of a job before that."""
    numbered: bool = False
    """Whether its name has had further runs: it is shown with its number from then on. Kept by the store."""
    saved: Saved | None = None
    """The checkpoint from which the next attempt continues."""

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def resettable(self) -> bool:
        """Stuck jobs are brought back, and failed ones."""
        return self.active or self.state is JobState.FAILED

    @property
    def fetching(self) -> bool:
        """Whether it waits for its inputs."""
        return self.state is JobState.QUEUED and self.lacks_inputs

    @property
    def lacks_inputs(self) -> bool:
        """Whether it would wait for them in the queue."""
        return bool(self.spec.inputs) and not self.turn.fetched

    @property
    def title(self) -> str:
        """How people see it now."""
        return run_title(self.spec.name, self.run, self.numbered)

    @property
    def record(self) -> str:
        """`bert#1`: how records name it that are read when its name may have had further runs."""
        return run_title(self.spec.name, self.run, numbered=True)

    def size_of(self, task: Task, tasks: int | None = None) -> Resources:
        """What a task uses, given the number of tasks (default: that of the current attempt)."""
        role = self.spec.role(task.role)
        if not self.spec.total:
            return role.resources
        count = tasks or (len(self.attempt.tasks) if self.attempt else 1)
        return role.split(count).resources

    @property
    def live_tasks(self) -> tuple[Task, ...]:
        """Tasks that may still use a node, whatever the job's own state."""
        return self.attempt.live_tasks if self.attempt else ()

    @property
    def slot(self) -> tuple[Time, str]:
        """Its place among its owner's jobs: its own creation, until the owner moves it."""
        return (self.turn.slot_at or self.created_at, self.turn.slot_id or self.id)

    @property
    def attempt_id(self) -> str:
        return attempt_id(self.id, self.attempts)


def attempt_id(job_id: str, number: int) -> str:
    return f"{job_id}-{number}"


def split_run(run: str) -> tuple[str, int]:
    """The name of the task, and which of its tries a run is."""
    match = _RUN.fullmatch(run)
    return (match[1], int(match[2])) if match else (run, 0)


def job_id_of(attempt: str) -> str:
    return attempt.rpartition("-")[0]
