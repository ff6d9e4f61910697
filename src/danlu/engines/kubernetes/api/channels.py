"""Several streams over one WebSocket, each message marked with its channel, as Kubernetes carries them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from contextlib import AsyncExitStack

import aiohttp

from danlu.engines.kubernetes.api.api import Api

PROTOCOL = "v4.channel.k8s.io"
_PIECE = 32 * 1024
_FAREWELL_S = 2.0


class Channels:
    """A WebSocket and the session that it alone uses."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, stack: AsyncExitStack) -> None:
        self._socket, self._stack = socket, stack

    @classmethod
    async def open(cls, api: Api, path: str, params: Sequence[tuple[str, str]]) -> Channels:
        """Closes the API with itself, or at once when it cannot be opened: ApiError, Unreachable."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(api.close)
            socket = await stack.enter_async_context(api.socket(path, params, PROTOCOL))
            return cls(socket, stack.pop_all())
        raise AssertionError("nothing here is suppressed")

    async def receive(self) -> tuple[int, bytes] | None:
        """The next message and its channel; None when the other side has closed."""
        while True:
            message = await self._socket.receive()
            if message.type is aiohttp.WSMsgType.BINARY:
                if message.data:
                    return message.data[0], message.data[1:]
            elif message.type is not aiohttp.WSMsgType.TEXT:
                return None

    async def send(self, channel: int, data: bytes) -> bool:
        """Takes as long as the other side takes to read; False when it has closed."""
        try:
            for at in range(0, len(data), _PIECE):
                await self._socket.send_bytes(bytes((channel,)) + data[at : at + _PIECE])
        except (ConnectionError, aiohttp.ClientError):
            return False
        return not self._socket.closed

    async def close(self) -> None:
        """Whether or not the other side answers. Closed already is success."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_S):
                await self._stack.aclose()
