"""What holds of every engine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.reasons import ExitCode, LeftWhenAsked, NeverStarted, NodeLost, Signal
from danlu.ports import supervision
from danlu.ports.engine import at
from tests.contracts.engine.harness import (
    FOREVER_MS,
    READY,
    Harness,
    LocalHarness,
    SimulatedHarness,
    ended,
    order,
    running,
    tried_again,
    until_printed,
    watch,
)
from tests.live import eventually

pytestmark = pytest.mark.processes


@pytest.fixture(params=["simulated", "local sandbox", "local process"])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Harness]:
    if request.param == "simulated":
        yield SimulatedHarness()
        return
    local = LocalHarness(tmp_path, request.param.split()[1])
    yield local
    engine = local.engine()
    engine.sweep(())
    local.engines.pop().close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})
    shutil.rmtree(tmp_path, ignore_errors=True)


def last(events: list[TaskEvent]) -> TaskEnded:
    ends = [event for event in events if isinstance(event, TaskEnded)]
    assert len(ends) == 1
    return ends[0]


def test_a_task_is_reported_running_and_then_ended(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, run_ms=200))
    events = watch(harness, engine, ended())
    kinds = [type(event) for event in events if isinstance(event, (TaskRunning, TaskEnded))]
    assert kinds == [TaskRunning, TaskEnded]
    assert (last(events).reason, last(events).exit_code) == (None, 0)


def test_an_exit_code_is_the_reason_of_a_failure(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, exit_code=3))
    assert last(watch(harness, engine, ended())).reason == ExitCode("worker-0", 3)


def test_starting_again_launches_nothing_twice(harness: Harness) -> None:
    engine = harness.engine()
    for _ in range(5):
        engine.start(order(harness, run_ms=300, tasks=3))
    watch(harness, engine, ended(3))
    engine.start(order(harness, run_ms=300, tasks=3))
    watch(harness, engine, ended(3))
    assert harness.launches("job-1") == 3


def test_a_stopped_task_ends_within_its_grace(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, run_ms=FOREVER_MS))
    watch(harness, engine, running())
    engine.stop(order(harness, run_ms=FOREVER_MS), 5_000)
    assert isinstance(last(watch(harness, engine, ended())).reason, Signal)


def test_one_that_leaves_with_success_when_asked_is_told_apart(harness: Harness) -> None:
    engine = harness.engine()
    leaving = order(harness, run_ms=FOREVER_MS, leaves=True)
    engine.start(leaving)
    watch(harness, engine, running())
    until_printed(harness, "job", READY)
    engine.stop(leaving, 60_000)  # it leaves at once, however slow the machine
    end = last(watch(harness, engine, ended()))
    assert (end.reason, end.exit_code) == (LeftWhenAsked("worker-0"), 0)


def test_one_that_had_succeeded_before_it_was_asked_to_leave_stays_a_success(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness))
    watch(harness, engine, ended())
    engine.stop(order(harness), 10_000)
    assert last(watch(harness, engine, ended())).reason is None


def test_stopping_what_was_never_started_ends_it_for_good(harness: Harness) -> None:
    engine = harness.engine()
    engine.stop(order(harness, run_ms=FOREVER_MS), 1_000)
    assert last(watch(harness, engine, ended())).reason == NeverStarted("worker-0")
    assert harness.launches("job-1") == 0


def test_stopping_right_after_the_start_leaves_nothing_running(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, run_ms=FOREVER_MS, tasks=3))
    engine.stop(order(harness, run_ms=FOREVER_MS, tasks=3), 0)
    ends = [e for e in watch(harness, engine, ended(3)) if isinstance(e, TaskEnded)]
    assert all(isinstance(end.reason, (NeverStarted, Signal)) for end in ends)


def test_stopping_what_has_ended_reports_how_it_ended(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, exit_code=3))
    watch(harness, engine, ended())
    engine.stop(order(harness, exit_code=3), 1_000)
    assert last(watch(harness, engine, ended())).reason == ExitCode("worker-0", 3)


def test_a_fresh_engine_adopts_what_runs_and_reports_its_end(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, run_ms=500, exit_code=7))
    watch(harness, engine, running())
    again = harness.engine()
    again.start(order(harness, run_ms=500, exit_code=7, seen=True))
    events = watch(harness, again, ended())
    assert last(events).reason == ExitCode("worker-0", 7)
    assert harness.launches("job-1") == 1


def test_a_fresh_engine_reports_what_ended_meanwhile(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, exit_code=7))
    watch(harness, engine, ended())
    again = harness.engine()
    again.start(order(harness, exit_code=7, seen=True))
    assert last(watch(harness, again, ended())).reason == ExitCode("worker-0", 7)


def test_what_was_seen_and_left_no_trace_is_lost_not_started_again(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, run_ms=FOREVER_MS, seen=True))
    assert last(watch(harness, engine, ended())).reason == NodeLost("worker-0", min(harness.nodes))
    assert harness.launches("job-1") == 0


def test_a_half_dispatched_gang_is_completed(harness: Harness) -> None:
    engine = harness.engine()
    whole = order(harness, run_ms=300, tasks=3)
    engine.start(replace(whole, tasks=whole.tasks[:1]))
    watch(harness, engine, running())
    engine.start(replace(whole, tasks=(replace(whole.tasks[0], seen=True), *whole.tasks[1:])))
    watch(harness, engine, ended(3))
    assert harness.launches("job-1") == 3


def test_a_second_try_runs_beside_the_traces_of_the_first(harness: Harness) -> None:
    engine = harness.engine()
    first = order(harness, exit_code=3, tasks=2)
    engine.start(first)
    watch(harness, engine, ended(2))
    engine.start(tried_again(first))
    ends = [e for e in watch(harness, engine, ended(2)) if isinstance(e, TaskEnded)]
    assert {end.task: end.reason for end in ends} == {
        "worker-0": ExitCode("worker-0", 3),
        "worker-1-r1": ExitCode("worker-1-r1", 3),
    }
    assert harness.launches("job-1") == 3


def test_a_held_task_is_launched_only_when_it_is_due(harness: Harness) -> None:
    engine = harness.engine()
    first = order(harness, exit_code=3, tasks=2)
    engine.start(first)
    watch(harness, engine, ended(2))
    engine.start(tried_again(first, held=True))
    assert last(watch(harness, engine, ended())).task == "worker-0"
    assert harness.launches("job-1") == 2
    engine.start(tried_again(first))
    watch(
        harness, engine, lambda seen: any(e.task == "worker-1-r1" for e in seen if isinstance(e, TaskEnded))
    )
    assert harness.launches("job-1") == 3


def test_a_held_task_that_is_stopped_never_starts(harness: Harness) -> None:
    engine = harness.engine()
    held = tried_again(order(harness, run_ms=FOREVER_MS), held=True)
    engine.start(held)
    engine.stop(held, 1_000)
    assert last(watch(harness, engine, ended())).reason == NeverStarted("worker-0-r1")
    assert harness.launches("job-1") == 0


def test_addresses_of_tasks_are_put_into_variables_and_commands(harness: Harness) -> None:
    place = at("worker-1")
    command = f"case $PEER in *danlu*|'') exit 9; esac; test $PEER = {place}"
    asked = order(harness, tasks=2)
    tasks = (replace(task, env={**task.env, "PEER": place}, command=command) for task in asked.tasks)
    engine = harness.engine()
    engine.start(replace(asked, tasks=tuple(tasks)))
    ends = [e for e in watch(harness, engine, ended(2)) if isinstance(e, TaskEnded)]
    assert [end.reason for end in ends] == [None, None]


def test_a_sweep_ends_everybody_not_kept(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness, "kept-1", run_ms=600))
    engine.start(order(harness, "other-1", run_ms=FOREVER_MS))
    watch(harness, engine, lambda seen: len({e.attempt_id for e in seen if isinstance(e, TaskRunning)}) == 2)
    again = harness.engine()
    again.sweep({"kept-1"})
    again.start(order(harness, "kept-1", run_ms=600, seen=True))
    assert last(watch(harness, again, ended())).attempt_id == "kept-1"
    again.start(order(harness, "other-1", run_ms=FOREVER_MS, seen=True))
    other = last(watch(harness, again, ended()))
    assert isinstance(other.reason, (NodeLost, Signal))


def test_what_is_forgotten_is_reported_no_more(harness: Harness) -> None:
    engine = harness.engine()
    engine.start(order(harness))
    watch(harness, engine, ended())
    engine.forget("job-1")
    engine.forget("job-1")
    for _ in range(3):
        harness.pause()
        assert engine.events() == []


def test_news_wakes_the_listener(harness: Harness) -> None:
    engine, calls = harness.engine(), []
    engine.listen(lambda: calls.append(1))
    engine.start(order(harness))
    watch(harness, engine, ended())
    assert calls


def test_the_inventory_is_sorted_and_whole(harness: Harness) -> None:
    nodes = harness.engine().inventory()
    assert [(node.name, len(node.gpus)) for node in nodes] == sorted(harness.nodes.items())


def test_a_supervisor_that_comes_between_two_looks_is_not_taken_for_one_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, look = LocalHarness(tmp_path, "process"), supervision.is_alive
    too_early: list[str] = []

    def slowly(folder: str) -> bool:
        if too_early or not Path(folder, supervision.TASK_FILE).exists():
            return look(folder)
        too_early.append(folder)
        eventually(lambda: supervision.read_status(folder)[0])
        return False  # as it was before its supervisor came

    monkeypatch.setattr(supervision, "is_alive", slowly)
    engine = harness.engine()
    engine.start(order(harness, run_ms=200))
    assert last(watch(harness, engine, ended())).reason is None
    assert too_early
    harness.engines.pop().close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})
