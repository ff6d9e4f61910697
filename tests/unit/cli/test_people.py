"""`danlu user`, `group`, `key` and `me`: what is sent, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

PUBLIC = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA lin@laptop"
LIN = {"name": "lin", "display_name": "Lin", "role": "operator", "groups": ["nlp"], "sign_in": "invited"}
MEMBERS = {"changed": ["lin", "wang"], "already": ["chen"], "unknown": []}


def test_people_are_listed_by_what_is_asked(danlu: Danlu, server: FakeServer):
    server.on("GET", "users", {"items": [LIN], "next_cursor": None, "total": 1})
    result = danlu("user", "ls", "--search", "li", "--role", "operator", "--state", "invited")
    assert "lin   Lin     operator  nlp     invited" in result.out
    asked = [server.requests[-1].one(key) for key in ("search", "role", "state")]
    assert asked == ["li", "operator", "invited"]
    server.on("GET", "users", {"items": [], "next_cursor": None, "total": 0})
    assert danlu("user", "ls").err == "No users match.\n"


def test_a_person_is_shown_with_what_they_have(danlu: Danlu, server: FakeServer):
    more = {"projects": [{"project": "nlp", "role": "member"}], "active_jobs": 2, "keys": 1, "tokens": 0}
    server.on("GET", "users/lin", {**LIN, **more})
    said = danlu("user", "show", "lin").out
    for line in ("projects     nlp (member)", "active jobs  2", "SSH keys     1"):
        assert line in said


def test_an_invitation_prints_the_link_alone(danlu: Danlu, server: FakeServer):
    made = {"user": LIN, "url": "https://x/sign-in?code=c", "expires_at": "2026-01-31T12:00:00Z"}
    server.on("POST", "users/invite", Reply(201, made))
    result = danlu("user", "invite", "lin", "--role", "operator", "--life", "2d", "--groups", "nlp")
    assert result.out == "https://x/sign-in?code=c\n"
    assert "it works once" in result.err
    assert server.requests[-1].json() == {"name": "lin", "role": "operator", "life": "2d", "groups": ["nlp"]}


def test_a_reset_prints_the_link_alone(danlu: Danlu, server: FakeServer):
    server.on(
        "POST", "users/lin/link", {"url": "https://x/sign-in?code=c", "expires_at": "2026-01-31T12:00:00Z"}
    )
    assert danlu("user", "reset", "lin", "-y").out == "https://x/sign-in?code=c\n"


def test_several_are_disabled_at_once_and_what_failed_is_the_exit_code(danlu: Danlu, server: FakeServer):
    items = [{"name": "lin", "ok": True, "error": None}, {"name": "wu", "ok": False, "error": "no such user"}]
    server.on("POST", "users/bulk", {"items": items})
    result = danlu("user", "disable", "lin", "wu", "--jobs", "stop", "-y")
    assert (result.code, result.err) == (1, "Disabled lin.\nwu: no such user.\n")
    assert server.requests[-1].json() == {"names": ["lin", "wu"], "act": "disable", "jobs": "stop"}
    server.on("POST", "users/bulk", {"items": items[:1]})
    assert danlu("user", "enable", "lin").code == 0
    assert server.requests[-1].json() == {"names": ["lin"], "act": "enable"}


def test_on_a_terminal_disabling_asks_about_active_jobs(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("danlu.cli.people.users.can_ask", lambda: True)
    asked: list[str] = []

    def prompt(question: str, **_: object) -> str:
        asked.append(question)
        return "keep"

    monkeypatch.setattr("danlu.cli.people.users.click.prompt", prompt)
    server.on("POST", "users/bulk", {"items": [{"name": "lin", "ok": True, "error": None}]})
    server.on("GET", "users/lin", {**LIN, "active_jobs": 3})
    danlu("user", "disable", "lin")
    assert asked == ["Active jobs: lin has 3. Keep them running, or stop them?"]
    assert server.requests[-1].json() == {"names": ["lin"], "act": "disable", "jobs": "keep"}
    server.on("GET", "users/lin", {**LIN, "active_jobs": 0})
    danlu("user", "disable", "lin")
    assert len(asked) == 1
    assert server.requests[-1].json() == {"names": ["lin"], "act": "disable"}


def test_a_group_is_made_changed_and_shown(danlu: Danlu, server: FakeServer):
    group = {"name": "nlp", "permissions": ["queue:pin"], "description": "", "members": 2}
    server.on("POST", "groups", Reply(201, group))
    server.on("PATCH", "groups/nlp", group)
    server.on("GET", "groups", {"items": [group], "next_cursor": None})
    server.on("GET", "groups/nlp", {**group, "member_names": ["lin", "wang"]})
    assert danlu("group", "create", "nlp", "--permissions", "queue:pin,job:stop").code == 0
    assert server.requests[-1].json() == {"name": "nlp", "permissions": ["queue:pin", "job:stop"]}
    assert danlu("group", "edit", "nlp", "--permissions", "").code == 0
    assert server.requests[-1].json() == {"permissions": []}
    assert danlu("group", "edit", "nlp").code == 2
    assert "nlp         2  queue:pin" in danlu("group", "ls").out
    assert "members      2: lin, wang" in danlu("group", "show", "nlp").out


def test_people_are_put_into_a_group_by_name(danlu: Danlu, server: FakeServer):
    server.on("POST", "groups/nlp/members", MEMBERS)
    result = danlu("group", "add-members", "nlp", "lin", "wang", "chen")
    assert (result.code, result.err) == (0, "Added to nlp: lin, wang.\nAlready in it: chen.\n")
    assert server.requests[-1].json() == {"names": ["lin", "wang", "chen"], "preview": False}


def test_a_preview_says_what_would_happen(danlu: Danlu, server: FakeServer):
    server.on("POST", "groups/nlp/members", MEMBERS)
    result = danlu("group", "remove-members", "nlp", "lin", "wang", "chen", "--preview")
    assert result.err == "Would be removed from nlp: lin, wang.\nNot in it: chen.\n"
    assert server.requests[-1].json() == {"names": ["lin", "wang", "chen"], "remove": True, "preview": True}


@pytest.mark.parametrize("words", [["--file", "roster.csv"], ["--file", "-"], ["-"]])
def test_a_roster_comes_from_a_file_or_a_pipe(danlu: Danlu, server: FakeServer, words: list[str]):
    Path("roster.csv").write_bytes("\ufeffname\n林\n".encode())
    server.on("POST", "groups/nlp/members", MEMBERS)
    assert danlu("group", "add-members", "nlp", *words, stdin="name\n林\n").code == 0
    assert server.requests[-1].json() == {"text": "name\n林\n", "preview": False}


def test_a_roster_that_a_chinese_excel_saved_is_read(danlu: Danlu, server: FakeServer):
    Path("roster.csv").write_bytes("用户名,角色\nlin,成员\n".encode("gb18030"))
    server.on("POST", "groups/nlp/members", MEMBERS)
    danlu("group", "add-members", "nlp", "--file", "roster.csv")
    assert server.requests[-1].json()["text"] == "用户名,角色\nlin,成员\n"


def test_nobodys_names_are_told_and_are_the_exit_code(danlu: Danlu, server: FakeServer):
    unknown = [{"word": "wnag", "suggestion": "wang"}, {"word": "x9", "suggestion": None}]
    server.on("POST", "groups/nlp/members", {"changed": [], "already": [], "unknown": unknown})
    result = danlu("group", "add-members", "nlp", "wnag", "x9")
    assert result.code == 1
    assert result.err.splitlines() == [
        "Added to nlp: nobody.",
        "There is no user 'wnag'. Did you mean 'wang'?",
        "There is no user 'x9'.",
    ]


@pytest.mark.parametrize("words", [[], ["lin", "--file", "roster.csv"], ["--file", "missing.csv"]])
def test_a_roster_is_names_or_a_file_that_is_there(danlu: Danlu, server: FakeServer, words: list[str]):
    assert danlu("group", "add-members", "nlp", *words).code == 2
    assert server.requests == []


def test_a_key_is_called_by_its_comment_or_as_one_says(danlu: Danlu, server: FakeServer):
    Path("id.pub").write_text(PUBLIC + "\n")
    made = {"id": "k1", "name": "lin@laptop", "type": "ssh-ed25519", "fingerprint": "SHA256:x"}
    server.on("POST", "me/keys", Reply(201, made))
    assert danlu("key", "add", "id.pub").err == "Added lin@laptop: ssh-ed25519 SHA256:x.\n"
    assert server.requests[-1].json() == {"name": "lin@laptop", "key": PUBLIC}
    danlu("key", "add", "-", "--name", "work", stdin=PUBLIC.rpartition(" ")[0])
    assert server.requests[-1].json()["name"] == "work"
    Path("bare.pub").write_text(PUBLIC.rpartition(" ")[0])
    danlu("key", "add", "bare.pub")
    assert server.requests[-1].json()["name"] == "bare.pub"


def test_a_private_key_never_leaves_the_machine(danlu: Danlu, server: FakeServer):
    Path("id").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    result = danlu("key", "add", "id")
    assert result.code == 2
    assert "PRIVATE key and was not sent" in result.err
    assert server.requests == []


def test_keys_are_listed_and_removed(danlu: Danlu, server: FakeServer):
    server.on("GET", "me/keys", {"items": []})
    server.on(
        "GET", "users/lin/keys", {"items": [{"id": "k1", "name": "n", "type": "t", "fingerprint": "f"}]}
    )
    server.on("DELETE", "me/keys/k1", Reply(204))
    assert "danlu key add" in danlu("key", "ls").err
    assert "k1  n     t     f" in danlu("key", "ls", "--user", "lin").out
    assert danlu("key", "rm", "k1", "-y").err == "Removed key k1.\n"


def test_one_is_told_who_one_is(danlu: Danlu, server: FakeServer):
    projects = [{"project": "nlp", "role": "creator"}]
    server.on(
        "GET",
        "me",
        {"user": LIN, "permissions": [], "everywhere": ["job:read"], "groups": [], "projects": projects},
    )
    said = danlu("me").out
    for line in (
        "role                operator",
        "projects            nlp (creator)",
        "everybody's things  job:read",
    ):
        assert line in said
