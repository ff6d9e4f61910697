"""Evicts jobs that still run on closed nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from danlu.domain.events import Event, Evicted
from danlu.domain.job import Job, JobState, Task, Time
from danlu.domain.node import Node
from danlu.domain.reasons import NodeDrained, NodeMaintenance, Reason
from danlu.domain.remedies import meeting_point

_RUNS = frozenset({JobState.STARTING, JobState.RUNNING})


def closed(nodes: Iterable[Node], now: Time) -> dict[str, Reason]:
    """The nodes that nothing may run on now, and why."""
    return {
        node.name: NodeMaintenance(node.name, node.closes_for) if node.closes_for else NodeDrained(node.name)
        for node in nodes
        if node.closes_at is not None and node.closes_at <= now
    }


def leaving_events(jobs: Iterable[Job], nodes: Sequence[Node], now: Time) -> Iterator[tuple[str, Event]]:
    """Every job on a closed node is evicted and requeued, or loses only its tasks there if it can run without them.
    Jobs that are already ending are left alone."""
    why = closed(nodes, now)
    for job in jobs if why else ():
        if job.state not in _RUNS:
            continue
        staying = [task for task in job.live_tasks if task.leaving is None]
        going = [task for task in staying if task.node in why]
        if going:
            kept = [task for task in staying if task.node not in why]
            names = tuple(task.name for task in going) if _does_without(job, kept) else ()
            yield job.id, Evicted(job.attempts, "", why[going[0].node], names)


def ends_by_itself(job: Job, by: Time) -> bool:
    """Whether it is sure to have ended by then."""
    limit, attempt = job.spec.max_time, job.attempt
    return limit is not None and attempt is not None and attempt.created_at + limit <= by


def _does_without(job: Job, kept: Sequence[Task]) -> bool:
    if not kept or job.spec.total or len(kept) < job.spec.minimum:
        return False
    if (first := meeting_point(job)) is not None and first.live and first not in kept:
        return False
    have: Mapping[str, int] = Counter(task.role for task in kept)
    return all(have.get(role.name, 0) >= role.min for role in job.spec.roles)
