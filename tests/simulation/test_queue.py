"""Totals, the order of service, pins and scores, from submit to the end, on a fake clock."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.control.queue.queue import PlaceQuery, Side
from danlu.domain.errors import Invalid
from danlu.domain.job import JobState
from danlu.domain.permissions import Caller
from danlu.domain.rules import PriorityClass, Project
from tests.simulation.queueing import ADMIN, HOUR, MEI, MINUTE, SIX_HOURS, now, slow_world, submit, tasks
from tests.simulation.world import LIN, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = slow_world(tmp_path)
    yield made
    made.store.close()


@pytest.mark.parametrize(
    ("taken", "expected"),
    [(0, [8]), (4, [4, 4])],
    ids=["one task where a node is free", "two where there is half a node twice"],
)
def test_a_total_is_divided_into_as_few_tasks_as_find_room(
    world: World, taken: int, expected: list[int]
) -> None:
    for number in range(2 if taken else 0):
        part = {"gpus": taken, "gpu": "A100", "cpus": 1}
        submit(world, f"taken-{number}", resources=part)
        submit(world, f"fills-{number}", resources=part, run_for="1s")
        world.steps(2, 0)
    world.steps(4)
    assert (
        len({node for job in world.controller.view.live() for node in tasks(job).values()}) == bool(taken) * 2
    )
    job = submit(world, "total", MEI, nodes="auto", resources={"gpus": 8, "gpu": "A100"})
    world.steps(3)
    found = now(world, job)
    assert found.attempt is not None
    assert [len(task.gpus) for task in found.attempt.tasks] == expected
    assert found.state is JobState.RUNNING


# ── order ────────────────────────────────────────────────────────────────────────────────────────────


def in_line(world: World) -> list[str]:
    places, _ = world.queue.places(ADMIN, PlaceQuery())
    return [place.job.spec.name for place in places]


def test_a_pin_survives_a_requeue_and_ends_with_the_job(world: World) -> None:
    job = submit(world, "hardy", run_for="5m", nodes=2, on={"node_lost": "requeue"})
    world.queue.pin(ADMIN, job.id)
    submit(world, "other", MEI, nodes=2)
    world.steps(3)
    pinned_at = now(world, job).turn.pinned_at
    assert (now(world, job).state, pinned_at is None) == (JobState.RUNNING, False)
    for node in ("a100-0", "a100-1"):
        world.cluster.lose_node(node, world.clock.now())
    world.steps(2)
    assert (now(world, job).state, now(world, job).turn.pinned_at) == (JobState.QUEUED, pinned_at)
    assert in_line(world) == ["hardy", "other"]
    world.boot()
    for node in ("a100-0", "a100-1"):
        world.cluster.bring_back(node)
    world.steps(3)
    assert now(world, job).state is JobState.RUNNING
    world.steps(7, MINUTE)
    assert (now(world, job).state, now(world, job).turn.pinned_at) == (JobState.COMPLETED, None)


def test_a_pin_goes_before_every_priority_and_evicts_nobody(world: World) -> None:
    held = [submit(world, f"held-{number}", priority="low", preemptible=False) for number in range(2)]
    world.steps(2)
    world.step(11 * MINUTE)
    submit(world, "normal", MEI)
    lowly = submit(world, "lowly", priority="low")
    world.step()
    assert in_line(world) == ["normal", "lowly"]
    world.queue.pin(ADMIN, lowly.id)
    world.steps(2)
    assert in_line(world) == ["lowly", "normal"]
    assert [now(world, job).state for job in held] == [JobState.RUNNING] * 2


def test_an_owners_order_holds_over_a_restart(world: World) -> None:
    submit(world, "holder", MEI, nodes=2)
    world.steps(2)
    for name in ("alpha", "beta", "gamma"):
        submit(world, name)
    world.step()
    world.queue.order(LIN, "gamma", Side.BEFORE, "alpha")
    world.queue.order(LIN, "alpha", Side.AFTER, "beta")
    world.boot()
    world.step()
    assert in_line(world) == ["gamma", "beta", "alpha"]


def test_the_lowest_score_goes_first_and_who_just_started_goes_back(world: World) -> None:
    for number in range(2):
        submit(world, f"used-{number}", run_for="1h")
    world.steps(3)
    for number in range(2):
        submit(world, f"lin-{number}")
        world.step(1_000)
    for number in range(2):
        submit(world, f"mei-{number}", MEI)
    world.step()
    assert in_line(world) == ["mei-0", "mei-1", "lin-0", "lin-1"]
    world.step(HOUR)
    world.steps(3)
    assert in_line(world) == ["lin-0", "lin-1"], "mei's score is still the lower one"


def test_nothing_new_starts_on_a_cordoned_node(world: World) -> None:
    runs = submit(world, "runs", nodes=2)
    world.steps(3)
    world.registry.edit_node(ADMIN, "a100-0", cordoned=True)
    world.steps(3)
    assert now(world, runs).state is JobState.RUNNING, "what runs there goes on"
    world.jobs.act(LIN, runs.id, "stop")
    jobs = [submit(world, name) for name in ("first", "second")]
    world.steps(25)
    assert [now(world, job).state for job in jobs] == [JobState.RUNNING, JobState.QUEUED]
    assert tasks(now(world, jobs[0])) == {"worker-0": "a100-1"}
    world.registry.edit_node(ADMIN, "a100-0", cordoned=False)
    world.steps(3)
    assert now(world, jobs[1]).state is JobState.RUNNING


def test_a_priority_class_is_open_to_its_groups_and_projects_alone(world: World) -> None:
    world.registry.add(ADMIN, Project("nlp", open=True))
    world.registry.add(ADMIN, Project("calm", priorities=("low", "normal"), open=True))
    world.registry.add(ADMIN, PriorityClass("urgent", 400, True, groups=("leads",), projects=("nlp", "calm")))
    submit(world, "allowed", MEI, priority="urgent", project="nlp")
    for who, keys in (
        (LIN, {"priority": "urgent", "project": "nlp"}),
        (MEI, {"priority": "urgent"}),
        (MEI, {"priority": "urgent", "project": "calm"}),
        (MEI, {"priority": "high"}),
    ):
        with pytest.raises(Invalid) as refused:
            submit(world, "refused", who, **keys)
        (error,) = refused.value.errors
        assert (error.loc, error.code) == (("priority",), "priority_not_allowed")


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────


def score(world: World, who: Caller = LIN) -> float:
    found = {one.model: one.value for one in world.queue.scores(who, who.name)}
    return found["A100"]


def test_a_score_rises_with_use_and_is_forgotten_as_promised(world: World) -> None:
    job = submit(world, "job1")
    world.step()
    began = world.clock.now()
    for hours, left in ((6, 0.37), (6, 0.14), (12, 0.02)):
        world.clock.advance(hours * HOUR)
        held = 1 - score(world) / 8
        assert held == pytest.approx(math.exp(-(world.clock.now() - began) / SIX_HOURS))
        assert held == pytest.approx(left, abs=0.005)
    assert now(world, job).live_tasks


def test_a_restart_changes_no_score(world: World) -> None:
    submit(world, "ended", run_for="37m", resources={"gpus": 3, "gpu": "A100"})
    submit(world, "runs", resources={"gpus": 0.7, "gpu": "A100"})
    submit(world, "runs-too", nodes=3, resources={"gpus": 1, "gpu": "A100"})
    for _ in range(7):
        world.step(13 * MINUTE + 71)
    for passed in (0, 7 * MINUTE + 13, SIX_HOURS):
        world.clock.advance(passed)
        before, settled = score(world), world.store.settled()
        world.boot()
        world.controller.step()
        assert (score(world), world.store.settled()) == (before, settled), "the same to the last bit"


def test_a_score_without_a_record_is_rebuilt_from_what_runs(world: World) -> None:
    submit(world, "runs")
    world.step()
    began = world.clock.now()
    world.steps(3)
    world.clock.advance(5 * HOUR)
    world.boot()
    world.controller.view.refresh()
    assert world.store.settled() == ()
    expected = 8 * -math.expm1(-(world.clock.now() - began) / SIX_HOURS)
    assert score(world) == pytest.approx(expected, rel=1e-12)


def test_a_score_is_the_sum_of_its_ledger(world: World) -> None:
    for number, gpus in enumerate((0.5, 2, 8, 1)):
        submit(world, f"job-{number}", run_for=f"{number * 7 + 3}m", resources={"gpus": gpus, "gpu": "A100"})
        world.step(2 * MINUTE)
    for at in range(40):
        world.step(MINUTE + at)
        rows, more = world.queue.ledger(LIN, "lin", "A100", 100, None)
        assert more is None
        assert sum(row.adds for row in rows) == pytest.approx(score(world), rel=1e-9)
    assert [row.charge.ended is None for row in rows] == [False] * 4


def test_a_score_counts_the_same_whether_one_job_holds_all_or_two_hold_half_each(tmp_path: Path) -> None:
    scores = []
    for name, jobs in (("whole", (8,)), ("halves", (4, 4))):
        (tmp_path / name).mkdir()
        world = World(tmp_path / name)
        world.store.add_user(LIN.user)
        for number, gpus in enumerate(jobs):
            submit(world, f"job-{number}", run_for="1h", resources={"gpus": gpus, "gpu": "A100"})
        for _ in range(12):
            world.step(10 * MINUTE)
        scores.append(score(world))
        world.store.close()
    assert scores[0] == pytest.approx(scores[1], rel=1e-12)
