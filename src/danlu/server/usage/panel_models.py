"""The cluster at a glance: what there is, what is used and wanted, mine and everybody's."""

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
    """Of one resource: `free` on nodes that take jobs, `used` by running jobs on any node, held there by `others` than
    Danlu, all three together as `total`; wanted by queued ones; what of those is one's own; and how much more it would
    take to run all that waits."""

    total: float
    used: float
    others: float
    free: float
    queued: float
    mine_used: float
    mine_queued: float
    shortage: float


class ModelAmount(Amount):
    """GPUs of one model on so many nodes that take jobs; `largest_free` is the most that one task could have: whole
    cards of one node, or the largest share of a card."""

    model: str
    nodes: int
    largest_free: float


class JobCounts(Answer):
    running: int
    queued: int


class ClassAmount(Answer, of=panel.ClassAmount):
    """What jobs of one class hold and ask for of one resource, everybody's and one's own."""

    used: Thousandths
    queued: Thousandths
    mine_used: Thousandths
    mine_queued: Thousandths


class ClassModelAmount(ClassAmount):
    """GPUs of one model; `shortage` is how much more it would take to run all of the class that wait for them."""

    model: Annotated[str, GIVEN]
    shortage: Thousandths


def _by_model(one: panel.ClassGlance) -> list[Json]:
    return [
        {"model": model, **ClassAmount.render(part), "shortage": plain_number(part.shortage)}
        for model, part in one.gpus.items()
    ]


class ClassResources(Answer, of=panel.ClassGlance):
    """Jobs of one class, everybody's and one's own; `gpus` are those they hold or ask for, by model."""

    job_class: JobClass = Field(alias="class")
    running: int
    queued: int
    mine_running: int
    mine_queued: int
    gpus: Annotated[list[ClassModelAmount], By(_by_model)]
    cpus: ClassAmount


class Resources(Answer):
    """As of `at`; `nodes` counts them by state, `classes` tells it of each class of jobs."""

    at: Moment
    gpus: list[ModelAmount]
    cpus: Amount
    memory: Amount
    jobs: JobCounts
    mine: JobCounts
    nodes: dict[NodeState, int]
    classes: list[ClassResources]
