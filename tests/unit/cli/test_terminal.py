"""What a server or a task says is read on a terminal, and never obeyed by it."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from danlu.cli.main import main
from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.test_clusters import LAB
from tests.unit.cli.test_commands import JOB
from tests.unit.cli.test_metrics import TOLD
from tests.unit.cli.test_queue import PAGE
from tests.unit.cli.test_run import JOB as WAITING
from tests.unit.cli.test_run import NUDGE, RUNNING

TITLE, CLEAR, COLOUR = "\x1b]0;owned\x07", "\x1b[2J\x1b[H", "\x1b[31m"
POISON = f"x{TITLE}{CLEAR}{COLOUR}\x9b2J\x08\r\u202ey"
OURS = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
TIME = re.compile(r"\d{4}-\d\d-\d\d|$")

OnTerminal = Callable[..., str]


def poisoned(value: Any) -> Any:
    """The same answer by somebody who means harm: every text but times."""
    if isinstance(value, str):
        return value if TIME.match(value) else value + POISON
    if isinstance(value, dict):
        return {key: poisoned(one) for key, one in value.items()}
    return [poisoned(one) for one in value] if isinstance(value, list) else value


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> OnTerminal:
    def run(*args: str) -> str:
        ours, theirs = pty.openpty()
        seen: list[bytes] = []

        def drain() -> None:
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:
                    return
                if not piece:
                    return
                seen.append(piece)

        reader = threading.Thread(target=drain)
        reader.start()
        with os.fdopen(theirs, "w", encoding="utf-8") as terminal, monkeypatch.context() as patch:
            assert terminal.isatty()
            for name in ("stdout", "stderr"):
                patch.setattr(f"sys.{name}", terminal)
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
            main(args)
            terminal.flush()
        reader.join(10)
        os.close(ours)
        return b"".join(seen).decode("utf-8").replace("\r\n", "\n")

    return run


def obeyed(text: str) -> list[str]:
    """The commands in a text, beside the colours that are ours."""
    return COMMANDS.findall(OURS.sub("", text))


TASK = {
    "name": "worker-0", "role": "worker", "state": "failed", "node": "n1", "gpus": [0], "step": "pulling",
    "reason": JOB["reason"], "isolation": "sandbox", "tries": 1, "run": "worker-0-r1",
}  # fmt: skip
ATTEMPT = {"number": 1, "state": "failed", "story": {"en": "it ended"}, "reason": JOB["reason"]}
WHOLE = {**JOB, "tasks": [TASK], "attempts": [ATTEMPT, ATTEMPT], "actions": ["start"], "nominated": ["n1"],
         "description": "two\nlines", "framework": "pytorch", "strategy": "ddp"}  # fmt: skip
EVENT = {
    "seq": 1,
    "time": "2026-01-01T00:00:00.000Z",
    "kind": "job_failed",
    "job_id": "j1",
    "actor": "ann",
    "text": {"en": "it failed"},
}
NODE = {"name": "n1", "state": "cordoned", "why": "drained", "note": "later", "address": "10.0.0.1", "cpus": 8, "memory": 1,
        "labels": {"rack": "r1"}, "pool": "main", "tasks": [{"job_name": "train", "task": "w-0", "owner": "ann"}]}  # fmt: skip
ENTRY = {"seq": 1, "time": "2026-01-01T00:00:00.000Z", "address": "1.2.3.4", "means": "token",
         "text": {"en": "ann edited a project"}, "reason": "why not", "before": {"a": "b"}, "after": {"a": "c"}}  # fmt: skip
WHY = {"reason": JOB["reason"], "places": [{"position": 2, "lane": {"gpu_model": "A100", "class": "single"}}],
       "ahead": PAGE["items"], "ahead_total": 1, "helps": [{"change": "gpus", "value": "1", "text": {"en": "ask for less"}}]}  # fmt: skip
USER = {
    "name": "ann",
    "display_name": "Ann",
    "role": "engineer",
    "groups": ["all"],
    "created_at": "2026-01-01T00:00:00.000Z",
}
STACKS = {
    "items": [
        {
            "task": "w-0",
            "attempt": 1,
            "taken_at": "2026-01-01T00:00:00.000Z",
            "text": "main\n  train",
            "cause": "hung",
        }
    ]
}
READS: list[tuple[str, str, Any]] = [
    ("ls", "jobs", {"items": [JOB], "next_cursor": None, "total": 1}),
    ("ls -q", "jobs", {"items": [JOB], "next_cursor": None, "total": 1}),
    ("ls --json", "jobs", {"items": [JOB], "next_cursor": None, "total": 1}),
    ("show j1", "jobs/j1", WHOLE),
    ("why j1", "jobs/j1", {**WHOLE, "state": "failed"}),
    ("events j1", "jobs/j1/events", {"items": [EVENT], "next_cursor": None}),
    ("events j1 --json", "jobs/j1/events", {"items": [EVENT], "next_cursor": None}),
    ("events --node n1", "nodes/n1/events", {"items": [EVENT], "next_cursor": None}),
    ("stacks j1", "jobs/j1/stacks", STACKS),
    ("metrics j1", "jobs/j1/metrics", TOLD),
    ("queue --mine", "queue", PAGE),
    ("nodes", "nodes", {"items": [NODE]}),
    ("nodes n1", "nodes/n1", NODE),
    ("audit ls", "audit", {"items": [ENTRY], "next_cursor": None}),
    ("audit ls --changes", "audit", {"items": [ENTRY], "next_cursor": None}),
    ("user ls", "users", {"items": [USER], "next_cursor": None}),
    ("user show ann", "users/ann", USER),
    ("cluster ls", "clusters", {"items": [LAB], "next_cursor": None}),
    ("cluster show lab", "clusters/lab", LAB),
    ("version", "version", {"version": "1", "api": "v1"}),
    ("example ls", "examples", {"items": [{"id": "mnist", "framework": "pytorch", "about": {"en": "digits"}}]}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "path", "answer"), READS, ids=[case[0] for case in READS])
def test_nothing_that_is_answered_commands_the_terminal(
    on_terminal: OnTerminal, server: FakeServer, words: str, path: str, answer: Any
) -> None:
    server.on("GET", "jobs/j1", {**JOB, "state": "failed"})
    server.on("GET", f"jobs/{JOB['id']}", {**JOB, "state": "failed"})
    server.on("GET", path, poisoned(answer) if "j1" not in words else _as_j1(poisoned(answer)))
    shown = on_terminal(*words.split())
    assert "owned" in shown, shown
    assert obeyed(shown) == [], shown
    assert "defect" not in shown


def _as_j1(answer: Any) -> Any:
    """The job that was asked for, for whatever is asked of it next."""
    return {**answer, "id": "j1"} if "id" in answer else answer


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_refusal_commands_no_terminal(
    on_terminal: OnTerminal, server: FakeServer, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("DANLU_LANG", language)
    both = {"en": f"no{POISON}", "zh": f"不行{POISON}"}
    wrong = {"loc": ["resources", f"gpus{POISON}"], "code": "bad", "message": both["en"], "text": both,
             "hint": both["en"], "hint_text": both}  # fmt: skip
    server.on("GET", "jobs", problem(409, "conflict", both["en"], None, text=both))
    server.on("POST", "jobs", problem(422, "invalid", both["en"], [wrong, wrong], text=both))
    server.on("GET", "nodes", Reply(body={"no": POISON}))
    for words in (["ls"], ["run", "--", "echo"], ["nodes"]):
        shown = on_terminal(*words)
        assert obeyed(shown) == [], shown
    monkeypatch.setenv("DANLU_DEBUG", "1")
    assert obeyed(on_terminal("ls")) == []


def test_a_log_keeps_its_colours_and_nothing_else(on_terminal: OnTerminal, server: FakeServer) -> None:
    line = {
        "text": f"10 %\r100 % {COLOUR}red\x1b[0m {TITLE}{CLEAR}\x9b2Jdone",
        "time": 0,
        "stream": "o",
        "offset": 0,
    }
    server.on("GET", "jobs/j1", RUNNING)
    server.on("GET", "jobs/j1/logs", {"lines": [line], "next_offset": None, "end": True})
    shown = on_terminal("logs", "j1")
    assert shown == f"10 %\r100 % {COLOUR}red\x1b[0m ?]0;owned??[2J?[H?2Jdone\n"


def test_a_job_that_is_followed_keeps_the_colours_of_its_log_alone(
    on_terminal: OnTerminal, server: FakeServer
) -> None:
    lines = json.dumps([[1, "o", f"{COLOUR}{TITLE}hello"], [2, "e", f"trouble{CLEAR}"]])
    told = f"id: 5\nevent: lines\ndata: {lines}\n\nevent: end\ndata: {{}}\n\n".encode()
    failed = {"state": "failed", "version": 3, "reason": poisoned(JOB["reason"]), "name": f"train{POISON}"}
    server.on("POST", "jobs", Reply(201, WAITING))
    server.on("GET", "events", Reply(pieces=[NUDGE, NUDGE]))
    server.on("GET", "jobs/j1/logs", Reply(pieces=[told]))
    server.on("GET", "jobs/j1", WAITING, WAITING, RUNNING, {**RUNNING, **failed})
    shown = on_terminal("run", "--", "true")
    assert f"{COLOUR}?]0;owned?hello\n" in shown
    assert "trouble?[2J?[H\n" in shown
    assert obeyed(shown) == []


def test_in_a_pipe_a_log_is_what_was_written(danlu: Any, server: FakeServer) -> None:
    line = {"text": f"{TITLE}done", "time": 0, "stream": "o", "offset": 0}
    server.on("GET", "jobs/j1", RUNNING)
    server.on("GET", "jobs/j1/logs", {"lines": [line], "next_offset": None, "end": True})
    assert danlu("logs", "j1").out == f"{TITLE}done\n"


def test_json_says_the_same_without_commanding(on_terminal: OnTerminal, server: FakeServer) -> None:
    answer = {"items": [poisoned(JOB)], "next_cursor": None, "total": 1}
    server.on("GET", "jobs", answer)
    shown = on_terminal("ls", "--json")
    assert obeyed(shown) == []
    assert json.loads(shown)["items"] == answer["items"]
