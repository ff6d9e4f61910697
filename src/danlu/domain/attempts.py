"""How an attempt ended: whether it failed, or was evicted."""

from __future__ import annotations

from danlu.domain import reasons as why
from danlu.domain.job import Attempt, Job, JobState
from danlu.domain.reasons import Reason

MADE_TO_LEAVE = why.Preempted | why.Reclaimed | why.NodeDrained | why.NodeMaintenance
"""Others needed its place, or the node closed."""
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
