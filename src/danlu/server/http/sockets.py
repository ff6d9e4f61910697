"""Two halves of a WebSocket, each waiting for its own side: when one ends, so does the other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from danlu.server.http.streams import Streams

_GOING_AWAY = 1012


async def together(socket: WebSocket, streams: Streams, *halves: Coroutine[Any, Any, None]) -> None:
    """Run the halves until one ends, the client leaves or the server closes; then end them all."""
    tasks = [asyncio.ensure_future(half) for half in (*halves, streams.closed())]
    streams.open += 1
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        streams.open -= 1
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    if socket.client_state is socket.application_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(_GOING_AWAY if streams.closing else 1000)
    for end in ends:
        gone = (asyncio.CancelledError, WebSocketDisconnect, OSError, TimeoutError)
        if isinstance(end, BaseException) and not isinstance(end, gone):
            raise end
