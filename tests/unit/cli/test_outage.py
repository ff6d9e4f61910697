"""A server that goes away while somebody listens."""

from __future__ import annotations

import pytest

from danlu.cli.outage import LOST as AWAY
from danlu.cli.outage import Outage
from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

ENDED = b'id: 9\nevent: lines\ndata: [[1, "o", "back"]]\n\nevent: end\ndata: {}\n\n'
EVENT = b'id: 3\ndata: {"seq": 3, "time": "2026-01-01T00:00:00Z", "kind": "placed"}\n\n'

LOST = AWAY.en


def test_a_short_break_is_not_worth_a_word_and_a_long_one_is_worth_one():
    now = [0.0]
    said: list[str] = []
    outage = Outage(said.append, lambda: now[0])
    for now[0] in (0.0, 1.9):
        outage.failed()
    assert said == []
    for now[0] in (2.0, 3.0, 60.0):
        outage.failed()
    assert said == [LOST]


def test_the_next_outage_is_said_again():
    now = [0.0]
    said: list[str] = []
    outage = Outage(said.append, lambda: now[0])
    for start in (0.0, 10.0):
        for now[0] in (start, start + 3.0):
            outage.failed()
        outage.over()
    assert said == [LOST, LOST]


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("danlu.cli.outage.WORTH_SAYING", 0.0)


@pytest.mark.usefixtures("no_waiting")
def test_a_followed_log_says_once_that_the_server_is_away(danlu: Danlu, server: FakeServer):
    away = Reply(silent=True)
    server.on("GET", "jobs/train", {"id": "j1", "name": "train", "state": "running", "nodes": 1})
    server.on("GET", "jobs/j1/logs", away, away, Reply(pieces=[ENDED]))
    result = danlu("logs", "-f", "train")
    assert (result.code, result.out, result.err) == (0, "back\n", f"{LOST}\n")


@pytest.mark.usefixtures("no_waiting")
def test_followed_events_say_it_too(danlu: Danlu, server: FakeServer, monkeypatch):
    # The second stream ends the test as Ctrl-C would: events have no end of their own.
    def shown(event: object, with_job: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("danlu.cli.jobs.events._print", shown)
    server.on("GET", "events", Reply(silent=True), Reply(pieces=[EVENT]))
    assert danlu("events", "-f").err.strip() == LOST


@pytest.mark.usefixtures("no_waiting")
def test_a_job_that_is_run_says_it_too(danlu: Danlu, server: FakeServer):
    job = {"id": "j1", "name": "train", "state": "completed", "version": 2, "attempt": 0, "tasks": []}
    server.on("POST", "jobs", Reply(201, job))
    server.on("GET", "jobs/j1", job)
    server.on("GET", "events", Reply(silent=True), Reply(pieces=[EVENT]))
    result = danlu("run", "--", "x")
    assert (result.code, result.err) == (0, f"{LOST}\ntrain is completed\n")
