"""The cluster at a glance: total, used and requested resources, everybody's and the caller's own."""

from typing import Annotated

from pydantic import Field

from danlu.control.usage import panel
from danlu.domain.job import JobClass
from danlu.domain.node import NodeState
from danlu.server.http.models import Answer, Moment, Thousandths
from danlu.server.http.rendering import GIVEN, By, Json


class Amount(Answer):
    """One resource on all nodes that are not off: `used` by running jobs, used by workloads outside Danlu (`others`),
    `free` on nodes that accept jobs, idle on nodes that accept none (`closed`: cordoned, drained or unreachable), and
    the `total` of these; requested by queued jobs; the caller's own part; and how much more than `free` it would take
    to run all waiting jobs (`shortage`), or the caller's (`mine_shortage`)."""

    total: float
    used: float
    others: float
    free: float
    closed: float
    queued: float
    mine_used: float
    mine_queued: float
    shortage: float
    mine_shortage: float


class ModelAmount(Amount):
    """GPUs of one model on this many nodes that accept jobs; `largest_free` is the most that one task could get: whole
    GPUs of one node, or the largest share of a GPU."""

    model: str
    nodes: int
    largest_free: float


class JobCounts(Answer):
    running: int
    queued: int


class ClassAmount(Answer, of=panel.ClassAmount):
    """One resource for jobs of one class: `total` and `free` are of nodes in pools that serve the class, `used` and
    `queued` what its jobs use and request, everybody's and the caller's own; `shortage` is how much more it would
    take to run all of them that wait, `mine_shortage` the caller's."""

    total: Thousandths
    free: Thousandths
    used: Thousandths
    queued: Thousandths
    mine_used: Thousandths
    mine_queued: Thousandths
    shortage: Thousandths
    mine_shortage: Thousandths


class ClassModelAmount(ClassAmount):
    """GPUs of one model."""

    model: Annotated[str, GIVEN]


def _by_model(one: panel.ClassGlance) -> list[Json]:
    return [{"model": model, **ClassAmount.render(part)} for model, part in one.gpus.items()]


class ClassResources(Answer, of=panel.ClassGlance):
    """Jobs of one class and their tasks, everybody's and the caller's own; `gpus` are those that they use, request or
    could get, by model."""

    job_class: JobClass = Field(alias="class")
    running: int
    queued: int
    mine_running: int
    mine_queued: int
    tasks_running: int
    tasks_queued: int
    mine_tasks_running: int
    mine_tasks_queued: int
    gpus: Annotated[list[ClassModelAmount], By(_by_model)]
    cpus: ClassAmount


class Resources(Answer):
    """Resources as of `at`; `nodes` counts nodes by state, `classes` has the numbers of each job class."""

    at: Moment
    gpus: list[ModelAmount]
    cpus: Amount
    memory: Amount
    jobs: JobCounts
    mine: JobCounts
    nodes: dict[NodeState, int]
    classes: list[ClassResources]
