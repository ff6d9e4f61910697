"""A person's own directories in pods: theirs, wherever they lie, and nobody else's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.claims import claim_of, is_for, is_of, personal_claim_name
from danlu.engines.kubernetes.objects.personal import personal_order
from danlu.engines.kubernetes.objects.pods import pod_of
from tests.fakes.pods import CLUSTER, Json, attempt_order

OF_ALL = replace(CLUSTER, personal_claim="home")
OF_EACH = replace(CLUSTER, filesystem_class="nfs", personal_size=7)


def spec(cluster: KubernetesCluster, owner: str = "lin") -> Json:
    order = attempt_order(owner=owner)
    return dict(pod_of(cluster, order, order.tasks[0], node="a1")["spec"])


def claimed(cluster: KubernetesCluster, owner: str = "lin") -> list[str]:
    volumes = spec(cluster, owner)["volumes"]
    return [one["persistentVolumeClaim"]["claimName"] for one in volumes if "persistentVolumeClaim" in one]


def folders(cluster: KubernetesCluster, owner: str = "lin") -> dict[str, str]:
    mounts = spec(cluster, owner)["containers"][0]["volumeMounts"]
    return {one["mountPath"]: one["subPath"] for one in mounts if one["name"] == "personal"}


def env(cluster: KubernetesCluster, owner: str = "lin") -> dict[str, str]:
    return {one["name"]: one["value"] for one in spec(cluster, owner)["containers"][0]["env"]}


def test_without_either_pods_start_without_them():
    assert claimed(CLUSTER) == []
    assert folders(CLUSTER) == {}
    assert "DANLU_PERSONAL_DIR" not in env(CLUSTER)
    assert personal_order(CLUSTER, "lin") is None


def test_in_the_claim_for_all_each_has_folders_of_their_own():
    assert claimed(OF_ALL) == ["home"]
    assert folders(OF_ALL) == {"/mnt/lin": "personal/lin", "/archives/lin": "archive/lin"}
    assert folders(OF_ALL, "wang") == {"/mnt/wang": "personal/wang", "/archives/wang": "archive/wang"}
    assert personal_order(OF_ALL, "lin") is None
    assert (env(OF_ALL)["DANLU_PERSONAL_DIR"], env(OF_ALL)["DANLU_ARCHIVE_DIR"]) == (
        "/mnt/lin",
        "/archives/lin",
    )


def test_else_each_has_a_claim_of_their_own():
    assert claimed(OF_EACH) == [personal_claim_name("lin")] != claimed(OF_EACH, "wang")
    assert folders(OF_EACH) == {"/mnt/lin": "personal", "/archives/lin": "archive"}
    order = personal_order(OF_EACH, "lin")
    assert order is not None
    made = claim_of(OF_EACH, order, "inst")
    assert (made["spec"]["storageClassName"], made["spec"]["accessModes"]) == ("nfs", ["ReadWriteMany"])
    assert made["spec"]["resources"]["requests"]["storage"] == "7"
    assert is_for(made, order)
    assert not is_for(made, replace(order, owner="wang"))
    assert not is_for(made, replace(order, volume="0v1"))
    assert is_of(made, "inst.renamed")
    assert not is_of(made, "other.lab")


@pytest.mark.parametrize("owner", ["..", "a/../b", "/", "lin/../wang", "Lin", ""])
@pytest.mark.parametrize("cluster", [OF_ALL, OF_EACH], ids=["all", "each"])
def test_a_name_that_could_lead_elsewhere_has_none(cluster: KubernetesCluster, owner: str):
    assert claimed(cluster, owner) == []
    assert folders(cluster, owner) == {}
    assert personal_order(cluster, owner) is None
