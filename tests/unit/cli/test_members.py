"""Who belongs to a project, and what people ask for: what the commands send and print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

ID = "02mgp2x2e7kh5"
MEMBERS = {
    "items": [
        {"user": "ann", "display_name": "Ann Lee", "role": "creator", "since": "2026-05-04T10:00:00.000Z", "by": "ann"},
        {"user": "bo", "display_name": "", "role": "viewer", "since": "2026-05-05T10:00:00.000Z", "by": "ann"},
    ]
}  # fmt: skip
ENLISTED: dict[str, Any] = {"changed": ["bo"], "already": ["ann"], "unknown": []}
SHARE = {
    "resource": "A100",
    "held": 8,
    "queued": 4,
    "guarantee": 4,
    "cap": None,
    "deserved": 16,
    "level": 0.5,
}
STANDING = {
    "at": "2026-05-04T10:00:00.000Z", "project": "nlp", "weight": 2, "account": "nlp",
    "amounts": [SHARE, {**SHARE, "resource": "memory", "held": 2**36, "queued": 0, "guarantee": None, "deserved": None}],
    "running": 2, "queued": 1,
}  # fmt: skip
JOIN: dict[str, Any] = {
    "id": ID, "kind": "join", "user": "bo", "subject": "nlp", "note": "Please", "asked": None, "state": "open",
    "created_at": "2026-05-04T10:00:00.000Z", "decided_by": None, "decided_at": None, "answer": "", "can_decide": True,
}  # fmt: skip
QUOTA = {
    **JOIN, "kind": "quota", "subject": "user:bo", "can_decide": False,
    "asked": {"amounts": {"single": {"gpus": 4, "memory": 2**36}, "all": {"jobs": 9}}, "life": "2d"},
}  # fmt: skip


# ── members ──────────────────────────────────────────────────────────────────────────────────────────


def test_members_are_a_table_or_what_the_server_said(danlu: Danlu, server: FakeServer):
    server.on("GET", "projects/nlp/members", MEMBERS)
    lines = danlu("project", "members", "nlp").out.splitlines()
    assert [line.split()[0] for line in lines] == ["USER", "ann", "bo"]
    assert lines[1].split()[1:4] == ["Ann", "Lee", "creator"]
    assert json.loads(danlu("project", "members", "nlp", "--json").out) == MEMBERS
    server.on("GET", "projects/nlp/members", {"items": []})
    assert "danlu project add-members nlp" in danlu("project", "members", "nlp").err


def test_asking_to_join_says_where_the_answer_will_be(danlu: Danlu, server: FakeServer):
    server.on("POST", "requests", Reply(201, JOIN))
    result = danlu("project", "join", "nlp", "--note", "Please")
    assert (result.code, result.out) == (0, "")
    assert f"danlu request show {ID}" in result.err
    assert server.requests[0].json() == {"kind": "join", "subject": "nlp", "note": "Please"}
    assert json.loads(danlu("project", "join", "nlp", "--json").out) == JOIN


def test_one_leaves_by_ones_own_name(danlu: Danlu, server: FakeServer):
    server.on("GET", "session", {"user": {"name": "bo", "role": "engineer"}})
    server.on("DELETE", "projects/nlp/members/bo", Reply(204))
    assert danlu("project", "leave", "nlp", "-y").err == "Left project nlp.\n"


@pytest.mark.parametrize(
    ("line", "body", "told"),
    [
        ("add-members nlp bo ann", {"names": ["bo", "ann"], "role": "member", "preview": False}, "Added to nlp: bo."),
        ("add-members nlp bo --role viewer --preview", {"names": ["bo"], "role": "viewer", "preview": True},
         "Would be added to nlp: bo."),
        ("remove-members nlp bo", {"names": ["bo"], "remove": True, "preview": False}, "Removed from nlp: bo."),
    ],
)  # fmt: skip
def test_many_come_and_go(danlu: Danlu, server: FakeServer, line, body, told):
    server.on("POST", "projects/nlp/members", ENLISTED)
    result = danlu("project", *line.split())
    assert result.code == 0, result.err
    assert told in result.err
    assert server.requests[0].json() == body
    assert json.loads(danlu("project", *line.split(), "--json").out) == ENLISTED


def test_a_file_of_names_is_sent_as_it_is_and_strangers_are_the_exit_code(
    danlu: Danlu, server: FakeServer, tmp_path
):
    roster = tmp_path / "course.csv"
    roster.write_text("name,role\nbo,creator\nbb,\n")
    unknown = [{"word": "bb", "suggestion": "bo"}]
    server.on("POST", "projects/nlp/members", {**ENLISTED, "unknown": unknown})
    result = danlu("project", "add-members", "nlp", "--file", str(roster))
    assert result.code == 1
    assert "There is no user 'bb'. Did you mean 'bo'?" in result.err
    assert server.requests[0].json()["text"] == "name,role\nbo,creator\nbb,\n"


def test_somebodys_role_is_set(danlu: Danlu, server: FakeServer):
    server.on("PUT", "projects/nlp/members/bo", MEMBERS["items"][1])
    assert danlu("project", "set-member", "nlp", "bo", "viewer").err == "bo is a viewer of project nlp.\n"
    assert server.requests[0].json() == {"role": "viewer"}
    wrong = danlu("project", "set-member", "nlp", "bo", "viewr")
    assert (wrong.code, "did you mean 'viewer'?" in wrong.err) == (2, True)
    shown = danlu("project", "set-member", "nlp", "bo", "viewer", "--json")
    assert json.loads(shown.out) == MEMBERS["items"][1]


def test_how_a_project_stands_is_a_table(danlu: Danlu, server: FakeServer):
    server.on("GET", "projects/nlp/standing", STANDING)
    result = danlu("project", "standing", "nlp")
    assert [line.split() for line in result.out.splitlines()] == [
        ["RESOURCE", "HOLDS", "QUEUED", "DESERVES", "GUARANTEE", "CAP"],
        ["A100", "8", "4", "16", "4", "-"],
        ["memory", "64", "GiB", "0", "-", "-", "-"],
    ]
    assert result.err == "2 jobs running, 1 waiting.\n"
    assert json.loads(danlu("project", "standing", "nlp", "--json").out) == STANDING
    server.on("GET", "projects/nlp/standing", {**STANDING, "account": "public"})
    assert "uses the share of public" in danlu("project", "standing", "nlp").err


# ── requests ─────────────────────────────────────────────────────────────────────────────────────────


def test_open_requests_are_listed_with_those_that_wait_for_you(danlu: Danlu, server: FakeServer):
    server.on("GET", "requests", {"items": [JOIN, QUOTA], "next_cursor": None, "total": 2})
    lines = danlu("request", "ls").out.splitlines()
    assert lines[1].split() == [ID, "join", "bo", "to", "join", "nlp", "open", "you", "Please"]
    assert "4 gpus, 64 GiB memory for single jobs; 9 jobs for 2d" in lines[2]
    assert (server.requests[0].query["state"], "mine" in server.requests[0].query) == (["open"], False)
    danlu("request", "ls", "--state", "all", "--kind", "join", "--mine")
    asked = server.requests[-1].query
    assert ("state" in asked, asked["kind"], asked["mine"]) == (False, ["join"], ["true"])
    assert json.loads(danlu("request", "ls", "--json").out) == {"items": [JOIN, QUOTA]}
    server.on("GET", "requests", {"items": [], "next_cursor": None, "total": 0})
    assert danlu("request", "ls").err == "No requests match.\n"


def test_a_request_is_shown_with_its_answer(danlu: Danlu, server: FakeServer):
    decided = {
        **JOIN,
        "state": "refused",
        "decided_by": "ann",
        "decided_at": JOIN["created_at"],
        "answer": "Full",
    }
    server.on("GET", f"requests/{ID}", decided)
    said = [line.split() for line in danlu("request", "show", ID).out.splitlines()]
    for line in (
        ["asks", "to", "join", "nlp"],
        ["state", "refused"],
        ["decided", "by", "ann"],
        ["answer", "Full"],
    ):
        assert line in said
    assert json.loads(danlu("request", "show", ID, "--json").out) == decided


SENT = [
    (f"request approve {ID}", "approve", {"answer": ""}, "Approved: bo asks to join nlp."),
    (f"request approve {ID} --role viewer --answer Hi", "approve", {"answer": "Hi", "role": "viewer"}, "Approved"),
    (f"request approve {ID} --amounts gpus=2 --class single --life 1d", "approve",
     {"answer": "", "amounts": {"single": {"gpus": 2}}, "life": "1d"}, "Approved"),
    (f"request approve {ID} --amounts gpus=2", "approve", {"answer": "", "amounts": {"all": {"gpus": 2}}}, "Approved"),
    (f"request refuse {ID} --answer Full", "refuse", {"answer": "Full"}, "Refused: bo asks to join nlp."),
    (f"request withdraw {ID}", "withdraw", None, "Withdrew: bo asks to join nlp."),
]  # fmt: skip


@pytest.mark.parametrize(("line", "verb", "body", "told"), SENT, ids=[line for line, *_ in SENT])
def test_decisions_become_what_is_sent(danlu: Danlu, server: FakeServer, line, verb, body, told):
    server.on("POST", f"requests/{ID}/{verb}", JOIN)
    result = danlu(*line.split())
    assert result.code == 0, result.err
    assert told in result.err
    assert (server.requests[0].json() if server.requests[0].body else None) == body
    assert json.loads(danlu(*line.split(), "--json").out) == JOIN


def test_more_quota_is_asked_for_by_class(danlu: Danlu, server: FakeServer):
    server.on("POST", "requests", Reply(201, QUOTA))
    result = danlu(
        "request", "quota", "gpus=8,memory=256GiB", "--class", "workspace", "--life", "3d", "--note", "Soon"
    )
    assert result.code == 0, result.err
    assert f"danlu request show {ID}" in result.err
    assert server.requests[0].json() == {
        "kind": "quota", "amounts": {"workspace": {"gpus": 8, "memory": "256GiB"}}, "life": "3d", "note": "Soon",
    }  # fmt: skip


def test_wrong_use_asks_nothing_of_the_server(danlu: Danlu, server: FakeServer):
    for line in (
        f"request approve {ID} --class single",
        f"request refuse {ID}",
        "request quota gpus",
        "request ls --state opn",
    ):
        assert danlu(*line.split()).code == 2
    assert server.requests == []


def test_a_decision_that_comes_too_late_is_told(danlu: Danlu, server: FakeServer):
    server.on(
        "POST", f"requests/{ID}/approve", problem(409, "conflict", "request was already refused by ann")
    )
    result = danlu("request", "approve", ID)
    assert (result.code, "already refused by ann" in result.err) == (1, True)
