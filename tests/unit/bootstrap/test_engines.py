"""The engines of clusters follow the rules; one that cannot be opened keeps nobody from starting."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from danlu.bootstrap.engines import ClusterEngines
from danlu.domain.errors import Unavailable
from danlu.domain.node import Node, NodeState
from danlu.domain.resources import Resources
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import same
from danlu.engines.several import Engines
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import AttemptOrder, Engine, TaskOrder
from tests.fakes.clock import FakeClock

LAB, ANNEX = KubernetesCluster("lab"), KubernetesCluster("annex")


class Rules:
    """The rules, the clusters there really are, and what was opened of them."""

    def __init__(self, *clusters: KubernetesCluster) -> None:
        self.clock = FakeClock()
        self.known: dict[str, KubernetesCluster] = {cluster.name: cluster for cluster in clusters}
        self.opened: list[KubernetesCluster] = []
        self.broken: set[str] = set()
        self.engines = Engines(None, self.clock)
        self.remembered: list[Node] = []
        self.follower = ClusterEngines(self.engines, self.rules, self.open, lambda: self.remembered)

    def rules(self) -> Mapping[str, KubernetesCluster]:
        return dict(self.known)

    def open(self, cluster: KubernetesCluster, remembered: Sequence[Node]) -> Engine:
        assert all(node.cluster == cluster.name for node in remembered)
        if cluster.name in self.broken:
            raise Unavailable(same("Danlu has no credentials for this cluster"))
        self.opened.append(cluster)
        nodes = tuple(replace(node, name=f"{node.name}.{cluster.name}") for node in virtual_nodes("1x8xA100"))
        return SimulatedEngine(SimulatedCluster(nodes), self.clock)

    def nodes(self) -> list[str]:
        return [node.name for node in self.engines.inventory()]


def order(node: str) -> AttemptOrder:
    task = TaskOrder("worker-0", "worker", node, "10.0.0.1", (), Resources(1000, 2**30), "true", {}, False)
    return AttemptOrder("attempt-1", "job", 1, "lin", "host", None, (task,))


def test_every_cluster_has_an_engine_as_long_as_its_rule_stands() -> None:
    rules = Rules(LAB, ANNEX)
    rules.follower.follow()
    assert rules.nodes() == ["a100-0.annex", "a100-0.lab"]
    del rules.known["lab"]
    rules.follower.follow()
    assert rules.nodes() == ["a100-0.annex"]


def test_nothing_starts_by_old_rules_once_new_ones_are_known() -> None:
    rules = Rules(LAB, ANNEX)
    rules.follower.follow()
    rules.known["lab"] = replace(LAB, image="another:2")
    rules.follower.wake()
    with pytest.raises(Unavailable, match="cluster lab is being reopened"):
        rules.engines.start(order("a100-0.lab"))
    rules.engines.start(replace(order("a100-0.annex"), attempt_id="attempt-2"))

    rules.follower.follow()
    rules.engines.start(order("a100-0.lab"))
    rules.follower.wake()
    rules.engines.start(order("a100-0.lab"))


def test_an_engine_is_opened_again_only_when_its_rule_changed() -> None:
    rules = Rules(LAB, ANNEX)
    rules.follower.follow()
    rules.follower.follow()
    assert rules.opened == [LAB, ANNEX]
    newer = replace(LAB, credentials_at=5)
    rules.known["lab"] = newer
    rules.follower.follow()
    assert rules.opened == [LAB, ANNEX, newer]


def test_a_cluster_that_cannot_be_opened_loses_nothing_and_is_tried_again() -> None:
    rules = Rules(LAB, ANNEX)
    rules.broken.add("lab")
    rules.follower.follow()
    assert rules.nodes() == ["a100-0.annex"]
    with pytest.raises(Unavailable, match="cluster lab cannot be opened: Danlu has no credentials"):
        rules.engines.start(order("a100-0.lab"))
    with pytest.raises(Unavailable, match="cluster lab cannot be opened"):
        rules.engines.stop(order("a100-0.lab"), 0)
    rules.engines.sweep(set())
    assert rules.engines.events() == []

    rules.broken.clear()
    rules.follower.follow()
    rules.engines.start(order("a100-0.lab"))
    assert rules.nodes() == ["a100-0.annex", "a100-0.lab"]
    assert next(event.kind for event in rules.engines.events()) == "task_running"


def test_what_runs_on_a_cluster_that_can_be_opened_no_more_waits_for_it_to_be_opened_again() -> None:
    rules = Rules(LAB)
    rules.follower.follow()
    rules.engines.start(order("a100-0.lab"))
    rules.engines.events()
    rules.broken.add("lab")
    rules.known["lab"] = replace(LAB, credentials_at=1)
    rules.follower.follow()
    assert (rules.nodes(), rules.engines.events()) == ([], [])

    rules.broken.clear()
    rules.follower.follow()
    (event,) = rules.engines.events()
    assert event.kind == "task_ended", "the new engine, which knows nothing of it, was asked"


def test_trouble_with_one_round_does_not_end_the_following_of_rules() -> None:
    rules, stop, troubled, opened = Rules(LAB), threading.Event(), threading.Event(), threading.Event()

    def remembered() -> list[Node]:
        if not troubled.is_set():
            troubled.set()
            raise Unavailable(same("the database does not answer"))
        opened.set()
        return []

    follower = ClusterEngines(rules.engines, rules.rules, rules.open, remembered)
    thread = threading.Thread(target=follower.run, args=(stop,))
    thread.start()
    try:
        follower.wake()
        assert troubled.wait(60)
        follower.wake()
        assert opened.wait(60)
    finally:
        stop.set()
        follower.wake()
        thread.join(60)
    assert rules.nodes() == ["a100-0.lab"]
    assert not thread.is_alive()


def test_the_nodes_of_a_cluster_that_cannot_be_opened_are_remembered_as_they_were() -> None:
    rules = Rules(LAB, ANNEX)
    rules.broken.add("lab")
    (node,) = virtual_nodes("1x8xA100")
    rules.remembered += [replace(node, name=f"{node.name}.{name}", cluster=name) for name in ("annex", "lab")]
    rules.follower.follow()
    annex, lab = rules.engines.inventory()
    assert (annex.state, lab.state) == (NodeState.READY, NodeState.UNREACHABLE)
    assert lab.gpus == node.gpus
    assert lab.why == "the cluster cannot be opened: Danlu has no credentials for this cluster"
