"""Exports: made in threads of their own, piece by piece."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.server.http.streams import Export, Streams
from danlu.server.http.threads import Threads

pytestmark = pytest.mark.anyio


async def sent(lines: Iterator[bytes]) -> list[bytes]:
    """The body's pieces, as the server sends them."""
    messages: list[Any] = []
    here = threading.Event()

    async def receive() -> Any:
        await threads.for_anyone(here.wait)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        messages.append(message)
        if message["type"] == "http.response.body" and not message["more_body"]:
            here.set()

    threads = Threads()
    export = Export(Streams(threads), lines, "text/csv", {"X-Its": "own"})
    try:
        await export({"type": "http"}, receive, send)
    finally:
        here.set()
    assert (b"x-its", b"own") in messages[0]["headers"]
    return [message["body"] for message in messages[1:]]


async def test_lines_are_sent_many_at_a_time_and_the_last_piece_is_empty():
    assert await sent(iter([b"a\n", b"", b"b\n"])) == [b"a\nb\n", b""]


async def test_a_large_export_is_sent_in_pieces():
    pieces = await sent(b"x" * 1_000 for _ in range(200))
    assert sum(map(len, pieces)) == 200_000
    assert len(pieces) > 3


async def test_no_line_is_made_on_the_event_loop():
    loop, makers = threading.get_ident(), set()

    def lines() -> Iterator[bytes]:
        makers.add(threading.get_ident())
        yield b"x"

    assert await sent(lines()) == [b"x", b""]
    assert loop not in makers
