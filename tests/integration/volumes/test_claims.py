"""A whole Danlu beside a small API server: claims come and go as the records say, also over `kill -9`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk.models import VolumeClaim
from tests.fakes.kubernetes import ApiServer
from tests.live import LiveServer, eventually, live_server

SPACE = "danlu-jobs"
NODE = {
    "metadata": {"name": "n1"},
    "spec": {},
    "status": {
        "allocatable": {"cpu": "8", "memory": "32Gi"},
        "conditions": [{"type": "Ready", "status": "True"}],
    },
}


@pytest.fixture
def cluster() -> Iterator[ApiServer]:
    server = ApiServer()
    server.cluster.put("namespaces", {"metadata": {"name": SPACE}})
    server.cluster.put("nodes", json.loads(json.dumps(NODE)))
    server.cluster.put("storageclasses", {"metadata": {"name": "nfs"}, "allowVolumeExpansion": True})
    yield server
    server.close()


@pytest.fixture
def danlu(tmp_path: Path, cluster: ApiServer) -> Iterator[LiveServer]:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": cluster.url}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "current-context": "x",
    }
    (tmp_path / "kubeconfig").write_text(json.dumps(config))
    with live_server(tmp_path, DANLU_ENGINE="none") as server:
        way_in = ("--kubeconfig", "kubeconfig", "--filesystem-class", "nfs", "--no-dns")
        added = server.cli("cluster", "create", "lab", *way_in)
        assert added.returncode == 0, added.stdout + added.stderr
        yield server


def claims(cluster: ApiServer) -> list[str]:
    return [one["metadata"]["name"] for one in cluster.cluster.all("persistentvolumeclaims", SPACE)]


def found(danlu: LiveServer) -> VolumeClaim:
    made = danlu.client().volumes.get("data").made
    assert made is not None
    return made


def again(danlu: LiveServer) -> None:
    danlu.kill()
    danlu.start()


def test_what_was_begun_before_a_crash_is_finished_after_it(danlu: LiveServer, cluster: ApiServer) -> None:
    with cluster.silence():
        made = danlu.cli("volume", "create", "data", "--cluster", "lab", "--capacity", "1GiB")
        assert made.returncode == 0, made.stderr
        danlu.kill()
    danlu.start()
    name = eventually(lambda: claims(cluster))
    assert name == [danlu.client().volumes.get("data").claim]
    eventually(lambda: found(danlu).note == "provisioning")

    status = {"phase": "Bound", "capacity": {"storage": "1Gi"}}
    cluster.cluster.change("persistentvolumeclaims", f"{SPACE}/{name[0]}", {"status": status})
    again(danlu)
    eventually(lambda: found(danlu).state == "bound")
    assert "bound" in danlu.cli("volume", "show", "data").stdout
    assert len(claims(cluster)) == 1

    assert danlu.cli("volume", "rm", "data").returncode == 0
    with cluster.silence():
        gone = danlu.cli("volume", "rm", "data", "--forever", "--yes")
        assert gone.returncode == 0, gone.stderr
        danlu.kill()
    assert claims(cluster) == name
    danlu.start()
    eventually(lambda: not claims(cluster))
