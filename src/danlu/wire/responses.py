"""What the server answers, as OpenAPI tells it; the server renders it without these, a test compares them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from danlu.domain.findings import Level
from danlu.domain.job import JobState, Kind, Remedy, TaskState
from danlu.domain.node import NodeState
from danlu.domain.people import UserRole

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""RFC 3339 in UTC, to the millisecond."""


class Answer(BaseModel):
    """Built when the document is asked for, or a test compares: the server itself never needs it."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)


class Text(Answer):
    """A sentence in both languages."""

    en: str
    zh: str


class Reason(Answer):
    """Why a job waits, stopped or failed: a stable code, its parameters, what it means and what to do."""

    code: str
    params: dict[str, Any]
    text: Text
    meaning: Text
    advice: Text


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────


class FieldError(Answer):
    """One mistake at one place; `loc` leads there from the root of what was sent."""

    loc: list[str | int]
    code: str
    message: str
    value: Any = None
    bound: Any = None
    hint: str | None = None


class Finding(Answer):
    """One thing that was looked at in a cluster, what was found, and how to mend it."""

    code: str
    level: Level
    text: Text
    fix: Text | None


class Shortfall(Answer):
    """A quota that a start would exceed: GPUs and CPUs as numbers, memory in bytes. `jobs` are some of those that hold
    it, as owner:name, or only the owner's name where the asker may not read the job."""

    quota: str
    job_class: str = Field(alias="class")
    resource: str
    used: float
    asked: float
    limit: float
    jobs: list[str]
    text: Text


