"""Jobs as the JSON that clients get."""

from __future__ import annotations

from danlu.control.queue.queue import Outlook
from danlu.domain.attempts import attempt_state
from danlu.domain.job import Attempt, Job, JobState, Saved, Task
from danlu.domain.reasons import Reason
from danlu.domain.story import told
from danlu.files.writing import job_file_of
from danlu.ports.store import JobPage, JobRow
from danlu.server.http.answering import (
    Json,
    encoded_reason,
    instant,
    moment,
    reason,
    words,
)


def job_page(page: JobPage) -> Json:
    return {
        "items": [job_row(row) for row in page.rows],
        "next_cursor": page.next_cursor,
        "total": page.total,
    }


def job_row(row: JobRow) -> Json:
    """A waiting job's reason is why it waits."""
    waits = row.waiting if row.state == JobState.QUEUED else None
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "class": row.job_class,
        "owner": row.owner,
        "project": row.project,
        "state": row.state,
        "reason": encoded_reason(waits or row.reason),
        "image": row.image,
        "gpus": row.gpu_milli / 1000,
        "gpu_model": row.gpu_model,
        "cpus": row.cpu_milli / 1000,
        "memory": row.memory,
        "nodes": row.tasks,
        "priority": row.priority,
        "created_at": instant(row.created_at),
        "queued_at": moment(row.queued_at),
        "started_at": moment(row.started_at),
        "ended_at": moment(row.ended_at),
        "version": row.version,
        "attempt": row.attempts,
    }


def row_of(job: Job, waiting: Reason | None) -> Json:
    """A job as lists show it, from the job itself."""
    return job_row(JobRow.of(job, waiting))


def job_detail(job: Job, attempts: tuple[Attempt, ...], waiting: Reason | None, actions: list[str]) -> Json:
    spec, source = job.spec, job.cloned_from
    waits = waiting if job.state is JobState.QUEUED else None
    return {
        **row_of(job, waits),
        "description": spec.description,
        "spec": job_file_of(spec),
        "tasks": [task(one) for one in job.attempt.tasks] if job.attempt else [],
        "restarts": job.restarts,
        "waiting": reason(waits),
        "attempts": [attempt(one, job) for one in attempts],
        "actions": actions,
        "pinned_at": moment(job.turn.pinned_at),
        "nominated": sorted({task.node for task in job.turn.nominated}),
        "cloned_from": {"id": source.id, "name": source.name} if source else None,
        "framework": spec.framework,
        "strategy": spec.strategy,
        "saved": saved(job.saved),
        "lost": sum(one.lost for one in attempts) / 1000,
    }


def outlook(one: Outlook) -> Json:
    """What a job file asks for, and what would happen to it now."""
    row = row_of(one.job, None)
    size = {"tasks": row["nodes"], **{key: row[key] for key in ("gpus", "gpu_model", "cpus", "memory")}}
    would = {"starts_now": one.starts_now, "reason": reason(one.reason), "ahead": one.ahead}
    return {"size": size, "would": would}


def task(one: Task) -> Json:
    return {
        "name": one.name,
        "role": one.role,
        "index": one.index,
        "state": one.state.value,
        "node": one.node,
        "address": one.address,
        "gpus": [grant.index for grant in one.gpus],
        "reason": reason(one.reason),
        "exit_code": one.exit_code,
        "started_at": moment(one.started_at),
        "ended_at": moment(one.ended_at),
        "isolation": one.isolation or None,
        "step": one.step or None,
        "run": one.run,
        "tries": one.tries,
        "not_before": moment(one.not_before),
    }


def attempt(one: Attempt, job: Job) -> Json:
    started = [task.started_at for task in one.tasks if task.started_at is not None]
    story = told(one)
    return {
        "number": one.number,
        "state": attempt_state(one, job).value,
        "reason": reason(one.reason),
        "started_at": moment(min(started, default=None)),
        "ended_at": moment(one.ended_at),
        "story": words(story) if story else None,
        "resumed": saved(one.resumed),
        "saved": saved(one.saved),
        "lost": one.lost / 1000,
        "then": one.then,
    }


def saved(one: Saved | None) -> Json | None:
    if one is None:
        return None
    return {"path": one.path, "step": one.step, "at": instant(one.at), "attempt": one.attempt}
