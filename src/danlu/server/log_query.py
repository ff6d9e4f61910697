"""Which log is meant: a job, one of its attempts, one of its tasks, and where to begin."""

from __future__ import annotations

from collections.abc import Callable

from danlu.domain.job import Job
from danlu.domain.permissions import Caller
from danlu.ports.logs import LogKey
from danlu.server.desk import Desk
from danlu.server.finding import find_attempt, require_task
from danlu.server.reading import decimal
from danlu.wire.requests import LogQuery


def find_job(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Job:
    """The job, with all that the query names; NotFound says what there is instead."""
    job = desk.services.jobs.get(who, ref)
    require_task(job, find_attempt(desk.services.jobs, job, query.attempt), query.task)
    desk.services.visits.reads(who, job)
    return job


def key_of(job: Job, query: LogQuery) -> LogKey | None:
    """The log that is meant; None while the job has not run."""
    number = query.attempt or job.attempts
    if job.attempt is None or not job.attempt.tasks:
        return None
    return LogKey(job.id, number, query.task or job.attempt.tasks[0].name)


def beginning(desk: Desk, query: LogQuery, last_event_id: str | None = None) -> Callable[[LogKey], int]:
    def begin(key: LogKey) -> int:
        if (seen := decimal(last_event_id)) is not None:
            return seen
        if query.tail is not None:
            return desk.services.logs.tail(key, query.tail)
        return query.offset or 0

    return begin
