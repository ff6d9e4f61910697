"""A cluster for this tier, and a namespace of its own for each test.

`KUBECONFIG` names any other cluster to run on; what would break its nodes is then deselected. `DANLU_TEST_CLUSTER`,
or the `KUBECONFIG` that `./dev cluster up` printed, names one of ours that is up already, which saves its start.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.kubernetes.account import remove_account
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place, find_place, is_foreign
from tools.cluster.cluster import Cluster

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "own_cluster: breaks nodes, or counts on the pretended GPUs and images"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not is_foreign():
        return
    left_out = [
        item for item in items if HERE in item.path.parents and item.get_closest_marker("own_cluster")
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def place() -> Iterator[Place]:
    with find_place() as found:
        yield found


@pytest.fixture(scope="session")
def cluster(place: Place) -> Cluster:
    """The cluster itself, to be broken; for tests marked `own_cluster`."""
    assert place.own is not None, "a test that uses `cluster` must be marked own_cluster"
    return place.own


@pytest.fixture
def kube(place: Place) -> Iterator[Kube]:
    """A client bound to a fresh namespace, which goes with everything in it when the test ends."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    with Kube(place.kubeconfig, name) as client:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        client.http.post("/api/v1/namespaces", json=body).raise_for_status()
        try:
            if place.own is not None:
                for node in place.own.nodes:  # the test before may have broken one, or the API server
                    client.wait_node(node, "True")
            wait_for_account(client)
            yield client
        finally:
            put_away(client)


def put_away(kube: Kube, tries: int = 10) -> None:
    """The namespace and what was made for it outside; a test may leave the API server out of breath."""
    for left in reversed(range(tries)):
        try:
            remove_account(kube)
            kube.http.delete(f"/api/v1/namespaces/{kube.namespace}")
            return
        except httpx.HTTPError:
            if not left:
                raise
            time.sleep(1)


def wait_for_account(kube: Kube) -> None:
    """Pods are refused until the namespace has its service account, and that its token where it gets one."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "probe"},
        "spec": {"containers": [{"name": "main", "image": "never-pulled"}]},
    }
    # After a restart of the API server its controllers take their time to come back.
    deadline = time.monotonic() + 60
    while True:
        answer = kube.http.post(kube.path("pods"), json=pod, params={"dryRun": "All"})
        if answer.is_success:
            return
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.05)
