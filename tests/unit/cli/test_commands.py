"""What commands ask of the server and what they print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from danlu.cli.system import reference
from tests.fakes.http_server import FakeServer, Reply, Request, problem
from tests.unit.cli.conftest import Danlu

REASON = {
    "code": "not_enough_gpus",
    "params": {},
    "text": {"en": "4 GPUs wanted, 3 free", "zh": "需要 4 张卡"},
    "meaning": {"en": "All are busy."},
    "advice": {"en": "Wait."},
}
JOB = {
    "id": "j1",
    "name": "train",
    "kind": "training",
    "class": "single",
    "state": "queued",
    "owner": "ann",
    "project": "public",
    "gpus": 4.0,
    "gpu_model": "A100",
    "cpus": 8,
    "memory": 2**34,
    "nodes": 1,
    "version": 1,
    "attempt": 0,
    "reason": REASON,
    "waiting": REASON,
    "spec": {"kind": "training", "name": "train", "command": ["python", "a b.py"]},
    "tasks": [],
    "attempts": [],
    "created_at": "2026-01-01T00:00:00.000Z",
}


def test_ls_shows_ones_own_jobs_as_aligned_text(danlu: Danlu, server: FakeServer):
    server.on(
        "GET",
        "jobs",
        {"items": [JOB, {**JOB, "id": "j2", "name": "longer-name"}], "next_cursor": None, "total": 9},
    )
    result = danlu("ls", "--state", "queued", "--search", "a")
    lines = result.out.splitlines()
    assert lines[0].split() == ["ID", "NAME", "STATE", "PROJECT", "GPUS", "TASKS", "AGE", "RAN", "WHY"]
    assert lines[1].split()[:3] == ["j1", "train", "queued"]
    assert lines[1].index("queued") == lines[2].index("queued")
    assert "\x1b" not in result.out
    assert "2 of 9 shown" in result.err
    asked = server.requests[0]
    assert (asked.one("owner"), asked.one("state"), asked.one("search")) == ("me", "queued", "a")


def test_ls_wide_shows_where_jobs_run_how_far_they_are_and_their_metric(danlu: Danlu, server: FakeServer):
    told = {"step": 42, "total_steps": 100, "metric": "loss", "value": 0.23149, "at": "2026-01-01T00:00:00Z"}
    runs = {**JOB, "state": "running", "reason": None, "placed": ["gpu-1", "gpu-2"], "latest": told}
    broken = {**runs, "placed": ["gpu-3"], "latest": {**told, "total_steps": None, "value": None}}
    server.on("GET", "jobs", {"items": [runs, broken, JOB], "next_cursor": None, "total": 3})

    head, *lines = danlu("ls", "--wide").out.splitlines()

    assert head.split()[-4:] == ["NODE", "PROGRESS", "METRIC", "WHY"]
    assert lines[0].split()[-5:] == ["gpu-1", "+1", "42%", "loss", "0.2315"]
    assert lines[1].split()[-3:] == ["gpu-3", "loss", "nan"]
    assert "gpu-" not in lines[2]


def test_ls_of_nothing_says_what_to_do(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs", {"items": [], "next_cursor": None, "total": 0})
    result = danlu("ls", "-A")
    assert (result.code, result.out) == (0, "")
    assert "danlu run" in result.err
    assert server.requests[0].one("owner") is None


def test_ls_json_is_what_the_server_said(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs", {"items": [JOB], "next_cursor": None, "total": 1})
    assert json.loads(danlu("ls", "--json").out) == {"items": [JOB], "total": 1}


def test_watching_outlives_a_restart_of_the_server(danlu: Danlu, server: FakeServer, monkeypatch):
    naps = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", nap)
    away = problem(503, "unavailable", "starting")
    rows = {"items": [JOB], "next_cursor": None, "total": 1}
    server.on("GET", "jobs", rows, Reply(silent=True), Reply(silent=True), away, rows)
    result = danlu("ls", "-w", "-q")
    assert result.out == "j1\nj1\n"
    assert result.err.strip() == "connection lost, waiting…"
    assert result.code == 130


def test_ls_goes_on_to_the_limit(danlu: Danlu, server: FakeServer):
    server.on(
        "GET",
        "jobs",
        lambda request: Reply(body={"items": [JOB] * int(request.one("limit")), "next_cursor": "c"}),
    )
    assert len(danlu("ls", "-q", "-n", "250").out.splitlines()) == 250
    assert [one.one("limit") for one in server.requests] == ["200", "50"]


def test_a_sentence_is_in_the_readers_language(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    server.on("GET", "jobs/train", JOB)
    assert "需要 4 张卡" in danlu("why", "train").out


def test_why_gives_reason_meaning_and_advice(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs/train", JOB)
    assert danlu("why", "train").out == "train is queued: 4 GPUs wanted, 3 free\nAll are busy.\nWait.\n"


def test_show_has_tasks_and_attempts(danlu: Danlu, server: FakeServer):
    task = {"name": "worker-0", "state": "failed", "node": "n1", "gpus": [0, 1], "exit_code": 7}
    attempts = [{"number": 1, "state": "failed"}, {"number": 2, "state": "running"}]
    server.on("GET", "jobs/train", {**JOB, "tasks": [task], "attempts": attempts})
    out = danlu("show", "train").out
    assert "python 'a b.py'" in out
    assert "4 A100 GPUs, 8 CPUs, 16 GiB" in out
    assert "NODE  GPU IDS  EXIT" in out
    assert "worker-0  failed  n1    0,1      7" in out
    assert "ATTEMPT" in out
    assert "cloned from" not in out


def test_show_says_which_tasks_were_started_again_and_where_their_tries_are(danlu: Danlu, server: FakeServer):
    failed = {"code": "exit_code", "text": {"en": "exit code 7"}}
    tasks = [
        {"name": "worker-0", "state": "failed", "reason": failed, "tries": 2},
        {"name": "worker-1", "state": "running", "tries": 1},
    ]
    server.on("GET", "jobs/train", {**JOB, "tasks": tasks})
    out = danlu("show", "train").out
    assert "exit code 7; restarted 2 times\n" in out
    assert " restarted once\n" in out
    assert "danlu logs train --task worker-0 --try 0" in out


def test_stacks_of_a_job_that_has_ended_are_said_to_be_kept(danlu: Danlu, server: FakeServer):
    kept = {
        "task": "worker-0",
        "attempt": 1,
        "cause": "hung",
        "taken_at": "2026-01-01T12:00:00Z",
        "text": "x",
    }
    server.on("GET", "jobs/train", {**JOB, "state": "failed"})
    server.on("GET", f"jobs/{JOB['id']}/stacks", {"items": [kept]})
    result = danlu("stacks", "train")
    assert result.err.startswith("train is failed: showing saved stacks, the last taken at 202")
    assert "── worker-0, attempt 1, when it hung at 202" in result.out


def test_show_says_what_a_job_was_cloned_from(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs/train", {**JOB, "cloned_from": {"id": "j0", "name": "first"}})
    assert "cloned from  first (j0)" in danlu("show", "train").out


def test_ls_can_show_what_ended_last(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs", {"items": [JOB], "next_cursor": None, "total": 1})
    assert danlu("ls", "--sort", "-ended").code == 0
    assert server.requests[0].one("sort") == "-ended"


@pytest.mark.parametrize("verb", ["start", "stop", "restart", "reset"])
def test_a_verb_prints_the_id_for_scripts(danlu: Danlu, server: FakeServer, verb: str):
    server.on("POST", f"jobs/train/{verb}", JOB)
    result = danlu(verb, "train")
    assert (result.code, result.out) == (0, "j1\n")
    assert "idempotency-key" not in server.requests[0].headers, "the server would not do it only once"


def test_one_failure_does_not_keep_the_others(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs/a/stop", problem(409, "wrong_state", "a has ended"))
    server.on("POST", "jobs/b/stop", JOB)
    result = danlu("stop", "a", "b")
    assert (result.code, result.out) == (1, "j1\n")
    assert "a: a has ended" in result.err


def test_rm_force_stops_first(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    running = {**JOB, "state": "running"}
    server.on("GET", "jobs/train", running)
    server.on("POST", "jobs/j1/stop", running)
    server.on("GET", "jobs/j1", running, {**JOB, "state": "stopped"})
    server.on("DELETE", "jobs/j1", Reply(204))
    assert danlu("rm", "--force", "-y", "train").code == 0
    assert [one.method for one in server.requests] == ["GET", "POST", "GET", "GET", "DELETE"]


def test_rm_deletes_nothing_unasked_where_there_is_no_terminal(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs/train", JOB)
    server.on("DELETE", "jobs/j1", Reply(204))
    result = danlu("rm", "train")
    assert result.code == 2
    assert "repeat it with -y" in result.err
    assert server.requests == []
    assert danlu("rm", "-y", "train").code == 0


THIRD = {**JOB, "id": "j3", "run": 3, "numbered": True}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "train has had several runs; this is the latest, train#3.\n"),
        ("zh", "train 有多个轮次，此处为最新的 train#3。\n"),
    ],
)
def test_of_a_name_with_several_runs_it_is_told_which_one_was_meant(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch, language: str, said: str
):
    monkeypatch.setenv("DANLU_LANG", language)
    for ref in ("train", "eve:train", "train#3", "j3"):
        server.on("GET", f"jobs/{ref}", THIRD)
    server.on("POST", "jobs/train/stop", THIRD)
    assert danlu("show", "train").err == danlu("show", "eve:train").err == danlu("stop", "train").err == said
    assert json.loads(danlu("show", "train", "--json").out) == THIRD
    assert danlu("show", "train#3").err == danlu("show", "j3").err == ""
    server.on("GET", "jobs/train", JOB)
    assert danlu("show", "train").err == ""


def test_a_job_is_shown_with_its_number_once_its_name_has_several_runs(danlu: Danlu, server: FakeServer):
    rows = [
        {"id": "j3", "name": "train", "run": 1, "numbered": True, "state": "running"},
        {"id": "j2", "name": "alone", "run": 1, "numbered": False, "state": "running"},
    ]
    server.on("GET", "jobs", {"items": rows, "next_cursor": None})
    assert [line.split()[1] for line in danlu("ls").out.splitlines()[1:]] == ["train#1", "alone"]
    server.on("GET", "jobs/j3", {**THIRD, "run": 1})
    assert "train#1" in danlu("show", "j3").out


def test_what_was_asked_about_is_deleted_whatever_gets_its_name_meanwhile(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("danlu.cli.shared.asking.can_ask", lambda: True)
    for ref in ("train", "j3"):
        server.on("GET", f"jobs/{ref}", THIRD)
    server.on("DELETE", "jobs/j3", Reply(204))
    result = danlu("rm", "train", stdin="y\n")
    assert "Delete job train#3 with its logs and result files?" in result.out
    assert "Deleted train#3." in result.err


def test_clone_tells_the_new_id(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs/train", JOB)
    server.on("POST", "jobs/j1/clone", Reply(201, {**JOB, "id": "j2"}))
    server.on("GET", "jobs/j2", {**JOB, "id": "j2"})
    assert danlu("clone", "train", "--name", "again", "--start").out == "j2\n"
    assert server.requests[1].json() == {"name": "again", "start": True}


def test_submit_reads_standard_input_and_options_win(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs", Reply(201, JOB))
    text = "kind: training\nname: train\ncommand: x\nenv: {A: '1'}\n"
    assert danlu("submit", "-", "--name", "other", "--env", "B=2=3", stdin=text).out == "j1\n"
    sent = server.requests[0]
    assert sent.json() == {"kind": "training", "name": "other", "command": "x", "env": {"A": "1", "B": "2=3"}}
    assert sent.one("start") == "true"


def test_create_does_not_start(danlu: Danlu, server: FakeServer):
    Path("job.json").write_text('{"kind": "training", "name": "train"}')
    server.on("POST", "jobs", Reply(201, JOB))
    danlu("create", "job.json")
    assert server.requests[0].one("start") == "false"


def test_check_stores_nothing(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: training\nname: train\n")
    server.on(
        "POST", "jobs/check", {"valid": True, "errors": [], "would": {"starts_now": False, "reason": REASON}}
    )
    result = danlu("submit", "--check", "job.yaml")
    assert result.out == "job.yaml is valid; it would wait: 4 GPUs wanted, 3 free.\n"
    assert [one.path for one in server.requests] == ["/api/v1/jobs/check"]


def test_edit_takes_a_file(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: training\nname: train\ncommand: y\n")
    server.on("PUT", "jobs/train/spec", JOB)
    assert danlu("edit", "train", "--file", "job.yaml").code == 0
    assert server.requests[0].json()["command"] == "y"


def test_edit_opens_the_editor_on_yaml(danlu: Danlu, server: FakeServer, monkeypatch):
    server.on("GET", "jobs/train", JOB)
    server.on("PUT", "jobs/j1/spec", JOB)
    monkeypatch.setattr("click.edit", lambda text, extension: text.replace("a b.py", "c.py"))
    assert danlu("edit", "train").out == "j1\n"
    assert server.requests[-1].json() == {**JOB["spec"], "command": ["python", "c.py"]}  # type: ignore[dict-item]


def test_edit_without_a_change_sends_nothing(danlu: Danlu, server: FakeServer, monkeypatch):
    server.on("GET", "jobs/train", JOB)
    monkeypatch.setattr("click.edit", lambda text, extension: None)
    assert "Nothing was changed" in danlu("edit", "train").err


def test_logs_print_lines_with_their_times(danlu: Danlu, server: FakeServer):
    lines = [{"offset": 0, "time": "2026-01-01T00:00:00.250Z", "stream": "o", "text": "step 1"}]
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1/logs", {"lines": lines, "next_offset": 9, "end": True})
    assert danlu("logs", "train", "-n", "5").out == "step 1\n"
    assert server.requests[-1].one("tail") == "5"
    assert danlu("logs", "train", "--timestamps").out.endswith(".250  step 1\n")
    assert json.loads(danlu("logs", "train", "--json").out)["text"] == "step 1"


def test_logs_follow_and_search(danlu: Danlu, server: FakeServer):
    body = b'id: 9\nevent: lines\ndata: [[1, "o", "Loss 3"], [2, "e", "other"]]\n\nevent: end\ndata: {}\n\n'
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1/logs", Reply(pieces=[body]))
    assert danlu("logs", "-f", "train").out == "Loss 3\nother\n"
    assert danlu("logs", "-f", "--search", "loss", "train").out == "Loss 3\n"


@pytest.mark.parametrize("follow", [(), ("-f",)])
def test_logs_of_all_tasks_are_merged_by_time_with_whose_they_are(danlu: Danlu, server: FakeServer, follow):
    wrote = {"worker-0": [(1, "one"), (4, "four")], "worker-10": [(2, "two"), (3, "three")]}

    def answer(request: Request) -> Reply:
        lines = wrote[request.one("task") or ""]
        if request.one("follow"):
            told = json.dumps([[when, "o", text] for when, text in lines])
            return Reply(pieces=[f"id: 9\nevent: lines\ndata: {told}\n\nevent: end\ndata: {{}}\n\n".encode()])
        shown = [
            {"offset": at, "time": when, "stream": "o", "text": text} for at, (when, text) in enumerate(lines)
        ]
        return Reply(body={"lines": shown, "next_offset": 9, "end": True})

    tasks = [{"name": name, "state": "running", "node": "n1"} for name in wrote]
    for ref in ("train", "j1"):
        server.on("GET", f"jobs/{ref}", {**JOB, "nodes": 2, "tasks": tasks})
    server.on("GET", "jobs/j1/logs", answer)
    assert danlu("logs", *follow, "train").out.splitlines() == [
        "worker-0  │ one",
        "worker-10 │ two",
        "worker-10 │ three",
        "worker-0  │ four",
    ]
    told = [json.loads(line) for line in danlu("logs", "train", "--json").out.splitlines()]
    assert [one["task"] for one in told] == ["worker-0", "worker-10", "worker-10", "worker-0"]
    assert danlu("logs", "train", "--task", "worker-0").out == "one\nfour\n"


def test_events_are_a_list_of_sentences(danlu: Danlu, server: FakeServer):
    event = {
        "seq": 3,
        "time": "2026-01-01T00:00:00Z",
        "kind": "placed",
        "job_id": "j1",
        "actor": "ann",
        "text": {"en": "placed on n1"},
    }
    server.on("GET", "jobs/train", JOB)
    server.on("GET", "jobs/j1/events", {"items": [event], "next_cursor": None})
    assert danlu("events", "train").out.endswith("  placed on n1  (ann)\n")
    assert json.loads(danlu("events", "train", "--json").out) == event


def test_events_of_a_node_end_with_the_latest(danlu: Danlu, server: FakeServer):
    def event(seq: int, job: str | None) -> dict[str, object]:
        text = {"en": f"event {seq}"}
        return {"seq": seq, "time": "2026-01-01T00:00:00Z", "kind": "placed", "job_id": job, "text": text}

    latest_first = {"items": [event(9, None), event(4, "j1")], "next_cursor": None}
    server.on("GET", "nodes/n1/events", latest_first)
    lines = danlu("events", "--node", "n1").out.splitlines()
    assert [line.split("  ", 1)[1] for line in lines] == ["j1  event 4", "event 9"]
    assert server.requests[-1].one("limit") == "50"
    danlu("events", "--node", "n1", "-n", "7")
    assert server.requests[-1].one("limit") == "7"


@pytest.mark.parametrize("more", [["train"], ["--follow"]])
def test_events_of_a_node_go_with_nothing_else(danlu: Danlu, more: list[str]):
    result = danlu("events", "--node", "n1", *more)
    assert result.code == 2
    assert "--node cannot be combined with JOB or --follow" in result.err


def test_nodes_show_what_is_used(danlu: Danlu, server: FakeServer):
    node = {
        "name": "n1",
        "state": "ready",
        "virtual": True,
        "cpus": 64,
        "memory": 2**39,
        "gpu_model": "A100",
        "gpus": [{"index": 0}, {"index": 1}],
        "used": {"cpus": 4, "memory": 2**30, "gpus": 1.5},
        "tasks": [{"job_name": "train", "task": "worker-0", "owner": "ann", "gpus": [0], "started_at": None}],
    }
    server.on("GET", "nodes", {"items": [node]})
    server.on("GET", "nodes/n1", node)
    assert "n1 (virtual)  ready  1.5 of 2 A100  4 of 64  1 GiB of 512 GiB" in danlu("nodes").out
    assert "train  worker-0  ann" in danlu("nodes", "n1").out
    assert "CLUSTER" not in danlu("nodes").out


def test_nodes_of_clusters_show_which_and_what_others_hold(danlu: Danlu, server: FakeServer):
    node = {
        "name": "n1.east",
        "state": "cordoned",
        "cpus": 64,
        "memory": 2**39,
        "gpu_model": "A100",
        "gpus": [{"index": 0}, {"index": 1}],
        "used": {"cpus": 4, "memory": 2**30, "gpus": 1},
        "cluster": "east",
        "foreign": {"cpus": 1.5, "memory": 2**31, "gpus": 1},
        "why": "taint dedicated=others:NoSchedule",
    }
    server.on("GET", "nodes", {"items": [{**node, "name": "here", "cluster": "", "foreign": {}}, node]})
    server.on("GET", "nodes/n1.east", node)
    listed = danlu("nodes")
    assert "1 +1 of 2 A100  4 +1.5 of 64  1 GiB +2 GiB of 512 GiB" in listed.out
    assert [line.split()[-1] for line in listed.out.splitlines()] == ["CLUSTER", "local", "east"]
    assert "used by others than Danlu" in listed.err
    shown = danlu("nodes", "n1.east").out
    for words in ("1 GPU, 1.5 CPUs, 2 GiB memory", "taint dedicated=others:NoSchedule", "east"):
        assert words in shown


@pytest.mark.parametrize(("others", "columns"), [(0, "FREE USED TOTAL"), (4, "FREE USED OTHERS TOTAL")])
def test_resources_tell_what_others_hold_where_they_hold_anything(
    danlu: Danlu, server: FakeServer, others: int, columns: str
):
    none = {"queued": 0, "mine_used": 0, "mine_queued": 0, "shortage": 0}
    amount = {"free": 1, "used": 3, "others": others, "total": 4 + others, **none}
    counts = {"running": 0, "queued": 0}
    gpus = [{"model": "A100", "largest_free": 1, **amount}]
    found = {"gpus": gpus, "cpus": amount, "memory": amount, "jobs": counts, "mine": counts}
    server.on("GET", "resources", found)
    heading, first, *_ = danlu("resources").out.splitlines()
    assert heading.split()[1 : 1 + len(columns.split())] == columns.split()
    assert first.split()[:5] == (["A100", "1", "3", "4", "8"] if others else ["A100", "1", "3", "4", "1"])


def test_a_tokens_secret_is_all_a_script_gets(danlu: Danlu, server: FakeServer):
    server.on("POST", "tokens", Reply(201, {"id": "t1", "name": "ci", "secret": "danlu_s"}))
    assert danlu("token", "create", "ci", "--scope", "job:read", "--expires", "30d").out == "danlu_s\n"


def test_people_are_added_and_changed(danlu: Danlu, server: FakeServer):
    server.on("POST", "users", Reply(201, {"name": "bob", "role": "viewer"}))
    server.on("PATCH", "users/bob", {"name": "bob", "role": "operator"})
    assert (
        danlu("user", "create", "bob", "--role", "viewer", "--password-stdin", stdin="first-pw\n").code == 0
    )
    assert server.requests[-1].json() == {"name": "bob", "role": "viewer", "password": "first-pw"}
    assert danlu("user", "edit", "bob", "--role", "operator", "--email", "bob@lab.example").code == 0
    assert server.requests[-1].json() == {"role": "operator", "email": "bob@lab.example"}


def test_version_answers_without_a_server(danlu: Danlu, server: FakeServer):
    server.on("GET", "version", {"version": "9.9", "api": "v1"})
    assert f"server 9.9 at {server.url}" in danlu("version").out
    server.on("GET", "version", Reply(silent=True))
    result = danlu("version")
    assert result.code == 0
    assert "the connection broke" in result.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script(danlu: Danlu, shell: str):
    assert "_DANLU_COMPLETE" in danlu("completion", shell).out


def test_help_names_every_command(danlu: Danlu):
    out = danlu("--help").out
    assert all(f"\n  {name} " in out for name in ("run", "ls", "exec", "login", "up", "completion"))


def test_the_reference_page_is_up_to_date():
    page = Path(__file__).parents[3] / "docs" / "reference" / "cli.md"
    assert page.read_text() == reference.render(), "run ./dev docs"
