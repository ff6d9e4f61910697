"""The engines of clusters follow the rules; one that cannot be opened keeps nobody from starting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from danlu.bootstrap.engines import ClusterEngines
from danlu.domain.errors import Unavailable
from danlu.domain.resources import Resources
from danlu.domain.rules import KubernetesCluster
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
        self.follower = ClusterEngines(self.engines, self.rules, self.open)

    def rules(self) -> Mapping[str, KubernetesCluster]:
        return dict(self.known)

    def open(self, cluster: KubernetesCluster) -> Engine:
        if cluster.name in self.broken:
            raise Unavailable("nobody has said how to sign in there")
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
    with pytest.raises(Unavailable, match="cluster lab cannot be opened: nobody has said how to sign in"):
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
