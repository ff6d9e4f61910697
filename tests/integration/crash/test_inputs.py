"""A job whose input is cut by `kill -9` of the server: the transfer goes on, and the job runs once with all of it."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.web_source import Served, WebPlace, web_place
from tests.live import LiveServer, eventually, live_server, training

MIB = 1 << 20


@pytest.fixture
def web() -> Iterator[WebPlace]:
    with web_place() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "1x1xA100", DANLU_TRANSFER_NETWORKS="127.0.0.0/8") as live:
        yield live


def archive(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        info = tarfile.TarInfo("train/x.bin")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def arrived(server: LiveServer) -> int:
    """How many bytes of unfinished files there are."""
    parts = (server.data / "volume-data").glob("*/transfers/*/parts/*")
    return max((one.stat().st_size for one in parts), default=0)


def test_a_job_reads_its_inputs_though_the_server_was_killed_while_they_came(
    server: LiveServer, web: WebPlace
) -> None:
    data, gate = os.urandom(24 * MIB), threading.Event()
    packed = archive(data)
    web.files["/set.tar"] = Served(packed, gate=gate, gate_at=12 * MIB)
    web.files["/small.txt"] = Served(b"small")
    assert server.cli("volume", "create", "raw", "--kind", "filesystem", "--capacity", "1GiB").returncode == 0
    inputs = [
        {"from": f"{web.url}/small.txt", "to": "personal:/in/"},
        {
            "from": f"{web.url}/set.tar",
            "to": "raw:/set/",
            "unpack": True,
            "sha256": hashlib.sha256(packed).hexdigest(),
        },
    ]
    command = "cat /mnt/admin/in/small.txt && sha256sum /data/set/train/x.bin"
    mounts = [{"volume": "raw", "path": "/data"}]
    with server.client() as client:
        job = client.submit(training("reads", command, mounts=mounts, inputs=inputs))
        other = client.submit(training("also-reads", command, mounts=mounts, inputs=inputs))
        passing = client.submit(training("passes", "true"))
        eventually(lambda: client.get(passing.id).state == "completed")
        eventually(lambda: arrived(server) >= 10 * MIB)
        eventually(lambda: "is being fetched" in server.cli("why", "reads").stdout)
        assert client.get(job.id).state == "queued"
        shown = server.cli("show", "reads").stdout
        assert [row.split()[:2] for row in shown.splitlines()[-2:]] == [["1", "completed"], ["2", "running"]]
        assert client.get(job.id).inputs[1].source.endswith("/set.tar")
        server.kill()
        gate.set()
    server.start()
    with server.client() as client:
        for one in (job, other):
            eventually(lambda one=one: client.get(one.id).state == "completed")
        found = list(client.transfers.list())
        assert sorted(one.source.rpartition("/")[2] for one in found) == ["set.tar", "small.txt"]
        assert {one.state for one in found} == {"completed"}
        assert {one.for_job.name for one in found if one.for_job} == {"reads#1"}
        assert "reads#1" in server.cli("transfer", "show", found[0].id).stdout
    logs = server.cli("logs", "reads").stdout
    assert "small" in logs
    assert hashlib.sha256(data).hexdigest() in logs


def test_an_input_that_is_not_there_fails_the_job_with_the_next_step(
    server: LiveServer, web: WebPlace
) -> None:
    with server.client() as client:
        inputs = [{"from": f"{web.url}/late.txt", "to": "personal:/in/"}]
        job = client.submit(training("needs", "cat /mnt/admin/in/late.txt", inputs=inputs))
        eventually(lambda: client.get(job.id).state == "failed")
        told = server.cli("why", "needs").stdout
        assert "input 1 of 1 could not be fetched" in told
        assert "there is nothing at" in told
        assert "danlu transfer show" in told
        web.files["/late.txt"] = Served(b"here by now")
        assert server.cli("start", "needs").returncode == 0
        eventually(lambda: client.get(job.id).state == "completed")
        assert len(list(client.transfers.list())) == 1
    assert "here by now" in server.cli("logs", "needs").stdout
