"""The cluster at a glance: total, used and requested resources, everybody's and the caller's own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from danlu.control.usage import panel
from danlu.domain.job import JobClass
from danlu.domain.node import NodeState
from danlu.files.quantities import plain_number
from danlu.server.http.models import Answer, Moment, Thousandths
from danlu.server.http.rendering import GIVEN, By, Json


class Amount(Answer):
    """One resource: `free` on nodes that accept jobs, `used` by running jobs on any node, used by workloads outside
    Danlu (`others`), and the `total` of these; requested by queued jobs; the caller's own part; and how much more it
    would take to run all waiting jobs."""

    total: float
    used: float
    others: float
    free: float
    queued: float
    mine_used: float
    mine_queued: float
    shortage: float


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
    """What jobs of one class use and request of one resource, everybody's and the caller's own."""

    used: Thousandths
    queued: Thousandths
    mine_used: Thousandths
    mine_queued: Thousandths


class ClassModelAmount(ClassAmount):
    """GPUs of one model; `shortage` is how many more it would take to run all jobs of the class that wait for them."""

    model: Annotated[str, GIVEN]
    shortage: Thousandths


def _by_model(one: panel.ClassGlance) -> list[Json]:
    return [
        {"model": model, **ClassAmount.render(part), "shortage": plain_number(part.shortage)}
        for model, part in one.gpus.items()
    ]


class ClassResources(Answer, of=panel.ClassGlance):
    """Jobs of one class, everybody's and the caller's own; `gpus` are those they use or request, by model."""

    job_class: JobClass = Field(alias="class")
    running: int
    queued: int
    mine_running: int
    mine_queued: int
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
