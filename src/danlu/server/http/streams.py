"""Streams: they end when the client leaves or reads too slowly, and when the server closes. Exports are streams too,
made piece by piece in threads that no short request needs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress

from starlette.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from danlu.server.http.threads import Threads
from danlu.server.http.turns import as_stream

HEARTBEAT_S = 10.0
_PATIENCE_S = 60.0
_PIECE_BYTES = 1 << 16
_PIECE_S = 0.05
InThread = Callable[
    [Callable[[Iterator[bytes]], tuple[bytes, bool]], Iterator[bytes]], Awaitable[tuple[bytes, bool]]
]
_HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class Streams:
    """The open streams of one server; `close` ends them all and lets no new one begin."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.open = 0
        self._closing = asyncio.Event()

    @property
    def closing(self) -> bool:
        return self._closing.is_set()

    def close(self) -> None:
        """On the server's own loop."""
        self._closing.set()

    async def closed(self) -> None:
        await self._closing.wait()


class Stream(Response):
    """Sends what a generator yields; the generator is always closed before the answer ends."""

    def __init__(
        self,
        streams: Streams,
        pieces: AsyncGenerator[bytes, None],
        media_type: str,
        headers: Mapping[str, str] | None = None,
        *,
        status: int = 200,
        length: int | None = None,
    ) -> None:
        """`length`: how many bytes there are, where that is known before."""
        super().__init__(None, status, {**_HEADERS, **(headers or {})}, media_type)
        del self.headers["content-length"]
        if length is not None:
            self.headers["content-length"] = str(length)
        self._streams, self._pieces = streams, pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        as_stream(scope)
        start = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        try:
            await send(start)
        except BaseException:
            await self._pieces.aclose()
            raise
        self._streams.open += 1
        pump = asyncio.ensure_future(self._pump(send))
        gone = asyncio.ensure_future(_disconnected(receive))
        closed = asyncio.ensure_future(self._streams.closed())
        try:
            await asyncio.wait({pump, gone, closed}, return_when=asyncio.FIRST_COMPLETED)
            left = gone.done()
        finally:
            self._streams.open -= 1
            for task in (pump, gone, closed):
                task.cancel()
            await asyncio.gather(pump, gone, closed, return_exceptions=True)
            await self._pieces.aclose()
        if not pump.cancelled() and pump.exception() is not None:
            await _raise_unless_gone(pump)
        elif not left:
            with suppress(OSError):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pump(self, send: Send) -> None:
        async for piece in self._pieces:
            async with asyncio.timeout(_PATIENCE_S):
                await send({"type": "http.response.body", "body": piece, "more_body": True})


class EventStream(Stream):
    """Server-sent events."""

    def __init__(self, streams: Streams, pieces: AsyncGenerator[bytes, None]) -> None:
        super().__init__(streams, pieces, "text/event-stream")


class Download(FileResponse):
    """A file as it is."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        as_stream(scope)
        await super().__call__(scope, receive, send)


class Export(Stream):
    """Sends lines as they are made, many at a time. An empty line is nothing yet: whoever makes lines from much data
    yields one now and then, so that others get their turn."""

    def __init__(
        self,
        streams: Streams,
        lines: Iterator[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
        run: InThread | None = None,
    ) -> None:
        """`run` has its own threads; by default those of exports make the lines."""
        pieces = _pieces(run or streams.threads.for_export, lines)
        super().__init__(streams, pieces, media_type, headers)


async def _pieces(run: InThread, lines: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    over = False
    while not over:
        piece, over = await run(_next_piece, lines)
        if piece:
            yield piece


def _next_piece(lines: Iterator[bytes]) -> tuple[bytes, bool]:
    """The next lines, as many as are made in a moment; and whether they were the last."""
    found, size, until = [], 0, time.monotonic() + _PIECE_S
    for line in lines:
        found.append(line)
        size += len(line)
        if size >= _PIECE_BYTES or time.monotonic() >= until:
            return b"".join(found), False
    return b"".join(found), True


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _raise_unless_gone(pump: asyncio.Future[None]) -> None:
    """Ignore errors that only mean that the client left or does not read."""
    error = pump.exception()
    if error is not None and not isinstance(error, (OSError, TimeoutError)):
        raise error
