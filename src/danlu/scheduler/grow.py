"""Growth: jobs that started with less than they can use are given what nobody waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from danlu.domain.score import CPU
from danlu.scheduler.ask import Part, single
from danlu.scheduler.desk import Desk
from danlu.scheduler.model import Assigned, Lane, Line, Pending
from danlu.scheduler.reservations import Reservations


def grow(desk: Desk, reservations: Reservations) -> bool:
    """In the order of service; true when somebody was given more."""
    grown = False
    for job, tasks in _growing(desk):
        for part in job.ask.gangs[0]:
            grown |= _grow_role(desk, reservations, job, part, tasks)
    return grown


def _growing(desk: Desk) -> list[tuple[Pending, list[Assigned]]]:
    """Elastic jobs that run, start or are sure to, with the tasks they have so far."""
    snapshot = desk.snapshot
    given = {**desk.starts, **{start.job_id: start for start in desk.fresh_promises()}}
    candidates = [
        (job, [*given[job.job_id].tasks, *desk.grown(job.job_id)])
        for job in desk.given.values()
        if job.ask.elastic and job.job_id in given
    ]
    candidates += [
        (one.requeued(""), [*one.tasks, *desk.grown(one.job_id)])
        for one in snapshot.elastic
        if one.job_id not in desk.evictor.gone and one.job_id not in desk.shrunk
    ]
    candidates += [
        (snapshot.running[job_id].requeued(""), [*stay, *desk.grown(job_id)])
        for job_id, stay in desk.shrunk.items()
        if stay and snapshot.running[job_id].grows
    ]
    return sorted(candidates, key=lambda pair: desk.order.key(Line(_lane(*pair), (pair[0],)), 0))


def _grow_role(
    desk: Desk, reservations: Reservations, job: Pending, part: Part, tasks: list[Assigned]
) -> bool:
    model = _lane(job, tasks)[0]
    taken = {task.index for task in tasks if task.role == part.role}
    running, promised = desk.snapshot.running.get(job.job_id), job.job_id in desk.promised
    left = running.ends - desk.snapshot.now if running and not promised else job.max_time
    before = len(tasks)
    for index in (index for index in range(part.replicas) if index not in taken):
        later = (True,) if promised or job.job_id in desk.shrunk else (False, True)
        for soon in later if desk.somebody_leaves() else (False,):
            task = None
            if _may_grow(desk, job, model, part, soon):
                nodes = reservations.allowed(left)
                task = desk.room.add(job.ask, part, index, model, tasks, nodes, soon=soon, avoids=job.avoids)
            if task is not None:
                break
        if task is None:
            break
        desk.hold(job, (task,), before=tasks)
        tasks.append(task)
        _give(desk, job.job_id, task, soon and not promised)
    return len(tasks) > before


def _may_grow(desk: Desk, job: Pending, model: str, part: Part, soon: bool) -> bool:
    """Only within what the project deserves: else another could take it back at once."""
    one = replace(job, ask=single(job.ask, part), max_time=0)
    account = desk.snapshot.rules.account(job.project)
    if not desk.shares.within(account, desk.held.accounts[account], one.ask.amounts(model), model):
        return False
    return desk.gates.shut(one, model, now=not soon) is None


def _give(desk: Desk, job_id: str, task: Assigned, later: bool) -> None:
    for plans in () if later else (desk.starts, desk.promised):
        if job_id in plans:
            plans[job_id] = replace(plans[job_id], tasks=(*plans[job_id].tasks, task))
            return
    desk.growths.setdefault((job_id, _after(desk, job_id, task.node) if later else ()), []).append(task)
    desk.evictor.spare(job_id)


def _after(desk: Desk, job_id: str, node: str) -> tuple[str, ...]:
    """Who must have left first: from the node, and what the job itself gives up, whose names its new tasks may have."""
    leaving = desk.leaving_from(node)
    return tuple(sorted({*leaving, job_id})) if job_id in desk.shrunk else leaving


def _lane(job: Pending, tasks: Sequence[Assigned]) -> Lane:
    return (next((task.model for task in tasks if task.model), None) or CPU, job.ask.job_class)
