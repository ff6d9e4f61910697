"""Where the tests of this tier run: on a cluster made for them, one that is up already, or someone else's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.cluster.cluster import Cluster, find_cluster
from tools.cluster.images import BUSYBOX_IMAGE, MPI_IMAGE, PYTHON_IMAGE
from tools.cluster.temporary import temporary_cluster


@dataclass(frozen=True)
class Place:
    """A cluster to test on; `own` is there when it may be broken, and has the pretended GPUs and the image with MPI."""

    kubeconfig: Path
    busybox: str
    python: str
    own: Cluster | None = None
    mpi: str = ""


def is_foreign(env: Mapping[str, str] = os.environ) -> bool:
    """Whether the tests run on a cluster that is not theirs to break."""
    return running_cluster(env) is None and bool(env.get("KUBECONFIG"))


@contextmanager
def find_place(env: Mapping[str, str] = os.environ) -> Iterator[Place]:
    running = running_cluster(env)
    if running is not None:
        if not running.whole:
            raise pytest.UsageError(f"the cluster in {running.layout.state} is not up: ./dev cluster up")
        running.load_images()
        yield own_place(running)
    elif is_foreign(env):
        busybox = env.get("DANLU_TEST_BUSYBOX_IMAGE", "docker.io/library/busybox:1.36")
        python = env.get("DANLU_TEST_PYTHON_IMAGE", "docker.io/library/python:3.11-slim")
        yield Place(Path(env["KUBECONFIG"]), busybox, python)
    else:
        with temporary_cluster() as cluster:
            yield own_place(cluster)


def running_cluster(env: Mapping[str, str]) -> Cluster | None:
    """The cluster of `./dev cluster up`, named by its state folder or by its kubeconfig."""
    if env.get("DANLU_TEST_CLUSTER"):
        cluster = find_cluster(Path(env["DANLU_TEST_CLUSTER"]))
        if cluster is None:
            raise pytest.UsageError(f"there is no cluster in {env['DANLU_TEST_CLUSTER']}: ./dev cluster up")
        return cluster
    kubeconfig = Path(env.get("KUBECONFIG") or os.devnull)
    cluster = find_cluster(kubeconfig.parent)
    return cluster if cluster and cluster.kubeconfig == kubeconfig.resolve() else None


def own_place(cluster: Cluster) -> Place:
    return Place(cluster.kubeconfig, BUSYBOX_IMAGE, PYTHON_IMAGE, cluster, MPI_IMAGE)
