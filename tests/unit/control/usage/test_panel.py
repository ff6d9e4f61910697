"""The cluster at a glance: every card is either held or free, and what waits is compared with what is free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from danlu.control.plane.view import ActiveView
from danlu.control.usage.panel import ClassAmount, Panel
from danlu.domain.errors import NotAllowed
from danlu.domain.job import Attempt, Job, JobClass, JobSpec, JobState, Kind, Role, Task, TaskState
from danlu.domain.node import Foreign, Gpu, Node, NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.rules import Pool
from tests.fakes.clock import FakeClock

LIN = Caller(User("lin", UserRole.ENGINEER, 0))


def node(name: str, model: str = "A100", cards: int = 8, **keys: object) -> Node:
    gpus = tuple(Gpu(index, f"{name}-{index}", model) for index in range(cards))
    return replace(Node(name, "10.0.0.1", 64_000, 2**38, gpus), **keys)  # type: ignore[arg-type]


def job(job_id: str, owner: str, size: Resources, replicas: int = 1) -> Job:
    spec = JobSpec(Kind.TRAINING, job_id, (Role("worker", replicas, size, "true", replicas),))
    return Job(job_id, owner, spec, 0, state=JobState.QUEUED, queued_at=0, version=1)


def running(waiting: Job, on: str, cards: int, model: str = "A100", milli: int = 1000) -> Job:
    grants = tuple(GpuGrant(index, milli) for index in range(cards))
    task = Task("worker", 0, on, "10.0.0.1", grants, model, 0, state=TaskState.RUNNING)
    return replace(waiting, state=JobState.RUNNING, attempts=1, attempt=Attempt(1, (task,), 0))


class Cluster:
    def __init__(self, *nodes: Node, pools: Mapping[str, Pool] | None = None) -> None:
        self.clock = FakeClock()
        self.view = ActiveView(None)  # type: ignore[arg-type]  # nothing is read from a store here
        self.nodes = list(nodes)
        self.panel = Panel(lambda: self.nodes, lambda: pools or {}, self.view, self.clock)


def gpus(milli: int, model: str | None = "A100") -> Resources:
    return Resources(4_000, 2**33, milli, model)


def test_every_card_is_held_or_free() -> None:
    cluster = Cluster(node("a"), node("b"), node("c", "H100", 4))
    cluster.view.take([running(job("mine", "lin", gpus(6_000)), "a", 6)])
    cluster.view.take([running(job("half", "wang", gpus(500)), "b", 1, milli=500)])

    seen = cluster.panel.glance(LIN)

    a100, h100 = seen.gpus
    assert (a100.model, a100.nodes, a100.largest_free) == ("A100", 2, 7_000)
    assert (a100.amount.total, a100.amount.used, a100.amount.free) == (16_000, 6_500, 9_500)
    assert a100.amount.mine_used == 6_000
    assert (h100.model, h100.amount.free, h100.largest_free) == ("H100", 4_000, 4_000)
    assert (seen.cpus.total, seen.cpus.used, seen.cpus.mine_used) == (3 * 64_000, 8_000, 4_000)
    assert seen.memory.free == 3 * 2**38 - 2 * 2**33
    assert (seen.running, seen.mine_running, seen.queued) == (2, 1, 0)


def test_what_waits_beyond_what_is_free_is_the_shortage() -> None:
    cluster = Cluster(node("a"))
    cluster.view.take([job("mine", "lin", gpus(8_000), 2), job("other", "wang", gpus(4_000))])

    (a100,) = cluster.panel.glance(LIN).gpus

    assert (a100.amount.queued, a100.amount.mine_queued, a100.amount.shortage) == (20_000, 16_000, 12_000)
    assert a100.amount.mine_shortage == 8_000, "what others wait for is not mine"


def test_a_job_that_takes_several_models_is_counted_once() -> None:
    cluster = Cluster(node("a"), node("b"), node("c", "H100"))
    cluster.view.take([job("either", "lin", gpus(2_000, "H100|A100")), job("any", "lin", gpus(1_000, None))])

    a100, h100 = cluster.panel.glance(LIN).gpus

    assert (a100.amount.queued, h100.amount.queued) == (3_000, 0)


def test_what_a_cordoned_node_has_is_there_but_closed_and_what_is_off_is_not() -> None:
    cluster = Cluster(node("a"), node("b", state=NodeState.CORDONED), node("c", state=NodeState.OFF))
    cluster.view.take([running(job("mine", "lin", gpus(3_000)), "b", 3)])

    seen = cluster.panel.glance(LIN)

    amount = seen.gpus[0].amount
    assert (amount.total, amount.used, amount.free, amount.closed) == (16_000, 3_000, 8_000, 5_000)
    assert (seen.gpus[0].nodes, seen.cpus.closed) == (2, 64_000 - 4_000), "as many as its GPUs are counted of"
    assert seen.nodes == {NodeState.READY: 1, NodeState.CORDONED: 1, NodeState.OFF: 1}


def test_halves_of_two_cards_are_not_a_card() -> None:
    cluster = Cluster(node("a", cards=2))
    cluster.view.take([running(job("half", "lin", gpus(1_000)), "a", 2, milli=500)])

    (a100,) = cluster.panel.glance(LIN).gpus

    assert (a100.amount.free, a100.largest_free) == (1_000, 500)


def test_a_model_that_is_only_wanted_is_told_too() -> None:
    cluster = Cluster(node("a"))
    cluster.view.take([job("dream", "lin", gpus(8_000, "B300"))])

    assert [one.model for one in cluster.panel.glance(LIN).gpus] == ["A100", "B300"]
    assert cluster.panel.glance(LIN).gpus[1].amount.shortage == 8_000


def test_it_is_counted_again_a_moment_later_and_not_before() -> None:
    cluster = Cluster(node("a"))
    assert cluster.panel.glance(LIN).gpus[0].nodes == 1
    cluster.nodes.append(node("b"))
    assert cluster.panel.glance(LIN).gpus[0].nodes == 1
    cluster.clock.advance(1_000)
    assert cluster.panel.glance(LIN).gpus[0].nodes == 2


def test_a_token_that_may_not_see_nodes_sees_nothing() -> None:
    with pytest.raises(NotAllowed):
        Cluster().panel.glance(Caller(LIN.user, frozenset({"job:read"})))


def test_what_others_hold_is_neither_free_nor_used() -> None:
    cluster = Cluster(node("a", foreign=Foreign(16_000, 2**30, 3)), node("b", foreign=Foreign(gpus=9)))
    cluster.view.take([running(job("mine", "lin", gpus(4_000)), "a", 4)])

    seen = cluster.panel.glance(LIN)

    (a100,) = seen.gpus
    amount = a100.amount
    assert (amount.total, amount.used, amount.others, amount.free) == (16_000, 4_000, 11_000, 1_000)
    assert a100.largest_free == 1_000
    assert (seen.cpus.others, seen.cpus.free) == (16_000, 128_000 - 16_000 - 4_000)
    assert (seen.memory.others, seen.memory.total) == (2**30, 2 * 2**38)


def test_each_class_has_its_own_share_of_what_is_used_and_wanted() -> None:
    cluster = Cluster(node("a"), node("b"), node("c", "H100"))
    notes = job("notes", "lin", gpus(1_000))
    notes = replace(notes, spec=replace(notes.spec, kind=Kind.WORKSPACE))
    cluster.view.take([running(notes, "a", 1), running(job("train", "wang", gpus(4_000)), "b", 4)])
    cluster.view.take([job("gang", "lin", gpus(8_000), 2), job("more", "wang", gpus(2_000))])
    cluster.view.take([replace(job("next", "lin", gpus(1_000, "H100")), spec=notes.spec)])

    seen = {one.job_class.value: one for one in cluster.panel.glance(LIN).classes}

    workspace, single, distributed, service = seen.values()
    assert list(seen) == ["workspace", "single", "distributed", "service"]
    assert (workspace.running, workspace.mine_running, workspace.queued) == (1, 1, 1)
    assert workspace.gpus["A100"] == ClassAmount(16_000, 11_000, 1_000, 1_000, 1_000, 1_000)
    assert (single.running, single.mine_running, single.queued, single.mine_queued) == (1, 0, 1, 0)
    assert single.gpus["A100"] == ClassAmount(16_000, 11_000, 4_000, 2_000, 0, 0)
    assert distributed.gpus["A100"] == ClassAmount(16_000, 11_000, 0, 16_000, 0, 16_000)
    assert (distributed.gpus["A100"].shortage, distributed.gpus["A100"].mine_shortage) == (5_000, 5_000)
    assert (distributed.tasks_queued, distributed.mine_tasks_queued, single.tasks_running) == (2, 2, 1)
    assert (distributed.cpus.queued, single.cpus.used) == (8_000, 4_000)
    assert (service.running, service.gpus["H100"].free) == (0, 8_000)


def test_a_class_has_what_the_pools_open_to_it_hold() -> None:
    pools = {"desks": Pool("desks", (JobClass.WORKSPACE,)), "racks": Pool("racks", (JobClass.DISTRIBUTED,))}
    cluster = Cluster(
        node("a", pool="desks"), node("b", pool="racks"), node("c", pool="of-nobody"), pools=pools
    )
    cluster.view.take([running(job("mine", "lin", gpus(3_000)), "b", 3)])

    seen = {one.job_class: one.gpus["A100"] for one in cluster.panel.glance(LIN).classes}

    there = {each: (part.total, part.free) for each, part in seen.items()}
    assert there[JobClass.WORKSPACE] == (16_000, 16_000)
    assert there[JobClass.DISTRIBUTED] == (16_000, 13_000)
    assert there[JobClass.SINGLE] == (8_000, 8_000)


def test_all_classes_together_are_all_there_is() -> None:
    cluster = Cluster(node("a"))
    cluster.view.take(
        [running(job("mine", "lin", gpus(3_000)), "a", 3), job("other", "wang", gpus(8_000), 2)]
    )

    seen = cluster.panel.glance(LIN)

    assert sum(one.running for one in seen.classes) == seen.running == 1
    assert sum(one.queued for one in seen.classes) == seen.queued == 1
    parts = [one.gpus["A100"] for one in seen.classes if "A100" in one.gpus]
    assert sum(part.used for part in parts) == seen.gpus[0].amount.used
    assert sum(part.queued for part in parts) == seen.gpus[0].amount.queued
