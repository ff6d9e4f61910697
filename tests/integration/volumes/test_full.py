"""A real task that writes into a small volume until it is ended, and what happens to it and to others then."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.sdk import Invalid
from tests.live import PATIENCE, LiveServer, eventually, training

HASTY = """
from danlu.cli import main
from danlu.control.plane import count_often, mount_watch
from danlu.data import counting
count_often.QUICK_MS = count_often.CALM_MS = mount_watch.PATIENCE_MS = 1_000
counting._LOOK_S = 0.3
main.main()
"""
"""The same server with a shorter breath: what takes half a minute takes seconds."""
WRITER = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print("saved in time", flush=True), sys.exit(0)))
for number in range(4000):
    pathlib.Path(f"/data/{number}").write_bytes(b"x" * 100_000)
    time.sleep(0.02)
"""
HELD = """
import pathlib, time
while not pathlib.Path("/data/0").exists():
    time.sleep(0.1)
print("seen", flush=True)
time.sleep(600)
"""


class HastyServer(LiveServer):
    def command(self, *args: str) -> list[str]:
        hasty = [sys.executable, "-c", HASTY, *args]
        return hasty if args[0] == "up" else super().command(*args)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    one = HastyServer(tmp_path_factory.mktemp("live"))
    try:
        one.start()
        yield one
    finally:
        one.clean_up()


def mounting(mode: str, volume: str = "small") -> dict[str, Any]:
    return {
        "resources": {"cpus": 0.1, "memory": "64MiB"},
        "mounts": [{"volume": volume, "path": "/data", "mode": mode}],
    }


HOSTILE = [b"new\nline", b"\xff\xfe", b"-rf", b"a" * 255, b"$(touch x)", b" ", b"*", "训练".encode(), b"%41"]


def test_hostile_names_are_in_the_task_as_they_are_in_the_volume(server: LiveServer) -> None:
    with server.client() as client:
        made = client.volumes.create("names", "64MiB")
        files = server.data / "volume-data" / made.id / "files"
        for name in HOSTILE:
            (files / os.fsdecode(name)).write_bytes(name)
        listing = "import os; print(sorted(os.listdir(b'/data')))"
        job = client.submit(training("lists", ["python3", "-c", listing], **mounting("ro", "names")))
        assert client.wait(job.id, timeout=PATIENCE).state == "completed"
        assert "".join(line.text for line in client.logs(job.id)).strip() == str(sorted(HOSTILE))


def test_a_task_that_goes_on_writing_is_told_ends_in_its_grace_and_may_start_when_there_is_room(
    server: LiveServer,
) -> None:
    with server.client() as client:
        client.volumes.create("small", "4MiB")
        shown = server.cli("volume", "show", "small").stdout
        assert "4 MiB, measured; jobs that go on writing beyond 8 MiB are ended" in shown
        reader = client.submit(training("reader", ["python3", "-u", "-c", HELD], **mounting("ro")))
        writer = client.submit(training("writer", ["python3", "-u", "-c", WRITER], **mounting("rw")))

        ended = client.wait(writer.id, timeout=PATIENCE)
        assert ended.reason is not None
        assert (ended.state, ended.reason.code) == ("failed", "volume_full")
        assert ended.reason.params["capacity"] == 4 << 20
        assert 8 << 20 < ended.reason.params["used"] < 200 << 20
        assert "saved in time" in "\n".join(line.text for line in client.logs(writer.id))
        told = [event.data.get("what", event.kind) for event in client.events(writer.id)]
        assert told.index("over") < told.index("volume_overrun")
        assert client.get(reader.id).state == "running"

        with pytest.raises(Invalid) as refused:
            client.start(writer.id)
        (error,) = refused.value.errors
        assert (error.loc, error.code) == (("mounts", 0, "mode"), "volume_full")
        assert "its capacity is 4MiB" in error.message

        client.volumes.grow("small", "1GiB")
        assert client.start(writer.id).state in ("queued", "starting", "running")
        eventually(lambda: client.get(writer.id).state == "running")
