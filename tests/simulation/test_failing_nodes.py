"""Nodes that fail, and what jobs and the scheduler make of it, through the whole control plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.control.plane.bad_nodes import BadNodes
from danlu.domain.errors import WrongState
from danlu.domain.events import CheckpointSaved, JobHung
from danlu.domain.job import Job, JobState
from danlu.domain.node import NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.reasons import Hung, NodesCordoned
from danlu.engines.simulated import Behaviour
from danlu.engines.simulated.cluster import from_environment
from danlu.ports.engine import TaskOrder
from tests.simulation.world import LIN, World

ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, 0))
WANG = Caller(User("wang", UserRole.ENGINEER, 0))
GPU = {"resources": {"gpus": 1, "gpu": "A100", "cpus": 1, "memory": "1GiB"}}
TIRELESS = {
    **GPU, "env": {"SIMULATED_RUN_FOR": "10h"}, "restarts": 5, "backoff": {"first": "1s", "most": "1s"},
    "on": {"task_failed": "restart_job", "node_lost": "restart_job"},
}  # fmt: skip


class Broken(World):
    """One of its nodes cannot start anything."""

    broken: str | None = None

    def boot(self, *args: object, **more: object) -> None:
        super().boot(*args, **more)  # type: ignore[arg-type]
        bad = BadNodes(self.registry, self.controller.planner.nodes, self.clock, failures=3)
        self.controller.follow(bad.noticed)

    def job(self, name: str) -> Job:
        return self.jobs.get(LIN, name)

    def nodes_of(self, name: str) -> list[str]:
        return [task.node for task in self.job(name).live_tasks]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Broken]:
    def behave(order: TaskOrder) -> Behaviour:
        usual = from_environment(order)
        return replace(usual, fail_to_start="no such device") if order.node == made.broken else usual

    made = Broken(tmp_path, "3x2xA100", behave)
    yield made
    made.store.close()


def test_a_job_that_could_not_start_on_a_node_starts_on_another(world: Broken) -> None:
    world.broken = "a100-0"
    world.submit("first", **TIRELESS)
    world.steps(5)
    assert world.job("first").turn.avoids == ("a100-0",)
    assert world.nodes_of("first") == ["a100-1"]
    assert world.job("first").attempts == 2


def test_a_node_that_fails_one_job_after_the_other_is_put_aside_until_somebody_opens_it(
    world: Broken,
) -> None:
    world.broken = "a100-0"
    for who, name in ((WANG, "first"), (LIN, "second"), (LIN, "third")):
        file = {**TIRELESS, "resources": {**GPU["resources"], "gpus": 2}, "command": "true"}
        world.jobs.create(who, {"kind": "training", "name": name, **file}, start=True)
        world.steps(30)
    (node,) = [one for one in world.controller.planner.nodes() if one.name == "a100-0"]
    assert node.state is NodeState.CORDONED
    assert "worker-0 could not start on a100-0: no such device" in node.why
    recorded = [one for one in world.store.events_after(0, 1_000) if one.kind == "rule_changed"]
    assert (recorded[-1].actor, recorded[-1].data["name"], recorded[-1].data["change"]) == (
        "danlu",
        "a100-0",
        "put_aside",
    )
    noted = world.store.last_noted()
    assert noted is not None
    assert (noted.entry.by, noted.entry.act, noted.entry.reason) == ("danlu", "put_aside", node.why)
    attempts = world.job("third").attempts
    world.steps(30)
    assert (world.state("third"), world.job("third").attempts) == (JobState.QUEUED, attempts)
    world.broken = None
    world.registry.edit_node(ADMIN, "a100-0", cordoned=False)
    world.steps(3)
    assert world.nodes_of("third") == ["a100-0"], "it avoids the node, but fits nowhere else"


def test_who_waits_for_a_node_that_was_put_aside_is_told_why(world: Broken) -> None:
    world.registry.edit_nodes(ADMIN, ["a100-1", "a100-2"], lambda rule: replace(rule, cordoned=True))
    world.registry.put_aside("a100-0", "put aside: failed 3 times")
    world.submit("waits", **GPU)
    world.steps(3)
    assert world.jobs.waiting(world.job("waits")) == NodesCordoned(
        3, "a100-0", "put aside: failed 3 times", "a100-0, a100-1, a100-2"
    )


def test_what_was_found_beside_the_loop_reaches_the_job_once(world: Broken) -> None:
    world.submit("hangs", **{**TIRELESS, "on": {"hung": "restart_job"}})
    world.steps(3)
    world.controller.found("no-such-job", JobHung("no-such-job-1", 1_000))
    for _ in range(2):
        world.controller.found(world.job("hangs").id, JobHung(world.job("hangs").attempt_id, 60_000))
    world.steps(10)
    job = world.job("hangs")
    assert (job.state, job.attempts, job.restarts) == (JobState.RUNNING, 2, 1)
    assert world.jobs.attempts(job)[0].reason == Hung(60_000)


def test_what_was_found_is_kept_while_the_store_fails(world: Broken) -> None:
    world.submit("hangs", **{**TIRELESS, "on": {"hung": "fail"}})
    world.steps(3)
    told = iter([True])
    world.boot(lambda moment: moment == "before save" and next(told, False), OSError)
    world.steps(2)
    world.controller.found(world.job("hangs").id, JobHung(world.job("hangs").attempt_id, 60_000))
    world.steps(10)
    assert world.job("hangs").state is JobState.FAILED
    with pytest.raises(WrongState):
        world.jobs.act(LIN, "hangs", "stop")


# ── what the scheduler sees ──────────────────────────────────────────────────────────────────────────


def test_a_checkpoint_of_this_attempt_counts_as_saved_and_one_of_an_earlier_does_not(world: Broken) -> None:
    world.submit("saves", **TIRELESS)
    world.steps(3)
    job = world.job("saves")
    world.controller.found(
        job.id, CheckpointSaved(job.attempt_id, "worker-0", world.clock.now(), "/mnt/x", 7)
    )
    world.step()

    running = world.controller.planner.snapshot().running[job.id]
    assert running.saved_at == running.unsaved_since == world.clock.now()
    world.cluster.lose_node(world.nodes_of("saves")[0], world.clock.now())
    world.steps(10)
    again = world.controller.planner.snapshot().running[job.id]
    assert again.saved_at is None
    assert again.unsaved_since == again.began
    assert again.avoids == {"a100-0"}


def test_an_elastic_job_of_which_too_many_tasks_failed_grows_no_more(world: Broken) -> None:
    world.broken = "a100-2"
    role = {
        "name": "worker",
        "command": "true",
        "replicas": 6,
        "min": 2,
        **GPU,
        "on": {"task_failed": "ignore"},
    }
    world.submit("elastic", roles=[role], restarts=3, env={"SIMULATED_RUN_FOR": "10h"})
    world.steps(60)
    job = world.job("elastic")
    assert job.attempt is not None
    assert job.state is JobState.RUNNING
    assert len(job.live_tasks) == 4
    failed = [task for task in job.attempt.tasks if not task.live]
    assert 4 <= len(failed) <= 5, "growth ends with the first failure beyond what is allowed"
