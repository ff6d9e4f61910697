"""How an attempt went: whether it failed, or had to end for another's sake."""

from __future__ import annotations

from danlu.domain import reasons as why
from danlu.domain.job import Attempt, Job, JobState
from danlu.domain.reasons import Reason

MADE_TO_LEAVE = why.Preempted | why.Reclaimed | why.NodeDrained | why.NodeMaintenance
"""Others needed its place, or the node closed."""
_NO_FAILURE = MADE_TO_LEAVE | why.StoppedBy | why.ResetBy | why.RestartedBy


def failed(reason: Reason | None) -> bool:
    """Whether what ended for this reason failed: not if somebody ended it, or if it gave way."""
    return reason is not None and not isinstance(reason, _NO_FAILURE)


def attempt_state(one: Attempt, job: Job) -> JobState:
    """What a job's state is while the attempt is its latest, and how it ended afterwards."""
    if one.ended_at is None:
        if not one.live_tasks:
            return JobState.STOPPED
        latest = one.number == job.attempts and job.active
        return job.state if latest else JobState.STOPPING  # the leftovers of a reset
    if one.reason is None:
        return JobState.COMPLETED
    return JobState.FAILED if failed(one.reason) else JobState.STOPPED
