"""Who asks: remembered for a moment, forgotten at once when rights change."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import HTTPConnection

from danlu.domain.errors import NotAllowed, NotSignedIn
from danlu.domain.people import Session, User, UserRole
from danlu.domain.permissions import Caller
from danlu.server.http.identity import Identity, Recheck

pytestmark = pytest.mark.anyio

EVE = Caller(User("eve", UserRole.ENGINEER, 0))
SESSION = Session("hash", "eve", "the-csrf", 0, 1, "s1", 0)


class People:
    def __init__(self) -> None:
        self.asked = 0

    def bearer(self, secret: str) -> Caller:
        self.asked += 1
        if secret != "right":
            raise NotSignedIn
        return EVE

    def session(self, secret: str) -> tuple[Session, Caller]:
        self.asked += 1
        return SESSION, EVE


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def connection(method: str = "GET", kind: str = "http", **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": kind, "method": method, "path": "/", "query_string": b"", "headers": raw})


def identity(people: Any, clock: Clock | None = None, public_url: str | None = None) -> Identity:
    return Identity(people, public_url, clock or Clock())


async def test_a_caller_is_looked_up_once_a_second():
    people, clock = People(), Clock()
    who = identity(people, clock)
    for _ in range(3):
        assert (await who.of(connection(authorization="Bearer right"))).caller == EVE
    assert people.asked == 1
    clock.now = 1.0
    await who.of(connection(authorization="Bearer right"))
    assert people.asked == 2


async def test_changed_rights_count_at_once():
    people = People()
    who = identity(people)
    await who.of(connection(authorization="Bearer right"))
    who.forget()
    await who.of(connection(authorization="Bearer right"))
    assert people.asked == 2


async def test_what_was_looked_up_before_rights_changed_is_not_remembered_after():
    people = People()
    who = identity(people)
    original = people.bearer

    def slow(secret: str) -> Caller:
        found = original(secret)
        who.forget()
        return found

    people.bearer = slow  # type: ignore[method-assign]
    await who.of(connection(authorization="Bearer right"))
    await who.of(connection(authorization="Bearer right"))
    assert people.asked == 2


async def test_a_refusal_is_not_remembered():
    people = People()
    who = identity(people)
    for _ in range(2):
        with pytest.raises(NotSignedIn):
            await who.of(connection(authorization="Bearer wrong"))
    assert people.asked == 2


async def test_a_token_and_a_session_of_the_same_secret_are_two():
    who = identity(People())
    assert (await who.of(connection(authorization="Bearer right"))).session is None
    assert (await who.of(connection(cookie="danlu_session=right"))).session is SESSION


@pytest.mark.parametrize(
    ("method", "kind", "headers", "allowed"),
    [
        ("GET", "http", {}, True),
        ("POST", "http", {}, False),
        ("POST", "http", {"x_csrf_token": "wrong"}, False),
        ("POST", "http", {"x_csrf_token": "the-csrf"}, True),
        ("POST", "http", {"x_csrf_token": "the-csrf", "origin": "http://here:1"}, True),
        ("POST", "http", {"x_csrf_token": "the-csrf", "origin": "http://there"}, False),
        ("POST", "http", {"x_csrf_token": "the-csrf", "origin": "https://public.example"}, True),
        ("GET", "websocket", {}, False),
        ("GET", "websocket", {"origin": "null"}, False),
        ("GET", "websocket", {"origin": "http://there"}, False),
        ("GET", "websocket", {"origin": "http://here:1"}, True),
    ],
)
async def test_a_browser_acts_for_its_own_site_only(method, kind, headers, allowed):
    who = identity(People(), public_url="https://public.example/danlu")
    asking = connection(method, kind, cookie="__Host-danlu_session=s", host="here:1", **headers)
    if allowed:
        assert (await who.of(asking)).session is SESSION
    else:
        with pytest.raises(NotAllowed):
            await who.of(asking)


@pytest.mark.parametrize(
    ("scheme", "public_url", "cookie", "known"),
    [
        ("http", None, "danlu_session=s", True),
        ("http", None, "__Host-danlu_session=s", False),
        ("https", None, "__Host-danlu_session=s", True),
        ("https", None, "danlu_session=s", False),
        ("wss", None, "danlu_session=s", False),
        ("http", "https://public.example", "__Host-danlu_session=s", True),
        ("http", "https://public.example", "danlu_session=s", False),
    ],
)
async def test_behind_tls_another_host_of_the_domain_cannot_choose_the_session(
    scheme, public_url, cookie, known
):
    who = identity(People(), public_url=public_url)
    asking = connection(cookie=cookie)
    asking.scope["scheme"] = scheme
    if known:
        assert (await who.of(asking)).session is SESSION
    else:
        with pytest.raises(NotSignedIn):
            await who.of(asking)


async def test_whoever_stays_connected_is_looked_at_again_when_their_rights_may_have_changed():
    who = identity(People())
    told: list[str] = []
    who.changed(lambda: told.append("changed"))
    recheck = Recheck(who, "eve")
    assert [recheck.due(3600), recheck.due(3600)] == [True, False]
    who.forget("otto")
    assert not recheck.due(3600)
    for whose in ("eve", None):
        who.forget(whose)
        assert [recheck.due(3600), recheck.due(3600)] == [True, False]
    assert recheck.due(0)
    assert len(told) == 3
