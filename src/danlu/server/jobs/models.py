"""Jobs as clients send and get them."""

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.control.jobs import advice, gpu_parts
from danlu.domain import job
from danlu.domain.job import JobState, Kind, Remedy, TaskState, Time
from danlu.domain.story import told
from danlu.domain.transfers import inputs
from danlu.files.changes import SpecChanges
from danlu.files.forms import JOB_NAME
from danlu.ports import store
from danlu.server.http.answering import encoded_reason, moment
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
    """The name of the copy (default: the same, of which it is the next run) and whether to start it at once."""

    name: Annotated[str, Field(pattern=JOB_NAME)] | None = None
    start: bool = False


class StartRequest(RequestBody):
    """How to start or restart a job."""

    fresh: bool = Field(False, description="Start from the beginning instead of the last checkpoint.")


class JobListQuery(ListQuery):
    """Which jobs, in which order."""

    limit: int = Field(50, ge=1, le=MAX_PAGE, description="The maximum number of items.")
    state: list[JobState] = Field(
        [], max_length=20, description="Only jobs in these states; may be repeated."
    )
    kind: Kind | None = Field(None, description="Only jobs of this kind.")
    owner: str | None = Field(
        None, max_length=100, description="Only jobs of this person; `me` is the caller."
    )
    project: str | None = Field(None, max_length=200, description="Only jobs of this project.")
    search: str | None = Field(
        None, max_length=200, description="Only jobs whose name contains this text, or with this id."
    )
    sort: Literal["created", "-created", "name", "-name", "state", "-ended"] = Field(
        "-created",
        description="The sort order; a minus reverses it. `-ended` lists only jobs that ended, latest first.",
    )


class EditQuery(RequestBody):
    version: int | None = Field(
        None, ge=0, le=MAX_NUMBER, description="Fail if the job no longer has this `version`."
    )


class JobChanges(RequestBody):
    """What to change of a job's file; what is not named stays. Sizes are of one task, or of all tasks together with
    `nodes: auto`."""

    gpus: float | None = Field(None, ge=0, le=MAX_NUMBER, description="GPUs; a share of one is below 1.")
    gpu: str | None = Field(
        None, min_length=1, max_length=200, description="The GPU model, or several as `A|B`."
    )
    cpus: float | None = Field(None, gt=0, le=MAX_NUMBER, description="CPUs.")
    memory: str | None = Field(None, max_length=40, description="Memory, such as `64GiB`.")
    tasks: int | None = Field(None, ge=1, le=MAX_NUMBER, description="How many tasks.")
    flavor: str | None = Field(None, min_length=1, max_length=200, description="A flavor in place of a size.")
    project: str | None = Field(None, min_length=1, max_length=200, description="The project to queue in.")
    priority: str | None = Field(None, min_length=1, max_length=200, description="The priority class.")
    justification: str | None = Field(None, max_length=2000, description="Why it needs its priority.")
    expected_time: str | None = Field(
        None, max_length=40, description="How long it should take, such as `2h`."
    )
    max_time: str | None = Field(None, max_length=40, description="How long it may run at most.")
    without: list[Literal["node_selector", "topology", "max_time"]] = Field(
        [], max_length=3, description="What to take out of the file; `topology` is `topology.same`."
    )

    def values(self) -> SpecChanges:
        said = {
            key: value for key, value in self.model_dump(exclude={"without"}).items() if value is not None
        }
        return SpecChanges(**said, without=tuple(self.without))


class StartQuery(RequestBody):
    start: bool = Field(False, description="Start the job immediately.")
    replace: bool = Field(
        False, description="First stop the earlier runs of the same name that are queued or run."
    )


class CodeQuery(RequestBody):
    """Which job's code."""

    job: str | None = Field(
        None,
        max_length=200,
        description="The job that uses the code, by id or name; default for a task: its own job.",
    )


class ExecQuery(RequestBody):
    """What to run in which task."""

    task: str | None = Field(None, max_length=100, description="The task; default: the first running task.")
    tty: bool = Field(True, description="Whether to allocate a terminal.")
    cols: int = Field(80, ge=1, le=1000)
    rows: int = Field(24, ge=1, le=1000)
    command: str | None = Field(
        None, max_length=65_536, description="The command as a JSON list; default: a shell."
    )
    keep: bool = Field(
        False,
        description="Keep the command running for a while if the connection is lost; the answer has "
        "{terminal: ID}.",
    )
    terminal: str | None = Field(None, max_length=64, description="Reconnect to a kept terminal.")
    offset: int = Field(
        0,
        ge=0,
        le=MAX_NUMBER,
        description="For a kept terminal: how many bytes of output the client has already seen.",
    )


