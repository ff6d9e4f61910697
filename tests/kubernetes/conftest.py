"""A cluster for this tier, and a namespace of its own for each test.

`KUBECONFIG` names any other cluster to run on; what would break its nodes is then deselected. `DANLU_TEST_CLUSTER`,
or the `KUBECONFIG` that `./dev cluster up` printed, names one of ours that is up already, which saves its start.
With `-n 2` the workers share one, which the process that leads them starts and ends; they take turns where they must.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.kubernetes.account import remove_account
from tests.kubernetes.beside import DanluBeside, danlu_beside
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place, find_place, is_foreign, running_cluster
from tests.kubernetes.turns import MARKERS, turn
from tools.cluster.cluster import Cluster
from tools.cluster.temporary import temporary_cluster

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Workers find the cluster by this process's environment, and it goes when this process ends, however it does."""
    if is_foreign() or running_cluster(os.environ) is not None:
        return
    held = ExitStack()
    config.add_cleanup(held.close)
    cluster = held.enter_context(temporary_cluster())
    os.environ["DANLU_TEST_CLUSTER"] = str(cluster.layout.state)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if is_foreign() and has_marker(item, "own_cluster")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    # Whoever wants the cluster alone comes last, so that workers seldom wait for each other.
    items.sort(key=lambda item: has_marker(item, "alone"))


def has_marker(item: pytest.Item, name: str) -> bool:
    return HERE in item.path.parents and item.get_closest_marker(name) is not None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that waits for its turn has not begun, and its time is not running yet."""
    if HERE not in item.path.parents:
        return (yield)
    with turn(item):
        return (yield)


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
    with fresh_namespace(place) as client:
        yield client


@pytest.fixture(scope="session")
def danlu(place: Place, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DanluBeside]:
    """A Danlu for all tests that ask for nothing but one that runs; each of them names its jobs differently."""
    with (
        fresh_namespace(place) as kube,
        danlu_beside(cluster, kube, place, tmp_path_factory.mktemp("danlu")) as made,
    ):
        yield made


@contextmanager
def fresh_namespace(place: Place) -> Iterator[Kube]:
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
