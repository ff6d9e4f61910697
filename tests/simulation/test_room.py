"""Who makes room for whom, from the first word to the end of all, with crashes in between; and elastic jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.domain import reasons as why
from danlu.domain.job import ENDED, Job, JobState, TaskState
from danlu.domain.rules import Project
from danlu.domain.score import added
from tests.simulation.queueing import ADMIN, MEI, MINUTE, WHOLE, kinds, now, slow_world, submit, tasks
from tests.simulation.world import LIN, Crashed, World

ELASTIC: dict[str, Any] = {
    "roles": [{"name": "worker", "replicas": 2, "min": 1, "resources": WHOLE}],
    "resources": None,
}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = slow_world(tmp_path)
    yield made
    made.store.close()


# ── preemption and reclaim ───────────────────────────────────────────────────────────────────────────


def test_a_victim_is_told_to_stop_queues_again_and_its_room_is_kept_for_the_one_it_was_freed_for(
    world: World,
) -> None:
    other = submit(world, "other", preemptible=False)
    victim = submit(world, "victim", priority="low", checkpoint={"grace": "1m"})
    world.steps(3)
    world.step(11 * MINUTE)
    urgent = submit(world, "urgent", MEI)
    world.step()
    reason = why.Preempted("public", "normal", "low")
    assert (now(world, victim).state, now(world, victim).reason) == (JobState.STOPPING, reason)
    task = world.cluster.task((f"{victim.id}-1", "worker-0"))
    assert task is not None
    assert task.ended_at == world.clock.now() + 20_000, "it was given the time it takes to save"
    assert [one.node for one in now(world, urgent).turn.nominated] == ["a100-1"]
    assert world.jobs.waiting(now(world, urgent)) == why.MakingRoom(1)
    assert kinds(world, urgent)[-1] == "nominated"

    early = submit(world, "early", LIN, resources={"gpus": 1, "gpu": "A100"})
    pinned = submit(world, "pinned", LIN)
    world.queue.pin(ADMIN, pinned.id)
    world.steps(19)
    assert now(world, victim).state is JobState.STOPPING
    world.steps(3)
    assert now(world, urgent).state is JobState.RUNNING
    assert tasks(now(world, urgent)) == {"worker-0": "a100-1"}
    assert [now(world, job).state for job in (early, pinned)] == [JobState.QUEUED] * 2
    back = now(world, victim)
    assert (back.state, back.reason, back.turn.gave_way_to) == (JobState.QUEUED, reason, (urgent.id,))
    assert (back.restarts, back.slot) == (0, victim.slot), "it keeps its turn and loses no restart"
    assert now(world, other).state is JobState.RUNNING


def test_what_a_project_lent_is_taken_back_when_its_own_jobs_queue(world: World) -> None:
    for name in ("nlp", "vision"):
        world.registry.add(ADMIN, Project(name, weight=1, open=True))
    older = submit(world, "older", project="vision")
    world.step(MINUTE)
    newer = submit(world, "newer", project="vision")
    world.steps(3)
    world.step(11 * MINUTE)
    owner = submit(world, "owner", MEI, project="nlp")
    world.step()
    reason = why.Reclaimed("nlp", "vision", "A100", 16_000, 8_000)
    assert (now(world, newer).state, now(world, newer).reason) == (JobState.STOPPING, reason)
    assert now(world, older).state is JobState.RUNNING, "the one that has run least goes"
    world.steps(23)
    assert (now(world, owner).state, now(world, newer).state) == (JobState.RUNNING, JobState.QUEUED)
    world.steps(5, MINUTE)
    assert now(world, newer).attempts == 1, "and it does not take the room back"


@pytest.mark.parametrize(
    ("keys", "waited"),
    [
        ({"priority": "normal"}, 11 * MINUTE),
        ({"priority": "low", "preemptible": False}, 11 * MINUTE),
        ({"priority": "low", "kind": "workspace"}, 11 * MINUTE),
        ({"priority": "low"}, 9 * MINUTE),
    ],
    ids=["equal priority", "not preemptible", "a workspace", "just begun"],
)
def test_nobody_makes_room_who_need_not(world: World, keys: dict[str, Any], waited: int) -> None:
    held = [submit(world, f"held-{number}", **keys) for number in range(2)]
    world.steps(2)
    world.step(waited)
    urgent = submit(world, "urgent", MEI)
    world.steps(3)
    assert [now(world, job).state for job in (*held, urgent)] == [JobState.RUNNING] * 2 + [JobState.QUEUED]


def test_a_stopped_beneficiary_leaves_its_room_to_others(world: World) -> None:
    submit(world, "other", preemptible=False)
    victim = submit(world, "victim", priority="low")
    world.steps(3)
    world.step(11 * MINUTE)
    urgent = submit(world, "urgent", MEI)
    world.step()
    world.jobs.act(MEI, urgent.id, "stop")
    world.steps(23)
    assert now(world, urgent).state is JobState.STOPPED
    assert now(world, urgent).turn.nominated == ()
    assert now(world, victim).state is JobState.RUNNING


# ── trouble in the middle of it ──────────────────────────────────────────────────────────────────────


def test_work_done_while_nobody_looked_is_not_done_again(world: World) -> None:
    submit(world, "bystander", preemptible=False)
    victim = submit(world, "victim", run_for="15m", priority="low")
    world.steps(3)
    world.clock.advance(20 * MINUTE)
    urgent = submit(world, "urgent", MEI)
    world.boot()
    world.steps(3)
    assert (now(world, victim).state, now(world, victim).attempts) == (JobState.COMPLETED, 1)
    assert now(world, urgent).state is JobState.RUNNING


PARTS = 6


class Trouble:
    """Remembers the calls that pass, and strikes at one of them."""

    def __init__(self, strikes_at: int = -1) -> None:
        self.strikes_at = strikes_at
        self.calls: list[str] = []

    def __call__(self, call: str) -> bool:
        if call.endswith(" listen"):  # before there is anything to lose
            return False
        self.calls.append(call)
        return len(self.calls) - 1 == self.strikes_at


def live_out(world: World, trouble: Trouble, error: type[BaseException], held: list[Job]) -> None:
    """Somebody urgent comes when everything is held; watched from there until they run, then to the end of all."""
    world.steps(3)
    world.step(11 * MINUTE)
    urgent = submit(world, "urgent", MEI, run_for="5m")
    world.boot(trouble, error)
    world.steps(6)
    world.boot()
    world.steps(60, MINUTE)
    for job in held:
        if now(world, job).active:
            world.jobs.act(LIN, job.id, "stop")
    world.steps(5)
    for job in (*held, urgent):
        assert now(world, job).state in ENDED
        assert kinds(world, job).count("placed") == now(world, job).attempts
    assert (now(world, urgent).state, now(world, urgent).attempts) == (JobState.COMPLETED, 1)
    assert set(world.cluster.launches.values()) == {1}, "a task was launched twice"
    assert world.cluster.attempts() == set(), "an attempt was left behind"
    rows = world.store.charges("lin", None, 0, 100).rows + world.store.charges("mei", None, 0, 100).rows
    charged = sorted((f"{row.job_id}-{row.attempt}", row.task) for row in rows)
    assert charged == sorted(world.cluster.launches), "what ran was charged, once"
    for settled in world.store.settled():
        mine = [row for row in rows if (row.user, row.model) == (settled.user, settled.model)]
        owed = sum(added(row, settled.at, world.policy.score_time) for row in mine)
        assert settled.value == pytest.approx(owed, rel=1e-9), "what is settled is what the ledger says"


def preempt(world: World, trouble: Trouble, error: type[BaseException]) -> None:
    bystander = submit(world, "bystander", run_for="20m", priority="low", preemptible=False)
    victim = submit(world, "victim", run_for="15m", priority="low")
    live_out(world, trouble, error, [bystander, victim])
    assert [now(world, job).state for job in (bystander, victim)] == [JobState.COMPLETED] * 2
    assert (now(world, bystander).attempts, now(world, victim).attempts) == (1, 2)
    assert kinds(world, victim).count("evicted") == 1


def shrink(world: World, trouble: Trouble, error: type[BaseException]) -> None:
    elastic = submit(world, "elastic", priority="low", **ELASTIC)
    live_out(world, trouble, error, [elastic])
    assert now(world, elastic).attempts == 1
    attempt = now(world, elastic).attempt
    assert attempt is not None
    assert [task.name for task in attempt.tasks] == ["worker-0", "worker-1", "worker-2"]
    assert [task.leaving is None for task in attempt.tasks] == [True, False, True]
    assert [kinds(world, elastic).count(kind) for kind in ("evicted", "grown")] == [1, 1]


@pytest.mark.parametrize("error", [Crashed, OSError], ids=["a crash", "a failure"])
@pytest.mark.parametrize("happens", [preempt, shrink])
@pytest.mark.parametrize("part", range(PARTS))
def test_trouble_at_any_call_while_room_is_made_loses_and_doubles_nothing(
    tmp_path: Path,
    part: int,
    happens: Callable[[World, Trouble, type[BaseException]], None],
    error: type[BaseException],
) -> None:
    """In parts, which workers share among themselves."""
    calm = Trouble()
    happens(slow_world(tmp_path / "calm", stop_takes=2_000), calm, error)
    assert {"before save", "after save", "before stop", "after stop", "before start"} <= set(calm.calls)
    for at, call in list(enumerate(calm.calls))[part::PARTS]:
        # An engine that raises from `events` keeps what it saw; only what it handed over is ours to lose.
        if error is OSError and call == "after events":
            continue
        print(f"call {at}: {call}")
        world, trouble = slow_world(tmp_path / str(at), stop_takes=2_000), Trouble(at)
        happens(world, trouble, error)
        assert len(trouble.calls) > at, "it never came to that call"
        world.store.close()


# ── elastic jobs ──────────────────────────────────────────────────────────────────────────


def test_an_elastic_job_gives_up_what_it_can_spare_goes_on_and_grows_again(world: World) -> None:
    elastic = submit(world, "elastic", priority="low", **ELASTIC)
    world.steps(3)
    assert len(tasks(now(world, elastic))) == 2
    world.step(11 * MINUTE)
    urgent = submit(world, "urgent", MEI, run_for="5m")
    world.step()
    shrinking = now(world, elastic)
    assert shrinking.state is JobState.RUNNING
    assert [task.name for task in shrinking.live_tasks if task.leaving] == ["worker-1"]
    world.steps(22)
    assert (now(world, elastic).state, now(world, urgent).state) == (JobState.RUNNING, JobState.RUNNING)
    assert list(tasks(now(world, elastic))) == ["worker-0"]
    attempt = now(world, elastic).attempt
    assert attempt is not None
    assert [task.state for task in attempt.tasks] == [TaskState.RUNNING, TaskState.STOPPED]
    world.steps(8, MINUTE)
    assert now(world, urgent).state is JobState.COMPLETED
    grown = now(world, elastic)
    assert (grown.state, grown.attempts, list(tasks(grown))) == (
        JobState.RUNNING,
        1,
        ["worker-0", "worker-2"],
    )
    assert "grown" in kinds(world, elastic)


def test_an_elastic_job_starts_with_its_minimum_and_grows_when_room_appears(world: World) -> None:
    first = submit(world, "first", run_for="5m")
    elastic = submit(world, "elastic", MEI, **ELASTIC)
    world.steps(3)
    assert len(tasks(now(world, elastic))) == 1
    world.steps(7, MINUTE)
    assert now(world, first).state is JobState.COMPLETED
    assert list(tasks(now(world, elastic))) == ["worker-0", "worker-1"]


def test_an_elastic_job_whose_work_is_done_in_part_takes_no_more_tasks(world: World) -> None:
    filler = submit(world, "filler", MEI, run_for="5m", preemptible=False)
    job = submit(world, "elastic", run_for="20m", **ELASTIC)
    world.steps(400, 10_000)
    assert now(world, job).state is JobState.COMPLETED
    assert now(world, filler).state is JobState.COMPLETED
    attempt = now(world, job).attempt
    assert attempt is not None
    assert [task.name for task in attempt.tasks] == ["worker-0", "worker-1"]
