"""Several clusters under one control plane: refusals, images, and projects tied to one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.control.rules.registry import Registry
from danlu.domain import reasons as why
from danlu.domain.job import JobState
from danlu.domain.node import Node
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import CLUSTER_LABEL, ENGINE_LABEL, KUBERNETES, Project
from danlu.engines.simulated import Behaviour
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import TaskOrder
from tests.simulation.world import LIN, World

ADMIN = Caller(User("root", UserRole.ADMINISTRATOR, 0))
WORDS = "0/2 nodes are available: insufficient nvidia.com/gpu"


def clusters() -> tuple[Node, ...]:
    """This machine and two clusters, of two nodes each."""
    return tuple(
        replace(
            node,
            name=f"{node.name}.{name}" if name else node.name,
            cluster=name,
            labels={**node.labels, **({CLUSTER_LABEL: name, ENGINE_LABEL: KUBERNETES} if name else {})},
        )
        for name in ("", "east", "west")
        for node in virtual_nodes("2x8xA100")
    )


def refusing(order: TaskOrder) -> Behaviour:
    """The cluster does not take the second task of the first two attempts."""
    refused = order.name == "worker-1" and order.env["DANLU_ATTEMPT"] in ("1", "2")
    return Behaviour(refuse=WORDS if refused else None, run_for=10_000)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, clusters(), all_serve=False)
    yield world
    world.store.close()


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, "2x8xA100", refusing)
    yield world
    world.store.close()


def where(world: World, name: str) -> set[str]:
    return {task.node.rpartition(".")[2] for task in world.jobs.get(LIN, name).live_tasks}


def test_a_refused_gang_is_released_whole_waits_and_is_placed_again(strict: World) -> None:
    strict.submit("gang", nodes=2, resources={"gpus": 8})
    strict.steps(3)
    job = strict.jobs.get(LIN, "gang")
    assert (job.state, job.live_tasks, job.restarts) == (JobState.QUEUED, (), 0)
    assert job.reason == why.NotAdmitted("worker-1", "a100-1", WORDS)
    assert strict.jobs.waiting(job) == why.HeldBack(1, 15_000)
    strict.submit("other", resources={"gpus": 1}, max_time="1h")
    strict.steps(2)
    assert strict.state("other") is JobState.RUNNING
    strict.boot()  # the hold is written down
    strict.steps(10)
    assert strict.jobs.get(LIN, "gang").attempts == 1
    strict.settle()
    job = strict.jobs.get(LIN, "gang")
    assert (job.state, job.attempts, job.restarts) == (JobState.COMPLETED, 3, 0)
    told = [event.text.en for event in strict.jobs.events(LIN, "gang", 0, 100) if WORDS in event.text.en]
    assert f"the cluster rejected worker-1 on a100-1: {WORDS}" in told[0]


def test_a_refusal_can_be_asked_of_the_simulated_engine(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.submit("job1", env={"SIMULATED_REFUSE": "no"})
    world.steps(3)
    assert world.jobs.get(LIN, "job1").reason == why.NotAdmitted("worker-0", "a100-0", "no")
    world.store.close()


def test_an_image_takes_a_job_to_a_cluster(world: World) -> None:
    run = {"SIMULATED_RUN_FOR": "1h"}
    world.submit("plain", env=run, resources={"gpus": 8}, node_selector={"danlu/virtual": "true"})
    for number in range(4):
        world.submit(f"image{number}", env=run, image="pytorch:2", resources={"gpus": 8})
    world.steps(3)
    assert {cluster for number in range(4) for cluster in where(world, f"image{number}")} <= {"east", "west"}
    started = [name for name in ("image0", "image1", "image2", "image3") if where(world, name)]
    assert len(started) == 4 - len(where(world, "plain") & {"east", "west"})


def test_a_gang_over_two_nodes_is_in_one_cluster(world: World) -> None:
    run = {"SIMULATED_RUN_FOR": "1h"}
    for number in range(3):
        world.submit(f"gang{number}", env=run, nodes=2, resources={"gpus": 8})
    world.steps(3)
    places = [
        {node.cluster for node in clusters() for task in world.jobs.get(LIN, f"gang{number}").live_tasks if task.node == node.name}
        for number in range(3)
    ]  # fmt: skip
    assert sorted(map(sorted, places)) == [[""], ["east"], ["west"]]


def test_a_project_tied_to_a_cluster_runs_there_only(world: World) -> None:
    registry: Registry = world.registry
    registry.add(ADMIN, Project("western", node_selector={CLUSTER_LABEL: "west"}, open=True))
    for number in range(3):
        world.submit(
            f"job{number}", project="western", env={"SIMULATED_RUN_FOR": "1h"}, resources={"gpus": 8}
        )
    world.steps(3)
    assert [where(world, f"job{number}") for number in range(3)] == [{"west"}, {"west"}, set()]
