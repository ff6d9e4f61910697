"""What the check of a cluster finds, and that each thing missing comes with what mends it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.errors import Invalid
from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.inspect import inspect as module
from danlu.engines.kubernetes.inspect.inspect import KubernetesInspector
from danlu.engines.kubernetes.objects.rbac import RULES, cluster_role, role
from danlu.ports.clusters import ClusterCredentials
from tests.fakes.kubernetes import ApiServer, Fault

CLUSTER = KubernetesCluster("lab", helper="danlu:1", block_class="fast", filesystem_class="fast")


@pytest.fixture
def server() -> Iterator[ApiServer]:
    """A cluster where nothing is missing."""
    server = ApiServer()
    server.cluster.put("namespaces", {"metadata": {"name": "danlu-jobs"}})
    server.cluster.put("storageclasses", {"metadata": {"name": "fast"}})
    names = {"name": "coredns", "namespace": "kube-system", "labels": {"k8s-app": "kube-dns"}}
    server.cluster.put("pods", {"metadata": names, "status": {"phase": "Running"}})
    put_node(server, "n1", {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}, {"nvidia.com/gpu": "8"})
    yield server
    server.close()


def put_node(
    server: ApiServer, name: str, labels: dict[str, str], offered: dict[str, str], ready: str = "True"
) -> None:
    conditions = [{"type": "Ready", "status": ready}]
    status = {"allocatable": {"cpu": "8", "memory": "32Gi", **offered}, "conditions": conditions}
    server.cluster.put("nodes", {"metadata": {"name": name, "labels": labels}, "status": status})


def inspect(server: ApiServer, cluster: KubernetesCluster = CLUSTER) -> dict[str, Finding]:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": server.url}}],
        "contexts": [{"name": "x", "context": {"cluster": "c"}}],
        "current-context": "x",
    }
    address, found = KubernetesInspector().inspect(cluster, ClusterCredentials(json.dumps(config)))
    assert address == server.url
    assert [one.level for one in found] == sorted(
        (one.level for one in found), key=[Level.MISSING, Level.WARNING, Level.OK].index
    )
    assert all(one.fix is not None for one in found if one.level is not Level.OK)
    return {one.code: one for one in found}


def test_where_nothing_is_missing_everything_is_said_to_be_right(server: ApiServer) -> None:
    found = inspect(server)
    assert {one.level for one in found.values()} == {Level.OK}
    assert set(found) == {"reachable", "namespace", "permissions", "nodes", "storage", "dns", "sizes"}
    assert found["nodes"].text.en == "1 of 1 nodes are ready, with 8 × A100"


def test_a_missing_namespace_comes_with_the_command_that_makes_it(server: ApiServer) -> None:
    finding = inspect(server, KubernetesCluster("lab", namespace="ml", helper="danlu:1"))["no_namespace"]
    assert (finding.level, finding.fix and finding.fix.en) == (Level.MISSING, "kubectl create namespace ml")


def test_missing_permissions_are_named(server: ApiServer) -> None:
    server.forbidden = {"list nodes", "create pods/exec", "patch pods"}
    finding = inspect(server)["no_permissions"]
    assert finding.level is Level.MISSING
    assert finding.text.en == (
        "Danlu is not allowed to: list nodes (in the whole cluster); "
        "patch pods, create pods/exec (in namespace danlu-jobs)"
    )
    assert finding.fix is not None
    assert finding.fix.en.startswith("kubectl apply -f deploy/manifests/access.yaml")


def test_what_may_not_be_read_is_told_once_with_the_permissions(server: ApiServer) -> None:
    server.forbidden = {"list nodes"}
    server.faults["list nodes"] = [Fault(403, "Forbidden")]
    found = inspect(server)
    assert "no_permissions" in found
    assert not {"nodes", "no_ready_node", "unreadable"} & set(found)


@pytest.mark.parametrize(
    ("labels", "plugin"),
    [
        ({"nvidia.com/gpu.present": "true"}, "nvidia-device-plugin"),
        ({"feature.node.kubernetes.io/pci-0302_10de.present": "true"}, "nvidia-device-plugin"),
        ({"feature.node.kubernetes.io/pci-1002.present": "true"}, "amdgpu"),
        ({"beta.amd.com/gpu.family.AI": "1"}, "amdgpu"),
    ],
)
def test_cards_that_nothing_offers_want_a_device_plugin(
    server: ApiServer, labels: dict[str, str], plugin: str
) -> None:
    put_node(server, "n2", labels, {})
    finding = inspect(server)["no_device_plugin"]
    assert finding.text.en.endswith(": n2")
    assert finding.fix is not None
    assert plugin in finding.fix.en


def test_cards_without_a_model_are_told(server: ApiServer) -> None:
    put_node(server, "n2", {}, {"nvidia.com/gpu": "4"})
    assert inspect(server)["no_gpu_model"].text.en.endswith(": n2")


def test_no_ready_node_is_missing(server: ApiServer) -> None:
    put_node(server, "n1", {}, {}, ready="Unknown")
    assert inspect(server)["no_ready_node"].level is Level.MISSING


def test_what_works_with_less_is_a_warning(server: ApiServer) -> None:
    server.version = "v1.19.16+k3s1"
    server.cluster.remove("storageclasses", "fast")
    server.cluster.remove("pods", "kube-system/coredns")
    found = inspect(server, KubernetesCluster("lab", image=""))
    wanted = {"old_version", "no_storage", "no_personal", "no_dns", "no_image", "no_helper"}
    assert {code for code, one in found.items() if one.level is Level.WARNING} == wanted


def test_what_only_volumes_need_is_a_warning(server: ApiServer) -> None:
    server.forbidden = {"create persistentvolumeclaims", "list persistentvolumes", "get nodes/proxy"}
    found = inspect(server)
    finding = found["no_volume_permissions"]
    assert finding.level is Level.WARNING
    assert "list persistentvolumes (in the whole cluster); create persistentvolumeclaims" in finding.text.en
    assert "no_permissions" not in found
    assert "not measured" in found["sizes"].text.en


def test_a_cluster_without_a_class_for_a_kind_says_how_to_set_one(server: ApiServer) -> None:
    found = inspect(server, KubernetesCluster("lab", helper="danlu:1", block_class="fast"))
    unset, none = found["no_volume_classes"], found["no_personal"]
    assert unset.text.en.endswith(": filesystem")
    assert unset.fix is not None
    assert unset.fix.en == "danlu cluster edit lab --filesystem-class fast"
    assert none.level is Level.WARNING


def test_a_class_that_is_not_there_is_told(server: ApiServer) -> None:
    found = inspect(server, replace(CLUSTER, block_class="gone"))
    assert "storage class gone" in found["no_such_class"].text.en


def test_a_claim_for_all_must_be_there(server: ApiServer) -> None:
    home = replace(CLUSTER, personal_claim="home")
    assert inspect(server, home)["no_personal_claim"].level is Level.MISSING
    claim = {"metadata": {"name": "home", "namespace": home.namespace}, "spec": {}}
    server.cluster.put("persistentvolumeclaims", claim)
    assert inspect(server, home)["personal_claim"].level is Level.OK


def test_names_are_not_asked_for_where_addresses_serve(server: ApiServer) -> None:
    server.cluster.remove("pods", "kube-system/coredns")
    found = inspect(server, KubernetesCluster("lab", helper="danlu:1", dns=False))
    assert not {"dns", "no_dns"} & set(found)


def test_a_cluster_that_does_not_answer_is_a_finding(server: ApiServer) -> None:
    server.stop()
    assert set(inspect(server)) == {"unreachable"}


def test_refused_credentials_are_a_finding(server: ApiServer) -> None:
    server.faults["get version"] = [Fault(401)] * 2
    assert set(inspect(server)) == {"not_signed_in"}


def test_a_cluster_that_falls_silent_is_left_in_time(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BOUND_S", 0.5)
    with server.silence():
        assert set(inspect(server)) == {"too_slow"}


def test_a_wrong_kubeconfig_is_refused_at_its_place() -> None:
    with pytest.raises(Invalid) as caught:
        KubernetesInspector().inspect(CLUSTER, ClusterCredentials("a: [", None))
    assert caught.value.errors[0].loc == ("kubeconfig",)


def test_roles_are_made_of_all_rules_and_nothing_else() -> None:
    made: list[Any] = cluster_role("danlu", "ml")["rules"] + role("danlu", "ml")["rules"]
    assert len(made) == len(RULES)
    for rule, wanted in zip(made, RULES, strict=True):
        assert rule["resources"] == list(wanted.resources)
        assert rule["verbs"] == list(wanted.verbs)
        assert "*" not in rule["verbs"] + rule["resources"] + rule["apiGroups"]
    assert [rule["resourceNames"] for rule in made if "resourceNames" in rule] == [["ml"]]
