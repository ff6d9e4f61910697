"""`danlu metrics`: what it asks, what it shows, and how it goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from danlu.cli.jobs import metrics
from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

JOB = {"id": "j1", "name": "train", "state": "running"}


def name(
    name: str, value: float | None, step: int = 1_200, tasks: tuple[str, ...] = ("worker-0",)
) -> dict[str, Any]:
    return {"name": name, "tasks": list(tasks), "last": {"step": step, "time": 5, "value": value}}


def line(name: str, *values: float | None, task: str = "worker-0", first: int = 1) -> dict[str, Any]:
    steps = list(range(first, first + len(values)))
    told = {"steps": steps, "times": [1_000 * step for step in steps], "values": list(values)}
    return {"name": name, "role": "worker", "task": task, "attempt": 1, **told, "low": [], "high": []}


def answer(names: list[dict[str, Any]], series: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    pace = {"steps_per_second": 3.14159, "over_ms": 300_000}
    return {
        "names": names, "series": series, "latest_step": 1_200, "throughput": pace, "gpu": {"busy": 43.2},
        "hint": None, **more,
    }  # fmt: skip


TOLD = answer(
    [name("accuracy", None), name("loss", 0.123456)], [line("accuracy", None), line("loss", 2.0, None, 1.0)]
)
NOTHING = answer(
    [], [], latest_step=None, throughput={"steps_per_second": None, "over_ms": 0}, gpu={"busy": None}
)


@pytest.fixture
def running(server: FakeServer) -> FakeServer:
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1", {**JOB, "state": "completed"})
    server.on("GET", "jobs/j1/metrics", TOLD)
    return server


def test_names_are_shown_with_their_last_value_and_the_pace(danlu: Danlu, running: FakeServer):
    shown = danlu("metrics", "train")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines() == [
        "METRIC       LAST   STEP",
        "accuracy      nan  1,200",
        "loss      0.12346  1,200",
        "",
        "step 1,200, 3.14 steps per second over 5m 00s, GPUs 43 % busy",
    ]
    assert running.asked("GET", "jobs/j1/metrics")[0].query == {"points": ["40"]}


def test_how_far_it_is_is_said_where_the_training_told_how_far_it_goes(danlu: Danlu, running: FakeServer):
    running.on("GET", "jobs/j1/metrics", {**TOLD, "total_steps": 6_000})
    assert danlu("metrics", "train").out.splitlines()[-1].startswith("step 1,200 of 6,000, 3.14 steps")


def test_on_a_terminal_lines_are_drawn_small(
    danlu: Danlu, running: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(metrics, "on_terminal", lambda: True)
    assert danlu("metrics", "train").out.splitlines()[2].endswith("1,200  █ ▁")


@pytest.mark.parametrize(
    ("values", "plot"),
    [((), ""), ((None, None), ""), ((1.0, 1.0), "▁▁"), ((0.0, 1.0, 2.0), "▁▅█"), ((-1.0, None, 1.0), "▁ █")],
)
def test_a_plot_goes_from_the_lowest_value_to_the_highest(values: tuple[float | None, ...], plot: str):
    assert metrics.spark(values) == plot


def test_chosen_names_of_a_task_and_an_attempt_are_asked_for(danlu: Danlu, running: FakeServer):
    shown = danlu("metrics", "train", "loss", "--task", "worker-1", "--attempt", "2")
    assert "accuracy" not in shown.out
    assert running.asked("GET", "jobs/j1/metrics")[0].query == {
        "name": ["loss"], "task": ["worker-1"], "attempt": ["2"], "points": ["40"],
    }  # fmt: skip


def test_how_many_tasks_told_is_shown_where_several_did(danlu: Danlu, running: FakeServer):
    both = name("loss", 1.0, tasks=("worker-0", "worker-1"))
    running.on("GET", "jobs/j1/metrics", answer([both, name("lr", 0.1)], []))
    heading, loss, lr, *_ = danlu("metrics", "train").out.splitlines()
    assert (heading.split()[-1], loss.split()[-1], lr.split()[-1]) == ("TASKS", "2", "1")


def test_an_unknown_metric_is_told_its_likely_meaning(danlu: Danlu, running: FakeServer):
    shown = danlu("metrics", "train", "los")
    assert shown.code == 4
    assert "no metric 'los'; did you mean 'loss'?" in shown.err
    assert "there are: accuracy, loss" in danlu("metrics", "train", "perplexity").err


def test_an_unknown_job_is_told_its_likely_meaning_and_a_task_what_there_is(
    danlu: Danlu, running: FakeServer
):
    running.on("GET", "jobs", {"items": [JOB], "next_cursor": None, "total": 1})
    assert "Did you mean 'train'?" in danlu("metrics", "trian").err
    running.on("GET", "jobs/j1/metrics", problem(404, "not_found", "the job has no task 'w'"))
    shown = danlu("metrics", "train", "--task", "w")
    assert (shown.code, "no task 'w'" in shown.err) == (4, True)


def test_a_training_that_tells_nothing_is_told_how_to(danlu: Danlu, running: FakeServer):
    running.on("GET", "jobs/j1/metrics", NOTHING)
    shown = danlu("metrics", "train")
    assert (shown.code, shown.out) == (0, "")
    assert "danlu.log(step, loss=…)" in shown.err
    assert "TensorBoard" in shown.err


def test_what_holds_it_up_is_said_in_ones_language(
    danlu: Danlu, running: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    running.on("GET", "jobs/j1/metrics", {**TOLD, "hint": {"en": "The GPUs wait.", "zh": "GPU 在等待。"}})
    assert danlu("metrics", "train").err == "The GPUs wait.\n"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert danlu("metrics", "train").err == "GPU 在等待。\n"


def test_as_json_the_answer_comes_as_it_is(danlu: Danlu, running: FakeServer):
    assert json.loads(danlu("metrics", "train", "--json").out) == TOLD
    assert danlu("metrics", "train", "--json", "--follow").code == 2


def test_the_table_of_all_values_is_passed_on(danlu: Danlu, running: FakeServer):
    table = b"step,time,name,task,value\r\n1,10,loss,worker-0,0.5\r\n"
    running.on("GET", "jobs/j1/metrics", Reply(pieces=[table], drop=True))
    assert danlu("metrics", "train", "loss", "--csv").out.encode() == table
    assert running.asked("GET", "jobs/j1/metrics")[0].query == {"name": ["loss"], "format": ["csv"]}


def paused(then: Callable[[int], None]) -> Callable[[float], None]:
    count = 0

    def pause(seconds: float) -> None:
        nonlocal count
        count += 1
        then(count)

    return pause


def test_in_a_pipe_new_points_follow_until_the_job_has_ended(
    danlu: Danlu, running: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    def later(count: int) -> None:
        grown = [line("loss", 2.0, 1.0, None), line("loss", 5.0, task="worker-1", first=2)]
        running.on("GET", "jobs/j1/metrics", answer([], grown))
        running.on("GET", "jobs/j1", {**JOB, "state": "running" if count == 1 else "completed"})

    monkeypatch.setattr("time.sleep", paused(later))
    running.on("GET", "jobs/j1/metrics", answer([], [line("loss", 2.0)]))
    shown = danlu("metrics", "train", "--follow")
    assert shown.out.splitlines() == [
        "step,time,name,task,value",
        "1,1000,loss,worker-0,2.0",
        "2,2000,loss,worker-0,1.0",
        "2,2000,loss,worker-1,5.0",
        "3,3000,loss,worker-0,nan",
    ]
    assert len(running.asked("GET", "jobs/j1/metrics")) == 3


def test_on_a_terminal_it_is_shown_again_and_an_outage_is_waited_out(
    danlu: Danlu, running: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    def later(count: int) -> None:
        state = "running" if count < 3 else "completed"
        busy = problem(503, "unavailable", "busy")
        running.on("GET", "jobs/j1", busy if count == 1 else {**JOB, "state": state})

    monkeypatch.setattr(metrics, "on_terminal", lambda: True)
    monkeypatch.setattr("time.sleep", paused(later))
    shown = danlu("metrics", "train", "--follow")
    assert shown.code == 0
    assert shown.out.count("METRIC") == 3
    assert shown.err.count("connection lost, waiting") == 1


def test_start_and_restart_go_on_from_the_checkpoint_unless_fresh(danlu: Danlu, server: FakeServer):
    for verb in ("start", "restart"):
        server.on("POST", f"jobs/train/{verb}", {**JOB, "state": "queued"})
        assert danlu(verb, "train").out == "j1\n"
        assert danlu(verb, "train", "--fresh").out == "j1\n"
        usual, fresh = server.asked("POST", f"jobs/train/{verb}")
        assert (usual.body, fresh.json()) == (b"", {"fresh": True})


STORY = {"en": "worker-1 lost its node; the job restarted from checkpoint step 12,000", "zh": "…"}
SAVED = {"path": "/data/ckpt/12000", "step": 12_000, "at": "2026-01-01T00:00:00.000Z", "attempt": 1}


def test_show_tells_the_checkpoint_the_stories_and_the_work_lost(danlu: Danlu, server: FakeServer):
    first = {"number": 1, "state": "failed", "story": STORY, "resumed": None, "saved": SAVED, "lost": 95.0}
    second = {"number": 2, "state": "running", "story": None, "resumed": SAVED, "saved": None, "lost": 0.0}
    found = {
        **JOB, "saved": SAVED, "lost": 7_800.0, "framework": "pytorch", "strategy": "ddp", "tasks": [],
        "attempts": [first, second],
    }  # fmt: skip
    server.on("GET", "jobs/train", found)
    out = danlu("show", "train").out
    shown = {row.split("  ")[0]: row for row in out.splitlines()}
    assert shown["framework"].endswith("pytorch (ddp)")
    assert "step 12,000, " in shown["checkpoint"]
    assert shown["checkpoint"].endswith(" ago, /data/ckpt/12000")
    assert shown["lost"].endswith("2h 10m of GPU time")
    assert shown["ATTEMPT"].split() == ["ATTEMPT", "STATE", "STARTED", "RAN", "FROM", "SAVED", "LOST", "WHY"]
    assert shown["1"].endswith(f"step 12,000  1m 35s  {STORY['en']}")
    assert shown["2"].endswith("step 12,000")


def test_show_is_silent_about_what_there_is_not(danlu: Danlu, server: FakeServer):
    plain = {"number": 1, "state": "stopped", "story": None, "resumed": None, "saved": None, "lost": 0.0}
    found = {
        **JOB,
        "saved": None,
        "lost": 0.0,
        "framework": "none",
        "strategy": "",
        "attempts": [plain, plain],
    }
    server.on("GET", "jobs/train", found)
    out = danlu("show", "train").out
    for word in ("checkpoint", "lost", "framework", "FROM", "SAVED", "LOST"):
        assert word not in out
