"""Reasons for jobs that wait because nodes are closed or close too soon for them."""

from __future__ import annotations

from collections.abc import Sequence

from danlu.domain.arrays import Mask, np
from danlu.domain.node import Node
from danlu.domain.reasons import ClosingSoon, NodesCordoned, NodesLowOnDisk, Reason, UnderMaintenance
from danlu.scheduler.ask import Ask
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.draft import Draft
from danlu.scheduler.model import Pending
from danlu.scheduler.possible import could_ever_start, could_start_in_time

_NAMED = 3
_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000


def closing_soon(draft: Draft, job: Pending, model: str) -> Reason | None:
    """The reason of a job that would fit on nodes that close too soon for it, now or if they were idle; else None."""
    closing = draft.closing
    rank = closing.rank(job.max_time)
    if not rank:
        return None
    key = (job.ask, model, rank)
    if key not in closing.reasons:
        closing.reasons[key] = _closing_soon(draft, job, model, rank)
    return closing.reasons[key]


def in_maintenance(draft: Draft, ask: Ask, model: str) -> Reason | None:
    """The reason of a job that could run on nodes that are under maintenance; else None."""
    cluster, closed = draft.snapshot.cluster, draft.snapshot.cluster.in_maintenance
    nodes = _missed(cluster, cluster.without_maintenance, closed, ask, model)
    if not nodes:
        return None
    ends = {node.opens_at or 0 for node in nodes}
    until = ends.pop() if len(ends) == 1 else 0
    return UnderMaintenance(len(nodes), nodes[0].closes_for, _named(nodes), until)


def cordoned(draft: Draft, ask: Ask, model: str) -> Reason | None:
    """The reason of a job that could run if all closed nodes were open, whyever they are closed; else None."""
    cluster = draft.snapshot.cluster
    nodes = _missed(cluster, cluster.without_closures, cluster.closed, ask, model)
    if nodes and (low := nodes[0].low_disk) is not None:
        return NodesLowOnDisk(len(nodes), nodes[0].name, low.free, low.reserve)
    first = next((node for node in nodes if node.why), nodes[0]) if nodes else None
    return NodesCordoned(len(nodes), first.name, first.why, _named(nodes)) if first else None


def closed_cards(draft: Draft, ask: Ask, model: str) -> tuple[int, str, str]:
    """How many GPUs nobody holds on closed nodes that could hold one of its tasks, which nodes, and why the first of
    them with a reason is closed."""
    cluster = draft.snapshot.cluster
    if not cluster.closed.any():
        return 0, "", ""
    idle = draft.room.now.whole
    there = np.flatnonzero(_usable(cluster.without_closures, ask, model) & cluster.closed & (idle > 0))
    nodes = [cluster.nodes[at] for at in there.tolist()]
    return int(idle[there].sum()), _named(nodes), next((node.why for node in nodes if node.why), "")


def _named(nodes: Sequence[Node]) -> str:
    """The first few by name."""
    names = [node.name for node in nodes[:_NAMED]]
    return ", ".join([*names, "…"] if len(nodes) > _NAMED else names)


def _missed(cluster: AllNodes, other: AllNodes, closed: Mask, ask: Ask, model: str) -> list[Node]:
    """Those of the closed nodes that a job could use, if it could run in the other cluster."""
    if other is cluster or not could_ever_start(other, ask, model):
        return []
    return [other.nodes[at] for at in np.flatnonzero(_usable(other, ask, model) & closed).tolist()]


def _closing_soon(draft: Draft, job: Pending, model: str, rank: int) -> Reason | None:
    closing, cluster = draft.closing, draft.snapshot.cluster
    longest = next((one for one in reversed(range(rank)) if _fits_now(draft, job.ask, model, one)), None)
    if longest is None:
        if could_start_in_time(draft, job, model, rank):
            return None  # it waits for nodes that stay open
        able = (one for one in reversed(range(rank)) if could_start_in_time(draft, job, model, one))
        longest = next(able, 0)
    usable = _usable(cluster, job.ask, model)
    still_open = closing.open_to(rank)
    assert still_open is not None
    first = np.flatnonzero(usable & closing.closing_at(longest))
    window = cluster.nodes[first[0]].closes_for if len(first) else ""
    return ClosingSoon(int((usable & ~still_open).sum()), window, _roughly(closing.left(longest)))


def _fits_now(draft: Draft, ask: Ask, model: str, rank: int) -> bool:
    mark = draft.room.mark()
    tasks = draft.room.place(ask, model, draft.closing.open_to(rank))
    draft.room.undo(mark)
    return bool(tasks)


def _usable(cluster: AllNodes, ask: Ask, model: str) -> Mask:
    """The nodes that could hold any of its tasks."""
    usable = np.zeros(len(cluster.nodes), np.bool_)
    for gang in ask.gangs:
        for part in gang:
            usable |= cluster.eligible(ask.job_class, ask.selector, part.size, model)
    return usable


def _roughly(left: int) -> int:
    """Rounded down, so that it is not rewritten every second."""
    step = _HOUR if left >= _DAY else 15 * _MINUTE if left >= 2 * _HOUR else 5 * _MINUTE
    return max(0, left - left % step)
