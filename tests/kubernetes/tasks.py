"""Tasks as pods, made without the engine: what the follower and the shells find in a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from danlu.domain.job import Task
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.names import pod_name
from danlu.ports.clusters import ClusterCredentials
from tests.kubernetes.account import account_of
from tests.kubernetes.kube import Kube

ATTEMPT = "01tasks0attempt"


def make_task(kube: Kube, image: str, command: Sequence[str], index: int = 0, **container: Any) -> Task:
    """A pod as the engine makes them, on any node; it may still be starting."""
    task = Task("worker", index, "node.cluster", "")
    body = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name_of(task)},
        "spec": {
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 1,
            "automountServiceAccountToken": False,
            "containers": [{"name": "task", "image": image, "command": list(command), **container}],
        },
    }
    kube.create("pods", body)
    return task


async def farewells() -> None:
    """TLS connections are closed in the background, and Python complains of those that the end of its loop cuts off."""
    await asyncio.sleep(0.3)


def name_of(task: Task) -> str:
    return pod_name(ATTEMPT, task.name)


def access_to(kube: Kube) -> tuple[KubernetesCluster, ClusterCredentials]:
    cluster = KubernetesCluster(name="cluster", namespace=kube.namespace)
    return cluster, account_of(kube)
