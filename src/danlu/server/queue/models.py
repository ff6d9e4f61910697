"""The queue: queries, places in the queue, reasons to wait, and scores."""

from typing import Annotated

from pydantic import ConfigDict, Field

from danlu.control.queue import queue
from danlu.control.usage import holders
from danlu.domain.job import JobClass, JobState, Kind
from danlu.server.http.models import (
    Administrator,
    Answer,
    ListQuery,
    Moment,
    Name,
    Reason,
    RequestBody,
    Text,
    Thousandths,
)
from danlu.server.http.rendering import At
from danlu.server.jobs.models import JobRow

# ── what is asked ────────────────────────────────────────────────────────────────────────────────────


class QueueQuery(ListQuery):
    """Which part of the queue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lane: str | None = Field(None, max_length=100, description="Only this GPU model; `cpu`: without GPUs.")
    job_class: JobClass | None = Field(None, alias="class", description="Only this job class.")
    project: str | None = Field(None, max_length=200, description="Only this project.")
    owner: str | None = Field(
        None, max_length=100, description="Only jobs of this person; `me` is the caller."
    )


class EverybodysQuery(ListQuery):
    """Which of everybody's jobs."""

    state: list[JobState] = Field(
        [], max_length=20, description="Only jobs in these states; may be repeated."
    )
    kind: Kind | None = Field(None, description="Only jobs of this kind.")
    project: str | None = Field(None, max_length=200, description="Only jobs of this project.")
    owner: str | None = Field(
        None, max_length=100, description="Only jobs of this person; `me` is the caller."
    )


class LedgerQuery(ListQuery):
    model: str | None = Field(None, max_length=100, description="Only this GPU model; `cpu`: without GPUs.")


class HolderQuery(ListQuery):
    """Whose GPUs."""

    lane: str | None = Field(None, max_length=100, description="Only this GPU model.")


class OrderRequest(RequestBody):
    """Which of one's own jobs to go right before or right after, by id or name; give one of the two."""

    before: Name | None = None
    after: Name | None = None


# ── the queue ────────────────────────────────────────────────────────────────────────────────────────


class LaneName(Answer):
    """Jobs of one class that compete for one GPU model, or for CPUs alone (`cpu`)."""

    gpu_model: str
    job_class: JobClass = Field(alias="class")


class WaitingWork(Answer):
    """The work that waits: how many jobs, how long they are to run one after the other (as expected, else at most),
    and how many GPU-hours that takes. Jobs that tell no time are counted in `without_estimate`: with any, the times
    are lower bounds."""

    waiting: int
    work_seconds: float
    gpu_hours: float
    without_estimate: int


class Lane(WaitingWork, LaneName):
    """The work that waits in a lane; a job that accepts several GPU models waits in several lanes."""


class ClassBacklog(WaitingWork):
    """The work of one class that waits; every job counts once."""

    job_class: JobClass = Field(alias="class")


class QueueItem(Answer):
    """A job in a lane. Its name and why it waits are shown to those who may read it; sizes are for all its tasks
    together."""

    lane: LaneName
    position: int
    owner: str
    project: str
    kind: Kind
    job_class: JobClass = Field(alias="class")
    priority: str
    gpus: float
    gpu_model: str | None
    cpus: float
    memory: int
    nodes: int
    created_at: Moment
    queued_at: Moment | None
    pinned_at: Moment | None
    mine: bool
    job_id: str | None
    name: str | None
    reason: Reason | None


class QueuePage(Answer):
    """The waiting jobs, lane by lane in queue order, as of the decision at `decided_at`; `lanes` and `classes` tell
    of all that waits, whatever was filtered."""

    items: list[QueueItem]
    next_cursor: str | None
    lanes: list[Lane]
    classes: list[ClassBacklog]
    decided_at: Moment | None


