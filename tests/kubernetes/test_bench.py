"""What the bench of this tier measures, in small: its loads run to the end and leave nothing behind."""

from __future__ import annotations

import pytest

from bench.kube import gangs, scale
from tests.kubernetes.kube import Kube
from tools.cluster.cluster import Cluster


@pytest.mark.own_cluster
@pytest.mark.parametrize("dns", [False, True])
@pytest.mark.alone
def test_gangs_on_hollow_nodes_run_to_the_end_with_few_requests(
    cluster: Cluster, kube: Kube, dns: bool
) -> None:
    load = gangs.QUICK
    with gangs.nodes_for(cluster, kube, load) as nodes:
        seen = gangs.measure_ours(cluster, kube, nodes, load, dns=dns)
        assert len(seen.wall) == len(seen.cpu_whole) == load.gangs
        assert seen.requests["create pods"] == seen.tasks
        assert seen.requests["delete pods"] >= seen.tasks
        assert seen.requests_per_task < 10
        assert set(kube.nodes()) >= set(nodes.names)
    assert set(kube.nodes()) == set(cluster.nodes)
    assert kube.get(kube.path("pods"))["items"] == []


@pytest.mark.own_cluster
@pytest.mark.alone
def test_the_same_pods_are_measured_without_danlu(cluster: Cluster, kube: Kube) -> None:
    with gangs.nodes_for(cluster, kube, gangs.QUICK) as nodes:
        seen = gangs.measure_bare(kube, nodes, gangs.QUICK)
    assert len(seen.gangs) == gangs.QUICK.gangs
    assert seen.pods_per_s > 0


def test_a_control_plane_is_measured_on_a_scripted_cluster() -> None:
    costs = scale.measure(scale.QUICK)
    assert costs.sync["cpu"] > 0
    assert costs.step["step"] > 0
    # Lists, watches, a few requests and a log for every task; nothing is asked again and again.
    assert costs.requests < 10 * scale.QUICK.gangs * scale.QUICK.tasks