class Problem(Answer):
    """Every refusal, as application/problem+json; `type` is a stable code. `findings` says what a cluster lacks,
    `shortfalls` which quotas a start would exceed."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError]
    incident: str | None = None
    findings: list[Finding] | None = None
    shortfalls: list[Shortfall] | None = None


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────────


class JobRow(Answer):
    """A job as lists show it; sizes are of all its tasks together, `nodes` is how many tasks, 0 where Danlu divides."""

    id: str
    name: str
    kind: Kind
    job_class: str = Field(alias="class")
    owner: str
    project: str
    state: JobState
    reason: Reason | None
    image: str
    gpus: float
    gpu_model: str | None
    cpus: float
    memory: int
    nodes: int
    priority: str
    created_at: Moment
    queued_at: Moment | None
    started_at: Moment | None
    ended_at: Moment | None
    version: int
    attempt: int


class Task(Answer):
    """One process group of an attempt. `run` is its present try, by which logs and metrics call it; `tries` is how
    often it was started again by itself, and until `not_before` it waits for the next time."""

    name: str
    role: str
    index: int
    state: TaskState
    node: str | None
    address: str | None
    gpus: list[int]
    reason: Reason | None
    exit_code: int | None
    started_at: Moment | None
    ended_at: Moment | None
    isolation: str | None
    step: str | None
    run: str
    tries: int
    not_before: Moment | None


class Saved(Answer):
    """A checkpoint that a task told of: where it is, how far the training was if it said so, when, and in which
    attempt."""

    path: str
    step: int | None
    at: Moment
    attempt: int


class Attempt(Answer):
    """One try to run a job. It went on from `resumed`; `saved` is the last checkpoint it told of, `lost` what it did
    after that, in GPU-seconds. `then` is what was done about its end, and `story` tells all that in one sentence."""

    number: int
    state: Literal["starting", "running", "stopping", "completed", "failed", "stopped"]
    reason: Reason | None
    started_at: Moment | None
    ended_at: Moment | None
    story: Text | None
    resumed: Saved | None
    saved: Saved | None
    lost: float
    then: Remedy | None


class Source(Answer):
    """The job that one was cloned from; its name as it was then."""

    id: str
    name: str


class JobDetail(JobRow):
    """A job with everything about it; `spec` is its job file, `actions` what the caller may do now, `nominated`
    the nodes on which room is being made for it. The next attempt goes on from `saved`; `lost` is what all attempts
    did and did not save, in GPU-seconds."""

    description: str
    spec: dict[str, Any]
    tasks: list[Task]
    restarts: int
    waiting: Reason | None
    attempts: list[Attempt]
    actions: list[str]
    pinned_at: Moment | None
    nominated: list[str]
    cloned_from: Source | None
    framework: str
    strategy: str
    saved: Saved | None
    lost: float


class JobPage(Answer):
    items: list[JobRow]
    next_cursor: str | None
    total: int


class Size(Answer):
    """What a job asks for, all tasks together; of one that may grow, the most. `tasks` is 0 where Danlu divides."""

    tasks: int
    gpus: float
    gpu_model: str | None
    cpus: float
    memory: int


class Would(Answer):
    """What would happen to a job submitted now; `ahead` is how many would have their turn before it."""

    starts_now: bool
    reason: Reason | None = None
    ahead: int = 0


class Advice(Answer):
    """What could be better at a place of the job file; it is right as it is."""

    loc: list[str | int]
    text: Text


class CheckResult(Answer):
    """What is thought of a job file; nothing was stored. `shortfalls` says which quotas a start would exceed."""

    valid: bool
    errors: list[FieldError]
    advice: list[Advice] | None = None
    shortfalls: list[Shortfall] | None = None
    size: Size | None = None
    would: Would | None = None


class Event(Answer):
    """Something that happened; `seq` grows and is never reused."""

    seq: int
    time: Moment
    kind: str
    job_id: str | None
    actor: str | None
    data: dict[str, Any]
    text: Text


class EventPage(Answer):
    items: list[Event]
    next_cursor: str | None


class LogLine(Answer):
    """One line; `offset` is where it begins, `stream` is o (output) or e (errors)."""

    offset: int
    time: Moment
    stream: Literal["o", "e"]
    text: str


class LogPage(Answer):
    """Lines, where to go on, and whether the task is over and this was all."""

    lines: list[LogLine]
    next_offset: int
    end: bool


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────────


class Gpu(Answer):
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


class Node(Answer):
    """A machine, or a part of one that poses as a machine (`virtual`). `cluster` is empty where Danlu itself runs.
    `used` is by Danlu's tasks, `foreign` what others than Danlu hold; `why` says what keeps it from taking tasks.
    Of its `labels`, `given_labels` are those that administrators gave it. `note` is what was said when it was cordoned.
    At `drain_by` what runs there must have left as it is drained; at `closes_at` it closes (or did), for that or for a
    `maintenance`."""

    name: str
    state: NodeState
    virtual: bool
    address: str | None
    cpus: float
    memory: int
    gpu_model: str | None
    gpus: list[Gpu]
    labels: dict[str, str]
    given_labels: dict[str, str]
    used: Used
    tasks: list[NodeTask]
    pool: str
    cluster: str
    foreign: Used
    why: str
    note: str
    drain_by: Moment | None
    closes_at: Moment | None
    maintenance: str | None


class NodeList(Answer):
    items: list[Node]


# ── people ───────────────────────────────────────────────────────────────────────────────────────────


class User(Answer):
    """A person; `sign_in` is how: by password, through the provider, or (invited) so far by a link only."""

    name: str
    display_name: str
    email: str
    role: UserRole
    disabled: bool
    groups: list[str]
    created_at: Moment
    sign_in: Literal["password", "provider", "invited"]


class UserList(Answer):
    """A page of people; `total` is how many match."""

    items: list[User]
    next_cursor: str | None
    total: int


class Session(Answer):
    """Who is signed in; browsers send `csrf` back as X-CSRF-Token with every write."""

    user: User
    csrf: str
    must_set_password: bool


class Token(Answer):
    id: str
    name: str
    scopes: list[str]
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class TokenCreated(Token):
    """A new token; its secret is shown this once."""

    secret: str


class TokenList(Answer):
    items: list[Token]
    next_cursor: str | None


class PermissionList(Answer):
    """What the caller may do with things of their own (`items`), and what with everybody's."""

    items: list[str]
    everywhere: list[str]


# ── the rest ─────────────────────────────────────────────────────────────────────────────────────────


class Code(Answer):
    digest: str
    size: int


class Version(Answer):
    version: str
    api: str


class Health(Answer):
    status: Literal["alive"]


class Readiness(Answer):
    """`half` says what this process is: server, or up for server and controller in one."""

    status: Literal["ready"]
    half: Literal["up", "server"]
