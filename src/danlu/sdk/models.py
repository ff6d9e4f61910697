"""What the server answers, as plain dataclasses; fields this client does not know are ignored."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Callable, Mapping, TypeVar

from danlu.sdk.errors import finding

T = TypeVar("T")

ACTIVE = frozenset({"queued", "starting", "running", "stopping"})
ENDED = frozenset({"completed", "failed", "stopped"})


@dataclass(frozen=True)
class Reason:
    """Why a job waits, stopped or failed; sentences are keyed by language (`en`, `zh`)."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)
    meaning: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.get("en") or self.code


@dataclass(frozen=True)
class Task:
    """One process group of an attempt; `run` is its present try, `tries` how often it was started again by itself."""

    name: str
    role: str = ""
    index: int = 0
    state: str = ""
    node: str | None = None
    address: str | None = None
    gpus: tuple[Any, ...] = ()
    reason: Reason | None = None
    exit_code: int | None = None
    started_at: str | None = None
    ended_at: str | None = None
    isolation: str = ""
    step: str = ""
    run: str = ""
    tries: int = 0
    not_before: str | None = None


@dataclass(frozen=True)
class Saved:
    """A checkpoint that a task told of; `step` where it said how far the training was."""

    path: str
    step: int | None = None
    at: str = ""
    attempt: int = 0


@dataclass(frozen=True)
class Attempt:
    """One try to run a job. It went on from `resumed`; `saved` is its last checkpoint, `lost` what it did after that,
    in GPU-seconds. `then` is what was done about its end; `story` tells all that, keyed by language."""

    number: int
    state: str = ""
    reason: Reason | None = None
    started_at: str | None = None
    ended_at: str | None = None
    story: Mapping[str, str] | None = None
    resumed: Saved | None = None
    saved: Saved | None = None
    lost: float = 0
    then: str | None = None


@dataclass(frozen=True)
class JobRow:
    """A job as lists show it."""

    id: str
    name: str
    kind: str = ""
    job_class: str = ""
    owner: str = ""
    project: str = ""
    state: str = ""
    reason: Reason | None = None
    image: str = ""
    gpus: float = 0
    gpu_model: str | None = None
    cpus: float = 0
    memory: int = 0
    nodes: int = 1
    priority: str = ""
    created_at: str | None = None
    queued_at: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    version: int = 0
    attempt: int = 0

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def ended(self) -> bool:
        return self.state in ENDED


@dataclass(frozen=True)
class Job(JobRow):
    """A job with everything about it. The next attempt goes on from `saved`; `lost` is what all attempts did and did
    not save, in GPU-seconds."""

    description: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    restarts: int = 0
    waiting: Reason | None = None
    attempts: tuple[Attempt, ...] = ()
    actions: tuple[str, ...] = ()
    pinned_at: str | None = None
    nominated: tuple[str, ...] = ()
    cloned_from: Mapping[str, str] | None = None
    framework: str = ""
    strategy: str = ""
    saved: Saved | None = None
    lost: float = 0


@dataclass(frozen=True)
class Check:
    """What the server thinks of a job file, with nothing stored."""

    valid: bool
    errors: tuple[Mapping[str, Any], ...] = ()
    advice: tuple[Mapping[str, Any], ...] = ()
    shortfalls: tuple[Mapping[str, Any], ...] = ()
    size: Mapping[str, Any] = field(default_factory=dict)
    would: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class QueueItem:
    """A job in a lane; which job it is and why it waits is told to those who may read it."""

    lane: Mapping[str, str]
    position: int
    owner: str = ""
    project: str = ""
    kind: str = ""
    job_class: str = ""
    priority: str = ""
    gpus: float = 0
    gpu_model: str | None = None
    cpus: float = 0
    memory: int = 0
    nodes: int = 1
    created_at: str | None = None
    queued_at: str | None = None
    pinned_at: str | None = None
    mine: bool = False
    job_id: str | None = None
    name: str | None = None
    reason: Reason | None = None


@dataclass(frozen=True)
class Lane:
    """How many wait for one GPU model in one class, and for how long together."""

    gpu_model: str
    job_class: str = ""
    waiting: int = 0
    total_waiting_seconds: float = 0


@dataclass(frozen=True)
class Help:
    """One change that would start a job now, to which value; `text` is keyed by language (`en`, `zh`)."""

    change: str
    value: str = ""
    text: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.get("en") or f"{self.change}: {self.value}"


@dataclass(frozen=True)
class Why:
    """Why a job waits, where it stands, the first of those ahead of it, and what would start it now."""

    reason: Reason | None = None
    places: tuple[Mapping[str, Any], ...] = ()
    ahead: tuple[QueueItem, ...] = ()
    ahead_total: int = 0
    helps: tuple[Help, ...] = ()


@dataclass(frozen=True)
class Score:
    """A person's decayed use; each of `scores` has `model`, `score` and what is `held` now."""

    user: str
    score_time: str = ""
    scores: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Resources:
    """The cluster at a glance: `gpus` by model, `cpus` and `memory` each with `total`, `used`, `free`, `queued`,
    `shortage`, `mine_used` and `mine_queued`; counts of jobs and of nodes by state."""

    at: str = ""
    gpus: tuple[Mapping[str, Any], ...] = ()
    cpus: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, float] = field(default_factory=dict)
    jobs: Mapping[str, int] = field(default_factory=dict)
    mine: Mapping[str, int] = field(default_factory=dict)
    nodes: Mapping[str, int] = field(default_factory=dict)
    classes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class LedgerRow:
    """What one task held, from when to when (None: still), and what that adds to the score now."""

    job_id: str
    job_name: str = ""
    attempt: int = 0
    task: str = ""
    model: str = ""
    amount: float = 0
    began: str | None = None
    ended: str | None = None
    adds: float = 0


