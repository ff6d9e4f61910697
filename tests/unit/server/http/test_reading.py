"""Bodies and queries: every mistake at its place, nothing without bounds."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Any

import pytest
from starlette.requests import HTTPConnection, Request

from danlu.domain.errors import Invalid, TooLarge
from danlu.server.http.models import MAX_NUMBER
from danlu.server.http.reading import MAX_BODY, Body, Query, decimal, declared_size, parse_json, read_body
from danlu.server.jobs.models import CloneRequest, JobListQuery
from danlu.server.people.models import SignIn

pytestmark = pytest.mark.anyio


def request(*pieces: bytes, **headers: str) -> Request:
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    waiting = iter(messages)

    async def receive() -> Any:
        return next(waiting)

    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": names, "query_string": b""}, receive)


def query(text: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "query_string": text.encode()})


async def mistakes(act: Any) -> list[tuple[Any, str, str | None]]:
    with pytest.raises(Invalid) as caught:
        await act
    return [(error.loc, error.code, error.hint.en if error.hint else None) for error in caught.value.errors]


async def test_a_body_is_read_into_its_model():
    body = await Body(SignIn)(request(b'{"username": "eve",', b' "password": "x"}'))
    assert body == SignIn(username="eve", password="x")


async def test_a_misspelt_key_is_told_once_with_its_meaning():
    found = await mistakes(Body(SignIn)(request(b'{"usrname": "eve", "password": "x"}')))
    assert found == [(("usrname",), "unknown_key", "did you mean 'username'?")]


async def test_no_body_is_fine_where_nothing_is_needed():
    assert await Body(CloneRequest)(request()) == CloneRequest()
    assert (await mistakes(Body(SignIn)(request())))[0][1] == "bad_json"


async def test_a_body_beyond_the_bound_is_refused_before_it_is_read():
    with pytest.raises(TooLarge, match="1MiB"):
        await read_body(request(b"x", content_length=str(MAX_BODY + 1)), MAX_BODY)


async def test_a_body_that_does_not_tell_its_size_is_cut_off():
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 65_536

    endlessly = request(*[b"x" * 65_536] * 17)
    with pytest.raises(TooLarge):
        await read_body(endlessly, MAX_BODY)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{nope", "bad_json"),
        (b"\xff\xfe", "bad_json"),
        (b'{"a": NaN}', "bad_json"),
        (b'{"a": -Infinity}', "bad_json"),
        (b'{"a": 1e999}', "bad_value"),
        (b'{"a": "\\u0000"}', "bad_text"),
        (b'{"a\\u0000": 1}', "bad_text"),
        (b'{"a": ["\\ud800"]}', "bad_text"),
        (b"[" * 100 + b"]" * 100, "too_deep"),
        (b"[" * 100_000, "too_deep"),
        (b"1" * 5_000, "bad_json"),
    ],
)
def test_json_that_is_none_or_cannot_be_kept_is_refused(raw, code):
    with pytest.raises(Invalid) as caught:
        parse_json(raw)
    assert [error.code for error in caught.value.errors] == [code]


def test_ordinary_json_is_left_alone():
    data = {"a": [1, 2.5, None, True, {"名": "字 🙂"}], "b": "\\u0000 as text"}
    assert parse_json(json.dumps(data).encode()) == data


def test_a_syntax_error_says_where_it_is():
    with pytest.raises(Invalid) as caught:
        parse_json(b'{\n  "a": 1\n  "b": 2\n}')
    assert "line 3, column 3" in caught.value.errors[0].message


async def test_a_query_is_read_into_its_model():
    found = await Query(JobListQuery)(query("limit=7&state=queued&state=running&sort=name"))
    assert (found.limit, found.state, found.sort) == (7, ["queued", "running"], "name")


async def test_all_mistakes_of_a_query_are_told_at_once():
    found = await mistakes(Query(JobListQuery)(query("limit=0&state=runing&stat=x&sort=names")))
    assert found == [
        (("query", "limit"), "out_of_range", None),
        (("query", "state", 0), "not_one_of", "did you mean 'running'?"),
        (("query", "sort"), "not_one_of", "did you mean 'name'?"),
        (("query", "stat"), "unknown_key", "did you mean 'state'?"),
    ]


async def test_text_that_no_database_keeps_is_refused_in_a_query():
    assert await mistakes(Query(JobListQuery)(query("search=%00"))) == [
        (("query", "search"), "bad_text", None)
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("0" * 5_000 + "7", 7), (str(MAX_NUMBER), MAX_NUMBER)],
)
def test_a_number_is_read(text, number):
    assert decimal(text) == number


@pytest.mark.parametrize(
    "text", [None, "", "-1", "1.5", " 1", "1_0", "²", "١", str(MAX_NUMBER + 1), "9" * 5_000]
)
def test_what_is_no_number_or_too_large_a_one_is_none(text):
    assert decimal(text) is None


@pytest.mark.parametrize(
    ("declared", "refused"), [("8", False), ("9", True), ("9" * 5_000, True), ("²", False)]
)
def test_a_body_is_refused_by_the_size_it_declares(declared, refused):
    headers = [(b"content-length", declared.encode("latin-1"))]
    request = Request({"type": "http", "headers": headers})
    with pytest.raises(TooLarge) if refused else nullcontext():
        declared_size(request, 8)
