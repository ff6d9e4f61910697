"""Requests within their time: a body that does not come, and an answer that takes too long."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from danlu.domain.errors import TooSlow
from danlu.server.http.visits import LATE, RequestTimes, Visit

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]

TIMES = RequestTimes(body=10, answer=60)
START = {"type": "http.response.start", "status": 200, "headers": []}
BODY = {"type": "http.response.body", "body": b"done"}


class Client:
    """Sends pieces of a body, each after some seconds; keeps what is answered."""

    def __init__(self, *pieces: tuple[float, bytes]) -> None:
        self.pieces, self.answer = list(pieces), list[Any]()
        self.scope: dict[str, Any] = {"type": "http", "headers": []}

    async def receive(self) -> Any:
        after, piece = self.pieces.pop(0)
        await asyncio.sleep(after)
        return {"type": "http.request", "body": piece, "more_body": bool(self.pieces)}

    async def send(self, message: Any) -> None:
        self.answer.append(message)

    def visit(self) -> Visit:
        return Visit(self.scope, self.receive, self.send, TIMES)


async def test_a_body_may_take_as_long_as_it_is_large():
    client = Client((9, b"x" * (40 << 10)), (9, b"x"), (1, b""))
    visit = client.visit()
    assert [len((await visit.receive())["body"]) for _ in range(3)] == [40 << 10, 1, 0]
    await visit.end()


async def test_a_body_that_hardly_comes_is_refused_with_what_came():
    visit = Client((6, b"abc"), (6, b"d"), (6, b"")).visit()
    await visit.receive()
    with pytest.raises(TooSlow, match=r"^3 bytes of the body arrived within 10\S*s; send it again"):
        await visit.receive()
    await visit.end()


async def test_the_time_for_the_answer_begins_with_the_whole_body():
    client = Client((9, b""))
    visit = client.visit()
    await asyncio.sleep(59)
    await visit.receive()
    await asyncio.sleep(59)
    for message in (START, BODY):
        await visit.send(message)
    await visit.end()
    assert (visit.late, visit.status, client.answer[-1]) == (False, 200, BODY)


async def test_a_late_answer_is_given_up_and_never_sent_twice():
    client = Client()
    visit = client.visit()
    await asyncio.sleep(61)
    for message in (START, BODY):
        await visit.send(message)
    await visit.end()
    start, body = client.answer
    told = json.loads(body["body"])
    assert (start["status"], told["type"], visit.status) == (503, "overdue", 503)
    assert (b"connection", b"close") in start["headers"]
    assert "within 1m, the time for a request" in told["detail"]
    assert "先查看" in told["text"]["zh"]
    assert visit.late
    assert client.scope[LATE]


async def test_a_stream_that_has_begun_may_last():
    client = Client()
    visit = client.visit()
    await visit.send({**START, "headers": [(b"content-type", b"text/event-stream")]})
    await asyncio.sleep(3_600)
    await visit.send(BODY)
    await visit.end()
    assert (visit.late, visit.stream, len(client.answer)) == (False, True, 2)
