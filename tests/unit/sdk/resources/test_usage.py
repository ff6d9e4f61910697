"""Measured use as the client answers it."""

from __future__ import annotations

from danlu.sdk import Client, GpuLines, JobUsage, Line, NodeUsage, TaskUsage
from tests.fakes.http_server import FakeServer

CPUS = {"mean": [0.5, None], "high": [1.5, None]}
MEMORY = {"mean": [10, 20], "high": [15, 25]}
LINES = {
    "times": [1_000, 6_000],
    "cpus": CPUS,
    "memory": MEMORY,
    "gpus": [{"index": 3, "busy": CPUS, "memory": MEMORY}],
}
GPUS = (GpuLines(3, Line((0.5, None), (1.5, None)), Line((10, 20), (15, 25))),)


def test_the_use_of_a_job_is_read_by_task(server: FakeServer, client: Client):
    task = {
        **LINES,
        "task": "worker-0",
        "node": "a100-0",
        "attempt": 2,
        "cpus_given": 4.0,
        "memory_given": 64,
    }
    answer = {"items": [{**task, "gpus_given": [3], "newer": "field"}], "measured_every": 5_000}
    server.on("GET", "jobs/a/b/usage", answer)
    cpus, memory = Line((0.5, None), (1.5, None)), Line((10, 20), (15, 25))
    expected = TaskUsage((1_000, 6_000), cpus, memory, GPUS, "worker-0", "a100-0", 2, 4.0, 64, (3,))
    assert client.usage("a/b", window="6h", points=50, task="worker-0", attempt=2) == JobUsage(
        (expected,), 5_000
    )
    asked = server.requests[0]
    assert [asked.one(name) for name in ("window", "points", "task", "attempt")] == [
        "6h",
        "50",
        "worker-0",
        "2",
    ]
    client.usage("a/b")
    assert server.requests[1].query == {}


def test_the_use_of_a_node_is_read(server: FakeServer, client: Client):
    answer = {**LINES, "node": "a100-0", "cpus_total": 64, "memory_total": 1 << 39, "measured_every": 15_000}
    server.on("GET", "nodes/a100-0/usage", answer)
    found = client.usage.node("a100-0", window="7d")
    assert isinstance(found, NodeUsage)
    assert (found.node, found.times, found.gpus, found.cpus_total) == ("a100-0", (1_000, 6_000), GPUS, 64)
    assert server.requests[0].query == {"window": ["7d"]}


def test_a_line_says_where_it_ends():
    assert (Line((1.0, 2.0)).last, Line((1.0, None)).last, Line().last) == (2.0, None, None)
