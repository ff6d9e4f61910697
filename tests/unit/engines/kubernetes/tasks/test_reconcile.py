"""What is done about a task and told of it, for everything that can be wanted and seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning, TaskStarting
from danlu.domain.quantity import MIB
from danlu.domain.reasons import (
    DeletedElsewhere,
    EvictedByNode,
    ExitCode,
    ImagePullFailed,
    LeftWhenAsked,
    NeverStarted,
    NodeLost,
    NotAdmitted,
    OutOfMemory,
    PreemptedElsewhere,
    Reason,
    Signal,
)
from danlu.domain.resources import Resources
from danlu.engines.kubernetes.tasks.conditions import Ended, SeenPod
from danlu.engines.kubernetes.tasks.known import KnownTask, Pod, World
from danlu.engines.kubernetes.tasks.reconcile import (
    Action,
    Bury,
    Create,
    Delete,
    Drain,
    Look,
    Reconciled,
    noticed,
    reconcile,
    wanted,
)
from danlu.ports.engine import TaskOrder

ADMISSION, LOST = 60_000, 30_000
UNSCHEDULED = SeenPod("u1", None, None, False, "", "", None, None, False, False, 0)
PLACED = replace(UNSCHEDULED, node="n1", scheduled=True, step="scheduled")
RUNS = replace(PLACED, step="", ip="10.0.0.1", started_at=5_000)
GONE_WRONG = replace(RUNS, ended=Ended(9_000, ExitCode("w", 3), 3))
MISSED = replace(PLACED, terminating=True, ended=Ended(9_000, NodeLost("w", "n1"), None))
WELL_DONE = replace(RUNS, ended=Ended(9_000, None, 0))
TOMBSTONE = replace(UNSCHEDULED, uid="t1", tombstone=True)
BAD_IMAGE = ImagePullFailed("w", "no:1", "not found")
LINGERS = replace(PLACED, ended=Ended(9_000, BAD_IMAGE, None, lingers=True))
STUCK = replace(PLACED, step="pulling: no answer", stuck=BAD_IMAGE)


def order(*, seen: bool = False) -> TaskOrder:
    return TaskOrder("w", "worker", "n1", "", (), Resources(100, 64 * MIB), "true", {}, seen)


def task(*, seen: bool = False, grace: int | None = None, **known: Any) -> KnownTask:
    return replace(wanted(None, "job-1", order(seen=seen), grace, 0), **known)


def world(now: int = 10_000, **more: Any) -> World:
    return World(now, ADMISSION, LOST, **more)


def look(
    known: KnownTask, seen: SeenPod | None, now: int = 10_000, *, shown: bool = True, **more: Any
) -> Reconciled:
    disruption = more.pop("disruption", None)
    pod = Pod(seen, shown, disruption) if seen is not None else None
    return reconcile(known, pod, world(now, **more))


def adopted(seen: SeenPod, **known: Any) -> KnownTask:
    """A task whose pod was seen like this before, with everything told that there was to tell."""
    return look(task(**known), seen).known


def end(step: Reconciled) -> TaskEnded:
    ends = [event for event in step.events if isinstance(event, TaskEnded)]
    assert len(ends) == 1, step.events
    return ends[0]


def reason(step: Reconciled) -> Reason | None:
    return end(step).reason


# ── without a pod ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("known", "action"),
    [
        (task(), Create()),
        (task(grace=1_000), Bury()),
        (task(seen=True), Look()),
        (task(seen=True, grace=1_000), Look()),
    ],
)
def test_what_has_no_pod_is_made_buried_or_looked_for(known: KnownTask, action: Action):
    step = look(known, None)
    assert (step.action, step.events) == (action, ())


def test_what_was_seen_and_is_not_there_is_lost_and_never_made_again():
    step = look(task(seen=True, absent=True), None)
    assert reason(step) == NodeLost("w", "n1")
    assert step.action is None


def test_what_is_to_stop_is_never_to_start():
    known = wanted(task(grace=1_000), "job-1", order(), None, 0)
    assert look(known, None).action == Bury()


def test_a_tombstone_ends_what_never_started():
    step = look(task(grace=0), TOMBSTONE)
    assert reason(step) == NeverStarted("w")
    assert step.action is None


def test_a_tombstone_of_somebody_elses_stop_keeps_a_task_from_starting():
    assert reason(look(task(), TOMBSTONE)) == NeverStarted("w")


# ── on the way ───────────────────────────────────────────────────────────────────────────────────────


def test_steps_and_running_are_told_once_each():
    first = look(task(), PLACED)
    again = look(first.known, PLACED)
    running = look(again.known, RUNS)
    assert first.events == (TaskStarting("job-1", "w", "scheduled"),)
    assert again.events == ()
    assert running.events == (TaskRunning("job-1", "w", 5_000, "pod"),)
    assert look(running.known, RUNS).events == ()


def test_a_start_asked_again_tells_the_present_state_again():
    known = wanted(adopted(RUNS), "job-1", order(), None, 0)
    step = look(known, RUNS)
    assert step.events == (TaskRunning("job-1", "w", 5_000, "pod"),)
    assert step.action is None


def test_a_pod_that_is_not_placed_in_time_is_deleted_first_and_told_when_it_is_gone():
    waiting = replace(UNSCHEDULED, refusal="0/2 nodes: Insufficient nvidia.com/gpu")
    known = adopted(waiting)
    assert look(known, waiting, 69_999).action is None
    assert look(known, waiting, 69_999).again == 70_000
    late = look(known, waiting, 70_000)
    assert (late.action, late.events) == (Delete("u1", 1), ())
    gone = look(replace(late.known, asked=1), None, 70_100)
    assert reason(gone) == NotAdmitted("w", "n1", "0/2 nodes: Insufficient nvidia.com/gpu")


def test_a_silent_scheduler_is_said_to_be_silent():
    late = look(adopted(UNSCHEDULED), UNSCHEDULED, 70_000)
    assert late.known.doom == NotAdmitted("w", "n1", "it got no node within 1m")


def test_what_was_not_admitted_stays_so_when_it_comes_to_a_node_at_the_last_moment():
    doomed = replace(look(adopted(UNSCHEDULED), UNSCHEDULED, 70_000).known, asked=1)
    over = replace(RUNS, ended=Ended(9_000, Signal("w", "SIGTERM"), None), terminating=True)
    drained = replace(look(doomed, over, 70_100).known, drained=True)
    assert isinstance(reason(look(drained, over, 70_200)), NotAdmitted)


def test_a_placed_pod_has_all_the_time_it_needs():
    step = look(adopted(PLACED), PLACED, 10_000_000)
    assert (step.action, step.again) == (None, None)


def test_what_can_never_start_is_deleted_and_then_told():
    step = look(task(), LINGERS)
    assert step.action == Delete("u1", 1)
    assert not any(isinstance(event, TaskEnded) for event in step.events)
    assert reason(look(replace(step.known, asked=1), None)) == BAD_IMAGE


def test_what_is_stuck_is_given_up_after_a_long_while():
    known = adopted(STUCK)
    assert look(known, STUCK, 129_999).action is None
    late = look(known, STUCK, 130_000)
    assert late.action == Delete("u1", 1)
    assert reason(look(late.known, None, 310_100)) == BAD_IMAGE


def test_what_came_on_after_all_was_not_stuck():
    known = look(adopted(STUCK), PLACED, 200_000).known
    assert look(known, STUCK, 320_000).action is None


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("over", "why", "code"), [(GONE_WRONG, ExitCode("w", 3), 3), (WELL_DONE, None, 0)])
def test_the_log_is_read_to_its_end_before_an_end_is_told(over: SeenPod, why: Reason | None, code: int):
    step = look(adopted(RUNS), over)
    assert (step.action, step.events) == (Drain(), ())
    told = look(replace(step.known, drained=True), over)
    assert told.events == (TaskEnded("job-1", "w", 9_000, why, code),)
    assert look(told.known, over).events == ()


def test_a_task_that_was_over_when_first_seen_is_told_as_running_first():
    step = look(task(), WELL_DONE)
    told = look(replace(step.known, drained=True), WELL_DONE)
    assert [type(event) for event in (*step.events, *told.events)] == [TaskRunning, TaskEnded]


@pytest.mark.parametrize("grace", [None, 1_000])
def test_an_end_is_told_once_for_every_start_and_stop(grace: int | None):
    over = look(replace(look(task(), GONE_WRONG).known, drained=True), GONE_WRONG)
    again = look(wanted(over.known, "job-1", order(), grace, 0), GONE_WRONG)
    assert end(again) == end(over)
    assert again.action is None
    assert look(again.known, GONE_WRONG).events == ()


def test_an_ended_pod_that_goes_before_its_log_was_read_is_drained_and_told_all_the_same():
    known = noticed(adopted(RUNS), Pod(GONE_WRONG), 10_000)
    step = look(known, None)
    assert step.action == Drain()
    assert reason(look(replace(step.known, drained=True), None)) == ExitCode("w", 3)


# ── stopping ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("grace", "seconds"), [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (30_000, 30)])
def test_a_stop_deletes_within_the_grace_and_never_without_one(grace: int, seconds: int):
    assert look(adopted(RUNS, grace=grace), RUNS).action == Delete("u1", seconds)


def test_only_a_shorter_grace_is_asked_for_again():
    known = replace(adopted(RUNS, grace=30_000), asked=30)
    assert look(known, RUNS).action is None
    longer = wanted(known, "job-1", order(), 60_000, 0)
    assert look(longer, RUNS).action is None
    shorter = wanted(known, "job-1", order(), 2_000, 0)
    assert look(shorter, RUNS).action == Delete("u1", 2)


@pytest.mark.parametrize(
    ("last", "why"),
    [(RUNS, Signal("w", "SIGTERM")), (PLACED, NeverStarted("w")), (UNSCHEDULED, NeverStarted("w"))],
)
def test_a_stopped_pod_that_is_gone_without_a_word_ended_by_the_stop(last: SeenPod, why: Reason):
    assert reason(look(replace(adopted(last, grace=0), asked=1), None)) == why


def test_a_stopped_task_is_told_with_the_signal_that_ended_it():
    killed = replace(RUNS, terminating=True, ended=Ended(9_000, Signal("w", "SIGKILL"), None))
    known = replace(adopted(RUNS, grace=0), asked=1, drained=True)
    assert reason(look(known, killed)) == Signal("w", "SIGKILL")


@pytest.mark.parametrize(
    ("ended_at", "why"), [(8_999, None), (9_000, LeftWhenAsked("w")), (12_000, LeftWhenAsked("w"))]
)
def test_a_success_after_the_request_to_leave_is_none_and_one_before_it_stays_one(
    ended_at: int, why: Reason | None
):
    over = replace(RUNS, terminating=True, asked_at=9_000, ended=Ended(ended_at, None, 0))
    known = replace(adopted(RUNS, grace=30_000), asked=30, drained=True)
    end_told = end(look(known, over))
    assert (end_told.reason, end_told.exit_code) == (why, 0)
    reopened = replace(task(grace=30_000), drained=True)
    assert reason(look(reopened, over)) == why, "a fresh engine tells the same"


def test_a_stopped_task_whose_end_its_node_missed_ended_by_the_stop():
    known = replace(adopted(RUNS, grace=0), asked=1)
    step = look(known, MISSED)
    assert step.action == Drain(), "it ran, whatever is said of it now"
    assert reason(look(replace(step.known, drained=True), MISSED)) == Signal("w", "SIGTERM")
    assert reason(look(replace(step.known, drained=True), None)) == Signal("w", "SIGTERM")


# ── others' doing ────────────────────────────────────────────────────────────────────────────────────


def test_a_pod_that_vanishes_unasked_was_deleted_by_others():
    assert reason(look(adopted(RUNS), None)) == DeletedElsewhere("w")


@pytest.mark.parametrize("why", [PreemptedElsewhere("w", "n1", "for a"), EvictedByNode("w", "n1", "disk")])
def test_who_took_a_pod_is_told_if_anybody_said_so(why: Reason):
    going = look(adopted(RUNS), replace(RUNS, terminating=True), disruption=why)
    assert reason(look(going.known, None)) == why


@pytest.mark.parametrize("own", [None, ExitCode("w", 1), Signal("w", "SIGTERM"), NodeLost("w", "n1")])
def test_how_a_pod_takes_being_deleted_is_not_why_it_ended(own: Reason | None):
    going = look(adopted(RUNS), replace(RUNS, terminating=True)).known
    over = replace(RUNS, terminating=True, ended=Ended(9_000, own, None))
    assert reason(look(replace(going, drained=True), over)) == DeletedElsewhere("w")


def test_a_pod_that_was_deleted_before_its_node_saw_its_end_was_deleted_by_others():
    assert reason(look(replace(adopted(RUNS), drained=True), MISSED)) == DeletedElsewhere("w")
    lost = NodeLost("w", "n1")
    assert reason(look(replace(adopted(RUNS), drained=True), MISSED, disruption=lost)) == lost


def test_an_end_that_nobody_saw_or_asked_for_is_a_loss():
    unseen = replace(MISSED, terminating=False)
    assert reason(look(replace(adopted(RUNS), drained=True), unseen)) == NodeLost("w", "n1")


def test_what_failed_for_a_reason_of_its_own_keeps_it_though_it_is_deleted_then():
    going = look(adopted(RUNS), replace(RUNS, terminating=True)).known
    over = replace(RUNS, terminating=True, ended=Ended(9_000, OutOfMemory("w", 1), None))
    assert reason(look(replace(going, drained=True), over)) == OutOfMemory("w", 1)


def test_what_had_ended_before_others_deleted_it_ended_as_it_did():
    over = replace(WELL_DONE, terminating=True)
    assert reason(look(replace(adopted(RUNS), drained=True), over)) is None


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_node_that_is_away_for_long_loses_its_task_and_the_pod_is_deleted():
    known = adopted(RUNS)
    early = look(known, RUNS, 39_999, away_since=10_000)
    assert (early.events, early.action, early.again) == ((), None, 40_000)
    late = look(known, RUNS, 40_000, away_since=10_000)
    assert reason(late) == NodeLost("w", "n1")
    assert late.action == Delete("u1", 1)
    assert look(replace(late.known, asked=1), RUNS, 50_000, away_since=10_000).action is None


def test_a_stop_on_a_node_that_is_away_comes_to_an_end():
    known = replace(adopted(RUNS, grace=0), asked=1)
    step = look(known, replace(RUNS, terminating=True), 40_000, away_since=10_000)
    assert reason(step) == NodeLost("w", "n1")
    assert step.action is None


def test_a_pod_that_goes_with_its_node_is_lost_not_deleted():
    assert reason(look(adopted(RUNS), None, away_since=9_000)) == NodeLost("w", "n1")


def test_a_node_that_comes_back_in_time_has_lost_nothing():
    known = look(adopted(RUNS), RUNS, 39_000, away_since=10_000).known
    assert look(known, RUNS, 50_000).events == ()


# ── pods that nobody shows, or that come again ───────────────────────────────────────────────────────


def test_a_pod_that_only_an_answer_told_of_is_looked_for_when_the_watch_does_not_show_it():
    known = look(task(), UNSCHEDULED, shown=False).known
    assert look(known, UNSCHEDULED, 19_999, shown=False).action is None
    assert look(known, UNSCHEDULED, 20_000, shown=False).action == Look()
    assert look(known, UNSCHEDULED, 20_000, shown=True).action is None
    assert look(replace(known, looked_at=20_000), UNSCHEDULED, 29_999, shown=False).action is None


def test_a_second_pod_of_the_same_name_is_ended_and_the_first_told_as_gone():
    second = replace(PLACED, uid="u2")
    step = look(adopted(RUNS), second)
    assert reason(step) == DeletedElsewhere("w")
    assert step.action == Delete("u2", 1)


def test_what_comes_to_a_lost_task_late_is_ended():
    lost = look(task(seen=True, absent=True), None).known
    assert look(lost, PLACED).action == Delete("u1", 1)


@pytest.mark.parametrize("over", [GONE_WRONG, TOMBSTONE])
def test_what_cannot_run_any_more_stays_as_proof(over: SeenPod):
    known = replace(adopted(over), drained=True)
    assert look(look(known, over).known, over).action is None


def test_a_stopped_task_is_buried_while_a_rival_may_still_start_it():
    known = replace(adopted(RUNS, grace=0), asked=1)
    assert look(known, None, rivals=False).action is None
    step = look(known, None, rivals=True)
    assert step.action == Bury()
    buried = look(step.known, TOMBSTONE, rivals=True)
    assert (buried.action, buried.events) == (None, ())
    assert look(buried.known, None, rivals=True).action is None


def told(steps: list[Reconciled]) -> list[type[TaskEvent]]:
    return [type(event) for step in steps for event in step.events]


def test_a_whole_life_is_told_in_order():
    steps, known = [], task()
    for seen in (None, UNSCHEDULED, PLACED, RUNS, WELL_DONE):
        steps.append(look(known, seen))
        known = steps[-1].known
    steps.append(look(replace(known, drained=True), WELL_DONE))
    assert told(steps) == [TaskStarting, TaskRunning, TaskEnded]
    assert [step.action for step in steps] == [Create(), None, None, None, Drain(), None]
