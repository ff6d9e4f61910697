"""Trends as the client answers them."""

from __future__ import annotations

from danlu.sdk import CapacityLine, CapacityPoint, Client, Trend, TrendLine, TrendPoint
from tests.fakes.http_server import FakeServer

AT = "2026-01-05T00:00:00.000Z"


def test_lines_and_capacity_are_read(server: FakeServer, client: Client) -> None:
    point = {
        "at": AT,
        "held": 1.5,
        "queued": 0.5,
        "use": None,
        "wait": 3.0,
        "starts": 1,
        "ended": 2,
        "failed": 0,
    }
    answer = {
        "since": AT,
        "until": AT,
        "step": "day",
        "lines": [{"key": "nlp", "points": [{**point, "newer": 1}]}],
        "capacity": [{"model": "A100", "points": [{"at": AT, "total": 16}]}],
    }
    server.on("GET", "trends", answer)

    assert client.usage.trends(by="project", since="-7d", job_class="single") == Trend(
        AT,
        AT,
        "day",
        (TrendLine("nlp", (TrendPoint(AT, 1.5, 0.5, None, 3.0, 1, 2, 0),)),),
        (CapacityLine("A100", (CapacityPoint(AT, 16),)),),
    )
    assert server.requests[0].query == {"by": ["project"], "since": ["-7d"], "class": ["single"]}


def test_the_table_comes_as_it_is(server: FakeServer, client: Client) -> None:
    server.on("GET", "trends", b"at,held\r\n")
    assert client.usage.trends_table(step="hour") == b"at,held\r\n"
    assert server.requests[0].query == {"step": ["hour"], "format": ["csv"]}
