"""`danlu top`: what it asks, what it shows, and when it shows it again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from danlu.cli.shared import show
from danlu.cli.usage import top
from tests.fakes.http_server import FakeServer, problem
from tests.unit.cli.conftest import Danlu

ROW = {"id": "j1", "name": "train", "state": "running"}


def line(*values: float | None) -> dict[str, Any]:
    return {"mean": list(values), "high": list(values)}


def task(name: str = "worker-0", **more: Any) -> dict[str, Any]:
    return {
        "times": [1, 2], "cpus": line(0.1, 1.526), "memory": line(0, 812 << 20), "gpus": [], "task": name,
        "node": "a100-0", "attempt": 1, "cpus_given": 2.0, "memory_given": 2 << 30, "gpus_given": [], **more,
    }  # fmt: skip


BUSY = task(
    gpus=[
        {"index": 0, "busy": line(80.0), "memory": line(30 << 30)},
        {"index": 1, "busy": line(90.0), "memory": line(None)},
    ],
    gpus_given=[0, 1],
)
IDLE = task("worker-1", times=[], cpus=line(), memory=line(), gpus_given=[2, 3], gpus=[])


@pytest.fixture
def running(server: FakeServer) -> FakeServer:
    server.on("GET", "jobs", {"items": [ROW], "next_cursor": None, "total": 1})
    server.on("GET", "jobs/train", ROW)
    server.on("GET", "jobs/j1/usage", {"items": [BUSY, IDLE], "measured_every": 5_000})
    return server


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in text.splitlines()]


def test_ones_running_jobs_are_shown_task_by_task(danlu: Danlu, running: FakeServer):
    shown = danlu("top")
    assert shown.code == 0
    heading, busy, idle = cells(shown.out)
    assert heading == [show.heading_said(name) for name in top.COLUMNS]
    assert busy == [
        "train", "worker-0", "a100-0", "1.53 of 2", "812 MiB of 2 GiB", "0,1", "85 %", "30 GiB",
    ]  # fmt: skip
    assert idle == ["train", "worker-1", "a100-0", "-", "-", "2,3", "-", "-"]
    (listed,) = running.asked("GET", "jobs")
    assert (listed.one("owner"), listed.query["state"]) == ("me", ["starting", "running", "stopping"])
    assert running.asked("GET", "jobs/j1/usage")[0].one("window") == "30s"


def test_jobs_that_are_named_are_shown_whatever_their_state(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs/done-one", {"id": "j2", "name": "done-one", "state": "completed"})
    server.on("GET", "jobs/j2/usage", {"items": [task()], "measured_every": 5_000})
    server.on("GET", "jobs/new-one", {"id": "j3", "name": "new-one", "state": "queued"})
    server.on("GET", "jobs/j3/usage", {"items": [], "measured_every": 5_000})
    shown = danlu("top", "done-one", "new-one", "--once")
    assert [row[0] for row in cells(shown.out)] == ["JOB", "done-one"]
    assert shown.err.splitlines() == [
        "done-one is completed; this is what it used last.",
        "new-one is queued and has not run yet.",
    ]


def test_as_json_the_answers_come_as_they_are(danlu: Danlu, running: FakeServer):
    (found,) = json.loads(danlu("top", "--json").out)["items"]
    assert (found["job_id"], found["job_name"], found["state"]) == ("j1", "train", "running")
    assert found["items"] == [BUSY, IDLE]


def test_where_nothing_runs_it_says_what_to_do(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs", {"items": [], "next_cursor": None, "total": 0})
    shown = danlu("top")
    assert (shown.code, shown.out) == (0, "")
    assert shown.err.startswith("None of your jobs is running. ")


def test_a_job_that_is_deleted_meanwhile_is_left_out_and_an_unknown_one_is_told(
    danlu: Danlu, running: FakeServer
):
    running.on("GET", "jobs/j1/usage", problem(404, "not_found", "there is no job 'j1'"))
    assert danlu("top").code == 0
    unknown = danlu("top", "trian")
    assert unknown.code == 4
    assert "Did you mean 'train'?" in unknown.err


def test_on_a_terminal_it_is_shown_again_and_an_outage_is_waited_out(
    danlu: Danlu, running: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            running.on("GET", "jobs", problem(503, "unavailable", "busy"))
        elif len(pauses) == 2:
            running.on("GET", "jobs", {"items": [ROW], "next_cursor": None, "total": 1})
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr(top, "on_terminal", lambda: True)
    monkeypatch.setattr("time.sleep", pause)
    shown = danlu("top")
    assert shown.code == 130
    assert shown.out.count("JOB") == 2
    assert shown.err.count("connection lost, waiting") == 1
    assert pauses == [3, 3, 3]
