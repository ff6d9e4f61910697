"""Long-lived answers: cut into lines, on connections that notice when the other end is gone."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

_KEEP_ALIVE = ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 3), (socket.TCP_KEEPCNT, 3))
"""A peer that disappeared without closing is noticed after 5 + 3 · 3 seconds."""


async def split_lines(read: Callable[[], Awaitable[bytes]]) -> AsyncIterator[bytes]:
    """Lines without their line ends, the last one even if it is not terminated. `read` returns the next bytes, none
    at the end."""
    rest = bytearray()
    while chunk := await read():
        first, *others = chunk.split(b"\n")
        rest += first
        if others:
            yield bytes(rest)
            for line in others[:-1]:
                yield line
            rest = bytearray(others[-1])
    if rest:
        yield bytes(rest)


class OnSocket(Protocol):
    """Anything of asyncio's or aiohttp's that is carried by a socket."""

    def get_extra_info(self, name: str, /) -> Any: ...


def keep_alive(carried: OnSocket | None) -> None:
    """Turn on TCP keepalive for a connection that may be silent for long."""
    connection = carried.get_extra_info("socket") if carried is not None else None
    if connection is None:
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in _KEEP_ALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, seconds)
