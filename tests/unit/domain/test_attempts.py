"""An attempt failed, or it did not: decided once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import reasons as why
from danlu.domain.attempts import attempt_state, failed
from danlu.domain.job import Attempt, Job, JobState, Task, TaskState
from danlu.domain.reasons import Reason
from tests.fakes.builders import job as some_job

RUNS, ENDED = TaskState.RUNNING, TaskState.SUCCEEDED


def attempt(state: TaskState = ENDED, ended_at: int | None = 9, reason: Reason | None = None) -> Attempt:
    task = Task("worker", 0, "a100-1", "10.0.0.1", state=state)
    return Attempt(1, (task,), 0, ended_at=ended_at, reason=reason)


def job(state: JobState = JobState.RUNNING, attempts: int = 1) -> Job:
    return replace(some_job(), state=state, attempts=attempts)


@pytest.mark.parametrize(
    "reason",
    [why.StoppedBy("lin"), why.ResetBy("lin"), why.RestartedBy("lin"), why.Preempted("nlp", "high", "low")],
)
def test_what_somebody_ended_and_what_gave_way_has_not_failed(reason):
    assert not failed(reason)
    assert attempt_state(attempt(reason=reason), job()) is JobState.STOPPED


def test_what_ended_by_itself_for_a_reason_has_failed():
    assert failed(why.ExitCode("worker-0", 1, "a100-1"))
    assert attempt_state(attempt(reason=why.ExitCode("worker-0", 1, "a100-1")), job()) is JobState.FAILED


def test_what_ended_without_a_reason_is_complete():
    assert not failed(None)
    assert attempt_state(attempt(), job(JobState.QUEUED)) is JobState.COMPLETED


def test_the_latest_is_as_its_job_is():
    assert attempt_state(attempt(RUNS, None), job(JobState.STARTING)) is JobState.STARTING


def test_leftovers_of_a_reset_are_stopping_until_they_are_gone():
    assert attempt_state(attempt(RUNS, None), job(JobState.CREATED)) is JobState.STOPPING
    assert attempt_state(attempt(RUNS, None), job(attempts=2)) is JobState.STOPPING
    assert attempt_state(attempt(ENDED, None), job(JobState.CREATED)) is JobState.STOPPED
