"""`danlu quota`, and what a start says that runs into one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

UNTIL = "2027-01-01T00:00:00.000Z"
LIN: dict[str, Any] = {
    "name": "user:lin",
    "amounts": {"all": {"gpus": 8, "memory": 2**40}, "workspace": {"jobs": None}},
    "storage": {},
    "raises": [{"amounts": {"all": {"gpus": 16}}, "until": UNTIL, "by": "ann", "reason": ""}],
    "description": "words",
}
ROW = {"quota": "user:lin", "class": "all", "resource": "gpus", "limit": 8, "used": 3, "source": "default", "until": None}  # fmt: skip
STANDING: dict[str, Any] = {
    "items": [ROW, {**ROW, "resource": "memory", "limit": None, "used": 2**30}],
    "storage": [
        {"type": "block", "limit": 2**40, "used": 0},
        {"type": "dataset", "limit": 2**40, "used": 2**30},
    ],
    "budgets": [{"priority": "urgent", "budget": 40, "spent": 2.5, "since": UNTIL, "renews": "2027-02-01T12:00:00.000Z"}],
    "limits": [
        {"name": "eight", "shared": True, "project": "nlp", "class": "single", "gpus": 8, "used": 6, "max_time": "2d"},
        {"name": "short", "shared": False, "project": None, "class": None, "gpus": None, "used": 0, "max_time": "1h"},
    ],
    "caps": [{"project": "nlp", "resource": "A100", "limit": 16, "used": 4}],
}  # fmt: skip


def listed(server: FakeServer, *quotas: dict[str, Any]) -> None:
    server.on("GET", "quotas", {"items": list(quotas), "next_cursor": None, "total": len(quotas)})


def test_quotas_are_listed_class_by_class(danlu: Danlu, server: FakeServer) -> None:
    listed(server, LIN)
    lines = danlu("quota", "ls").out.splitlines()
    assert lines[1].startswith("user:lin  all        8 gpus, 1 TiB memory")
    assert lines[2].split() == ["workspace", "none", "jobs"]
    assert json.loads(danlu("quota", "ls", "--json").out) == {"items": [LIN]}
    listed(server)
    assert "danlu quota edit default --gpus 8" in danlu("quota", "ls").err


def test_what_holds_is_shown_for_oneself_somebody_and_a_group(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "session", {"user": {"name": "lin"}, "csrf": "", "must_set_password": False})
    server.on("GET", "users/lin/quota", STANDING)
    server.on("GET", "groups/nlp/quota", {"items": [], "storage": [], "budgets": []})
    server.on("GET", "quotas/default", {**LIN, "name": "default"})
    lines = danlu("quota", "show").out.splitlines()
    assert [line.split() for line in lines[1:3]] == [
        ["user:lin", "all", "gpus", "3", "8", "default"],
        ["user:lin", "all", "memory", "1", "GiB", "none", "default"],
    ]
    assert lines[3:] == [
        "block volumes: 0 of 1 TiB",
        "datasets: 1 GiB of 1 TiB",
        "urgent: 2.5 of 40 GPU-hours this month; renews 2027-02-01",
        "limit eight (single, nlp): 6 of 8 GPUs in use by everybody together; jobs run for at most 2d",
        "limit short: jobs run for at most 1h",
        "cap of project nlp: its running jobs use 4 of 16 A100",
    ]
    assert json.loads(danlu("quota", "show", "user:lin", "--json").out) == STANDING
    assert "There is no quota on the jobs of group:nlp" in danlu("quota", "show", "group:nlp").err
    assert danlu("quota", "show", "default").out.splitlines()[1].startswith("default")


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("set mei --gpus 3 --class workspace", [{"names": ["user:mei"], "amounts": {"workspace": {"gpus": 3}}}]),
        (
            "set lin --gpus '' --jobs 2 --models A100=4",
            [{"names": ["user:lin"], "amounts": {"all": {"memory": 2**40, "A100": 4, "jobs": 2}, "workspace": {"jobs": None}}}],
        ),
        (
            "set default group:nlp --cpus none --storage block=1TiB,bucket=none --description Words",
            [{"names": ["default", "group:nlp"], "amounts": {"all": {"cpus": None}}, "storage": {"block": "1TiB", "bucket": None},
              "description": "Words"}],
        ),
        (
            "set lin mei --tasks 5",
            [
                {"names": ["user:lin"], "amounts": {"all": {"gpus": 8, "memory": 2**40, "tasks": 5}, "workspace": {"jobs": None}}},
                {"names": ["user:mei"], "amounts": {"all": {"tasks": 5}}},
            ],
        ),
    ],
)  # fmt: skip
def test_what_is_set_comes_on_top_of_what_was_said(danlu: Danlu, server: FakeServer, line, sent):
    listed(server, LIN)
    server.on("POST", "quotas/bulk", {"items": [LIN], "next_cursor": None, "total": 1})
    words = ["" if word == "''" else word for word in line.split()]
    result = danlu("quota", *words)
    assert result.code == 0, result.err
    assert [one.json() for one in server.asked("POST", "quotas/bulk")] == sent


def test_quotas_are_raised_for_a_while_and_removed(danlu: Danlu, server: FakeServer) -> None:
    for name in ("user:lin", "group:nlp"):
        server.on("POST", f"quotas/{name}/raises", Reply(201, LIN))
        server.on("DELETE", f"quotas/{name}", Reply(204))
        server.on("DELETE", f"quotas/{name}/raises", LIN)
    result = danlu(
        "quota", "raise", "lin", "group:nlp", "--gpus", "16", "--for", "7d", "--reason", "a deadline"
    )
    assert "Raised the quota of lin, group:nlp for 7d" in result.err
    sent = [one.json() for one in server.requests]
    assert sent == [{"amounts": {"all": {"gpus": 16}}, "life": "7d", "reason": "a deadline"}] * 2
    assert "Removed the quota of lin, group:nlp" in danlu("quota", "rm", "lin", "group:nlp", "--yes").err
    assert "Removed the raises of lin" in danlu("quota", "rm", "lin", "--raises", "-y").err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("edit lin", "nothing to change: give --gpus"),
        ("raise lin --for 7d", "nothing to raise"),
        ("raise lin --gpus 2", "--for"),
        ("edit lin --gpus many", "'many' is neither a number nor 'none'"),
        ("edit lin --class workspaces --gpus 1", "did you mean 'workspace'?"),
    ],
)
def test_a_mistaken_option_is_wrong_use(danlu: Danlu, server: FakeServer, line, words):
    result = danlu("quota", *line.split())
    assert (result.code, server.requests) == (2, [])
    assert words in result.err


SHORT = {"quota": "user:lin", "class": "workspace", "resource": "gpus", "used": 3, "asked": 1, "limit": 3, "jobs": ["lin:notebook", "lin:other"], "text": {"en": "words"}}  # fmt: skip


@pytest.mark.parametrize(
    ("short", "advice"),
    [
        ({}, "Stop one of them (danlu stop notebook), or ask for more: danlu request quota gpus=4 --class workspace"),
        ({"class": "all", "resource": "memory", "used": 2**30, "asked": 1, "jobs": []}, "Ask for more: danlu request quota memory=2GiB"),
        ({"class": "all", "resource": "A100", "jobs": ["mei"]}, "Ask for more: danlu request quota A100=4"),
    ],
)  # fmt: skip
def test_a_start_beyond_a_quota_names_numbers_holders_and_the_next_step(
    danlu: Danlu, server: FakeServer, short, advice
):
    detail = "insufficient quota: lin uses 3 of 3 GPUs for workspaces and requests 1 more"
    body = {
        "type": "insufficient_quota",
        "status": 409,
        "title": "insufficient quota",
        "detail": detail,
        "errors": [],
    }
    server.on("POST", "jobs/another/start", Reply(409, {**body, "shortfalls": [{**SHORT, **short}]}))
    result = danlu("start", "another")
    assert result.code == 1
    lines = result.err.splitlines()
    assert lines[0] == f"danlu: {detail}."
    assert lines[-1] == advice
    jobs = {**SHORT, **short}["jobs"]
    assert bool(jobs) == (f"held by {', '.join(jobs)}" in result.err and len(lines) == 3)


def test_a_spent_budget_says_what_to_do(danlu: Danlu, server: FakeServer) -> None:
    error = {
        "loc": ["priority"],
        "code": "budget_spent",
        "message": "spent",
        "hint": "choose another priority class",
    }
    server.on(
        "POST",
        "jobs/another/start",
        Reply(409, {"type": "budget_spent", "detail": "spent", "errors": [error]}),
    )
    assert danlu("start", "another").err.splitlines() == ["danlu: spent.", "Choose another priority class."]


def test_who_may_not_list_quotas_is_pointed_to_their_own(danlu: Danlu, server: FakeServer) -> None:
    problem = {"code": "not_allowed", "detail": "mia does not have the permission quota:write"}
    server.on("GET", "quotas", Reply(403, problem))
    result = danlu("quota", "ls")
    assert result.code != 0
    assert "danlu quota show" in result.err
