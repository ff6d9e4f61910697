"""Promises: room that was made for a job is kept for it, before the queue is served."""

from __future__ import annotations

from danlu.domain.score import CPU
from danlu.scheduler.ask import ANY
from danlu.scheduler.draft import Draft
from danlu.scheduler.model import Pending


def keep_promises(draft: Draft) -> None:
    """Start jobs whose promised room is free; keep the room of all others before any of them looks elsewhere."""
    nominated = [job for job in draft.snapshot.apart if job.nominated]
    nominated += [one.requeued("") for one in draft.snapshot.moving]
    waiting: list[tuple[Pending, str]] = []
    for job in sorted(nominated, key=lambda job: job.slot):
        if job.fetching is not None:
            continue
        model = next((task.model for task in job.nominated if task.model), None) or CPU
        if (draft.gates.shut(job, model) or draft.volumes.shut(job)) is not None or not _suits(draft, job):
            continue
        if _may_start(draft, job, model) and draft.room.take_all(job.nominated):
            draft.start(job, job.nominated, draft.grounds(job, model, "promised"))
        elif draft.room.take_all(job.nominated, soon=True):
            waiting.append((job, model))
            draft.volumes.take(job)
    for job, model in waiting:
        may_start, nodes = _may_start(draft, job, model), draft.closing.open(job.max_time)
        tasks = draft.room.place(job.ask, model, nodes, avoids=job.avoids) if may_start else ()
        if tasks:  # nobody need leave for it any more
            draft.room.give_back(job.nominated)
            draft.start(job, tasks, draft.grounds(job, model, "promised"))
        else:
            draft.promise(job, job.nominated)
            draft.kept.add(job.job_id)


def _may_start(draft: Draft, job: Pending, model: str) -> bool:
    return not draft.still_there(job) and draft.gates.shut(job, model, now=True) is None


def _suits(draft: Draft, job: Pending) -> bool:
    """Whether the promise still matches what the job requests, on nodes that it may use."""
    ask, cluster, still_open = job.ask, draft.snapshot.cluster, draft.closing.open(job.max_time)
    gang = next((one for one in ask.gangs if one[0].replicas == len(job.nominated)), ask.gangs[0])
    for part in gang:
        own = [task for task in job.nominated if task.role == part.role]
        nodes = cluster.eligible(ask.job_class, ask.selector, part.size, ANY)
        nodes = nodes if still_open is None else nodes & still_open
        if len(own) < part.minimum or any(
            task.node not in cluster.index
            or not nodes[cluster.index[task.node]]
            or (task.cpu_milli, task.memory) != (part.size.cpu_milli, part.size.memory)
            or sum(grant.milli for grant in task.gpus) != part.size.gpu_milli
            for task in own
        ):
            return False
    together = len({cluster.nodes[cluster.index[task.node]].cluster for task in job.nominated}) == 1
    return together and len(job.nominated) >= ask.minimum
