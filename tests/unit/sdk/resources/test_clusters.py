"""The verbs on clusters."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.sdk import Client, Cluster, ClusterNotReady, ClusterReport, Finding
from tests.fakes.http_server import FakeServer, Reply

LAB = {"name": "lab", "state": "ready", "nodes": {"ready": 2, "total": 3}, "tolerations": ["a"], "gpus": [{"model": "A100", "total": 8}], "tasks": 4}  # fmt: skip
FINDING: dict[str, Any] = {"code": "no_namespace", "level": "missing", "text": {"en": "There is no namespace", "zh": "没有命名空间"}, "fix": None}  # fmt: skip


def test_clusters_are_read(server: FakeServer, client: Client) -> None:
    server.on("GET", "clusters", {"items": [LAB], "next_cursor": None})
    server.on("GET", "clusters/lab", LAB)
    (lab,) = client.machines.clusters.list()
    assert lab == client.machines.clusters.get("lab")
    assert lab == Cluster(
        "lab",
        "ready",
        tolerations=("a",),
        nodes={"ready": 2, "total": 3},
        gpus=({"model": "A100", "total": 8},),
        tasks=4,
    )


def test_a_cluster_is_added_changed_and_removed(server: FakeServer, client: Client) -> None:
    server.on("POST", "clusters", Reply(201, LAB))
    server.on("PATCH", "clusters/lab", LAB)
    server.on("DELETE", "clusters/lab", Reply(204))
    client.machines.clusters.create("lab", "apiVersion: v1", context="lab")
    client.machines.clusters.create("lab", in_cluster=True, force=True)
    client.machines.clusters.edit("lab", image="pytorch:2")
    client.machines.clusters.delete("lab")
    client.machines.clusters.delete("lab", force=True)
    assert [one.json() for one in server.requests[:3]] == [
        {"name": "lab", "force": False, "kubeconfig": "apiVersion: v1", "context": "lab"},
        {"name": "lab", "force": True, "in_cluster": True},
        {"image": "pytorch:2"},
    ]
    assert [one.one("force") for one in server.requests[3:]] == [None, "true"]


def test_a_cluster_is_checked_before_and_after_it_is_added(server: FakeServer, client: Client) -> None:
    report = {"ready": False, "server": "https://k8s", "findings": [FINDING]}
    server.on("POST", "clusters/check", report)
    server.on("POST", "clusters/lab/check", report)
    expected = ClusterReport(False, "https://k8s", (Finding(**FINDING),))
    assert client.machines.clusters.check(kubeconfig="x") == expected
    assert server.requests[-1].json() == {"kubeconfig": "x"}
    assert client.machines.clusters.check("lab") == expected


def test_a_refusal_carries_what_was_found(server: FakeServer, client: Client) -> None:
    body = {
        "type": "cluster_not_ready",
        "status": 409,
        "detail": "not ready",
        "errors": [],
        "findings": [FINDING],
    }
    server.on("POST", "clusters", Reply(409, body, {"Content-Type": "application/problem+json"}))
    with pytest.raises(ClusterNotReady) as refused:
        client.machines.clusters.create("lab", "x")
    assert [str(one) for one in refused.value.findings] == ["There is no namespace"]
