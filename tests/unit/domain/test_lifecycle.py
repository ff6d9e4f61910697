"""The life cycle: events in, the next job out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.errors import WrongState
from danlu.domain.job import Job, JobState, Task, TaskState
from danlu.domain.lifecycle import OwedStart, OwedStop, advance, owed, shed
from danlu.domain.words import Words
from tests.fakes.builders import job

NOW = 1_000


def feed(subject: Job, *events: ev.Event, now: int = NOW) -> Job:
    for event in events:
        subject = advance(subject, event, now).job
    return subject


def placed(number: int = 1, tasks: int = 1) -> ev.Placed:
    return ev.Placed(number, tuple(Task("worker", index, "node-1", "127.0.0.1") for index in range(tasks)))


def running(name: str = "worker-0", attempt: str = "some-job-1") -> ev.TaskRunning:
    return ev.TaskRunning(attempt, name, NOW)


def ended(
    name: str = "worker-0", reason: why.Reason | None = None, attempt: str = "some-job-1"
) -> ev.TaskEnded:
    return ev.TaskEnded(attempt, name, NOW, reason, None if reason else 0)


def started(tasks: int = 1, **keys: Any) -> Job:
    """A job whose tasks all run."""
    subject = feed(job(nodes=tasks, **keys), ev.StartRequested("lin"), placed(tasks=tasks))
    return feed(subject, *(running(f"worker-{index}") for index in range(tasks)))


def test_a_started_job_queues_is_placed_runs_and_completes() -> None:
    subject = feed(job(), ev.StartRequested("lin"))
    assert (subject.state, subject.queued_at) == (JobState.QUEUED, NOW)
    subject = feed(subject, placed())
    assert (subject.state, subject.attempt_id) == (JobState.STARTING, "some-job-1")
    subject = feed(subject, running())
    assert (subject.state, subject.started_at) == (JobState.RUNNING, NOW)
    subject = feed(subject, ended(), now=2_000)
    assert (subject.state, subject.reason) == (JobState.COMPLETED, None)


def test_a_job_ends_when_its_last_task_did_not_when_it_was_noticed() -> None:
    first = ev.TaskEnded("some-job-1", "worker-0", 1_500, None, 0)
    last = ev.TaskEnded("some-job-1", "worker-1", 1_200, None, 0)
    subject = feed(started(2), first, last, now=60_000)
    assert subject.attempt is not None
    assert (subject.ended_at, subject.attempt.ended_at) == (1_500, 1_500)


def test_a_requeued_job_that_is_stopped_ends_then() -> None:
    lost = why.NodeLost("worker-0", "node-1")
    subject = feed(started(on={"node_lost": "requeue"}), ended(reason=lost))
    assert feed(subject, ev.StopRequested("lin"), now=7_000).ended_at == 7_000


def test_every_change_of_state_is_recorded_with_its_reason_in_words() -> None:
    step = advance(started(), ended(reason=why.ExitCode("worker-0", 3)), NOW)
    change = step.records[-1]
    assert isinstance(change, ev.StateChanged)
    assert change.text().en == "running → failed: worker-0 ended with exit code 3 on node-1"
    assert change.text().zh == "运行中 → 失败：worker-0 在 node-1 上以退出码 3 结束"


def test_a_gang_runs_only_when_its_last_task_runs() -> None:
    subject = feed(job(nodes=2), ev.StartRequested("lin"), placed(tasks=2), running("worker-0"))
    assert subject.state is JobState.STARTING
    assert feed(subject, running("worker-1")).state is JobState.RUNNING


def test_a_gang_completes_only_when_its_last_task_succeeded() -> None:
    subject = feed(started(2), ended("worker-0"))
    assert (subject.state, subject.ended_at) == (JobState.RUNNING, None)
    assert feed(subject, ended("worker-1")).state is JobState.COMPLETED


def test_one_failed_task_ends_the_others_and_then_the_job() -> None:
    reason = why.ExitCode("worker-0", 1, "node-1")
    subject = feed(started(2), ended("worker-0", reason))
    assert (subject.state, subject.ended_at) == (JobState.STOPPING, None)
    assert owed(subject) == OwedStop(subject, 1_500), "promptly: what they could still say to it is lost"
    subject = feed(subject, ended("worker-1", why.Signal("worker-1", "SIGTERM")))
    assert (subject.state, subject.reason) == (JobState.FAILED, reason)
    assert [task.state for task in subject.attempt.tasks] == [TaskState.FAILED, TaskState.STOPPED]  # type: ignore[union-attr]


def test_stopping_a_queued_job_is_immediate() -> None:
    subject = feed(job(), ev.StartRequested("lin"), ev.StopRequested("lin"))
    assert (subject.state, subject.reason) == (JobState.STOPPED, why.StoppedBy("lin"))


def test_a_running_job_stops_when_its_tasks_have_ended_even_if_they_succeed_meanwhile() -> None:
    subject = feed(started(), ev.StopRequested("lin"))
    assert (subject.state, subject.ended_at) == (JobState.STOPPING, None)
    assert feed(subject, ended()).state is JobState.STOPPED


def test_asking_twice_to_stop_changes_nothing() -> None:
    subject = feed(started(), ev.StopRequested("lin"))
    assert not advance(subject, ev.StopRequested("lin"), NOW).changed


def test_a_stop_overrides_a_restart_under_way() -> None:
    subject = feed(started(), ev.RestartRequested("lin"), ev.StopRequested("wang"), ended())
    assert subject.state is JobState.STOPPED


def test_a_restart_queues_again_after_the_end() -> None:
    subject = feed(started(), ev.RestartRequested("lin"))
    assert subject.state is JobState.STOPPING
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGTERM")))
    assert (subject.state, subject.started_at) == (JobState.QUEUED, None)
    assert feed(subject, placed(2)).attempt_id == "some-job-2"


@pytest.mark.parametrize("state", [JobState.COMPLETED, JobState.FAILED, JobState.STOPPED, JobState.CREATED])
def test_an_inactive_job_can_be_started_again_but_not_stopped(state: JobState) -> None:
    subject = replace(job(), state=state)
    assert feed(subject, ev.StartRequested("lin")).state is JobState.QUEUED
    with pytest.raises(WrongState, match="nothing to stop"):
        advance(subject, ev.StopRequested("lin"), NOW)


def test_an_active_job_cannot_be_started() -> None:
    with pytest.raises(WrongState, match="only a job that is not active can be started"):
        advance(started(), ev.StartRequested("lin"), NOW)


def test_trouble_requeues_as_often_as_allowed_and_then_fails() -> None:
    subject = started(on={"node_lost": "requeue"}, restarts=1)
    lost = why.NodeLost("worker-0", "node-1")
    subject = feed(subject, ended(reason=lost))
    assert (subject.state, subject.restarts, subject.reason) == (JobState.QUEUED, 1, lost)
    again = "some-job-2"
    subject = feed(subject, placed(2), running(attempt=again), ended(reason=lost, attempt=again))
    assert (subject.state, subject.reason) == (JobState.FAILED, lost)


def test_a_policy_speaks_only_of_its_own_trouble() -> None:
    subject = started(on={"out_of_memory": "requeue"})
    assert feed(subject, ended(reason=why.ExitCode("worker-0", 1))).state is JobState.FAILED
    assert feed(subject, ended(reason=why.OutOfMemory("worker-0", 1))).state is JobState.QUEUED


def test_trouble_may_count_as_completion() -> None:
    subject = started(on={"task_failed": "complete"})
    assert feed(subject, ended(reason=why.ExitCode("worker-0", 1))).state is JobState.COMPLETED


def test_starting_anew_gives_back_all_restarts() -> None:
    subject = feed(replace(job(), state=JobState.FAILED, restarts=3), ev.StartRequested("lin"))
    assert subject.restarts == 0


def test_past_max_time_a_job_fails_over_time() -> None:
    subject = feed(started(), ev.MaxTimePassed(60_000))
    assert subject.state is JobState.STOPPING
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGTERM")))
    assert (subject.state, subject.reason) == (JobState.FAILED, why.OverTime(60_000))


def test_who_overfills_a_volume_fails_with_its_grace_whatever_its_policies_say() -> None:
    subject = feed(
        started(on={"task_failed": "restart_job"}, restarts=3, checkpoint={"grace": "5m"}),
        ev.VolumeOverrun("some-job-1", "lin:data", 220, 100),
    )
    assert subject.state is JobState.STOPPING
    assert owed(subject) == OwedStop(subject, 300_000)
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGTERM")))
    assert (subject.state, subject.reason) == (JobState.FAILED, why.VolumeFull("lin:data", 220, 100))


def test_what_an_earlier_attempt_overfilled_is_not_this_ones_fault() -> None:
    overrun = ev.VolumeOverrun("some-job-0", "lin:data", 220, 100)
    assert not advance(started(), overrun, NOW).changed


def test_past_the_expected_time_there_is_one_alert() -> None:
    first = advance(started(), ev.ExpectedTimePassed(60_000), NOW)
    assert first.records == (ev.ExpectedTimePassed(60_000),)
    assert not advance(first.job, ev.ExpectedTimePassed(60_000), NOW).changed


def test_what_another_attempt_reports_is_ignored() -> None:
    subject = started()
    assert not advance(subject, ended(attempt="some-job-0"), NOW).changed
    assert not advance(subject, ended("worker-9"), NOW).changed


def test_what_is_reported_twice_counts_once() -> None:
    subject = started()
    assert not advance(subject, running(), NOW).changed
    over = feed(subject, ended())
    assert not advance(over, ended(), NOW).changed
    assert not advance(over, running(), NOW).changed


def test_a_task_that_ends_before_it_was_seen_running_is_believed() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed(), ended())
    assert subject.state is JobState.COMPLETED


def test_a_reset_returns_at_once_and_owes_the_leftovers_an_end() -> None:
    subject = feed(started(), ev.ResetRequested("admin"))
    assert (subject.state, subject.started_at) == (JobState.CREATED, None)
    assert owed(subject) == OwedStop(subject, 0)
    with pytest.raises(WrongState, match="are ending"):
        advance(subject, ev.StartRequested("lin"), NOW)
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGKILL")))
    assert (subject.state, owed(subject)) == (JobState.CREATED, None)
    assert feed(subject, ev.StartRequested("lin")).state is JobState.QUEUED


def test_a_stop_that_hangs_says_which_tasks_and_still_lands() -> None:
    subject = feed(started(), ev.StopRequested("lin"), ev.StopOverdue(60_000))
    assert subject.reason == why.StopHangs("worker-0", 60_000)
    assert feed(subject, ended()).reason == why.StoppedBy("lin")


def test_starting_steps_are_shown_and_recorded_once() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed())
    step = advance(subject, ev.TaskStarting("some-job-1", "worker-0", "code"), NOW)
    assert step.job.attempt is not None
    assert step.job.attempt.tasks[0].step == "code"
    assert not advance(step.job, ev.TaskStarting("some-job-1", "worker-0", "code"), NOW).changed
    tenth = ev.TaskStarting("some-job-1", "worker-0", "dataset_copied", 10, 5 << 30, "lin:x@v1")
    further = advance(step.job, tenth, NOW)
    assert further.changed
    assert not advance(further.job, tenth, NOW).changed


def test_a_task_delayed_says_why_and_may_still_be_launched() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed())
    delayed = ev.TaskDelayed("some-job-1", "worker-0", "the disk is full")
    step = advance(subject, delayed, NOW)
    assert step.job.attempt is not None
    assert (step.job.attempt.tasks[0].step, step.job.attempt.tasks[0].state) == (
        "the disk is full",
        TaskState.PENDING,
    )
    assert not advance(step.job, delayed, NOW).changed


def test_the_attempt_of_a_reset_job_is_over_when_its_leftovers_are() -> None:
    subject = feed(started(), ev.ResetRequested("admin"))
    assert subject.attempt is not None
    assert subject.attempt.ended_at is None
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGKILL")), now=9_000)
    assert subject.attempt is not None
    assert subject.attempt.ended_at == NOW


def test_what_an_engine_is_owed_follows_from_the_state() -> None:
    queued = feed(job(), ev.StartRequested("lin"))
    starting = feed(queued, placed())
    assert owed(queued) is None
    assert owed(starting) == OwedStart(starting)
    assert owed(feed(starting, running(), ended())) is None


def test_a_job_placed_twice_keeps_its_first_place() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed())
    assert not advance(subject, placed(2), NOW).changed


def test_a_fact_for_the_record_cannot_be_fed() -> None:
    with pytest.raises(TypeError, match="JobCreated"):
        advance(job(), ev.JobCreated("lin"), NOW)


LOW = why.Preempted("public", "normal", "low")


def test_an_evicted_job_leaves_and_queues_again_with_its_turn() -> None:
    subject = feed(started(), ev.Pinned("root"), ev.Evicted(1, "other", LOW))
    assert (subject.state, owed(subject)) == (JobState.STOPPING, OwedStop(subject, 30_000))
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGTERM")))
    assert (subject.state, subject.reason, subject.restarts) == (JobState.QUEUED, LOW, 0)
    assert (subject.turn.pinned_at, subject.turn.gave_way_to) == (NOW, ("other",))


def test_a_job_that_was_done_before_its_eviction_reached_it_is_done() -> None:
    assert feed(started(), ev.Evicted(1, "other", LOW), ended()).state is JobState.COMPLETED


def test_an_eviction_of_another_attempt_means_nothing() -> None:
    assert feed(started(), ev.Evicted(2, "other", LOW)).state is JobState.RUNNING


def test_a_spare_task_goes_alone_and_the_job_runs_on() -> None:
    subject = feed(started(2), ev.Evicted(1, "other", LOW, ("worker-1",)))
    assert (subject.state, owed(subject)) == (JobState.RUNNING, OwedStart(subject))
    assert shed(subject) == OwedStop(subject, 30_000, ("worker-1",))
    subject = feed(subject, ended("worker-1", why.Signal("worker-1", "SIGTERM")))
    assert (subject.state, shed(subject)) == (JobState.RUNNING, None)
    assert feed(subject, ended("worker-0")).state is JobState.COMPLETED


def test_a_job_runs_once_the_spare_task_it_waited_for_was_told_to_go() -> None:
    subject = feed(job(nodes=2), ev.StartRequested("lin"), placed(tasks=2), running("worker-0"))
    subject = feed(subject, ev.Evicted(1, "other", LOW, ("worker-1",)))
    assert subject.state is JobState.STARTING
    subject = feed(subject, ended("worker-1", why.NeverStarted("worker-1")))
    assert (subject.state, subject.started_at) == (JobState.RUNNING, NOW)


def test_a_job_grows_by_tasks_it_did_not_have() -> None:
    (more,) = placed(tasks=2).tasks[1:]
    grown = feed(started(), ev.Grown(1, (more,)))
    assert grown.attempt is not None
    assert [task.name for task in grown.attempt.tasks] == ["worker-0", "worker-1"]
    assert advance(grown, ev.Grown(1, (more,)), NOW).records == ()


def test_a_nomination_is_kept_until_the_job_starts_or_leaves_the_queue() -> None:
    tasks = placed().tasks
    waiting = feed(job(), ev.StartRequested("lin"), ev.Nominated(tasks, ("other",)))
    assert waiting.turn.nominated == tasks
    assert advance(waiting, ev.Nominated(tasks, ("other",)), NOW).records == ()
    assert feed(waiting, placed()).turn.nominated == ()
    assert feed(waiting, ev.StopRequested("lin")).turn.nominated == ()


def test_a_pin_is_for_one_time_in_the_queue() -> None:
    pinned = feed(job(), ev.StartRequested("lin"), ev.Pinned("root"))
    assert pinned.turn.pinned_at == NOW
    assert feed(pinned, ev.Unpinned("root")).turn.pinned_at is None
    assert feed(pinned, ev.StopRequested("lin")).turn.pinned_at is None


# ── what clusters do ─────────────────────────────────────────────────────────────────────────────────


def refused(name: str = "worker-0", attempt: str = "some-job-1") -> ev.TaskEnded:
    return ended(name, why.NotAdmitted(name, "node-1", "0/3 nodes are available"), attempt)


def test_a_gang_that_a_cluster_does_not_take_whole_is_released_and_queues_again_without_a_restart() -> None:
    subject = feed(
        job(nodes=2), ev.StartRequested("lin"), placed(tasks=2), running("worker-0"), refused("worker-1")
    )
    assert (subject.state, owed(subject)) == (JobState.STOPPING, OwedStop(subject, 30_000))
    subject = feed(subject, ended("worker-0", why.Signal("worker-0", "SIGTERM")), now=2_000)
    assert (subject.state, subject.restarts, subject.queued_at) == (JobState.QUEUED, 0, 2_000)
    assert isinstance(subject.reason, why.NotAdmitted)
    assert (subject.turn.refusals, subject.turn.held_until) == (1, NOW + 15_000)


def test_each_further_refusal_holds_it_back_twice_as_long_up_to_ten_minutes() -> None:
    subject = feed(job(), ev.StartRequested("lin"))
    waits = []
    for number in range(1, 10):
        subject = feed(subject, placed(number), refused(attempt=f"some-job-{number}"))
        assert subject.turn.held_until is not None
        waits.append((subject.turn.held_until - NOW) // 1_000)
    assert waits == [15, 30, 60, 120, 240, 480, 600, 600, 600]
    assert (subject.state, subject.turn.refusals) == (JobState.QUEUED, 9)


def test_a_job_that_came_to_run_was_never_refused() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed(), refused(), placed(2))
    assert subject.turn.refusals == 1
    subject = feed(subject, running(attempt="some-job-2"))
    assert (subject.state, subject.turn.refusals, subject.turn.held_until) == (JobState.RUNNING, 0, None)


def test_who_restarts_a_job_held_back_has_it_placed_at_once() -> None:
    subject = feed(job(), ev.StartRequested("lin"), placed(), refused(), ev.RestartRequested("lin"))
    assert (subject.state, subject.turn.refusals, subject.turn.held_until) == (JobState.QUEUED, 0, None)


def test_a_job_that_runs_goes_on_without_what_it_was_to_grow_by() -> None:
    more = ev.Grown(1, (Task("worker", 1, "node-2", "127.0.0.1"),))
    elastic = job(roles=[{"name": "worker", "replicas": 2, "min": 1}])
    subject = feed(elastic, ev.StartRequested("lin"), placed(), running(), more, refused("worker-1"))
    assert (subject.state, subject.turn.refusals) == (JobState.RUNNING, 0)
    assert [task.state for task in subject.attempt.tasks] == [TaskState.RUNNING, TaskState.STOPPED]  # type: ignore[union-attr]
    assert feed(subject, ended()).state is JobState.COMPLETED


@pytest.mark.parametrize(
    ("reason", "counted"),
    [
        (why.EvictedByNode("worker-0", "node-1", "low on memory"), 0),
        (why.PreemptedElsewhere("worker-0", "node-1", "a pod of higher priority"), 0),
        (why.DeletedElsewhere("worker-0"), 1),
    ],
)
def test_what_a_cluster_takes_away_queues_again_and_an_eviction_uses_up_no_restart(
    reason: why.Reason, counted: int
) -> None:
    subject = feed(started(on={"node_lost": "requeue"}), ended(reason=reason))
    assert (subject.state, subject.restarts) == (JobState.QUEUED, counted)
    assert subject.attempt is not None
    assert subject.attempt.tasks[0].state is TaskState.LOST


@pytest.mark.parametrize(
    ("command", "reason", "state"),
    [
        (None, why.Signal("worker-0", "SIGKILL"), JobState.COMPLETED),
        (None, why.ExitCode("worker-0", 143), JobState.COMPLETED),
        (None, why.OutOfMemory("worker-0", 2**30), JobState.FAILED),
        (None, why.NodeLost("worker-0", "n1"), JobState.FAILED),
        ("jupyter lab", why.Signal("worker-0", "SIGTERM"), JobState.COMPLETED),
        ("jupyter lab", why.ExitCode("worker-0", 130), JobState.COMPLETED),
        ("jupyter lab", why.Signal("worker-0", "SIGSEGV"), JobState.FAILED),
        ("jupyter lab", why.ExitCode("worker-0", 1), JobState.FAILED),
    ],
)
def test_a_workspace_whose_command_was_ended_is_completed(command, reason, state) -> None:
    subject = feed(started(kind="workspace", command=command), ended(reason=reason))
    assert (subject.state, subject.reason is None) == (state, state is JobState.COMPLETED)


def test_a_workspace_that_is_stopped_is_stopped() -> None:
    subject = feed(started(kind="workspace", command=None), ev.StopRequested("lin"))
    subject = feed(subject, ended(reason=why.Signal("worker-0", "SIGTERM")))
    assert subject.state is JobState.STOPPED


def test_a_run_that_a_newer_one_replaces_says_so():
    reason = why.StoppedBy("lin", replaced=True)
    assert reason.text() == Words("stopped by lin: a newer run replaced it", "由 lin 停止，已被新的轮次替换")
    assert why.StoppedBy("lin").text() == Words("stopped by lin", "由 lin 停止")
