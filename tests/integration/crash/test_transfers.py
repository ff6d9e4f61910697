"""Transfers survive `kill -9` of the server and of their worker: they go on where they were, and end with the server."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.web_source import Served, WebPlace, web_place
from tests.live import LiveServer, eventually, live_server

MIB = 1 << 20


@pytest.fixture
def web() -> Iterator[WebPlace]:
    with web_place() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "1x1xA100", DANLU_TRANSFER_NETWORKS="127.0.0.0/8") as live:
        yield live


def workers(server: LiveServer) -> list[int]:
    """Processes of transfers below this server."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            words = (one / "cmdline").read_bytes().split(b"\0")
            parent = int((one / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if b"danlu.data.transfers.worker" in words and parent == server.pid:
            found.append(int(one.name))
    return found


def parts(server: LiveServer) -> int:
    """How many bytes of unfinished files there are."""
    folder = server.data / "volume-data" / "personal-admin" / "transfers"
    return max((one.stat().st_size for one in folder.glob("*/parts/*")), default=0)


def test_a_transfer_goes_on_after_its_server_was_killed(server: LiveServer, web: WebPlace) -> None:
    data, gate = os.urandom(24 * MIB), threading.Event()
    web.files["/x.bin"] = one = Served(data, gate=gate, gate_at=12 * MIB)
    with server.client() as client:
        made = client.transfers.create(f"{web.url}/x.bin", "personal:/in/")
        eventually(lambda: parts(server) >= 10 * MIB)
        (worker,) = workers(server)
        server.kill()
        eventually(lambda: not Path(f"/proc/{worker}").exists())
        gate.set()
    server.start()
    with server.client() as client:
        over = client.transfers.wait(made.id)
    assert (over.state, over.progress.bytes) == ("completed", len(data))
    assert (server.data / "volumes" / "admin" / "in" / "x.bin").read_bytes() == data
    assert int(one.asked[-1][6:-1]) >= 10 * MIB


def test_a_transfer_goes_on_after_its_worker_was_killed(server: LiveServer, web: WebPlace) -> None:
    data, gate = os.urandom(24 * MIB), threading.Event()
    web.files["/x.bin"] = one = Served(data, gate=gate, gate_at=12 * MIB)
    with server.client() as client:
        made = client.transfers.create(f"{web.url}/x.bin", "personal:/")
        eventually(lambda: parts(server) >= 10 * MIB)
        (worker,) = workers(server)
        os.kill(worker, signal.SIGKILL)
        gate.set()
        waiting = eventually(lambda: client.transfers.get(made.id).problem)
        assert waiting.code == "worker_died"
        over = client.transfers.wait(made.id)
        assert (over.state, over.attempts) == ("completed", 2)
    assert (server.data / "volumes" / "admin" / "x.bin").read_bytes() == data
    assert int(one.asked[-1][6:-1]) >= 10 * MIB


def test_a_transfer_is_cancelled_resumed_and_watched_on_the_command_line(
    server: LiveServer, web: WebPlace
) -> None:
    data, gate = os.urandom(16 * MIB), threading.Event()
    web.files["/x.bin"] = Served(data, gate=gate, gate_at=8 * MIB)
    begun = server.cli("transfer", "create", f"{web.url}/x.bin", "personal:/", "--json")
    made = json.loads(begun.stdout)["id"]
    eventually(lambda: parts(server) >= 6 * MIB)
    assert server.cli("transfer", "cancel", made).returncode == 0
    with server.client() as client:
        eventually(lambda: client.transfers.get(made).state == "cancelled")
    assert workers(server) == []
    gate.set()
    resumed = server.cli("transfer", "resume", made, "--wait")
    assert resumed.returncode == 0, resumed.stderr
    assert "16 MiB" in resumed.stderr
    assert (server.data / "volumes" / "admin" / "x.bin").read_bytes() == data
    assert made in server.cli("transfer", "ls").stdout
    assert "completed" in server.cli("transfer", "show", made).stdout
    assert server.cli("transfer", "rm", made, "--yes").returncode == 0
    missing = server.cli("import", f"{web.url}/nothing", "personal:/")
    assert missing.returncode == 1
    assert "there is nothing at" in missing.stderr
