"""Whether a job could ever start: on all nodes if idle, or on those that are still open to it."""

from __future__ import annotations

import functools

from danlu.domain.arrays import Mask
from danlu.scheduler.ask import Ask
from danlu.scheduler.board import lanes
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.draft import Draft
from danlu.scheduler.model import Pending
from danlu.scheduler.room import Room


def could_ever_start(cluster: AllNodes, ask: Ask, model: str | None = None) -> bool:
    """Whether it would fit if all nodes in service were idle, except for workloads outside Danlu."""
    key = (ask, model)
    if key not in cluster.possible:
        models = [model] if model else [lane[0] for lane in lanes(cluster, ask.models, ask.job_class)]
        cluster.possible[key] = any(_fits_when_idle(cluster, ask, each, None) for each in models)
    return cluster.possible[key]


def may_lead(draft: Draft, job: Pending, model: str) -> bool:
    """Whether it could start before nodes close, if they were idle. Otherwise it reserves nothing and others pass
    it."""
    possible = could_ever_start(draft.snapshot.cluster, job.ask, model)
    return possible and could_start_in_time(draft, job, model)


def could_start_in_time(draft: Draft, job: Pending, model: str, rank: int | None = None) -> bool:
    """Whether it would fit if all nodes open to it (or to jobs of a rank) were idle."""
    closing = draft.closing
    rank = closing.rank(job.max_time) if rank is None else rank
    if not rank:
        return could_ever_start(draft.snapshot.cluster, job.ask, model)
    key = (job.ask, model, rank)
    if key not in closing.possible:
        nodes = closing.open_to(rank)
        closing.possible[key] = _fits_when_idle(draft.snapshot.cluster, job.ask, model, nodes)
    return closing.possible[key]


def _fits_when_idle(cluster: AllNodes, ask: Ask, model: str, nodes: Mask | None) -> bool:
    if len(ask.gangs[0]) == 1 and ask.same is None:
        # Equal tasks that need not be close: if a cluster has room for them one by one, it has for all.
        return _idle(cluster).could(ask, model, nodes)
    return bool(Room(cluster, cluster.empty).place(ask, model, nodes))


@functools.lru_cache(maxsize=4)
def _idle(cluster: AllNodes) -> Room:
    """To be asked only: nothing is ever taken from it."""
    return Room(cluster, cluster.empty)