class AnybodysJob(Answer):
    """A job of anybody in any state. Its id, name and reason are shown to those who may read it; for others only owner,
    kind, size, times and what decides its place in the queue. Sizes are for all its tasks together."""

    owner: str
    project: str
    kind: Kind
    job_class: JobClass = Field(alias="class")
    priority: str
    state: JobState
    gpus: float
    gpu_model: str | None
    cpus: float
    memory: int
    nodes: int
    created_at: Moment
    queued_at: Moment | None
    started_at: Moment | None
    ended_at: Moment | None
    mine: bool
    job_id: str | None
    name: str | None
    reason: Reason | None


class AnybodysJobPage(Answer):
    """Everybody's jobs, the newest first."""

    items: list[AnybodysJob]
    next_cursor: str | None
    total: int


class HeldModel(Answer, of=holders.HeldModel):
    """GPUs of one model: how many there are, are held by jobs and are free, and how many jobs hold some."""

    gpu_model: Annotated[str, At("model")]
    total: Annotated[Thousandths, At("amount.total")]
    held: Annotated[Thousandths, At("amount.used")]
    free: Annotated[Thousandths, At("amount.free")]
    jobs: int


class Holder(Answer):
    """A job that holds GPUs of one model. Its id and name are shown to those who may read it; for others only owner,
    kind, size and times. `expected_end` is when it should end, `latest_end` when it is ended."""

    gpu_model: str
    gpus: float
    nodes: int
    owner: str
    kind: Kind
    job_class: JobClass = Field(alias="class")
    state: JobState
    began_at: Moment
    expected_end: Moment | None
    latest_end: Moment | None
    mine: bool
    job_id: str | None
    name: str | None


class HolderPage(Answer):
    """Who holds GPUs, model by model, those first whose GPUs are free first; `models` lists every model asked for."""

    items: list[Holder]
    next_cursor: str | None
    models: list[HeldModel]


class Place(Answer):
    """A place in a lane, and how many wait there in all."""

    lane: LaneName
    position: int
    waiting: int


class Help(Answer):
    """One change that would start a job now (max_time, gpus, tasks, gpu, project, node_selector or topology), and its
    new value; `command` makes it."""

    change: str
    value: str
    text: Text
    command: str


class Why(Answer):
    """Why a job waits, its place in the queue, the first jobs ahead of it, what would start it now, and who holds the
    GPUs it waits for, those first whose GPUs are free first. Of a job that is not queued, the reason alone: why it
    stopped or failed, and what to do. `ask` names some `administrators` who can help."""

    state: JobState
    reason: Reason | None
    places: list[Place]
    ahead: list[QueueItem]
    ahead_total: int
    helps: list[Help]
    holders: list[Holder]
    models: list[HeldModel]
    administrators: list[Administrator] | None = None
    ask: Text | None = None


class Reordered(Answer):
    """The jobs whose place changed."""

    items: list[JobRow]


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────


class ModelScore(Answer, of=queue.ModelScore):
    """Decayed use of one GPU model (or of CPUs, for jobs without GPUs), and current use."""

    model: str
    score: Annotated[float, At("value")]
    held: Thousandths


class Score(Answer):
    """A person's scores; `score_time` is the time after which past use counts 37 %."""

    user: str
    score_time: str
    scores: list[ModelScore]


class ScorePage(Answer):
    items: list[Score]
    next_cursor: str | None


class LedgerRow(Answer, of=queue.LedgerRow):
    """What one task used, from when to when, and how much that adds to the score now."""

    job_id: Annotated[str, At("charge.job_id")]
    job_name: Annotated[str, At("charge.job_name")]
    attempt: Annotated[int, At("charge.attempt")]
    task: Annotated[str, At("charge.task")]
    model: Annotated[str, At("charge.model")]
    amount: Annotated[Thousandths, At("charge.milli")]
    began: Annotated[Moment, At("charge.began")]
    ended: Annotated[Moment | None, At("charge.ended")]
    adds: float


class LedgerPage(Answer):
    """Current use first, then past use, latest first."""

    items: list[LedgerRow]
    next_cursor: str | None
