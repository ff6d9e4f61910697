"""Measured use end to end: a real job shows up in API, client and command line, and outlives a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk import Client, TaskUsage
from tests.live import LiveServer, eventually, live_server, training

BURN = """python3 -c '
held = bytearray(64 << 20)
for at in range(0, len(held), 4096):
    held[at] = 1
while True:
    pass
'"""
MIB = 1 << 20
# Processors: far more than what sleeps uses, less than a busy machine leaves to what burns.
BURNS = 0.01


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "2x8xA100") as live:
        yield live


def busy(client: Client) -> list[TaskUsage]:
    """What the two tasks use, once both burn and hold."""
    items = client.usage("burning", window="1m").items
    return [one for one in items if (one.cpus.last or 0) > BURNS and (one.memory.last or 0) > 60 * MIB]


@pytest.mark.timeout(240)
def test_a_job_that_burns_is_seen_everywhere_kept_over_a_restart_and_gone_with_its_job(
    server: LiveServer,
) -> None:
    client = server.client()
    size = {"cpus": 1, "memory": "512MiB", "gpus": 2}
    job = client.submit(training("burning", BURN, nodes=2, resources=size))
    first, second = eventually(lambda: len(found := busy(client)) == 2 and found)
    assert (first.task, second.task, first.attempt) == ("worker-0", "worker-1", 1)
    assert (first.cpus_given, first.memory_given, len(first.gpus_given)) == (1, 512 * MIB, 2)
    assert first.gpus == (), "the cards of a virtual node are only counted"

    shown = server.cli("top")
    assert shown.returncode == 0
    rows = [row.split() for row in shown.stdout.splitlines()[1:]]
    assert [row[:3] for row in rows] == [["burning", one.task, one.node] for one in (first, second)]
    assert [
        item["job_id"] for item in json.loads(server.cli("top", "burning", "--json").stdout)["items"]
    ] == [job.id]

    node = eventually(lambda: (found := client.usage.node(first.node)).times and found)
    assert (node.cpus.last or 0) > BURNS
    assert (node.memory.last or 0) > 60 * MIB
    assert (node.cpus_total, node.measured_every) == (64, 15_000)

    server.kill()
    server.start()
    client = server.client()
    again = client.usage("burning").items[0]
    assert again.times[: len(first.times)] == first.times, "measured on while the server was down"
    assert client.usage.node(first.node).times[: len(node.times)] == node.times

    client.stop("burning")
    client.wait("burning")
    over = client.usage("burning").items[0]
    assert over.times[: len(again.times)] == again.times
    files = server.data / "logs" / job.id / "1"
    assert sorted(path.name for path in files.glob("*.usage")) == ["worker-0.usage", "worker-1.usage"]
    client.delete("burning")
    assert not files.exists()
