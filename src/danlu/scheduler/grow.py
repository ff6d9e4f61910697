"""Growth: elastic jobs get resources that nobody waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from danlu.domain.score import CPU
from danlu.scheduler.ask import RoleAsk, single
from danlu.scheduler.draft import Draft
from danlu.scheduler.model import Assigned, Lane, Pending, QueueLine
from danlu.scheduler.reservations import Reservations


def grow(draft: Draft, reservations: Reservations) -> bool:
    """Grow jobs in queue order; true if any job got more."""
    grown = False
    for job, tasks in _growing(draft):
        for part in job.ask.gangs[0]:
            grown |= _grow_role(draft, reservations, job, part, tasks)
    return grown


def _growing(draft: Draft) -> list[tuple[Pending, list[Assigned]]]:
    """Elastic jobs that run, start or are sure to, with the tasks they have so far."""
    snapshot = draft.snapshot
    given = {**draft.starts, **{start.job_id: start for start in draft.fresh_promises()}}
    candidates = [
        (job, [*given[job.job_id].tasks, *draft.grown(job.job_id)])
        for job in draft.given.values()
        if job.ask.elastic and job.job_id in given
    ]
    candidates += [
        (one.requeued(""), [*one.tasks, *draft.grown(one.job_id)])
        for one in snapshot.elastic
        if one.job_id not in draft.evictor.gone and one.job_id not in draft.shrunk
    ]
    candidates += [
        (snapshot.running[job_id].requeued(""), [*stay, *draft.grown(job_id)])
        for job_id, stay in draft.shrunk.items()
        if stay and snapshot.running[job_id].grows
    ]
    return sorted(candidates, key=lambda pair: draft.order.key(QueueLine(_lane(*pair), (pair[0],)), 0))


def _grow_role(
    draft: Draft, reservations: Reservations, job: Pending, part: RoleAsk, tasks: list[Assigned]
) -> bool:
    model = _lane(job, tasks)[0]
    taken = {task.index for task in tasks if task.role == part.role}
    running, promised = draft.snapshot.running.get(job.job_id), job.job_id in draft.promised
    left = running.ends - draft.snapshot.now if running and not promised else job.max_time
    before = len(tasks)
    for index in (index for index in range(part.replicas) if index not in taken):
        later = (True,) if promised or job.job_id in draft.shrunk else (False, True)
        for soon in later if draft.somebody_leaves() else (False,):
            task = None
            if _may_grow(draft, job, model, part, soon):
                nodes = reservations.allowed(left)
                task = draft.room.add(job.ask, part, index, model, tasks, nodes, soon=soon, avoids=job.avoids)
            if task is not None:
                break
        if task is None:
            break
        draft.hold(job, (task,), before=tasks)
        tasks.append(task)
        _give(draft, job.job_id, task, soon and not promised)
    return len(tasks) > before


def _may_grow(draft: Draft, job: Pending, model: str, part: RoleAsk, soon: bool) -> bool:
    """Only within what the project deserves: otherwise another project could reclaim it at once."""
    one = replace(job, ask=single(job.ask, part), max_time=0)
    account = draft.snapshot.rules.account(job.project)
    if not draft.shares.within(account, draft.held.accounts[account], one.ask.amounts(model), model):
        return False
    return draft.gates.shut(one, model, now=not soon) is None


def _give(draft: Draft, job_id: str, task: Assigned, later: bool) -> None:
    for plans in () if later else (draft.starts, draft.promised):
        if job_id in plans:
            plans[job_id] = replace(plans[job_id], tasks=(*plans[job_id].tasks, task))
            return
    draft.growths.setdefault((job_id, _after(draft, job_id, task.node) if later else ()), []).append(task)
    draft.evictor.spare(job_id)


def _after(draft: Draft, job_id: str, node: str) -> tuple[str, ...]:
    """Who must have left first: from the node, and what the job itself gives up, whose names its new tasks may have."""
    leaving = draft.leaving_from(node)
    return tuple(sorted({*leaving, job_id})) if job_id in draft.shrunk else leaving


def _lane(job: Pending, tasks: Sequence[Assigned]) -> Lane:
    return (next((task.model for task in tasks if task.model), None) or CPU, job.ask.job_class)
