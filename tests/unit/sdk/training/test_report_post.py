"""Reports over the network, when Danlu answers and when it does not."""

from __future__ import annotations

import time

import pytest

from danlu.ports.reports import ReportedPoint, Save
from danlu.sdk.training import report_post
from danlu.sdk.training.report_post import Network
from tests.fakes.http_server import FakeServer, Reply, problem


def point(step: int) -> ReportedPoint:
    return ReportedPoint(1_000 + step, step, {"loss": 0.5})


def network(server: FakeServer) -> Network:
    return Network(server.url, "danlu_task_x", "worker-0-r1", 2, timeout=5)


def test_what_cannot_be_sent_is_kept_and_sent_in_order_later(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    now = [1000.0]
    monkeypatch.setattr("danlu.sdk.training.report_post.time.monotonic", lambda: now[0])
    server.on("POST", "task/reports", problem(503, "unavailable", "later"))
    out = network(server)
    assert out.send([point(1)], [Save(1, 1, "/a")]) is True
    assert out.send([point(2)], []) is True  # not asked again so soon
    assert len(server.requests) == 1
    server.on("POST", "task/reports", Reply(204))
    now[0] += report_post._FIRST_WAIT
    assert out.send([], []) is False
    told = server.requests[-1].json()
    assert told["metrics"] == [[1001, 1, {"loss": 0.5}], [1002, 2, {"loss": 0.5}]]
    assert (told["task"], told["attempt"], told["checkpoints"]) == ("worker-0-r1", 2, [[1, 1, "/a"]])


def test_what_is_refused_for_good_is_dropped(server: FakeServer, capsys: pytest.CaptureFixture[str]):
    server.on("POST", "task/reports", problem(422, "invalid", "no such form"))
    assert network(server).send([point(1)], []) is False
    assert "Danlu refused metrics or checkpoints" in capsys.readouterr().err


def test_the_oldest_go_when_too_many_wait(server: FakeServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(report_post, "_MOST_POINTS", 3)
    server.on("POST", "task/reports", Reply(204))
    out = network(server)
    out.send([point(step) for step in range(5)], [])
    assert [one[1] for one in server.requests[-1].json()["metrics"]] == [2, 3, 4]


def test_the_end_of_a_program_is_not_held_up(server: FakeServer):
    """Danlu takes the connection and says nothing."""
    server.on("POST", "task/reports", Reply(silent=True))
    began = time.monotonic()
    network(server).close([point(1)], [], 0.2)
    assert time.monotonic() - began < 5
