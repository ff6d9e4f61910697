"""A process without engines sees jobs, rules, nodes and plans by what is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.control.plane.ledger import Ledger
from danlu.control.plane.onlooker import Onlooker, OnlookersPlanner
from danlu.control.rules.registry import Registry
from danlu.domain.audit import Entry
from danlu.domain.node import NodeState
from danlu.domain.rules import Policy, Project
from danlu.store.sql import SqlStore
from tests.simulation.world import World


class Looking:
    """A server half beside the world's own control plane."""

    def __init__(self, world: World, store: SqlStore) -> None:
        self.world = world
        self.registry = Registry(store, world.clock)
        self.onlooker = Onlooker(store, world.clock, self.registry.reread)
        ledger, policy = Ledger(store, Policy().score_time), Policy()
        self.planner = OnlookersPlanner(
            self.onlooker.view, self.registry, ledger, self.onlooker.nodes, world.clock, policy
        )

    def look(self, after_ms: int = 1_000) -> None:
        self.world.clock.advance(after_ms)
        self.onlooker.look()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Looking]:
    world = World(tmp_path)
    with closing(world.store), closing(SqlStore.open(f"sqlite:///{tmp_path / 'danlu.db'}")) as store:
        yield Looking(world, store)


def test_nodes_are_those_the_leader_last_wrote(here: Looking) -> None:
    assert here.onlooker.nodes() == ()
    here.world.step(1_000)
    here.look()
    nodes = here.onlooker.nodes()
    assert nodes == here.world.cluster.nodes()
    here.look()
    assert here.onlooker.nodes() is nodes

    here.world.cluster.lose_node(nodes[0].name, here.world.clock.now())
    here.world.step(1_000)
    here.look()
    assert here.onlooker.nodes()[0] == replace(nodes[0], state=NodeState.UNREACHABLE)


def test_the_leader_writes_nodes_only_when_they_changed(here: Looking) -> None:
    written = []
    keep = here.world.store.keep_nodes
    here.world.store.keep_nodes = lambda nodes: (written.append(len(nodes)), keep(nodes))[1]  # type: ignore[method-assign,func-returns-value]
    here.world.steps(5)
    assert written == [2]


def test_jobs_rules_and_plans_are_followed(here: Looking) -> None:
    here.world.submit("runs", nodes=2, resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "1h"})
    here.world.submit("waits", resources={"gpus": 1})
    here.world.steps(2)
    here.look()
    assert [job.spec.name for job in here.onlooker.view.queued()] == ["waits"]
    assert [job.spec.name for job in here.onlooker.view.live()] == ["runs"]
    (waiting,) = (jobs for jobs in here.planner.latest_decision().queue.values() if jobs)
    assert len(waiting) == 1

    assert "vision" not in here.registry.projects()
    here.world.registry._write(lambda known: (*known, Project("vision")), Entry("admin", "", ""))
    here.look()
    assert "vision" in here.registry.projects()


def test_a_plan_is_made_once_a_second_for_all_who_look(here: Looking) -> None:
    here.world.submit("waits", resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "600s"})
    here.world.step()
    here.look()
    first = here.planner.latest_decision()
    here.world.clock.advance(999)
    assert here.planner.latest_decision() is first
    here.world.clock.advance(1)
    assert here.planner.latest_decision() is not first


def test_scores_are_those_the_leader_settled(here: Looking) -> None:
    here.look()
    assert dict(here.planner.snapshot().scores) == {}
    here.world.submit("short", resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "600s"})
    here.world.step()
    here.world.steps(2, 600_000)
    here.look()
    scores = here.planner.snapshot().scores
    assert scores["lin", "A100"] == pytest.approx(
        here.world.controller.planner.snapshot().scores["lin", "A100"]
    )
    assert scores["lin", "A100"] > 0
