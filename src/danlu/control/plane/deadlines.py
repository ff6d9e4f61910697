"""Deadlines of live jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from danlu.domain.events import Event, ExpectedTimePassed, MaxTimePassed, RestartDue, StopOverdue
from danlu.domain.job import Job, JobState, Time
from danlu.domain.reasons import StopHangs

STOP_SLACK_MS = 15_000


def due_events(jobs: Iterable[Job], now: Time) -> Iterator[tuple[str, Event]]:
    """Events for every deadline that has passed and was not handled yet."""
    for job in jobs:
        if job.state is JobState.RUNNING and job.started_at is not None:
            ran, spec = now - job.started_at, job.spec
            if spec.expected_time is not None and ran >= spec.expected_time and not job.warned:
                yield job.id, ExpectedTimePassed(spec.expected_time)
        if job.state in (JobState.STARTING, JobState.RUNNING) and job.attempt is not None:
            # Counted from its placement, starting included: reservations of others rely on that.
            limit = job.spec.max_time
            if limit is not None and now - job.attempt.created_at >= limit:
                yield job.id, MaxTimePassed(limit)
            for task in job.live_tasks:
                if task.not_before is not None and now >= task.not_before:
                    yield job.id, RestartDue(job.attempt_id, task.run)
        elif job.state is JobState.STOPPING and job.ending is not None:
            waited = now - job.ending.since
            overdue = waited >= job.spec.checkpoint.grace + STOP_SLACK_MS
            if overdue and not isinstance(job.reason, StopHangs):
                yield job.id, StopOverdue(waited)
