"""Uploads survive `kill -9` of the server: they go on where they were, and nothing half written is ever seen."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.tus import TusClient
from tests.live import PATIENCE, LiveServer, eventually, live_server

SIZE = 24 << 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "1x1xA100") as live:
        yield live


@contextlib.contextmanager
def speaking(server: LiveServer) -> Iterator[TusClient]:
    token = server.client().http.target.token
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        yield TusClient(client, "/api/v1/volumes/personal/uploads", {"Authorization": f"Bearer {token}"})


def test_an_upload_goes_on_after_the_server_was_killed_in_the_middle(server: LiveServer) -> None:
    data = os.urandom(SIZE)
    with speaking(server) as tus:
        place = tus.begin("large.bin", SIZE).headers["location"]
        sent = threading.Event()

        def slowly() -> Iterator[bytes]:
            for at in range(0, SIZE, 1 << 20):
                yield data[at : at + (1 << 20)]
                if at > SIZE // 2:
                    sent.set()
                    time.sleep(0.2)

        def send() -> None:
            with contextlib.suppress(httpx.HTTPError):
                tus.send(place, 0, slowly())

        sender = threading.Thread(target=send)
        sender.start()
        assert sent.wait(PATIENCE)
        server.kill()
        sender.join()
    server.start()
    folder = server.data / "volumes" / "admin"
    assert not (folder / "large.bin").exists()
    with speaking(server) as tus:
        offset = int(tus.offset(place).headers["upload-offset"])
        assert SIZE // 4 < offset < SIZE
        assert tus.send(place, offset, data[offset:]).status_code == 204
    assert (folder / "large.bin").read_bytes() == data


def test_the_command_goes_on_by_itself_when_the_server_comes_back(server: LiveServer, tmp_path: Path) -> None:
    data = os.urandom(64 << 20)
    (tmp_path / "large.bin").write_bytes(data)
    command = server.command("files", "put", "large.bin", "personal:/large.bin")
    with subprocess.Popen(command, env=server.env(), cwd=tmp_path, stderr=subprocess.PIPE) as sending:
        uploads = server.data / "volume-data" / "personal-admin" / "uploads"
        eventually(lambda: any(one.stat().st_size > 8 << 20 for one in uploads.glob("*")))
        server.kill()
        server.start()
        _, said = sending.communicate(timeout=PATIENCE)
    assert sending.returncode == 0, said
    assert (server.data / "volumes" / "admin" / "large.bin").read_bytes() == data
