"""How an attempt ended: whether it failed or was evicted, and what its log tells of that."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain import reasons as why
from danlu.domain.job import Attempt, Job, JobState, Task, TaskState
from danlu.domain.reasons import Reason

MADE_TO_LEAVE = why.Preempted | why.Reclaimed | why.NodeDrained | why.NodeMaintenance
"""Others needed its place, or the node closed."""
READABLE = why.ExitCode | why.Signal | why.FromLog
"""The program's own end: its log tells more."""
_NO_FAILURE = MADE_TO_LEAVE | why.StoppedBy | why.ResetBy | why.RestartedBy


def failed(reason: Reason | None) -> bool:
    """Whether an end for this reason counts as a failure: not if a person stopped it, or if it was evicted."""
    return reason is not None and not isinstance(reason, _NO_FAILURE)


def attempt_state(one: Attempt, job: Job) -> JobState:
    """The state to show for an attempt: its job's state while it is the latest, else how it ended."""
    if one.ended_at is None:
        if not one.live_tasks:
            return JobState.STOPPED
        latest = one.number == job.attempts and job.active
        return job.state if latest else JobState.STOPPING  # the leftovers of a reset
    if one.reason is None:
        return JobState.COMPLETED
    return JobState.FAILED if failed(one.reason) else JobState.STOPPED


def first_failed(one: Attempt) -> Task | None:
    """The task whose own end made an attempt fail: of several the first by time, since others fail when it is gone."""
    own = [task for task in one.tasks if task.state is TaskState.FAILED and isinstance(task.reason, READABLE)]
    return min(own, key=lambda task: task.ended_at or 0, default=None)


def explained(job: Job, attempt_id: str, reason: why.FromLog) -> Job:
    """What the log tells takes the place of an exit code or signal, in words alone: the end itself stays as it was.
    The job itself if it has gone on, or knows that already."""
    attempt = job.attempt
    if attempt is None or attempt.ended_at is None or attempt_id != job.attempt_id:
        return job
    if not isinstance(attempt.reason, READABLE) or attempt.reason == reason:
        return job
    tasks = tuple(
        replace(task, reason=reason) if task.name == reason.task else task for task in attempt.tasks
    )
    known = replace(attempt, reason=reason, tasks=tasks)
    return replace(job, reason=reason if job.reason == attempt.reason else job.reason, attempt=known)
