"""The walk from submit to finish, on a fake clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.domain import reasons as why
from danlu.domain.errors import WrongState
from danlu.domain.job import JobState
from danlu.engines.simulated import Behaviour
from tests.simulation.world import LIN, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.store.close()


def runs(**seconds: str) -> dict[str, str]:
    return {f"SIMULATED_{key.upper()}": value for key, value in seconds.items()}


def test_a_job_is_submitted_runs_and_completes(world: World) -> None:
    world.submit("job1", env=runs(run_for="10s"))
    assert world.state("job1") is JobState.QUEUED
    world.step()
    assert world.state("job1") is JobState.STARTING
    world.step()
    assert world.state("job1") is JobState.RUNNING
    world.steps(11)
    assert world.state("job1") is JobState.COMPLETED
    job = world.jobs.get(LIN, "job1")
    assert job.started_at is not None
    assert job.ended_at is not None
    assert job.ended_at - job.started_at >= 10_000


def test_the_story_of_a_job_is_in_its_events(world: World) -> None:
    world.submit("job1", env=runs(run_for="1s", exit_code="3"))
    world.settle()
    kinds = [(event.kind, event.text.en) for event in world.jobs.events(LIN, "job1", 0, 100)]
    assert [kind for kind, _ in kinds] == [
        "job_created", "start_requested", "state_changed", "placed", "state_changed",
        "task_running", "state_changed", "task_ended", "trouble_met", "state_changed",
    ]  # fmt: skip
    assert kinds[-2][1] == "worker-0 ended with exit code 3 on a100-0; the job failed"
    assert kinds[-1][1] == "running → failed: worker-0 ended with exit code 3 on a100-0"


def test_what_ends_frees_its_room_for_who_waits(world: World) -> None:
    gang = {"nodes": 2, "resources": {"gpus": 8}}
    world.submit("job1", env=runs(run_for="5s"), **gang)
    world.submit("job2", env=runs(run_for="5s"), **gang)
    world.steps(3)
    assert (world.state("job1"), world.state("job2")) == (JobState.RUNNING, JobState.QUEUED)
    waiting = world.jobs.waiting(world.jobs.get(LIN, "job2"))
    assert waiting == why.NotEnoughGpus(16_000, "GPU", 2, 0)
    world.settle()
    assert (world.state("job1"), world.state("job2")) == (JobState.COMPLETED, JobState.COMPLETED)
    assert world.jobs.waiting(world.jobs.get(LIN, "job2")) is None


def test_a_running_job_is_stopped_within_its_grace(world: World) -> None:
    world.submit("job1", env=runs(run_for="1h"))
    world.steps(3)
    world.jobs.act(LIN, "job1", "stop")
    world.settle()
    job = world.jobs.get(LIN, "job1")
    assert (job.state, job.reason) == (JobState.STOPPED, why.StoppedBy("lin"))


def test_a_job_stopped_before_it_was_launched_never_runs(world: World) -> None:
    job = world.submit("job1", env=runs(run_for="1h"))
    world.controller._refresh()
    world.controller._decide()
    world.jobs.act(LIN, "job1", "stop")
    world.settle()
    assert world.state("job1") is JobState.STOPPED
    assert world.cluster.launches[f"{job.id}-1", "worker-0"] == 0


def test_a_lost_node_fails_its_jobs_and_requeues_those_that_asked_for_it(world: World) -> None:
    world.submit("plain", env=runs(run_for="1h"), resources={"gpus": 8})
    world.submit("hardy", env=runs(run_for="10s"), resources={"gpus": 8}, on={"node_lost": "requeue"})
    world.steps(3)
    for name in ("a100-0", "a100-1"):
        world.cluster.lose_node(name, world.clock.now())
    world.steps(2)
    assert (world.state("plain"), world.state("hardy")) == (JobState.FAILED, JobState.QUEUED)
    world.cluster.bring_back("a100-1")
    world.settle()
    job = world.jobs.get(LIN, "hardy")
    assert (job.state, job.restarts, job.attempts) == (JobState.COMPLETED, 1, 2)


def test_time_brings_first_an_alert_and_then_the_end(world: World) -> None:
    world.submit("job1", env=runs(run_for="1h"), expected_time="5s", max_time="10s")
    world.settle()
    job = world.jobs.get(LIN, "job1")
    assert (job.state, job.reason) == (JobState.FAILED, why.OverTime(10_000))
    kinds = [event.kind for event in world.jobs.events(LIN, "job1", 0, 100)]
    assert kinds.count("expected_time_passed") == 1
    assert kinds.index("expected_time_passed") < kinds.index("max_time_passed")


def test_a_job_that_ended_in_time_while_nobody_looked_is_not_over_time(world: World) -> None:
    world.submit("job1", env=runs(run_for="3s"), expected_time="6s", max_time="8s")
    world.steps(2, millis=0)
    assert world.state("job1") is JobState.RUNNING
    world.clock.advance(60_000)
    world.boot()
    world.steps(3, millis=0)
    job = world.jobs.get(LIN, "job1")
    assert job.state is JobState.COMPLETED
    assert job.started_at is not None
    assert job.ended_at == job.started_at + 3_000
    assert "expected_time_passed" not in [event.kind for event in world.jobs.events(LIN, "job1", 0, 100)]


def test_a_job_that_never_gets_past_starting_ends_at_its_maximum(world: World) -> None:
    world.submit("job1", env=runs(run_for="1h", start_after="1h"), max_time="10s")
    world.settle()
    job = world.jobs.get(LIN, "job1")
    assert (job.state, job.reason, job.started_at) == (JobState.FAILED, why.OverTime(10_000), None)


def test_a_stop_that_hangs_is_said_and_ends_all_the_same(tmp_path: Path) -> None:
    world = World(tmp_path, behave=lambda order: Behaviour(stop_takes=90_000))
    world.submit("job1", checkpoint={"grace": "60s"})
    world.steps(3)
    world.jobs.act(LIN, "job1", "stop")
    world.steps(50)
    assert world.state("job1") is JobState.STOPPING
    world.settle()
    assert world.state("job1") is JobState.STOPPED
    world.store.close()


def test_a_reset_job_starts_again_once_its_leftovers_are_gone(world: World) -> None:
    world.submit("job1", env=runs(run_for="1h"))
    world.steps(3)
    world.jobs.act(LIN, "job1", "reset")
    with pytest.raises(WrongState, match="are ending"):
        world.jobs.act(LIN, "job1", "start")
    world.steps(2)
    world.jobs.act(LIN, "job1", "start")
    world.steps(3)
    assert world.state("job1") is JobState.RUNNING


def test_a_second_step_on_the_same_state_changes_nothing(world: World) -> None:
    world.submit("job1", env=runs(run_for="1h"))
    world.submit("job2", nodes=2, resources={"gpus": 8})
    world.steps(4, millis=0)
    seq = world.store.latest_seq()
    world.steps(3, millis=0)
    assert world.store.latest_seq() == seq


def test_an_edit_a_clone_and_a_deletion(world: World) -> None:
    world.submit("job1", env=runs(run_for="1s"))
    world.steps(2, 0)
    with pytest.raises(WrongState, match="stop it before editing"):
        world.jobs.edit(LIN, "job1", {"kind": "training", "name": "job1", "command": "false"})
    world.settle()
    edited = world.jobs.edit(LIN, "job1", {"kind": "training", "name": "job1", "command": "false"})
    assert (edited.spec_version, edited.spec.roles[0].command) == (2, "false")
    clone = world.jobs.clone(LIN, "job1")
    assert (clone.spec.name, clone.run, clone.state) == ("job1", 2, JobState.CREATED)
    world.jobs.delete(LIN, "job1#1")
    assert world.submit("job1").run == 3
