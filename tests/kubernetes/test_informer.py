"""The copy of a real cluster stays true over restarts and silence of its API server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable

import pytest

from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import ALL_PODS, NODES, Api, Json, pods
from danlu.engines.kubernetes.watch.informer import Informer
from danlu.ports.clusters import ClusterCredentials
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tools.cluster.cluster import Cluster

pytestmark = pytest.mark.anyio


class Copy:
    """An informer at work, and all it told: (key, version, or None once it was gone)."""

    def __init__(self, kube: Kube, path: str) -> None:
        self.api = Api(Credentials.load(ClusterCredentials(kube.kubeconfig.read_text())))
        self.told: list[tuple[str, str | None]] = []
        self.informer = Informer(self.api, path, self._tell)
        self.running = asyncio.create_task(self.informer.run())

    def _tell(self, key: str, one: Json | None) -> None:
        self.told.append((key, one["metadata"]["resourceVersion"] if one else None))

    async def until(self, holds: Callable[[], object], seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.02)

    async def until_synced(self) -> None:
        await self.until(lambda: self.informer.synced)

    async def close(self) -> None:
        self.running.cancel()
        await asyncio.wait({self.running})
        await self.api.close()


@pytest.fixture
async def copy(kube: Kube) -> AsyncIterator[Copy]:
    """Of the pods in the test's namespace."""
    copy = Copy(kube, pods(kube.namespace))
    await copy.until_synced()
    yield copy
    await copy.close()


def seen(kube: Kube) -> dict[str, str]:
    """The truth, by another client."""
    found = kube.get(kube.path("pods"))["items"]
    return {
        f"{kube.namespace}/{one['metadata']['name']}": one["metadata"]["resourceVersion"] for one in found
    }


def known(copy: Copy) -> dict[str, str]:
    return {key: one["metadata"]["resourceVersion"] for key, one in copy.informer.objects.items()}


async def test_a_pods_life_is_told_as_it_happens(copy: Copy, kube: Kube, place: Place) -> None:
    key = f"{kube.namespace}/one"
    kube.run("one", place.busybox, ["true"])
    await copy.until(lambda: copy.informer.objects.get(key, {}).get("status", {}).get("phase") == "Succeeded")
    kube.delete("pods", "one")
    await copy.until(lambda: key not in copy.informer.objects)
    assert copy.told[-1] == (key, None)
    assert len(set(copy.told)) == len(copy.told)


async def test_nodes_and_everybodys_pods_are_followed(kube: Kube, place: Place) -> None:
    copies = [Copy(kube, NODES), Copy(kube, ALL_PODS)]
    try:
        for copy in copies:
            await copy.until_synced()
        assert set(copies[0].informer.objects) == set(kube.nodes())
        kube.run("one", place.busybox, ["sleep", "60"])
        await copies[1].until(lambda: f"{kube.namespace}/one" in copies[1].informer.objects)
    finally:
        for copy in copies:
            await copy.close()


@pytest.mark.own_cluster
@pytest.mark.alone
async def test_a_restart_of_the_api_server_loses_nothing_and_doubles_nothing(
    copy: Copy, kube: Kube, cluster: Cluster, place: Place
) -> None:
    kube.run("stays", place.busybox, ["sleep", "600"])
    kube.run("ends", place.busybox, ["sleep", "6"])
    kube.run("goes", place.busybox, ["sleep", "600"])
    for name in ("stays", "ends", "goes"):
        await asyncio.to_thread(kube.wait_pod, name, "Running", "Succeeded")
    await copy.until(lambda: known(copy) == seen(kube))
    # Gone in the moment before the server is: of this, the watch may or may not have told.
    kube.delete("pods", "goes")
    cluster.kill("apiserver")
    await copy.until(lambda: not copy.informer.synced, 15)
    assert set(copy.informer.objects) >= {f"{kube.namespace}/stays", f"{kube.namespace}/ends"}
    await asyncio.to_thread(cluster.restart_api_server)
    await asyncio.to_thread(kube.wait_pod, "ends", "Succeeded")
    kube.run("new", place.busybox, ["sleep", "600"])
    await asyncio.to_thread(kube.wait_pod, "new", "Running")
    await copy.until(lambda: copy.informer.synced and known(copy) == seen(kube))
    assert set(known(copy)) == {f"{kube.namespace}/{name}" for name in ("stays", "ends", "new")}
    assert len(set(copy.told)) == len(copy.told), json.dumps(copy.told)
    assert copy.told.count((f"{kube.namespace}/goes", None)) == 1


@pytest.mark.own_cluster
@pytest.mark.alone
async def test_a_frozen_api_server_is_noticed_within_15_seconds(
    copy: Copy, kube: Kube, cluster: Cluster, place: Place
) -> None:
    kube.run("one", place.busybox, ["sleep", "600"])
    await asyncio.to_thread(kube.wait_pod, "one", "Running")
    await copy.until(lambda: known(copy) == seen(kube))  # so that it watches
    await asyncio.to_thread(cluster.freeze, "apiserver")  # what it said before is heard meanwhile
    frozen = time.monotonic()
    try:
        await copy.until(lambda: not copy.informer.synced, 30)
        assert time.monotonic() - frozen < 15
        assert copy.informer.heard_at < frozen + 1
    finally:
        cluster.thaw("apiserver")
    await copy.until(lambda: copy.informer.synced and known(copy) == seen(kube))
