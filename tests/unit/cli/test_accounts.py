"""Tokens of everybody, a password of one's own, and how long one stays signed in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply

TOKEN = {
    "id": "t1",
    "user": "lin",
    "name": "nightly",
    "scopes": ["job:read"],
    "created_at": "2026-01-01T00:00:00.000Z",
    "expires_at": None,
    "last_used_at": None,
}


@pytest.mark.parametrize(("words", "query"), [(("--all",), None), (("--user", "lin"), "lin")])
def test_administrators_list_tokens_with_their_owners(
    danlu: Any, server: FakeServer, words: tuple[str, ...], query: str | None
) -> None:
    server.on("GET", "all-tokens", {"items": [TOKEN], "next_cursor": None})
    heading, row = danlu("token", "ls", *words).out.splitlines()
    assert heading.split()[:3] == ["USER", "ID", "NAME"]
    assert row.split()[:3] == ["lin", "t1", "nightly"]
    assert row.split()[-2:] == ["never", "never"]
    assert server.asked("GET", "all-tokens")[0].query.get("user", [None])[0] == query


def test_a_token_is_removed_from_its_owner_or_from_anybody(danlu: Any, server: FakeServer) -> None:
    server.on("DELETE", "tokens/t1", Reply(204))
    server.on("DELETE", "all-tokens/t1", Reply(204))
    danlu("token", "rm", "t1", "-y")
    assert len(server.asked("DELETE", "tokens/t1")) == 1
    danlu("token", "rm", "t1", "--all", "-y")
    assert len(server.asked("DELETE", "all-tokens/t1")) == 1


@pytest.mark.parametrize(
    ("words", "sessions", "tokens"),
    [((), True, False), (("--end-tokens",), True, True), (("--keep-sessions",), False, False)],
)
def test_a_password_is_changed_and_what_ends_with_it_chosen(
    danlu: Any, server: FakeServer, words: tuple[str, ...], sessions: bool, tokens: bool
) -> None:
    server.on("PUT", "me/password", Reply(204))
    assert danlu("password", "--stdin", *words, stdin="old enough\nnew enough\n").code == 0
    assert server.asked("PUT", "me/password")[0].json() == {
        "new": "new enough",
        "current": "old enough",
        "end_sessions": sessions,
        "end_tokens": tokens,
    }


def test_without_a_terminal_the_way_to_give_a_password_is_said(danlu: Any) -> None:
    done = danlu("password")
    assert done.code == 2
    assert "--stdin" in done.err
