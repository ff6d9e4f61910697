"""Nodes of a cluster as Danlu counts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.node import Foreign, NodeState
from danlu.domain.quantity import GIB, MIB
from danlu.engines.kubernetes.objects.gpu_models import gpu_resource, short_model
from danlu.engines.kubernetes.watch.inventory import node_of, nodes_of, requests_of
from tests.fakes.pods import CLUSTER, Json, foreign_pod, kube_node

NOTHING = Foreign()
A100 = {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory": "81920"}


def test_a_node_offers_what_pods_may_be_given():
    node = node_of(CLUSTER, kube_node(cpu="63500m", memory="515Gi", nvidia_gpu="8", labels=A100), NOTHING)
    assert (node.cpu_milli, node.memory, len(node.gpus)) == (63_500, 515 * GIB, 8)
    assert (node.gpu_model, node.gpus[7].memory, node.gpus[7].uuid) == ("A100", 81920 * MIB, "a1/7")
    assert (node.address, node.cluster, node.state, node.why) == ("10.1.0.7", "east", NodeState.READY, "")


def test_a_node_keeps_its_labels_and_says_where_it_is():
    node = node_of(CLUSTER, kube_node(labels={"topology.kubernetes.io/zone": "z1"}), NOTHING)
    assert node.labels == {
        "kubernetes.io/hostname": "a1",
        "topology.kubernetes.io/zone": "z1",
        "cluster": "east",
        "engine": "kubernetes",
    }


def test_a_node_with_cards_says_which():
    assert node_of(CLUSTER, kube_node(nvidia_gpu="8", labels=A100), NOTHING).labels["gpu"] == "A100"


def test_a_node_with_the_clusters_rdma_resource_says_so():
    assert node_of(CLUSTER, kube_node(rdma_hca="1"), NOTHING).labels["rdma"] == "true"
    elsewhere = replace(CLUSTER, rdma_resource="nvidia.com/roce")
    assert "rdma" not in node_of(elsewhere, kube_node(rdma_hca="1"), NOTHING).labels


def test_cards_of_amd_are_cards_too():
    labels = {"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM", "amd.com/gpu.vram": "192G"}
    node = kube_node(amd_gpu="8", labels=labels)
    cards = node_of(CLUSTER, node, NOTHING).gpus
    assert (len(cards), cards[0].model, cards[0].memory) == (8, "MI300X", 192 * GIB)
    assert gpu_resource(node) == "amd.com/gpu"


def test_cards_nobody_describes_are_counted_all_the_same():
    cards = node_of(
        CLUSTER, kube_node(nvidia_gpu="2", labels={"nvidia.com/gpu.memory": "much"}), NOTHING
    ).gpus
    assert [(card.model, card.memory) for card in cards] == [("GPU", 0), ("GPU", 0)]


def test_a_node_whose_device_plugin_is_gone_has_no_cards():
    node = kube_node(nvidia_gpu="0", labels=A100)
    assert node_of(CLUSTER, node, NOTHING).gpus == ()
    assert gpu_resource(node) is None


@pytest.mark.parametrize(
    ("product", "model"),
    [
        ("NVIDIA-A100-SXM4-80GB", "A100"),
        ("NVIDIA-A100-SXM4-80GB-SHARED", "A100"),
        ("NVIDIA-A100-PCIE-40GB", "A100"),
        ("NVIDIA-A800-SXM4-80GB", "A800"),
        ("NVIDIA-H100-80GB-HBM3", "H100"),
        ("NVIDIA-H100-PCIe", "H100"),
        ("NVIDIA-H200-NVL", "H200"),
        ("NVIDIA-L40S", "L40S"),
        ("NVIDIA-A10G", "A10G"),
        ("NVIDIA-GeForce-RTX-3090", "RTX3090"),
        ("NVIDIA-GeForce-RTX-4090-D", "RTX4090D"),
        ("NVIDIA-GeForce-GTX-1080-Ti", "GTX1080Ti"),
        ("NVIDIA-RTX-6000-Ada-Generation", "RTX6000Ada"),
        ("Quadro-RTX-6000", "RTX6000"),
        ("Tesla-V100-SXM2-32GB", "V100"),
        ("Tesla-T4", "T4"),
        ("nvidia-tesla-t4", "T4"),
        ("nvidia-h100-mega-80gb", "H100"),
        ("AMD_Instinct_MI300X_OAM", "MI300X"),
        ("AMD_Radeon_RX_7900_XTX", "RX7900XTX"),
        ("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb", "A100-MIG-1g.10gb"),
        ("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED", "A100-MIG-1g.10gb"),
        ("NVIDIA", "GPU"),
    ],
)
def test_a_product_has_a_short_name(product, model):
    assert short_model(product) == model


# ── state ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("keys", "state", "why"),
    [
        ({"ready": "False", "said": "container runtime is down"}, "unreachable", "container runtime is down"),
        ({"ready": "Unknown"}, "unreachable", "KubeletReady"),
        ({"ready": "Unknown", "cordoned": True}, "unreachable", "KubeletReady"),
        ({"cordoned": True, "taints": ("node.kubernetes.io/unschedulable:NoSchedule",)}, "cordoned", "it is cordoned in the cluster"),
        ({"taints": ("team=other:NoSchedule",)}, "cordoned", "taint team=other:NoSchedule"),
        ({"taints": ("node.kubernetes.io/disk-pressure:NoExecute",)}, "cordoned", "taint node.kubernetes.io/disk-pressure:NoExecute"),
        ({"taints": ("nvidia.com/gpu=present:NoSchedule",)}, "ready", ""),
        ({"taints": ("team=other:PreferNoSchedule",)}, "ready", ""),
    ],
)  # fmt: skip
def test_a_node_that_takes_no_tasks_says_why(keys, state, why):
    node = node_of(CLUSTER, kube_node(**keys), NOTHING)
    assert (node.state, node.why) == (NodeState(state), why)


def test_a_node_that_never_reported_is_unreachable():
    bare: Json = {"metadata": {"name": "a1"}, "spec": {}}
    node = node_of(CLUSTER, bare, NOTHING)
    assert (node.state, node.why) == (NodeState.UNREACHABLE, "it has not reported yet")
    assert (node.address, node.cpu_milli, node.memory) == ("a1", 0, 0)


# ── what others hold ─────────────────────────────────────────────────────────────────────────────────


def test_what_runs_together_adds_up():
    pod = foreign_pod("p", "a1", {"cpu": "1500m", "memory": "1Gi"}, {"cpu": "1", "nvidia.com/gpu": "2"})
    assert requests_of(pod) == Foreign(2500, GIB, 2)


def test_what_runs_before_counts_where_it_needs_more():
    init = ({"name": "i", "resources": {"requests": {"cpu": "3", "memory": "1Mi"}}},)
    assert requests_of(foreign_pod("p", "a1", {"cpu": "1", "memory": "1Gi"}, init=init)) == Foreign(3000, GIB)


def test_an_init_container_that_stays_counts_beside_all_after_it():
    init = (
        {"name": "early", "resources": {"requests": {"cpu": "2"}}},
        {"name": "proxy", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}},
        {"name": "late", "resources": {"requests": {"cpu": "4"}}},
    )
    assert requests_of(foreign_pod("p", "a1", {"cpu": "2"}, init=init)) == Foreign(5000)


def test_overhead_counts_on_top_and_an_amount_for_the_whole_pod_instead():
    assert requests_of(foreign_pod("p", "a1", {"cpu": "1"}, overhead={"cpu": "250m"})) == Foreign(1250)
    whole = {"requests": {"cpu": "4"}}
    assert requests_of(foreign_pod("p", "a1", {"cpu": "1"}, resources=whole)) == Foreign(4000)


def test_parts_are_rounded_up():
    assert requests_of(foreign_pod("p", "a1", {"cpu": "100u", "memory": "1500m"})) == Foreign(1, 2)


def test_a_pod_that_asks_for_nothing_holds_nothing():
    assert requests_of({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}) == NOTHING


def test_only_what_others_hold_on_a_node_is_foreign():
    one = {"cpu": "1", "nvidia.com/gpu": "1"}
    pods = [
        foreign_pod("web", "a1", one),
        foreign_pod("ended", "a1", one, phase="Succeeded"),
        foreign_pod("failed", "a1", one, phase="Failed"),
        foreign_pod("unplaced", None, one, phase="Pending"),
        foreign_pod("elsewhere", "a2", one),
        foreign_pod("mine", "a1", one, namespace="danlu-jobs"),
        foreign_pod("mine", "a1", one, namespace="somebody-elses"),
        foreign_pod("leftover", "a1", one, namespace="danlu-jobs"),
    ]
    nodes = nodes_of(CLUSTER, [kube_node("a2"), kube_node("a1")], pods, {"mine"}, "{}.east".format)
    assert [(node.name, node.foreign) for node in nodes] == [
        ("a1.east", Foreign(3000, 0, 3)),
        ("a2.east", Foreign(1000, 0, 1)),
    ]