def _why(row: store.JobRow) -> Json | None:
    """The reason of a queued job is why it waits."""
    waits = row.waiting if row.state == JobState.QUEUED else None
    return encoded_reason(waits or row.reason)


class LatestReport(Answer):
    """What a job's training reported last: its step, of how many if it told, and its main metric. `value` is null where
    that is not a finite number."""

    step: int
    total_steps: int | None
    metric: str | None
    value: float | None
    at: Moment


def _latest(row: store.JobRow) -> Json | None:
    if row.latest is None:
        return None
    told = dict(row.latest)
    told["at"] = moment(told.pop("time"))
    return told


def _placed(row: store.JobRow) -> list[str]:
    return list(row.placed or ())


class JobRow(Answer, of=store.JobRow):
    """A job in a list; sizes are for all its tasks together, `nodes` is the number of tasks, 0 with `nodes: auto`.
    `run` counts the jobs of the same name and owner, from 1; it is `numbered` once its name has had several, and then
    shown as `name#run`, since the name alone means the latest. `placed` are the nodes of its latest attempt, none while
    it waits; `expected_time` and `max_time` are in seconds."""

    id: str
    name: str
    run: int
    numbered: bool
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
    placed: Annotated[list[str], By(_placed)]
    expected_time: Fraction | None
    max_time: Fraction | None
    latest: Annotated[LatestReport | None, By(_latest)]


def _cards(one: job.Task) -> list[int]:
    return [grant.index for grant in one.gpus]


class Task(Answer, of=job.Task):
    """One process group of an attempt. `run` names its latest try in logs and metrics; `tries` is how often this task
    alone was restarted, and it does not restart before `not_before`."""

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
    """A checkpoint that a task reported: its path, its step if known, when, and in which attempt."""

    path: str
    step: int | None
    at: Moment
    attempt: int


def _began(one: job.Attempt) -> Time | None:
    return min((task.started_at for task in one.tasks if task.started_at is not None), default=None)


class Attempt(Answer, of=job.Attempt):
    """One try to run a job. It continued from the checkpoint `resumed`; `saved` is the last checkpoint it reported,
    `lost` the work after that in GPU-seconds. `then` is what Danlu did about its end; `story` says all that in one
    sentence."""

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
    """The job that this one was cloned from, with its name at that time."""

    id: str
    name: str


class InputStep(Answer, of=inputs.InputStep):
    """An input of a job, and how far its latest transfer is: its id, null where none was begun or its record is gone.
    `source` lacks what follows the ? of a URL."""

    source: str
    target: str
    state: Literal["waiting", "queued", "running", "completed", "failed", "cancelled"]
    transfer: str | None
    files: int
    bytes: int
    bytes_total: int | None
    rate: int
    problem: Text | None


class JobDetail(JobRow):
    """A job in full; `spec` is its job file, `actions` what the caller may do now, `nominated` the nodes on which room
    is being made for it. The next attempt continues from `saved`; `lost` is the work that all attempts did not save,
    in GPU-seconds."""

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
    inputs: Annotated[list[InputStep], GIVEN]


class JobPage(Answer, of=store.JobPage):
    items: Annotated[list[JobRow], At("rows")]
    next_cursor: str | None
    total: int


class JobRuns(Answer):
    """The runs of a job's name, the latest first; at most 100."""

    items: list[JobRow]


class Size(Answer):
    """What a job requests, all tasks together; for an elastic job, the maximum. `tasks` is 0 with `nodes: auto`."""

    tasks: int
    gpus: float
    gpu_model: str | None
    cpus: float
    memory: int


class Would(Answer):
    """What would happen to a job submitted now; `ahead` is the number of jobs that would be ahead of it."""

    starts_now: bool
    reason: Reason | None = None
    ahead: int = 0


class Advice(Answer, of=advice.Advice):
    """A suggestion for one place of the job file, which is valid as it is."""

    loc: list[str | int]
    text: Text


class GivenSize(Answer, of=gpu_parts.GivenSize):
    """What the roles at one place of the job file get with their GPUs, as the file does not say it; per task."""

    loc: list[str | int]
    cpus: Annotated[Fraction, At("cpu_milli")]
    memory: int
    shm: int


class CheckResult(Answer):
    """The result of a check of a job file; nothing was stored. `shortfalls`: quotas that a start would exceed.
    `given`: what goes with GPUs where the file does not say it. `run`: the number that a job of this name would get."""

    valid: bool
    errors: list[FieldError]
    advice: list[Advice] | None = None
    shortfalls: list[Shortfall] | None = None
    size: Size | None = None
    would: Would | None = None
    given: list[GivenSize] | None = None
    run: int | None = None


class Code(Answer):
    digest: str
    size: int
