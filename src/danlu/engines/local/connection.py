"""A connection to what listens inside a task on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable

from danlu.domain.errors import Unavailable
from danlu.domain.words import say

_CHUNK = 65_536
_CONNECT_S = 5.0
_FAREWELL_S = 2.0


class LocalConnection:
    """The Connection port over TCP."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task_name: str, port: int
    ) -> None:
        self._reader, self._writer = reader, writer
        self._task_name, self._port = task_name, port

    @classmethod
    async def open(
        cls, task_name: str, address: str, port: int, enter: Callable[[], socket.socket | None] = lambda: None
    ) -> LocalConnection:
        """`enter` makes a socket in the task's network; None if that is the machine's."""
        try:
            async with asyncio.timeout(_CONNECT_S):
                inside = await asyncio.to_thread(enter)
                if inside is None:
                    reader, writer = await asyncio.open_connection(address, port)
                else:
                    reader, writer = await _connected(inside, address, port)
        except ConnectionRefusedError as error:
            raise Unavailable(
                say(
                    "nothing listens on port {port} of {task_name}",
                    "{task_name} 的端口 {port} 上没有程序在监听",
                    port=port,
                    task_name=task_name,
                )
            ) from error
        except OSError as error:
            raise Unavailable(
                say(
                    "port {port} of {task_name} cannot be reached: {error}",
                    "无法连接 {task_name} 的端口 {port}：{error}",
                    port=port,
                    task_name=task_name,
                    error=error,
                )
            ) from error
        return cls(reader, writer, task_name, port)

    async def read(self) -> bytes:
        try:
            return await self._reader.read(_CHUNK)
        except OSError as error:
            raise Unavailable(
                say(
                    "{task_name} reset the connection to its port {port}",
                    "{task_name} 中断了到其端口 {port} 的连接",
                    task_name=self._task_name,
                    port=self._port,
                )
            ) from error

    async def write(self, data: bytes) -> None:
        """Takes as long as the other side takes to read. Unavailable when it has closed."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError as error:
            raise Unavailable(
                say(
                    "{task_name} closed the connection to its port {port}",
                    "{task_name} 关闭了到其端口 {port} 的连接",
                    task_name=self._task_name,
                    port=self._port,
                )
            ) from error

    async def close(self) -> None:
        """What was written still goes out, if the other side reads it soon."""
        self._writer.close()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(_FAREWELL_S):
                await self._writer.wait_closed()
        self._writer.transport.abort()


async def _connected(
    inside: socket.socket, address: str, port: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    inside.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(inside, (address, port))
        return await asyncio.open_connection(sock=inside)
    except BaseException:
        inside.close()
        raise
