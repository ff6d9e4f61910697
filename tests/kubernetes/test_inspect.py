"""The check of a real cluster: right where all is there, and otherwise with the name of what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.inspect.inspect import KubernetesInspector
from danlu.ports.clusters import ClusterCredentials
from tests.kubernetes.account import kubeconfig_for, make_account, remove_account
from tests.kubernetes.kube import Kube

_ROLES = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture
def account(kube: Kube) -> Iterator[ClusterCredentials]:
    """The least that Danlu needs, and nothing more."""
    try:
        yield make_account(kube)
    finally:
        remove_account(kube)


def inspect(kube: Kube, access: ClusterCredentials, namespace: str = "") -> dict[str, Finding]:
    cluster = KubernetesCluster("test", namespace=namespace or kube.namespace, helper="danlu:1", dns=False)
    server, found = KubernetesInspector().inspect(cluster, access)
    assert httpx.URL(server).host == kube.http.base_url.host
    return {one.code: one for one in found}


def missing(found: dict[str, Finding]) -> set[str]:
    return {code for code, one in found.items() if one.level is Level.MISSING}


def test_the_least_account_is_enough(kube: Kube, account: ClusterCredentials) -> None:
    found = inspect(kube, account)
    assert missing(found) == set()
    assert {"reachable", "namespace", "permissions", "nodes"} <= set(found)
    assert "unreadable" not in found


@pytest.mark.own_cluster
def test_nodes_and_their_cards_are_counted(kube: Kube, account: ClusterCredentials) -> None:
    assert inspect(kube, account)["nodes"].text.en == "2 of 2 nodes are ready, with 16 × A100"


def test_a_missing_namespace_is_named(kube: Kube) -> None:
    found = inspect(kube, ClusterCredentials(kube.kubeconfig.read_text()), "not-there")
    assert missing(found) == {"no_namespace"}
    fix = found["no_namespace"].fix
    assert fix is not None
    assert fix.en == "kubectl create namespace not-there"


def test_a_missing_permission_is_named(kube: Kube, account: ClusterCredentials) -> None:
    path = f"{_ROLES}/namespaces/{kube.namespace}/roles/{kube.namespace}"
    role = kube.get(path)
    role["rules"] = [rule for rule in role["rules"] if rule["resources"] != ["pods/log"]]
    kube.http.put(path, json=role).raise_for_status()
    found = inspect(kube, account)
    assert missing(found) == {"no_permissions"}
    words = f"Danlu is not allowed to: get pods/log (in namespace {kube.namespace})"
    assert found["no_permissions"].text.en == words


def test_an_account_with_nothing_is_told_everything_it_lacks(kube: Kube, account: ClusterCredentials) -> None:
    remove_account(kube)
    kube.http.delete(f"{_ROLES}/namespaces/{kube.namespace}/roles/{kube.namespace}")
    text = inspect(kube, account)["no_permissions"].text.en
    for wish in ("list nodes", "watch pods", "list storageclasses", "create pods", "create pods/exec"):
        assert wish in text


def test_a_token_of_nobody_is_told(kube: Kube) -> None:
    found = inspect(kube, ClusterCredentials(kubeconfig_for(kube, "nobodys")))
    assert missing(found) == {"not_signed_in"}
