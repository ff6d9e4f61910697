"""The cluster at a glance: what there is, what is used and wanted, mine and everybody's."""

from __future__ import annotations

from pydantic import Field

from danlu.domain.job import JobClass
from danlu.domain.node import NodeState
from danlu.server.http.models import Answer, Moment


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


class ClassAmount(Answer):
    """What jobs of one class hold and ask for of one resource, everybody's and one's own."""

    used: float
    queued: float
    mine_used: float
    mine_queued: float


class ClassModelAmount(ClassAmount):
    """GPUs of one model; `shortage` is how much more it would take to run all of the class that wait for them."""

    model: str
    shortage: float


class ClassResources(Answer):
    """Jobs of one class, everybody's and one's own; `gpus` are those they hold or ask for, by model."""

    job_class: JobClass = Field(alias="class")
    running: int
    queued: int
    mine_running: int
    mine_queued: int
    gpus: list[ClassModelAmount]
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
