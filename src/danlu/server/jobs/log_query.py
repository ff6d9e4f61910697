"""Which log a query means: job, attempt, task, try, and where to start."""

from __future__ import annotations

from collections.abc import Callable

from danlu.domain.errors import NotFound
from danlu.domain.job import Attempt, Job
from danlu.domain.permissions import Caller
from danlu.ports.logs import LogKey
from danlu.server.desk import Desk
from danlu.server.http.finding import find_attempt, find_try, require_task
from danlu.server.http.reading import decimal
from danlu.server.live.models import LogQuery

Naming = Callable[[Job], LogKey | None]
"""The log that the query means, for the job as it is now; None while the job has not run."""


def find_log(desk: Desk, who: Caller, ref: str, query: LogQuery) -> tuple[Job, Naming]:
    """The job and the log in it that the query names; NotFound says what exists instead."""
    job = desk.services.jobs.jobs.get(who, ref)
    attempt = find_attempt(desk.services.jobs.jobs, job, query.attempt)
    if attempt is None:
        require_task(job, None, query.task)
    else:
        _run(job, attempt, query)
    desk.services.jobs.visits.reads(who, job)

    def naming(now: Job) -> LogKey | None:
        current = attempt if query.attempt not in (None, now.attempts) else now.attempt
        if current is None or not current.tasks:
            return None
        try:
            return LogKey(now.id, current.number, _run(now, current, query))
        except NotFound:  # an elastic job has fewer tasks than requested: a missing one prints nothing
            return LogKey(now.id, current.number, query.task or "")

    return job, naming


def beginning(desk: Desk, query: LogQuery, last_event_id: str | None = None) -> Callable[[LogKey], int]:
    def begin(key: LogKey) -> int:
        if (seen := decimal(last_event_id)) is not None:
            return seen
        if query.tail is not None:
            return desk.services.ports.logs.tail(key, query.tail)
        return query.offset or 0

    return begin


def _run(job: Job, attempt: Attempt, query: LogQuery) -> str:
    """The task's latest run, or the one of that try; without a name, of the first task."""
    name = next((task.name for task in attempt.tasks), "") if query.task is None else query.task
    return find_try(job, attempt, name, query.try_).run
