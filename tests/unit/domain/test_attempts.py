"""An attempt failed, or it did not: decided once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import reasons as why
from danlu.domain.attempts import attempt_state, explained, failed, first_failed
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


def ended_with(reason: Reason, *ends: int) -> Job:
    """A failed job whose tasks ended at these times, each with an exit code."""
    tasks = tuple(
        Task(
            "worker",
            at,
            "n1",
            "",
            state=TaskState.FAILED,
            reason=why.ExitCode(f"worker-{at}", 1, "n1"),
            ended_at=end,
        )
        for at, end in enumerate(ends)
    )
    failed_one = Attempt(1, tasks, 0, ended_at=9, reason=reason)
    return replace(job(JobState.FAILED), reason=reason, attempt=failed_one)


TOLD = why.ProgramError("worker-1", "KeyError: 'x'", "n1", kind="KeyError", message="'x'")


def test_the_task_that_failed_first_by_time_is_the_one_to_quote():
    one = ended_with(why.ExitCode("worker-0", 1, "n1"), 8, 5, 7)
    assert one.attempt is not None
    assert first_failed(one.attempt) == one.attempt.tasks[1]


def test_what_a_log_tells_replaces_an_exit_code_in_words_alone():
    before = ended_with(why.ExitCode("worker-0", 1, "n1"), 8, 5)
    after = explained(before, before.attempt_id, TOLD)
    assert after.reason == TOLD
    assert after.attempt is not None
    assert (after.attempt.reason, after.attempt.tasks[1].reason) == (TOLD, TOLD)
    assert after.attempt.tasks[0].reason == why.ExitCode("worker-0", 1, "n1")
    assert (after.state, after.ended_at, after.attempt.ended_at) == (before.state, before.ended_at, 9)
    assert explained(after, after.attempt_id, TOLD) is after


@pytest.mark.parametrize("reason", [why.OutOfMemory("worker-0", 1), why.StoppedBy("lin"), why.OverTime(1)])
def test_what_is_known_better_than_by_a_log_stays(reason):
    before = ended_with(reason, 8)
    assert explained(before, before.attempt_id, TOLD) is before


def test_a_log_that_is_read_too_late_changes_nothing():
    before = ended_with(why.ExitCode("worker-0", 1, "n1"), 8)
    assert explained(replace(before, attempts=2), before.attempt_id, TOLD) == replace(before, attempts=2)
