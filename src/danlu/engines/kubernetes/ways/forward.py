"""A connection to what listens inside a running pod."""

from __future__ import annotations

import asyncio
import contextlib

from danlu.domain.errors import Unavailable
from danlu.domain.words import Words, say
from danlu.engines.kubernetes.api.channels import Channels

_DATA, _ERROR = 0, 1
_PORT_SIZE = 2
_BEGIN_S = 10.0
_REFUSED_WITHIN_S = 0.1
"""A node reports when it could not connect, but not when it could."""


class ForwardedConnection:
    """The Connection port over the API's `portforward`. Read by one at a time.

    What ends on one side ends on both: the API carries no half-closed connections."""

    def __init__(self, channels: Channels, task_name: str, port: int) -> None:
        self._channels, self._task_name, self._port = channels, task_name, port
        self._unannounced = {_DATA: _PORT_SIZE, _ERROR: _PORT_SIZE}
        self._early = b""
        self._closed = False

    @classmethod
    async def open(cls, channels: Channels, task_name: str, port: int) -> ForwardedConnection:
        """Unavailable when nothing listens there, as far as the node tells at once; else the first `read` says it."""
        connection = cls(channels, task_name, port)
        try:
            async with asyncio.timeout(_BEGIN_S):
                while any(connection._unannounced.values()) and not connection._closed:
                    connection._early += await connection._receive()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REFUSED_WITHIN_S):
                    while not connection._early and not connection._closed:
                        connection._early += await connection._receive()
        except TimeoutError as error:
            await connection.close()
            raise Unavailable(
                say(
                    "port {port} of {task_name} cannot be reached: no answer",
                    "无法连接 {task_name} 的端口 {port}：没有响应",
                    port=port,
                    task_name=task_name,
                )
            ) from error
        except BaseException:
            await connection.close()
            raise
        return connection

    async def read(self) -> bytes:
        early, self._early = self._early, b""
        while not early and not self._closed:
            early = await self._receive()
        return early

    async def write(self, data: bytes) -> None:
        """Takes as long as the other side takes to read. Unavailable when it has closed."""
        if data and (self._closed or not await self._channels.send(_DATA, data)):
            raise Unavailable(
                say(
                    "{task_name} closed the connection to its port {port}",
                    "{task_name} 关闭了到其端口 {port} 的连接",
                    task_name=self._task_name,
                    port=self._port,
                )
            )

    async def close(self) -> None:
        self._closed = True
        await self._channels.close()

    async def _receive(self) -> bytes:
        """The next bytes, if that is what comes next. Each channel begins with the number of the port."""
        message = await self._channels.receive()
        if message is None:
            self._closed = True
            return b""
        channel, data = message
        head = min(len(data), self._unannounced.get(channel, 0))
        if head:
            self._unannounced[channel] -= head
            data = data[head:]
        if channel == _ERROR and data:
            self._closed = True
            raise Unavailable(self._words(data.decode("utf-8", "replace")))
        return data if channel == _DATA else b""

    def _words(self, said: str) -> Words:
        if "connection refused" in said:
            return say(
                "nothing listens on port {port} of {task}",
                "{task} 的端口 {port} 上没有程序在监听",
                port=self._port,
                task=self._task_name,
            )
        return say(
            "port {port} of {task} cannot be reached: {why}",
            "无法连接 {task} 的端口 {port}：{why}",
            port=self._port,
            task=self._task_name,
            why=said,
        )
