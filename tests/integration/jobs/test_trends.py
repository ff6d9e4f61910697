"""Trends end to end: what a real job held is recorded when Danlu stops, and goes on where it was when it is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk import Client, TrendPoint
from tests.live import LiveServer, eventually, live_server, training


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "1x8xA100") as live:
        yield live


def sums(client: Client) -> TrendPoint:
    """All points of the last hours in one; what an hour's length divides is of no interest here."""
    points = [
        point
        for line in client.usage.trends(step="hour", since="-2h", user="me").lines
        for point in line.points
    ]
    return TrendPoint(
        at="",
        held=max(point.held for point in points),
        starts=sum(point.starts for point in points),
        ended=sum(point.ended for point in points),
        failed=sum(point.failed for point in points),
    )


@pytest.mark.timeout(180)
def test_what_was_held_is_recorded_over_a_stop_and_a_return(server: LiveServer) -> None:
    client = server.client()
    client.submit(training("goes-on", "sleep 600", resources={"cpus": 1, "memory": "256MiB", "gpus": 2}))
    failing = training("fails", "exit 3", resources={"cpus": 1, "memory": "256MiB", "gpus": 1})
    client.submit(failing)
    eventually(lambda: client.get("fails").state == "failed" and client.get("goes-on").state == "running")
    assert server.interrupt() == 0

    server.start()
    client = server.client()
    first = sums(client)
    assert (first.starts, first.ended, first.failed) == (2, 1, 1)
    assert first.held > 0
    capacity = {
        line.model: max(point.total for point in line.points)
        for line in client.usage.trends(step="hour").capacity
    }
    assert capacity["A100"] > 0

    client.stop("goes-on")
    eventually(lambda: client.get("goes-on").state == "stopped")
    assert server.interrupt() == 0
    server.start()
    second = sums(server.client())
    assert (second.starts, second.ended, second.failed) == (2, 2, 1)
    table = server.cli("trends", "--csv", "--by", "project", "--step", "hour", "--since", "2h").stdout
    assert table.splitlines()[0] == "at,project,held,queued,use,wait,starts,ended,failed"
    assert ",public," in table
