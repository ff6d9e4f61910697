"""Jobs as clients send and get them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.domain.job import JobState, Kind, Remedy, TaskState
from danlu.files.forms import JOB_NAME
from danlu.server.http.models import (
    MAX_NUMBER,
    MAX_PAGE,
    Answer,
    FieldError,
    ListQuery,
    Moment,
    Reason,
    Request,
    Shortfall,
    Text,
)


class CloneRequest(Request):
    """The name of the copy (default: the next free one) and whether to start it at once."""

    name: Annotated[str, Field(pattern=JOB_NAME)] | None = None
    start: bool = False


class StartRequest(Request):
    """How a job is started again."""

    fresh: bool = Field(False, description="From the beginning, and not from its last checkpoint.")


class JobListQuery(ListQuery):
    """Which jobs, in which order."""

    limit: int = Field(50, ge=1, le=MAX_PAGE, description="The most items to answer.")
    state: list[JobState] = Field([], max_length=20, description="In one of these states; may repeat.")
    kind: Kind | None = Field(None, description="Of this kind.")
    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    project: str | None = Field(None, max_length=200, description="In this project.")
    search: str | None = Field(None, max_length=200, description="Whose name contains this, or with this id.")
    sort: Literal["created", "-created", "name", "-name", "state", "-ended"] = Field(
        "-created",
        description="The order; a minus turns it round. `-ended`: only what is over, the latest first.",
    )


class EditQuery(Request):
    version: int | None = Field(
        None, ge=0, le=MAX_NUMBER, description="Only if nobody changed the job since it had this `version`."
    )


class StartQuery(Request):
    start: bool = Field(False, description="Start the job at once.")


class CodeQuery(Request):
    """Whose code."""

    job: str | None = Field(
        None, max_length=200, description="The job that names it, by id or name; a task's own by default."
    )


class ExecQuery(Request):
    """What to run in which task."""

    task: str | None = Field(None, max_length=100, description="Default: the first that runs.")
    tty: bool = Field(True, description="On a terminal.")
    cols: int = Field(80, ge=1, le=1000)
    rows: int = Field(24, ge=1, le=1000)
    command: str | None = Field(None, max_length=65_536, description="A JSON list; default: a shell.")
    keep: bool = Field(
        False, description="Go on when the connection is lost, for a while; answers {terminal: ID}."
    )
    terminal: str | None = Field(None, max_length=64, description="Return to a kept one.")
    offset: int = Field(0, ge=0, le=MAX_NUMBER, description="Of a kept one: bytes of output already seen.")


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


class ClonedFrom(Answer):
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
    cloned_from: ClonedFrom | None
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


class Code(Answer):
    digest: str
    size: int