@dataclass(frozen=True)
class Node:
    """A machine, or a part of one that poses as a machine. `used` is by Danlu's tasks, `foreign` what others hold."""

    name: str
    state: str = ""
    virtual: bool = False
    address: str = ""
    cpus: float = 0
    memory: int = 0
    gpu_model: str | None = None
    gpus: tuple[Mapping[str, Any], ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    given_labels: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Mapping[str, Any], ...] = ()
    pool: str | None = None
    cluster: str = ""
    foreign: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    note: str = ""
    drain_by: str | None = None
    closes_at: str | None = None
    maintenance: str | None = None


@dataclass(frozen=True)
class Project:
    """A project is also a queue; without a weight it draws on the share of `public`. In an open one everybody may
    queue; `my_role` is what you are there. The defaults are for jobs that name no size or image."""

    name: str
    weight: float | None = None
    guarantee: Mapping[str, float] = field(default_factory=dict)
    cap: Mapping[str, float] = field(default_factory=dict)
    closed: bool = False
    reclaimable: bool = True
    node_selector: Mapping[str, str] = field(default_factory=dict)
    priorities: tuple[str, ...] = ()
    description: str = ""
    creator: str = ""
    open: bool = False
    default_flavor: str = ""
    default_image: str = ""
    members: int = 0
    my_role: str | None = None


@dataclass(frozen=True)
class Priority:
    """A priority class: the higher its value, the sooner."""

    name: str
    value: int = 0
    may_preempt: bool = False
    may_be_preempted: bool = True
    groups: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    description: str = ""
    needs_reason: bool = False
    budget: float | None = None


@dataclass(frozen=True)
class Pool:
    """Nodes that serve some classes of jobs; no classes means all."""

    name: str
    classes: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class Flavor:
    """A named size of a task; `resources` is as in a job file."""

    name: str
    resources: Mapping[str, Any] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class Limit:
    """A bound on GPUs in use at once and on run time; `*` means each, None all together."""

    name: str
    user: str | None = None
    project: str | None = None
    job_class: str | None = None
    gpus: float | None = None
    max_time: str | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened; `seq` grows and is never reused."""

    seq: int
    time: str
    kind: str
    job_id: str | None = None
    actor: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.get("en") or self.kind


@dataclass
class LogLine:
    """One line of output; `time` is in milliseconds since 1970, `offset` is its place in the log."""

    text: str
    time: int = 0
    stream: str = "o"
    offset: int = 0


@dataclass(frozen=True)
class User:
    """A person; `sign_in` is password, provider, or invited for somebody who has not come yet."""

    name: str
    display_name: str = ""
    email: str = ""
    role: str = ""
    disabled: bool = False
    groups: tuple[str, ...] = ()
    created_at: str | None = None
    sign_in: str = ""


@dataclass(frozen=True)
class Token:
    """A script's key; `secret` is there only in the answer to its creation."""

    id: str
    name: str = ""
    scopes: tuple[str, ...] = ()
    created_at: str | None = None
    expires_at: str | None = None
    last_used_at: str | None = None
    secret: str | None = None


@dataclass(frozen=True)
class Version:
    version: str
    api: str = ""


def read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Make `kind` from an answer; unknown fields are ignored, missing ones take their defaults."""
    known: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]
        key = _SPELLED.get(one.name, one.name)
        if data.get(key) is not None:
            convert = _CONVERT.get(one.name)
            known[one.name] = convert(data[key]) if convert else data[key]
    return kind(**known)


def _each(kind: type[T]) -> Callable[[Any], tuple[T, ...]]:
    return lambda items: tuple(read(kind, item) for item in items)


def _tasks(items: Any) -> Any:
    """A job's have names; a node's say which job they belong to and stay as they came; a cluster's are a number."""
    if isinstance(items, int):
        return items
    return tuple(read(Task, item) if "name" in item and "job_id" not in item else item for item in items)


_SPELLED = {"job_class": "class"}
_CONVERT: dict[str, Callable[[Any], Any]] = {
    "reason": lambda one: read(Reason, one),
    "waiting": lambda one: read(Reason, one) if isinstance(one, dict) else one,
    "tasks": _tasks,
    "attempts": _each(Attempt),
    "resumed": lambda one: read(Saved, one),
    "saved": lambda one: read(Saved, one),
    "actions": tuple,
    "nominated": tuple,
    "places": tuple,
    "scores": tuple,
    "ahead": _each(QueueItem),
    "helps": _each(Help),
    "scopes": tuple,
    "groups": tuple,
    "projects": tuple,
    "permissions": tuple,
    "everywhere": tuple,
    "member_names": tuple,
    "changed": tuple,
    "already": tuple,
    "unknown": tuple,
    "user": lambda one: read(User, one) if isinstance(one, dict) else one,
    "priorities": tuple,
    "classes": tuple,
    "errors": tuple,
    "advice": tuple,
    "pull_secrets": tuple,
    "tolerations": tuple,
    "findings": lambda items: tuple(finding(one) for one in items),
    "gpus": lambda one: tuple(one) if isinstance(one, list) else one,
}
