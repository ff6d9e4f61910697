"""A further command inside a running task, on pipes or on a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import termios
from collections.abc import Sequence
from pathlib import Path

from danlu.engines.local.programs import bare_environment, own_program

_CHUNK = 65_536
_GRACE_S = 2
_END_OF_INPUT = b"\x04"


class LocalShell:
    """The Shell port over a process of this machine that entered the task."""

    def __init__(self, process: asyncio.subprocess.Process, terminal: int | None) -> None:
        self._process, self._terminal = process, terminal
        self._reader: asyncio.StreamReader | None = None
        self._source: asyncio.BaseTransport | None = None
        self._turn = asyncio.Lock()
        self._closing = asyncio.Event()

    @classmethod
    async def open(cls, folder: Path, argv: Sequence[str], tty: tuple[int, int] | None) -> LocalShell:
        return await cls.start(own_program("danlu.runtime.enter", str(folder), "--", *argv), tty)

    @classmethod
    async def start(cls, command: Sequence[str], tty: tuple[int, int] | None) -> LocalShell:
        """Any command, not inside a task."""
        env = bare_environment()
        if tty is None:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                env=env,
            )
            return cls(process, None)
        ours, theirs = pty.openpty()
        try:
            _set_size(ours, *tty)
            os.set_blocking(ours, False)
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
                env={**env, "TERM": "xterm-256color"},
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        return cls(process, ours)

    async def read(self) -> bytes:
        try:
            reader = await self._output()
            return await reader.read(_CHUNK)
        except OSError:
            return b""  # how Linux says that the last holder of a terminal has left

    async def write(self, data: bytes) -> None:
        """Nothing is kept here: it takes as long as the command takes to read, or until `close`."""
        pipe = self._process.stdin
        if pipe is None:
            async with self._turn:
                await self._type(data or _END_OF_INPUT)
            return
        if pipe.is_closing():
            return
        with contextlib.suppress(ConnectionError):
            if data:
                pipe.write(data)
                await pipe.drain()
            else:
                pipe.close()

    def resize(self, columns: int, rows: int) -> None:
        if self._terminal is not None:
            _set_size(self._terminal, columns, rows)

    async def wait(self) -> int:
        code = await self._process.wait()
        return code if code >= 0 else 128 - code

    async def close(self) -> None:
        self._closing.set()
        pipe = self._process.stdin
        if pipe is not None and not pipe.is_closing():
            pipe.transport.abort()  # what was never read would keep it open
        # An interactive shell ignores SIGTERM, but not the hang-up of its terminal.
        if not await self._end(signal.SIGTERM if self._terminal is None else signal.SIGHUP):
            await self._end(signal.SIGKILL)
        # The pipes too, should something that outlived the command hold their other ends: asyncio has no public way.
        self._process._transport.close()  # type: ignore[attr-defined]
        if self._source is not None:
            self._source.close()
        async with self._turn:
            if self._terminal is not None:
                terminal, self._terminal = self._terminal, None
                with contextlib.suppress(OSError):
                    os.close(terminal)

    async def _end(self, number: signal.Signals) -> bool:
        """A signal to the command and what it started, and some time to end."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        try:
            async with asyncio.timeout(_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    async def _type(self, data: bytes) -> None:
        """On the terminal, as fast as the command reads; whatever is left when it ends is dropped."""
        left = memoryview(data)
        while left and self._terminal is not None and not self._closing.is_set():
            try:
                left = left[os.write(self._terminal, left) :]
            except BlockingIOError:
                await self._writable(self._terminal)
            except OSError:
                return  # nobody holds the other side any more

    async def _writable(self, terminal: int) -> None:
        """Until the terminal takes more, or this shell closes."""
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        # Its own number: the one that is read from belongs to the reader's transport.
        loop.add_writer(terminal, ready.set)
        waiting = [asyncio.ensure_future(one.wait()) for one in (ready, self._closing)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            loop.remove_writer(terminal)
            for one in waiting:
                one.cancel()

    async def _output(self) -> asyncio.StreamReader:
        if self._process.stdout is not None:
            return self._process.stdout
        if self._reader is None:
            if self._terminal is None:
                raise OSError("closed")
            self._reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(self._reader)
            source = os.fdopen(os.dup(self._terminal), "rb", buffering=0)
            loop = asyncio.get_running_loop()
            self._source, _ = await loop.connect_read_pipe(lambda: protocol, source)
        return self._reader


def _set_size(fd: int, columns: int, rows: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
