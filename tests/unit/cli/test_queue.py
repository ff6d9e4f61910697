"""What the commands of the queue ask of the server and what they print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

SINGLE = {"gpu_model": "A100", "class": "single"}
PLAIN = {"gpu_model": "cpu", "class": "distributed"}
REASON = {
    "code": "not_enough_gpus",
    "params": {},
    "text": {"en": "needs 8 × A100", "zh": "需要 8 × A100"},
    "meaning": {"en": "All are busy.", "zh": "正忙。"},
    "advice": {"en": "Wait.", "zh": "请等待。"},
}


def item(position: int, lane: dict[str, str] = SINGLE, **more: Any) -> dict[str, Any]:
    return {
        "lane": lane, "position": position, "owner": "otto", "project": "public", "kind": "training",
        "class": lane["class"], "priority": "normal", "gpus": 8.0, "gpu_model": "A100", "cpus": 8.0, "memory": 2**30,
        "nodes": 1, "created_at": "2020-01-01T00:00:00.000Z", "queued_at": "2020-01-01T00:00:00.000Z",
        "pinned_at": None, "mine": False, "job_id": None, "name": None, "reason": None, **more,
    }  # fmt: skip


MINE = item(
    2, owner="eve", mine=True, job_id="j1", name="train", reason=REASON, pinned_at="2020-01-02T00:00:00Z"
)
THEIRS = item(1)
SMALL = item(1, PLAIN, gpus=0.0, gpu_model=None, nodes=3)
LANES = [
    {**SINGLE, "waiting": 2, "work_seconds": 7800.0, "gpu_hours": 17.333, "without_estimate": 1},
    {**PLAIN, "waiting": 1, "work_seconds": 8.0, "gpu_hours": 0.0, "without_estimate": 0},
]
HOLDER = {
    "gpu_model": "A100", "gpus": 8.0, "nodes": 1, "owner": "mei", "kind": "training", "class": "single", "state": "running",
    "began_at": "2020-01-01T00:00:00.000Z", "expected_end": "2020-01-01T01:00:00.000Z", "latest_end": None, "mine": False,
    "job_id": None, "name": None,
}  # fmt: skip
HELD: dict[str, Any] = {
    "items": [HOLDER],
    "next_cursor": None,
    "models": [{"gpu_model": "A100", "total": 8.0, "held": 8.0, "free": 0.0, "jobs": 1}],
}
NOBODY: dict[str, Any] = {"items": [], "next_cursor": None, "models": []}
CLASSES = [
    {"class": "single", "waiting": 2, "work_seconds": 7800.0, "gpu_hours": 17.333, "without_estimate": 1},
    {"class": "distributed", "waiting": 1, "work_seconds": 0.0, "gpu_hours": 0.0, "without_estimate": 1},
]
PAGE = {"items": [THEIRS, MINE, SMALL], "next_cursor": None, "lanes": LANES, "classes": CLASSES}
JOB = {"id": "j1", "name": "train", "state": "queued", "reason": REASON, "waiting": REASON, "spec": {}}
WHY: dict[str, Any] = {
    "state": "queued",
    "reason": REASON,
    "places": [{"lane": SINGLE, "position": 2, "waiting": 3}],
    "ahead": [THEIRS],
    "ahead_total": 1,
    "helps": [
        {
            "change": "gpus",
            "value": "4",
            "text": {"en": "with 4 GPUs per task it would start now", "zh": "四"},
            "command": "danlu edit train --gpus 4",
        }
    ],
    "holders": [HOLDER],
    "models": HELD["models"],
}


def words(line: str) -> list[str]:
    return line.split()


def test_the_queue_is_a_table_for_each_lane_in_order(danlu: Danlu, server: FakeServer):
    server.on("GET", "queue", PAGE)
    server.on("GET", "queue/holders", HELD)
    result = danlu("queue")
    held, titles, holder, _, *lines = result.out.splitlines()
    assert held == "A100: 8 of 8 GPUs held"
    assert words(titles) == ["OWNER", "NAME", "KIND", "GPUS", "NODES", "RUNS", "ENDS"]
    assert words(holder)[:5] == ["mei", "–", "training", "8", "1"]
    assert holder.endswith("past its expected time")
    heading, columns, theirs, mine, _, other, _, small = lines
    assert heading == (
        "A100, single: 2 waiting, at least 2h 10m of work (17.3 GPU-hours); 1 without an estimate"
    )
    assert words(columns)[:4] == ["#", "OWNER", "NAME", "SIZE"]
    assert words(theirs)[:7] == ["1", "otto", "–", "8", "A100", "1", "normal"]
    assert words(mine)[:8] == ["2", "eve", "train", "8", "A100", "1", "normal", "(pinned)"]
    assert mine.endswith("needs 8 × A100")
    assert other == "no GPU, distributed: 1 waiting, 8s of work"
    assert words(small)[:6] == ["1", "otto", "–", "8", "CPUs", "3"]
    assert json.loads(danlu("queue", "--json").out) == {
        "items": PAGE["items"],
        "lanes": LANES,
        "classes": CLASSES,
        "holders": [HOLDER],
        "models": HELD["models"],
    }
    assert "distributed, all lanes: 1 waiting, work unknown: no job tells how long it takes." in result.err


def test_options_say_which_part_of_the_queue(danlu: Danlu, server: FakeServer):
    server.on("GET", "queue", PAGE)
    danlu("queue", "--lane", "A100", "--class", "single", "--project", "nlp", "--mine", "-n", "7")
    (asked,) = server.requests
    assert asked.query == {
        "lane": ["A100"], "class": ["single"], "project": ["nlp"], "owner": ["me"], "limit": ["7"],
    }  # fmt: skip
    assert danlu("queue", "--class", "huge").code == 2


def test_a_long_queue_is_cut_and_says_so_or_comes_whole(danlu: Danlu, server: FakeServer):
    first, last = {**PAGE, "items": [THEIRS], "next_cursor": "c"}, {**PAGE, "items": [MINE]}
    server.on("GET", "queue", first, last)
    server.on("GET", "queue/holders", HELD)
    assert "The first 1 are shown; --limit 0 shows all." in danlu("queue", "-n", "1").err
    server.on("GET", "queue", first, last)
    assert [one["position"] for one in json.loads(danlu("queue", "-n", "0", "--json").out)["items"]] == [1, 2]
    assert "c" in [asked.query.get("cursor", [""])[0] for asked in server.requests]


def test_an_empty_queue_says_what_to_do(danlu: Danlu, server: FakeServer):
    server.on("GET", "queue", {"items": [], "next_cursor": None, "lanes": []})
    server.on("GET", "queue/holders", NOBODY)
    result = danlu("queue")
    assert (result.code, result.out) == (0, "")
    assert "The queue is empty." in result.err
    assert "danlu submit" in result.err
    server.on("GET", "queue", {"items": [], "next_cursor": None, "lanes": LANES})
    assert (
        danlu("queue", "--mine").err
        == "None of your jobs is waiting there; 'danlu queue' shows the whole queue.\n"
    )
    assert danlu("queue", "--lane", "V100").err.startswith("No jobs are waiting there;")


def test_why_says_who_is_ahead_and_what_would_start_it(danlu: Danlu, server: FakeServer, monkeypatch):
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1/why", WHY)
    said = danlu("why", "train").out
    assert said.startswith("train is queued: needs 8 × A100\nAll are busy.\nWait.\n")
    assert "It is number 2 of 3 in the lane A100, single." in said
    assert "Ahead of it for A100, single:" in said
    assert "otto" in said
    assert "A100: 8 of 8 GPUs held" in said
    advice = (
        "What would start it now:\n  with 4 GPUs per task it would start now\n    danlu edit train --gpus 4\n"
    )
    assert said.endswith(advice)
    assert json.loads(danlu("why", "train", "--json").out) == WHY
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "四" in danlu("why", "train").out


def test_the_advice_of_why_works_as_printed_and_changes_only_what_it_says(danlu: Danlu, server: FakeServer):
    server.on("PATCH", "jobs/train/spec", JOB)
    assert danlu(*WHY["helps"][0]["command"].split()[1:]).out == "j1\n"
    assert server.requests[-1].json() == {"gpus": 4.0}
    danlu("edit", "train", "--without", "topology", "--project", "nlp")
    assert server.requests[-1].json() == {"project": "nlp", "without": ["topology"]}
    assert danlu("edit", "train", "--gpus", "4", "-f", "job.yaml").code == 2


def test_why_shows_the_first_of_a_crowd(danlu: Danlu, server: FakeServer):
    crowd = {**WHY, "places": [{"lane": SINGLE, "position": 43}], "ahead": [item(at) for at in range(1, 43)]}
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1/why", crowd)
    assert "… and 32 more; 'danlu queue' shows all." in danlu("why", "train").out


def test_why_of_a_job_that_started_meanwhile_says_so(danlu: Danlu, server: FakeServer):
    running = {**JOB, "state": "running", "reason": None, "waiting": None}
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1", running)
    server.on("GET", "jobs/j1/why", problem(409, "wrong_state", "train is running"))
    assert danlu("why", "train").out == "train is running. Nothing blocks it.\n"
    server.on("GET", "jobs/j1/why", {**WHY, "reason": None})
    server.on("GET", "jobs/train", {**JOB, "reason": None, "waiting": None})
    assert "it starts in a moment" in danlu("why", "train").out


def test_jobs_are_pinned_and_unpinned_and_one_that_fails_does_not_keep_the_others(
    danlu: Danlu, server: FakeServer
):
    for method in ("PUT", "DELETE"):
        server.on(method, "jobs/train/pin", JOB)
        server.on(method, "jobs/other/pin", problem(409, "wrong_state", "other is stopped"))
    result = danlu("pin", "other", "train")
    assert result.code == 1
    assert "other is stopped" in result.err
    assert "Pinned train" in result.err
    assert danlu("unpin", "train").err == "Unpinned train.\n"
    server.on(
        "PUT", "jobs/train/pin", problem(403, "not_allowed", "eve does not have the permission queue:pin")
    )
    assert danlu("pin", "train").code == 3


def test_a_job_is_moved_before_or_after_another(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs/train/order", {"items": [JOB, {**JOB, "name": "other"}]}, {"items": []})
    moved = danlu("order", "train", "--before", "other")
    assert server.requests[0].json() == {"before": "other"}
    assert "train is now right before other" in moved.err
    assert "train, other" in moved.err
    assert "already" in danlu("order", "train", "--before", "other").err
    assert json.loads(danlu("order", "train", "--before", "other", "--json").out) == {"items": []}
    danlu("order", "train", "--after", "other")
    assert server.requests[-1].json() == {"after": "other"}
    assert danlu("order", "train").code == 2
    assert danlu("order", "train", "--before", "other", "--after", "other").code == 2


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────

SCORE = {"user": "eve", "score_time": "6h", "scores": [{"model": "A100", "score": 5.0567, "held": 8.0}]}
ROW = {
    "job_id": "j1", "job_name": "train", "attempt": 1, "task": "worker-0", "model": "A100", "amount": 8.0,
    "began": "2020-01-01T00:00:00.000Z", "ended": None, "adds": 5.0567,
}  # fmt: skip


def test_a_score_is_shown_by_model(danlu: Danlu, server: FakeServer):
    server.on("GET", "scores", {"items": [SCORE], "next_cursor": None})
    server.on("GET", "scores/otto", {**SCORE, "user": "otto"})
    result = danlu("score")
    assert [words(line) for line in result.out.splitlines()] == [
        ["USER", "MODEL", "SCORE", "HELD"],
        ["eve", "A100", "5.06", "8"],
    ]
    assert "After 6h without usage, 37 % of a score is left" in result.err
    assert words(danlu("score", "otto").out.splitlines()[1])[0] == "otto"
    assert json.loads(danlu("score", "--json").out) == {"items": [SCORE]}


@pytest.mark.parametrize("line", [["score"], ["score", "--model", "V100"], ["score", "--ledger"]])
def test_no_score_says_what_that_means(danlu: Danlu, server: FakeServer, line):
    server.on("GET", "session", {"user": {"name": "eve"}})
    server.on("GET", "scores", {"items": [{**SCORE, "scores": []}], "next_cursor": None})
    server.on("GET", "scores/eve/ledger", {"items": [], "next_cursor": None})
    result = danlu(*line)
    assert (result.code, result.out) == (0, "")
    assert "the lowest score goes first" in result.err


def test_a_ledger_is_shown_row_by_row(danlu: Danlu, server: FakeServer):
    ended = {**ROW, "task": "worker-1", "ended": "2020-01-01T06:00:00.000Z", "adds": 1.23456}
    server.on("GET", "session", {"user": {"name": "eve"}})
    server.on("GET", "scores/eve/ledger", Reply(body={"items": [ROW, ended], "next_cursor": None}))
    _, held, given_back = danlu("score", "--ledger", "--model", "A100").out.splitlines()
    assert "still held" in held
    assert held.endswith("5.057")
    assert given_back.endswith("1.235")
    assert server.requests[-1].one("model") == "A100"
    assert json.loads(danlu("score", "eve", "--ledger", "--json").out) == {"items": [ROW, ended]}


def test_show_says_that_it_is_pinned_and_where_room_is_being_made(danlu: Danlu, server: FakeServer):
    made = {**JOB, "pinned_at": "2020-01-01T00:00:00.000Z", "nominated": ["a100-0", "a100-1"]}
    server.on("GET", "jobs/train", made)
    said = danlu("show", "train").out
    assert "being freed on a100-0, a100-1" in said
    assert any(line.startswith("pinned") for line in said.splitlines())


THEIR_ENDED = {
    "owner": "otto", "project": "public", "kind": "workspace", "class": "workspace", "priority": "normal",
    "state": "completed", "gpus": 0.0, "gpu_model": None, "cpus": 4.0, "memory": 2**30, "nodes": 1,
    "created_at": "2020-01-01T00:00:00.000Z", "queued_at": None, "started_at": "2020-01-01T00:00:00.000Z",
    "ended_at": "2020-01-01T01:00:00.000Z", "mine": False, "job_id": None, "name": None, "reason": None,
}  # fmt: skip


def test_all_lists_everybodys_jobs_in_every_state_page_by_page(danlu: Danlu, server: FakeServer):
    mine = {**THEIR_ENDED, "owner": "eve", "mine": True, "job_id": "j1", "name": "train#2", "state": "failed"}
    first = {"items": [THEIR_ENDED], "next_cursor": "7.1", "total": 2}
    server.on("GET", "queue/jobs", first, {"items": [mine], "next_cursor": None, "total": 2}, first)
    out = danlu("queue", "--all", "-s", "completed", "-s", "failed").out.splitlines()
    assert out[1].split()[:6] == ["otto", "–", "workspace", "completed", "4", "CPUs"]
    assert out[2].split()[:4] == ["eve", "train#2", "workspace", "failed"]
    assert server.requests[1].query["cursor"] == ["7.1"]
    assert server.requests[0].query["state"] == ["completed", "failed"]
    result = danlu("queue", "-A", "--limit", "1")
    assert "1 of 2 shown; --limit 0 shows all." in result.err


@pytest.mark.parametrize("words", ["queue --all --lane A100", "queue -A --class single", "queue -s failed"])
def test_what_only_the_queue_or_only_all_jobs_know_is_wrong_use_of_the_other(
    danlu: Danlu, server: FakeServer, words: str
):
    result = danlu(*words.split())
    assert (result.code, server.requests) == (2, [])
    assert "--all" in result.err


def test_who_holds_gpus_that_nobody_waits_for_is_shown_too(danlu: Danlu, server: FakeServer):
    server.on("GET", "queue", PAGE)
    models = [{**HELD["models"][0], "gpu_model": "T4"}]
    server.on("GET", "queue/holders", {**HELD, "items": [{**HOLDER, "gpu_model": "T4"}], "models": models})
    assert danlu("queue").out.startswith("T4: 8 of 8 GPUs held\n")
