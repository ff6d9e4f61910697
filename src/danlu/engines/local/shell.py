"""A further command inside a running task, on pipes or on a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

_CHUNK = 65_536


class LocalShell:
    """The Shell port over a process of this machine that entered the task."""

    def __init__(self, process: asyncio.subprocess.Process, terminal: int | None) -> None:
        self._process, self._terminal = process, terminal
        self._reader: asyncio.StreamReader | None = None

    @classmethod
    async def open(cls, folder: Path, argv: Sequence[str], tty: tuple[int, int] | None) -> LocalShell:
        command = [sys.executable, "-m", "danlu.runtime.enter", str(folder), "--", *argv]
        if tty is None:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.STDOUT, start_new_session=True
            )
            return cls(process, None)
        ours, theirs = pty.openpty()
        try:
            _set_size(ours, *tty)
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
                env={**os.environ, "TERM": "xterm-256color"},
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        return cls(process, ours)

    async def read(self) -> bytes:
        reader = await self._output()
        try:
            return await reader.read(_CHUNK)
        except OSError:
            return b""  # how Linux says that the last holder of a terminal has left

    async def write(self, data: bytes) -> None:
        if self._terminal is not None:
            await asyncio.to_thread(_write_all, self._terminal, data or b"\x04")
            return
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            if data:
                self._process.stdin.write(data)
                await self._process.stdin.drain()
            else:
                self._process.stdin.close()

    def resize(self, columns: int, rows: int) -> None:
        if self._terminal is not None:
            _set_size(self._terminal, columns, rows)

    async def wait(self) -> int:
        code = await self._process.wait()
        return code if code >= 0 else 128 - code

    async def close(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            try:
                async with asyncio.timeout(2):
                    await self._process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
        if self._terminal is not None:
            terminal, self._terminal = self._terminal, None
            with contextlib.suppress(OSError):
                os.close(terminal)

    async def _output(self) -> asyncio.StreamReader:
        if self._terminal is None:
            assert self._process.stdout is not None
            return self._process.stdout
        if self._reader is None:
            self._reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(self._reader)
            source = os.fdopen(os.dup(self._terminal), "rb", buffering=0)
            await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, source)
        return self._reader


def _set_size(fd: int, columns: int, rows: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
