"""Metrics of trainings as the client answers them."""

from __future__ import annotations

from danlu.sdk import (
    Client,
    GpuBusy,
    JobMetrics,
    MetricName,
    MetricPoint,
    MetricSeries,
    MetricValue,
    Throughput,
)
from tests.fakes.http_server import FakeServer, Reply

LINES = {"steps": [1, 2], "times": [10, 20], "values": [0.5, None], "low": [0.25, None], "high": [1.0, None]}
ANSWER = {
    "names": [
        {"name": "loss", "tasks": ["worker-0"], "last": {"step": 2, "time": 20, "value": None}, "newer": 1}
    ],
    "series": [{"name": "loss", "role": "worker", "task": "worker-0", "attempt": 3, **LINES, "newer": 1}],
    "latest_step": 2,
    "total_steps": 6_000,
    "throughput": {"steps_per_second": 1.5, "over_ms": 300_000},
    "gpu": {"busy": 40.0},
    "hint": {"en": "wait", "zh": "等待"},
}


def test_lines_pace_and_hint_are_read(server: FakeServer, client: Client):
    server.on("GET", "jobs/a/b/metrics", ANSWER)
    found = client.metrics("a/b", ["loss", "lr"], "worker-0", 3, 50, "time", all_tasks=True)
    line = MetricSeries(
        "loss", "worker", "worker-0", 3, (1, 2), (10, 20), (0.5, None), (0.25, None), (1.0, None)
    )
    assert found == JobMetrics(
        (MetricName("loss", ("worker-0",), MetricPoint(2, 20, None)),),
        (line,),
        2,
        6_000,
        Throughput(1.5, 300_000),
        GpuBusy(40.0),
        {"en": "wait", "zh": "等待"},
    )
    assert server.requests[0].query == {
        "name": ["loss", "lr"], "task": ["worker-0"], "attempt": ["3"], "points": ["50"], "by": ["time"],
        "all_tasks": ["true"],
    }  # fmt: skip
    client.metrics("a/b")
    assert server.requests[1].query == {}


def test_every_value_is_read_from_the_table_of_all(server: FakeServer, client: Client):
    table = 'step,time,name,task,value\r\n1,10,"a, b",worker-0,0.5\r\n2,20,loss,worker-1,inf\r\n'
    server.on("GET", "jobs/train/metrics", Reply(pieces=[table.encode()], drop=True))
    assert list(client.metric_values("train", ["loss"], "worker-1", 2)) == [
        MetricValue(1, 10, "a, b", "worker-0", 0.5),
        MetricValue(2, 20, "loss", "worker-1", float("inf")),
    ]
    assert server.requests[0].query == {
        "name": ["loss"], "task": ["worker-1"], "attempt": ["2"], "format": ["csv"],
    }  # fmt: skip


def test_a_job_is_started_again_from_its_checkpoint_or_fresh(server: FakeServer, client: Client):
    for verb in ("start", "restart"):
        server.on("POST", f"jobs/train/{verb}", {"id": "j1", "name": "train", "state": "queued"})
        assert getattr(client, verb)("train").state == "queued"
        assert getattr(client, verb)("train", fresh=True).state == "queued"
        first, second = server.asked("POST", f"jobs/train/{verb}")
        assert (first.body, second.json()) == (b"", {"fresh": True})
