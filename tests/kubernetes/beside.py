"""A Danlu in the network that a cluster's pods can reach, which was given the cluster by the command line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from danlu.sdk import Client
from tests.kubernetes.account import account_of
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.live import LiveServer
from tools.cluster.cluster import Cluster

CLUSTER = "lab"


class DanluBeside(LiveServer):
    """Where a real one is: beside the nodes. Its pods are in the namespace of `kube`."""

    def __init__(self, root: Path, cluster: Cluster, kube: Kube) -> None:
        super().__init__(root, "--host", cluster.address)
        self._cluster, self.kube = cluster, kube

    def command(self, *args: str) -> list[str]:
        plain = super().command(*args)
        return self._cluster.inside(plain) if args[0] == "up" else plain


@contextmanager
def danlu_beside(cluster: Cluster, kube: Kube, place: Place, root: Path) -> Iterator[DanluBeside]:
    """A fresh one, with the least of accounts."""
    access = account_of(kube)
    assert access.kubeconfig is not None
    (root / "danlu.kubeconfig").write_text(access.kubeconfig)
    server = DanluBeside(root, cluster, kube)
    server.start()
    try:
        added = server.cli(
            *(
                "cluster",
                "create",
                CLUSTER,
                "--kubeconfig",
                "danlu.kubeconfig",
                "--namespace",
                kube.namespace,
            ),
            *("--image", place.busybox, "--helper", place.python, "--no-dns"),
        )
        assert added.returncode == 0, added.stdout + added.stderr
        with server.client() as client:
            wait_for_nodes(client, CLUSTER, 2)
        yield server
    finally:
        server.clean_up()


def wait_for_nodes(client: Client, cluster: str, count: int) -> None:
    deadline = time.monotonic() + 30
    while sum(node.name.endswith(f".{cluster}") for node in client.machines.nodes.list()) < count:
        assert time.monotonic() < deadline, [node.name for node in client.machines.nodes.list()]
        time.sleep(0.1)
