"""The cluster at a glance: what there is, what is used and wanted, mine and everybody's."""

from __future__ import annotations

from danlu.domain.node import NodeState
from danlu.wire.responses import Answer, Moment


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


class Resources(Answer):
    """As of `at`; `nodes` counts them by state."""

    at: Moment
    gpus: list[ModelAmount]
    cpus: Amount
    memory: Amount
    jobs: JobCounts
    mine: JobCounts
    nodes: dict[NodeState, int]
