"""Jobs as clients send and get them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.control.jobs import advice
from danlu.domain import job
from danlu.domain.job import JobState, Kind, Remedy, TaskState, Time
from danlu.domain.story import told
from danlu.files.forms import JOB_NAME
from danlu.ports import store
from danlu.server.http.answering import encoded_reason
from danlu.server.http.models import (
    MAX_NUMBER,
    MAX_PAGE,
    Answer,
    FieldError,
    Fraction,
    ListQuery,
    Moment,
    Reason,
    RequestBody,
    Said,
    Shortfall,
    Text,
)
from danlu.server.http.rendering import GIVEN, At, By, Json


class CloneRequest(RequestBody):
    """The name of the copy (default: the next free one) and whether to start it at once."""

    name: Annotated[str, Field(pattern=JOB_NAME)] | None = None
    start: bool = False


class StartRequest(RequestBody):
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


class EditQuery(RequestBody):
    version: int | None = Field(
        None, ge=0, le=MAX_NUMBER, description="Only if nobody changed the job since it had this `version`."
    )


class StartQuery(RequestBody):
    start: bool = Field(False, description="Start the job at once.")


class CodeQuery(RequestBody):
    """Whose code."""

    job: str | None = Field(
        None, max_length=200, description="The job that names it, by id or name; a task's own by default."
    )


class ExecQuery(RequestBody):
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


def _why(row: store.JobRow) -> Json | None:
    """A waiting job's reason is why it waits."""
    waits = row.waiting if row.state == JobState.QUEUED else None
    return encoded_reason(waits or row.reason)


class JobRow(Answer, of=store.JobRow):
    """A job as lists show it; sizes are of all its tasks together, `nodes` is how many tasks, 0 where Danlu divides."""

    id: str
    name: str
    kind: Kind
    job_class: str = Field(alias="class")
    owner: str
    project: str
    state: JobState
    reason: Annotated[Reason | None, By(_why)]
    image: str
    gpus: Annotated[Fraction, At("gpu_milli")]
    gpu_model: str | None
    cpus: Annotated[Fraction, At("cpu_milli")]
    memory: int
    nodes: Annotated[int, At("tasks")]
    priority: str
    created_at: Moment
    queued_at: Moment | None
    started_at: Moment | None
    ended_at: Moment | None
    version: int
    attempt: Annotated[int, At("attempts")]


def _cards(one: job.Task) -> list[int]:
    return [grant.index for grant in one.gpus]


class Task(Answer, of=job.Task):
    """One process group of an attempt. `run` is its present try, by which logs and metrics call it; `tries` is how
    often it was started again by itself, and until `not_before` it waits for the next time."""

    name: str
    role: str
    index: int
    state: TaskState
    node: str | None
    address: str | None
    gpus: Annotated[list[int], By(_cards)]
    reason: Reason | None
    exit_code: int | None
    started_at: Moment | None
    ended_at: Moment | None
    isolation: Said
    step: Said
    run: str
    tries: int
    not_before: Moment | None


class Saved(Answer, of=job.Saved):
    """A checkpoint that a task told of: where it is, how far the training was if it said so, when, and in which
    attempt."""

    path: str
    step: int | None
    at: Moment
    attempt: int


def _began(one: job.Attempt) -> Time | None:
    return min((task.started_at for task in one.tasks if task.started_at is not None), default=None)


class Attempt(Answer, of=job.Attempt):
    """One try to run a job. It went on from `resumed`; `saved` is the last checkpoint it told of, `lost` what it did
    after that, in GPU-seconds. `then` is what was done about its end, and `story` tells all that in one sentence."""

    number: int
    state: Annotated[Literal["starting", "running", "stopping", "completed", "failed", "stopped"], GIVEN]
    reason: Reason | None
    started_at: Annotated[Moment | None, By(_began)]
    ended_at: Moment | None
    story: Annotated[Text | None, By(told)]
    resumed: Saved | None
    saved: Saved | None
    lost: Fraction
    then: Remedy | None


class ClonedFrom(Answer, of=job.ClonedFrom):
    """The job that one was cloned from; its name as it was then."""

    id: str
    name: str


class JobDetail(JobRow):
    """A job with everything about it; `spec` is its job file, `actions` what the caller may do now, `nominated`
    the nodes on which room is being made for it. The next attempt goes on from `saved`; `lost` is what all attempts
    did and did not save, in GPU-seconds."""

    description: Annotated[str, GIVEN]
    spec: Annotated[dict[str, Any], GIVEN]
    tasks: Annotated[list[Task], GIVEN]
    restarts: Annotated[int, GIVEN]
    waiting: Annotated[Reason | None, GIVEN]
    attempts: Annotated[list[Attempt], GIVEN]
    actions: Annotated[list[str], GIVEN]
    pinned_at: Annotated[Moment | None, GIVEN]
    nominated: Annotated[list[str], GIVEN]
    cloned_from: Annotated[ClonedFrom | None, GIVEN]
    framework: Annotated[str, GIVEN]
    strategy: Annotated[str, GIVEN]
    saved: Annotated[Saved | None, GIVEN]
    lost: Annotated[float, GIVEN]


class JobPage(Answer, of=store.JobPage):
    items: Annotated[list[JobRow], At("rows")]
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


class Advice(Answer, of=advice.Advice):
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
