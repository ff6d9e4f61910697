"""What is done about trouble: policies of job and role, limits, waits, and what is told of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.job import Job, JobState, Remedy, Saved, Task, TaskState
from danlu.domain.lifecycle import OwedStop, advance, owed
from danlu.domain.resources import GpuGrant
from danlu.domain.story import told
from tests.fakes.builders import job

NOW = 1_000
MINUTE = 60_000


def feed(subject: Job, *events: ev.Event, now: int = NOW) -> Job:
    for event in events:
        subject = advance(subject, event, now).job
    return subject


def on_nodes(subject: Job, now: int = NOW) -> Job:
    """The job with all its tasks running, each on a node of its own with one card."""
    tasks = tuple(
        Task(role.name, index, f"node-{role.name}-{index}", "127.0.0.1", (GpuGrant(0, 1000),), "A100", now)
        for role, index in subject.spec.wanted()
    )
    subject = feed(subject, ev.Placed(subject.attempts + 1, tasks), now=now)
    for task in tasks:
        subject = feed(subject, ev.TaskRunning(subject.attempt_id, task.run, now), now=now)
    return subject


def running(**keys: Any) -> Job:
    return on_nodes(feed(job(**keys), ev.StartRequested("lin")))


def ended(subject: Job, task: str, reason: why.Reason | None = None, at: int = NOW) -> ev.TaskEnded:
    return ev.TaskEnded(subject.attempt_id, task, at, reason, None if reason else 0)


def failed(task: str) -> why.Reason:
    return why.ExitCode(task, 1)


def saved(subject: Job, step: int, at: int = NOW) -> ev.CheckpointSaved:
    return ev.CheckpointSaved(subject.attempt_id, "worker-0", at, f"/ckpt/{step}", step)


def the(subject: Job, name: str) -> Task:
    assert subject.attempt is not None
    return next(task for task in subject.attempt.tasks if task.name == name)


def emptied(subject: Job, now: int = NOW) -> Job:
    """What still lives has ended as it was told to."""
    for task in subject.live_tasks:
        subject = feed(subject, ended(subject, task.run, why.Signal(task.run, "SIGTERM"), now), now=now)
    return subject


# ── one task alone ───────────────────────────────────────────────────────────────────────────────────


def test_a_task_is_started_again_in_its_place_after_its_wait_while_the_others_run_on() -> None:
    subject = running(nodes=2, on={"task_failed": "restart_task"}, restarts=2, backoff={"first": "4s"})
    before = the(subject, "worker-1")
    subject = feed(subject, ended(subject, "worker-1", failed("worker-1")))
    task = the(subject, "worker-1")
    assert (subject.state, task.state, task.run) == (JobState.RUNNING, TaskState.PENDING, "worker-1-r1")
    assert (task.node, task.gpus, task.not_before) == (before.node, before.gpus, NOW + 4_000)
    subject = feed(subject, ev.RestartDue(subject.attempt_id, "worker-1-r1"))
    assert the(subject, "worker-1").not_before is None
    subject = feed(subject, ev.TaskRunning(subject.attempt_id, "worker-1-r1", NOW))
    assert the(subject, "worker-1").state is TaskState.RUNNING


def test_what_an_earlier_try_of_a_task_still_says_is_ignored() -> None:
    subject = running(nodes=2, on={"task_failed": "restart_task"})
    subject = feed(subject, ended(subject, "worker-1", failed("worker-1")))
    assert advance(subject, ended(subject, "worker-1", failed("worker-1")), NOW).records == ()


def test_a_task_that_has_used_up_its_own_restarts_fails_the_job() -> None:
    roles = [{"name": "worker", "replicas": 2, "restarts": 1}]
    subject = running(roles=roles, on={"task_failed": "restart_task"})
    subject = feed(subject, ended(subject, "worker-1", failed("worker-1")))
    subject = feed(subject, ended(subject, "worker-1-r1", failed("worker-1-r1")))
    assert subject.state is JobState.STOPPING
    assert emptied(subject).state is JobState.FAILED


def test_a_task_waits_twice_as_long_before_each_further_restart_up_to_a_bound() -> None:
    keys = {"on": {"task_failed": "restart_task"}, "restarts": 9, "backoff": {"first": "4s", "most": "10s"}}
    subject, waits = running(**keys), []
    for _ in range(3):
        run = the(subject, "worker-0").run
        subject = feed(subject, ended(subject, run, failed(run)))
        waits.append((the(subject, "worker-0").not_before or 0) - NOW)
    assert waits == [4_000, 8_000, 10_000]


def test_a_role_may_say_otherwise_than_its_job() -> None:
    roles = [{"name": "chief"}, {"name": "worker", "replicas": 2, "on": {"task_failed": "restart_task"}}]
    subject = running(roles=roles, restarts=3)
    restarted = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    assert restarted.state is JobState.RUNNING
    assert feed(subject, ended(subject, "chief-0", failed("chief-0"))).state is JobState.STOPPING


# ── the job goes on, or is done ──────────────────────────────────────────────────────────────────────


def elastic(**keys: Any) -> Job:
    return running(roles=[{"name": "worker", "replicas": 3, "min": 2}], on={"node_lost": "ignore"}, **keys)


def test_an_elastic_job_goes_on_with_fewer_as_long_as_its_minimum_is_left() -> None:
    subject = elastic(restarts=1)
    lost = why.NodeLost("worker-1", "node-worker-1")
    subject = feed(subject, ended(subject, "worker-1", lost))
    assert (subject.state, len(subject.live_tasks)) == (JobState.RUNNING, 2)
    subject = feed(subject, ended(subject, "worker-2", lost))
    assert subject.state is JobState.STOPPING
    assert emptied(subject).state is JobState.QUEUED, "too few are left: the job restarts"


def test_workers_of_a_framework_do_not_go_on_without_the_one_they_meet_at() -> None:
    framework = replace(elastic(restarts=1).spec, framework="pytorch", strategy="elastic")
    subject = replace(elastic(restarts=1), spec=framework)
    ends = {name: ended(subject, name, why.NodeLost(name, "node")) for name in ("worker-0", "worker-1")}
    assert feed(subject, ends["worker-1"]).state is JobState.RUNNING
    assert feed(subject, ends["worker-0"]).state is JobState.STOPPING
    assert feed(elastic(), ends["worker-0"]).state is JobState.RUNNING, (
        "without a framework they are on their own"
    )


def test_an_elastic_job_that_went_on_with_fewer_completes() -> None:
    subject = elastic()
    subject = feed(subject, ended(subject, "worker-1", why.NodeLost("worker-1", "node-worker-1")))
    subject = feed(subject, ended(subject, "worker-0"), ended(subject, "worker-2"))
    assert subject.state is JobState.COMPLETED


def test_roles_that_serve_are_ended_when_the_others_are_done() -> None:
    subject = running(roles=[{"name": "ps", "serves": True}, {"name": "worker", "replicas": 2}])
    subject = feed(subject, ended(subject, "worker-0"))
    assert subject.state is JobState.RUNNING
    subject = feed(subject, ended(subject, "worker-1"))
    assert (subject.state, owed(subject)) == (JobState.STOPPING, OwedStop(subject, 30_000))
    subject = emptied(subject)
    assert (subject.state, subject.reason) == (JobState.COMPLETED, None)
    assert the(subject, "ps-0").state is TaskState.STOPPED


def test_a_task_that_completes_may_complete_the_job() -> None:
    roles = [{"name": "master", "on": {"task_completed": "complete"}}, {"name": "worker", "replicas": 2}]
    subject = running(roles=roles)
    subject = emptied(feed(subject, ended(subject, "master-0")))
    assert subject.state is JobState.COMPLETED


def test_trouble_may_count_as_completion() -> None:
    subject = running(on={"out_of_memory": "complete"})
    subject = feed(subject, ended(subject, "worker-0", why.OutOfMemory("worker-0", 1 << 30)))
    assert (subject.state, subject.ended_at) == (JobState.COMPLETED, NOW)


# ── the whole job again ──────────────────────────────────────────────────────────────────────────────


def test_a_restarted_job_waits_longer_after_each_trouble_in_a_row_and_avoids_where_it_had_it() -> None:
    subject = running(on={"task_failed": "restart_job"}, restarts=5, backoff={"first": "4s"})
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    turn = subject.turn
    assert (subject.state, subject.restarts, turn.troubles) == (JobState.QUEUED, 1, 1)
    assert (turn.held_until, turn.avoids) == (NOW + 4_000, ("node-worker-0",))
    subject = on_nodes(subject)
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    assert subject.turn.held_until == NOW + 8_000


def test_an_attempt_that_held_out_long_begins_a_new_row() -> None:
    subject = running(on={"task_failed": "restart_job"}, restarts=5, backoff={"first": "4s"})
    subject = on_nodes(feed(subject, ended(subject, "worker-0", failed("worker-0"))))
    later = NOW + 10 * MINUTE
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0"), later), now=later)
    assert (subject.turn.troubles, subject.turn.held_until) == (1, later + 4_000)


def test_a_requeued_job_may_be_placed_at_once() -> None:
    subject = running(on={"node_lost": "requeue"})
    subject = feed(subject, ended(subject, "worker-0", why.NodeLost("worker-0", "node-worker-0")))
    assert (subject.state, subject.restarts, subject.turn.held_until) == (JobState.QUEUED, 1, None)


def test_a_job_that_has_used_up_its_restarts_fails() -> None:
    subject = running(on={"task_failed": "restart_job"}, restarts=1)
    subject = on_nodes(feed(subject, ended(subject, "worker-0", failed("worker-0"))))
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    assert (subject.state, subject.attempt.then) == (JobState.FAILED, Remedy.FAIL)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("remedy", "state"),
    [("requeue", JobState.QUEUED), ("fail", JobState.FAILED), ("complete", JobState.COMPLETED)],
)
def test_an_eviction_leads_where_the_job_says(remedy: str, state: JobState) -> None:
    subject = running(on={"evicted": remedy})
    subject = feed(subject, ev.Evicted(1, "other", why.Preempted("public", "high", "normal")))
    assert owed(subject) == OwedStop(subject, 30_000), "it is asked to save, and has its grace"
    subject = emptied(subject)
    assert (subject.state, subject.restarts) == (state, 0)


def test_a_job_that_left_when_it_was_asked_to_has_not_succeeded() -> None:
    subject = feed(running(), ev.Evicted(1, "other", why.Preempted("public", "high", "normal")))
    subject = feed(subject, ended(subject, "worker-0", why.LeftWhenAsked("worker-0")))
    assert subject.state is JobState.QUEUED


def test_a_hung_job_is_dealt_with_as_it_says() -> None:
    subject = running(nodes=2, on={"hung": "restart_job"}, hang_after="30m")
    subject = feed(subject, ev.JobHung(subject.attempt_id, 30 * MINUTE))
    assert (subject.state, subject.reason) == (JobState.STOPPING, why.Hung(30 * MINUTE))
    assert emptied(subject).state is JobState.QUEUED
    assert advance(subject, ev.JobHung("some-job-0", MINUTE), NOW).records == ()


# ── checkpoints, work lost, and what is told ─────────────────────────────────────────────────────────


def test_the_next_attempt_goes_on_from_the_newest_checkpoint_even_one_told_of_late() -> None:
    subject = running(on={"task_failed": "restart_job"})
    subject = feed(subject, saved(subject, 100), saved(subject, 200, NOW + 5))
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    subject = feed(subject, ev.CheckpointSaved("some-job-1", "worker-0", NOW + 9, "/ckpt/210", 210))
    subject = feed(subject, ev.CheckpointSaved("some-job-1", "worker-0", NOW + 7, "/ckpt/205", 205))
    subject = on_nodes(subject)
    assert subject.attempt is not None
    assert subject.attempt.resumed == Saved("/ckpt/210", 210, NOW + 9, 1)


def test_work_lost_is_what_the_cards_did_since_the_last_checkpoint() -> None:
    subject = running(nodes=2, on={"task_failed": "restart_job"})
    subject = feed(subject, saved(subject, 7, NOW + 20_000))
    end = NOW + 25_000
    subject = emptied(feed(subject, ended(subject, "worker-0", failed("worker-0"), end), now=end), now=end)
    assert subject.attempt is not None
    assert subject.attempt.lost == 2 * 5_000


def test_what_a_task_lost_that_was_started_again_by_itself_is_counted() -> None:
    subject = running(nodes=2, on={"task_failed": "restart_task"}, restarts=1)
    subject = feed(subject, ended(subject, "worker-1", failed("worker-1"), NOW + 4_000), now=NOW + 4_000)
    subject = feed(subject, ended(subject, "worker-0", None, NOW + 9_000))
    subject = feed(subject, ev.TaskRunning(subject.attempt_id, "worker-1-r1", NOW + 5_000))
    subject = feed(subject, ended(subject, "worker-1-r1", None, NOW + 9_000))
    assert subject.attempt is not None
    assert (subject.state, subject.attempt.lost) == (JobState.COMPLETED, 4_000)


def test_a_completed_attempt_lost_nothing() -> None:
    subject = running()
    subject = feed(subject, ended(subject, "worker-0", None, NOW + 9_000))
    assert subject.attempt is not None
    assert subject.attempt.lost == 0


def test_the_story_is_one_sentence() -> None:
    subject = running(nodes=3, on={"out_of_memory": "restart_job"})
    subject = feed(subject, saved(subject, 1200))
    step = advance(subject, ended(subject, "worker-2", why.OutOfMemory("worker-2", 32 << 30)), NOW)
    met = next(event for event in step.records if isinstance(event, ev.TroubleMet))
    sentence = "worker-2 ran out of memory on node-worker-2 (limit 32GiB); the job restarted from checkpoint step 1,200"
    assert met.text().en == sentence
    attempt = emptied(step.job).attempt
    assert attempt is not None
    story = told(attempt)
    assert story is not None
    assert story.en == sentence
    assert (
        story.zh
        == "worker-2 在 node-worker-2 上内存不足（上限 32GiB）；任务已重启，从第 1,200 步的检查点继续"
    )


@pytest.mark.parametrize(
    ("on", "story"),
    [
        ("fail", "worker-0 ended with exit code 1 on node-worker-0; the job failed"),
        ("complete", "worker-0 ended with exit code 1 on node-worker-0; the job counts as completed"),
        (
            "restart_job",
            "worker-0 ended with exit code 1 on node-worker-0; the job restarted from the beginning",
        ),
        (
            "requeue",
            "worker-0 ended with exit code 1 on node-worker-0; the job was requeued from the beginning",
        ),
    ],
)
def test_every_end_has_its_story(on: str, story: str) -> None:
    subject = running(on={"task_failed": on})
    attempt = feed(subject, ended(subject, "worker-0", failed("worker-0"))).attempt
    assert attempt is not None
    sentence = told(attempt)
    assert sentence is not None
    assert sentence.en == story


def test_a_person_may_start_from_the_beginning_else_even_a_completed_job_goes_on() -> None:
    subject = running(on={"task_failed": "fail"})
    subject = feed(subject, saved(subject, 100))
    over = feed(subject, ended(subject, "worker-0", failed("worker-0")))
    assert feed(over, ev.StartRequested("lin")).saved is not None
    assert feed(over, ev.StartRequested("lin", fresh=True)).saved is None
    done = feed(subject, ended(subject, "worker-0"))
    assert feed(done, ev.StartRequested("lin")).saved is not None, "it may have been edited to train longer"
    again = feed(subject, ev.RestartRequested("lin", fresh=True))
    assert emptied(again).saved is None
    assert replace(again, saved=None) == again


def test_what_tasks_save_while_they_leave_for_a_fresh_start_does_not_count() -> None:
    subject = running(nodes=2)
    subject = feed(subject, saved(subject, 100))
    subject = feed(subject, ev.RestartRequested("lin", fresh=True), now=NOW + 10)
    subject = feed(subject, saved(subject, 150, NOW + 20))
    subject = feed(subject, saved(subject, 100))  # told again by an engine that was started anew
    subject = on_nodes(emptied(subject))
    assert subject.attempt is not None
    assert (subject.saved, subject.attempt.resumed) == (None, None)
    assert feed(subject, saved(subject, 7, NOW + 30)).saved is not None, "the next attempt's own do"


def test_a_fresh_start_may_be_asked_for_while_the_job_is_on_its_way_back_to_the_queue() -> None:
    subject = running()
    subject = feed(subject, saved(subject, 100), ev.Evicted(1, "", why.NodeDrained("node-worker-0")))
    step = advance(subject, ev.RestartRequested("lin", fresh=True), NOW)
    assert step.changed
    assert emptied(feed(step.job, saved(subject, 150, NOW + 20))).saved is None
    assert not advance(step.job, ev.RestartRequested("lin"), NOW).changed


def test_a_reset_job_is_not_taken_back_to_where_it_was() -> None:
    subject = running()
    subject = feed(subject, saved(subject, 100), ev.ResetRequested("ann"), saved(subject, 150, NOW + 20))
    assert emptied(subject).saved is None


def test_a_stop_does_not_give_tasks_more_time_than_their_gang_left_them() -> None:
    subject = running(nodes=2)
    subject = feed(subject, ended(subject, "worker-0", failed("worker-0")), ev.StopRequested("lin"))
    assert owed(subject) == OwedStop(subject, 1_500)
    assert emptied(subject).state is JobState.STOPPED


def test_an_eviction_is_told_with_what_the_job_saved_before_it_left() -> None:
    evicted = advance(running(), ev.Evicted(1, "", why.NodeDrained("node-worker-0")), NOW)
    assert not any(isinstance(event, ev.TroubleMet) for event in evicted.records)
    subject = feed(evicted.job, saved(evicted.job, 150, NOW + 20))
    step = advance(subject, ended(subject, "worker-0", why.LeftWhenAsked("worker-0")), NOW + 30)
    met = next(event for event in step.records if isinstance(event, ev.TroubleMet))
    assert met.text().en == "node node-worker-0 was drained; the job was requeued from checkpoint step 150"


def test_an_evicted_job_whose_work_was_done_is_complete_whatever_served_it() -> None:
    subject = running(roles=[{"name": "ps", "serves": True}, {"name": "worker"}])
    subject = feed(subject, ev.Evicted(1, "", why.NodeDrained("node-ps-0")), ended(subject, "worker-0"))
    assert emptied(subject).state is JobState.COMPLETED


def test_a_job_that_nodes_evict_again_and_again_waits_longer_each_time() -> None:
    subject, waits = running(), []
    for _ in range(3):
        reason = why.EvictedByNode("worker-0", "node-worker-0", "low on disk")
        subject = feed(subject, ended(subject, "worker-0", reason))
        waits.append((subject.turn.held_until or 0) - NOW)
        subject = on_nodes(subject)
    assert (waits, subject.restarts) == ([2_000, 4_000, 8_000], 0)


def test_a_later_attempt_counts_though_the_clock_of_its_node_is_slow() -> None:
    subject = running(on={"task_failed": "restart_job"})
    subject = feed(subject, saved(subject, 100, NOW + MINUTE), ended(subject, "worker-0", failed("worker-0")))
    subject = on_nodes(subject)
    subject = feed(subject, saved(subject, 200, NOW + 5))
    assert subject.saved == Saved("/ckpt/200", 200, NOW + 5, 2)
