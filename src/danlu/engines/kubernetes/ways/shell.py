"""A further command inside a running pod, on pipes or on a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence

from danlu.domain.errors import Unavailable
from danlu.domain.words import Words, say
from danlu.engines.kubernetes.api.api import ApiError, ApiUnreachable
from danlu.engines.kubernetes.api.channels import Channels
from danlu.engines.kubernetes.objects.pods import TASK_CONTAINER
from danlu.engines.kubernetes.ways.visit import LOST, ending, entering, exit_code, typed

_INPUT, OUTPUT, _ERRORS, STATUS, _SIZE = range(5)
_BEGIN_S = 10.0
_END_S = 5.0
_KILLED = 137
_LOST_WORDS = b"\r\n[danlu] the connection to the task was lost\r\n"

Enter = Callable[[Sequence[tuple[str, str]]], Awaitable[Channels]]
"""Opens a connection into the pod, with the parameters of the API's `exec`."""


class KubernetesShell:
    """The Shell port over the API's `exec`. Read by one at a time."""

    def __init__(self, enter: Enter, channels: Channels, tty: bool) -> None:
        self._enter, self._channels, self._tty = enter, channels, tty
        self._group = 0
        self._early = b""
        self._code: int | None = None
        self._words = ""
        self._over = asyncio.Event()
        self._input_over = False
        self._turn = asyncio.Lock()
        self._resizing: set[asyncio.Task[bool]] = set()

    @classmethod
    async def open(
        cls, enter: Enter, task_name: str, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> KubernetesShell:
        """Unavailable, in the cluster's words, when the command could not even be tried."""
        on_terminal = tty is not None
        channels = await enter(exec_params(entering(argv, tty), tty=on_terminal))
        shell = cls(enter, channels, on_terminal)
        try:
            async with asyncio.timeout(_BEGIN_S):
                if tty is not None:
                    await channels.send(_SIZE, _size(*tty))
                await shell._begin()
        except TimeoutError as error:
            await shell.close()
            raise Unavailable(
                say(
                    "cannot run commands in {task_name}: its node does not answer",
                    "无法进入 {task_name}：其节点没有响应",
                    task_name=task_name,
                )
            ) from error
        except BaseException:
            await shell.close()
            raise
        if not shell._group:
            await shell.close()
            raise Unavailable(
                say(
                    "cannot run commands in {task_name}: {words}",
                    "无法进入 {task_name}：{words}",
                    task_name=task_name,
                    words=shell._words or Words("the cluster closed the connection", "集群关闭了连接"),
                )
            )
        return shell

    async def read(self) -> bytes:
        early, self._early = self._early, b""
        if early:
            return early
        while not self._over.is_set():
            data = await self._receive()
            if data:
                return data
        return b""

    async def write(self, data: bytes) -> None:
        """Takes as long as the command takes to read, or until `close`; what it never reads is dropped."""
        async with self._turn:
            if self._input_over:
                return
            self._input_over = not self._tty and not data
            for portion in typed(data, tty=self._tty):
                if not await self._channels.send(_INPUT, portion):
                    return

    def resize(self, columns: int, rows: int) -> None:
        if self._tty:
            task = asyncio.ensure_future(self._channels.send(_SIZE, _size(columns, rows)))
            self._resizing.add(task)
            task.add_done_callback(self._resizing.discard)

    async def wait(self) -> int:
        await self._over.wait()
        return _KILLED if self._code is None else self._code

    async def close(self) -> None:
        """The API leaves a command running whose visitor has gone: it is ended by another."""
        ended = self._over.is_set()
        self._over.set()
        if not ended and self._group:
            with contextlib.suppress(ApiError, ApiUnreachable, Unavailable, TimeoutError):
                async with asyncio.timeout(_END_S):
                    await self._kill()
        await self._channels.close()
        await asyncio.gather(*self._resizing, return_exceptions=True)

    async def _begin(self) -> None:
        """Up to the first line, which is not the command's own."""
        line = b""
        while b"\n" not in line and not self._over.is_set():
            line += await self._receive()
        number, _, self._early = line.partition(b"\n")
        if number.strip().isdigit():
            self._group = int(number)

    async def _receive(self) -> bytes:
        """The next output, if any; whatever else comes is noted."""
        message = await self._channels.receive()
        match message:
            case (channel, data) if channel in (OUTPUT, _ERRORS):
                return data
            case (channel, data) if channel == STATUS and data:
                self._code, self._words = exit_code(data)
                self._over.set()
            case None if not self._over.is_set():
                self._code = LOST
                self._over.set()
                return _LOST_WORDS if self._group else b""
        return b""

    async def _kill(self) -> None:
        killer = await self._enter(exec_params(ending(self._group, tty=self._tty), tty=False, stdin=False))
        try:
            while await killer.receive() is not None:
                pass
        finally:
            await killer.close()


def _size(columns: int, rows: int) -> bytes:
    return json.dumps({"Width": columns, "Height": rows}).encode()


def exec_params(argv: Sequence[str], *, tty: bool, stdin: bool = True) -> list[tuple[str, str]]:
    """What the API's `exec` is asked with to run a command in a task's container."""
    flags = {"container": TASK_CONTAINER, "stdin": stdin, "stdout": True, "stderr": not tty, "tty": tty}
    return [
        *((name, str(value).lower()) for name, value in flags.items()),
        *(("command", word) for word in argv),
    ]
