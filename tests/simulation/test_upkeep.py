"""Nodes are drained and maintained: from the order to the last job that gave way, on a fake clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.control.machines.node_moves import NodeMoves
from danlu.control.machines.upkeep import Upkeep
from danlu.domain.job import Job, JobClass, JobState
from danlu.domain.node import Node, NodeState
from danlu.domain.reasons import (
    ClosingSoon,
    NodeDrained,
    NodeMaintenance,
    NodesCordoned,
    Reason,
    UnderMaintenance,
)
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor, Maintenance, Pool
from danlu.files.changes import SpecChanges
from tests.simulation.queueing import ADMIN, HOUR, MEI, MINUTE, kinds, now, slow_world, submit, tasks
from tests.simulation.world import LIN, World

A, B = "a100-0", "a100-1"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = slow_world(tmp_path)
    yield made
    made.store.close()


def upkeep(world: World) -> Upkeep:
    planner = world.controller.planner
    return Upkeep(planner.nodes, world.view, world.registry, world.clock)


def moves(world: World) -> NodeMoves:
    return NodeMoves(world.controller.planner, world.view, world.registry)


def plan(world: World, start: int, end: int, *nodes: str, pool: str | None = None) -> None:
    at = world.clock.now()
    world.registry.add(ADMIN, Maintenance("bios", at + start, at + end, nodes, pool, "new BIOS"))


def node(world: World, name: str) -> Node:
    return next(one for one in world.controller.planner.nodes() if one.name == name)


def why(world: World, job: Job) -> Reason | None:
    return now(world, job).reason


def waits(world: World, job: Job) -> Reason:
    return world.controller.planner.latest_decision().waiting[job.id]


# ── drains ───────────────────────────────────────────────────────────────────────────────────────────


def test_what_still_runs_at_the_deadline_gives_way_once_and_runs_elsewhere(world: World) -> None:
    job = submit(world, "train")
    world.steps(3)
    (where,) = tasks(now(world, job)).values()
    upkeep(world).drain(ADMIN, [where], 30 * MINUTE, "fan")
    world.steps(3, 9 * MINUTE)
    assert now(world, job).state is JobState.RUNNING
    world.step(4 * MINUTE)
    assert now(world, job).state is JobState.STOPPING
    assert why(world, job) == NodeDrained(where)
    world.steps(40)
    again = now(world, job)
    assert (again.state, again.attempts, again.restarts) == (JobState.RUNNING, 2, 0)
    assert set(tasks(again).values()) == {A, B} - {where}
    assert again.turn.gave_way_to == ()
    assert kinds(world, job).count("evicted") == 1


def test_a_job_that_ends_in_time_is_left_alone(world: World) -> None:
    job = submit(world, "train", run_for="20m")
    world.steps(3)
    done = upkeep(world).drain(ADMIN, [A, B], 30 * MINUTE)
    assert done.jobs == ((now(world, job), False),)  # nobody knows that it will
    world.steps(6, 6 * MINUTE)
    assert now(world, job).state is JobState.COMPLETED
    assert "evicted" not in kinds(world, job)


def test_one_whose_work_was_done_as_it_was_told_to_go_is_completed(tmp_path: Path) -> None:
    world = slow_world(tmp_path, stop_takes=HOUR)
    job = submit(world, "train", run_for="20s")
    world.steps(3)
    upkeep(world).drain(ADMIN, [A, B], 0)
    world.step(1_000)
    assert now(world, job).state is JobState.STOPPING
    world.steps(50)
    assert now(world, job).state is JobState.COMPLETED
    world.store.close()


def test_a_drained_node_takes_nothing_until_it_is_uncordoned(world: World) -> None:
    upkeep(world).drain(ADMIN, [A, B], 0, "fan")
    job = submit(world, "train")
    world.steps(5, MINUTE)
    assert now(world, job).state is JobState.QUEUED
    assert waits(world, job) == NodesCordoned(2, A, "fan", f"{A}, {B}"), "the note says why"
    assert upkeep(world).cordon(ADMIN, [A], False) == [(A, None)]
    rule = world.registry.node_rules()[A]
    assert (rule.cordoned, rule.drain_by, rule.note) == (False, None, "")
    world.steps(3)
    assert set(tasks(now(world, job)).values()) == {A}


def test_uncordoning_in_time_cancels_a_drain(world: World) -> None:
    job = submit(world, "train")
    world.steps(3)
    upkeep(world).drain(ADMIN, [A, B], 10 * MINUTE)
    world.steps(2, MINUTE)
    upkeep(world).cordon(ADMIN, [A, B], False)
    world.steps(10, 10 * MINUTE)
    assert now(world, job).attempts == 1
    assert now(world, job).state is JobState.RUNNING


def test_a_deadline_that_passed_while_nobody_looked_is_acted_upon_once(world: World) -> None:
    job = submit(world, "train")
    world.steps(3)
    upkeep(world).drain(ADMIN, list(tasks(now(world, job)).values()), MINUTE)
    world.clock.advance(2 * HOUR)
    world.boot()
    world.steps(2, 0)
    assert now(world, job).state is JobState.STOPPING
    world.boot()
    world.steps(40)
    assert now(world, job).state is JobState.RUNNING
    assert kinds(world, job).count("evicted") == 1


@pytest.mark.parametrize("at", range(4, 43, 3))
def test_a_crash_anywhere_in_a_drain_leaves_one_eviction_and_a_running_job(tmp_path: Path, at: int) -> None:
    world = slow_world(tmp_path)
    job = submit(world, "train")
    world.steps(3)
    upkeep(world).drain(ADMIN, list(tasks(now(world, job)).values()), MINUTE)
    calls = iter(range(10_000))
    world.boot(lambda _: next(calls) == at)
    world.steps(12, 10_000)
    world.steps(40)
    assert world.crashes == 1
    assert (now(world, job).state, now(world, job).attempts) == (JobState.RUNNING, 2)
    assert kinds(world, job).count("evicted") == 1
    world.store.close()


def test_an_elastic_job_that_can_do_without_loses_only_its_tasks_there(world: World) -> None:
    job = submit(world, "elastic", nodes=2, min=1)
    world.steps(4)
    assert set(tasks(now(world, job)).values()) == {A, B}
    upkeep(world).drain(ADMIN, [A], MINUTE)
    world.steps(8, 20_000)
    left = now(world, job)
    assert (left.state, left.attempts) == (JobState.RUNNING, 1)
    assert set(tasks(left).values()) == {B}
    upkeep(world).cordon(ADMIN, [A], False)
    world.steps(4)
    assert set(tasks(now(world, job)).values()) == {A, B}


# ── maintenance ──────────────────────────────────────────────────────────────────────────────────────


def test_a_maintenance_from_planned_to_over(world: World) -> None:
    old = submit(world, "endless")
    world.steps(3)
    plan(world, 5 * HOUR, 6 * HOUR, A, B)
    ends = world.clock.now() + 6 * HOUR
    long, short = submit(world, "long"), submit(world, "short", run_for="1h", max_time="2h")
    world.steps(3)
    assert now(world, short).state is JobState.RUNNING
    assert waits(world, long) == ClosingSoon(2, "bios", 4 * HOUR + 45 * MINUTE)
    world.steps(4, HOUR)
    assert now(world, old).state is JobState.RUNNING
    world.step(HOUR)
    assert why(world, old) == NodeMaintenance(next(iter(tasks(now(world, old)).values())), "bios")
    world.steps(30)
    assert now(world, old).state is JobState.QUEUED
    assert waits(world, long) == UnderMaintenance(2, "bios", f"{A}, {B}", ends)
    assert (node(world, A).state, node(world, A).why) == (NodeState.CORDONED, "maintenance bios: new BIOS")
    world.step(HOUR)
    world.steps(3)
    assert node(world, A).state is NodeState.READY
    assert {now(world, job).state for job in (old, long)} == {JobState.RUNNING}


def test_a_maintenance_concerns_who_is_in_its_pool_when_it_begins(world: World) -> None:
    world.registry.add(ADMIN, Pool("rack"))
    plan(world, HOUR, 2 * HOUR, pool="rack")
    assert [node(world, name).closes_for for name in (A, B)] == ["", ""]
    moves(world).move(ADMIN, [B], "rack")
    assert [node(world, name).closes_for for name in (A, B)] == ["", "bios"]
    world.clock.advance(HOUR)
    assert [node(world, name).state for name in (A, B)] == [NodeState.READY, NodeState.CORDONED]


def test_a_maintenance_that_is_called_off_lets_jobs_start(world: World) -> None:
    plan(world, HOUR, 2 * HOUR, A, B)
    job = submit(world, "train")
    world.steps(3)
    assert now(world, job).state is JobState.QUEUED
    world.registry.remove(ADMIN, Maintenance, "bios")
    world.steps(3)
    assert now(world, job).state is JobState.RUNNING


def test_a_preview_says_who_runs_there_and_whether_it_ends_before(world: World) -> None:
    sure, open_end = submit(world, "sure", max_time="1h"), submit(world, "open-end")
    world.steps(3)
    at = world.clock.now()
    found = upkeep(world).preview(ADMIN, Maintenance("", at + 2 * HOUR, at + 3 * HOUR, (A, B)))
    assert {job.id: ends for job, ends in found.jobs} == {sure.id: True, open_end.id: False}
    assert (found.nodes, found.at) == ((A, B), at + 2 * HOUR)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_tells_first_who_is_affected(world: World) -> None:
    world.registry.add(ADMIN, Pool("services", (JobClass.SERVICE,)))
    world.registry.add(ADMIN, Flavor("whole", Resources(1000, 2**30, 8000, "A100"), (JobClass.DISTRIBUTED,)))
    world.registry.add(ADMIN, Flavor("serving", Resources(1000, 2**30, 8000, "A100"), (JobClass.SERVICE,)))
    job, wide = submit(world, "train"), submit(world, "wide", MEI, nodes=2)
    world.steps(3)
    (where,) = tasks(now(world, job)).values()
    look = moves(world).move(ADMIN, [where], "services", preview=True)
    assert [(one.name, one.before, one.after) for one in look.nodes] == [(where, "default", "services")]
    assert look.running == ((now(world, job), False),)
    assert [one.id for one in look.waiting] == [wide.id]
    assert (look.flavors_lost, look.flavors_gained) == ((), ())
    assert world.registry.node_rules() == {}
    both = moves(world).move(ADMIN, [A, B], "services")
    assert both.flavors_lost == ("whole",)
    assert {node(world, name).pool for name in (A, B)} == {"services"}
    assert moves(world).move(ADMIN, [A], "services").nodes == ()
    assert now(world, job).state is JobState.RUNNING


def test_nodes_as_ruled_are_the_same_object_while_no_window_begins_or_ends(world: World) -> None:
    plan(world, HOUR, 2 * HOUR, A)
    planner = world.controller.planner
    before = planner.nodes()
    world.clock.advance(HOUR - 1)
    assert planner.nodes() is before
    world.clock.advance(1)
    during = planner.nodes()
    assert during is not before
    world.clock.advance(HOUR)
    assert planner.nodes() is not during
    assert planner.nodes() is planner.nodes()


def test_the_max_time_that_would_help_is_taken_and_starts_the_job_before_the_maintenance(
    world: World,
) -> None:
    plan(world, 5 * HOUR, 6 * HOUR, A, B)
    job = submit(world, "endless")
    world.steps(2)
    (help_,) = world.queue.why(ADMIN, job.id).helps
    world.jobs.change(LIN, job.id, SpecChanges(max_time=help_.value))
    world.steps(3)
    assert now(world, job).state is JobState.RUNNING
