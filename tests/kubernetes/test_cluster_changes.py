"""A cluster is changed and removed while jobs run on it, by the command line at a server; a controller follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk import Client
from tests.halves import Half
from tests.kubernetes.contest import NAME, SMALL, Contest, contest_on
from tests.kubernetes.kube import GONE_WITHIN_S, Kube
from tests.kubernetes.places import Place
from tests.live import eventually, training
from tools.cluster.cluster import Cluster

pytestmark = [pytest.mark.own_cluster, pytest.mark.timeout(300)]

LINES = 12
COUNTING = f"for n in $(seq 1 {LINES}); do echo line $n; sleep 1; done"


@pytest.fixture
def contest(tmp_path: Path, postgres_url: str, cluster: Cluster, kube: Kube) -> Iterator[Contest]:
    with contest_on(tmp_path, postgres_url, cluster, kube) as made:
        yield made


@pytest.fixture
def server(contest: Contest, place: Place) -> Half:
    return contest.open(place, 1)


@pytest.fixture
def client(contest: Contest, server: Half) -> Client:
    made = contest.client(server)
    contest.wait_for_nodes(made)
    return made


def test_a_job_goes_on_while_its_cluster_is_changed(
    contest: Contest, server: Half, client: Client, place: Place
) -> None:
    client.submit(training("goes-on", COUNTING, image=place.busybox, nodes=2, resources=SMALL))
    eventually(lambda: client.get("goes-on").state == "running", 60)
    edited = contest.cli(server, "cluster", "edit", NAME, "--image", place.python)
    assert edited.returncode == 0, edited.stdout + edited.stderr
    # Only the new image has this program; no job is refused while the cluster is being opened again.
    client.submit(training("on-the-new-image", ["python3", "-c", "print('here')"], resources=SMALL))
    assert client.wait("on-the-new-image").state == "completed"
    assert client.get("goes-on").state == "running"

    assert client.wait("goes-on").state == "completed"
    for task in ("worker-0", "worker-1"):
        lines = [line.text for line in client.logs("goes-on", task=task)]
        assert lines == [f"line {n}" for n in range(1, LINES + 1)]
    seen = contest.seen()
    assert (seen.created_twice(), seen.bound_twice()) == ({}, {})
    assert sorted(seen.attempts().values()) == [1, 2]


def test_a_cluster_is_not_removed_under_a_job_unless_by_force_and_then_the_job_is_lost(
    contest: Contest, server: Half, client: Client, place: Place
) -> None:
    client.submit(training("runs-there", "sleep 600", image=place.busybox, nodes=2, resources=SMALL))
    eventually(lambda: client.get("runs-there").state == "running", 60)
    refused = contest.cli(server, "cluster", "rm", NAME, "-y")
    assert refused.returncode != 0
    assert "runs-there" in refused.stderr
    assert client.get("runs-there").state == "running"

    removed = contest.cli(server, "cluster", "rm", NAME, "--force", "-y")
    assert removed.returncode == 0, removed.stdout + removed.stderr
    job = client.wait("runs-there")
    assert job.reason is not None
    assert (job.state, job.reason.code) == ("failed", "node_lost")
    eventually(lambda: client.machines.nodes.list() == [])
    eventually(lambda: all("deletionTimestamp" in pod["metadata"] for pod in contest.pods()))
    eventually(lambda: contest.pods() == [], GONE_WITHIN_S)
