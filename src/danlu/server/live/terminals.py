"""Terminals that outlive a connection: their output is kept for a while, so that a client can reconnect."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from danlu.domain.errors import NotFound, TooMany
from danlu.domain.words import Words, say
from danlu.ports.engine import Shell

KEPT_S = 300.0
"""How long a terminal without a connection is kept."""
_KEPT_BYTES = 1 << 20
_AHEAD = 1 << 18
_MOST_OF_ONE = 20
_PACE_S = 0.02
_PIECE = 1 << 16


class Terminal:
    """A shell with the last of its output; one connection at a time, the latest wins."""

    def __init__(self, shell: Shell, user: str, job_id: str, kept: bool) -> None:
        self.id, self.shell, self.user, self.job_id = secrets.token_urlsafe(12), shell, user, job_id
        self.kept = kept
        self.ended = False
        self._output = bytearray()
        self._dropped = 0
        self._reader: TerminalClient | None = None
        self._changed = asyncio.Condition()
        self._pump = asyncio.create_task(self._fill())

    @property
    def attached(self) -> bool:
        return self._reader is not None

    def attach(self, offset: int) -> TerminalClient:
        """Connect a client that has seen this much output; without awaiting, so that nothing can come in between."""
        begin = min(max(offset, self._dropped), self._end)
        self._reader = TerminalClient(self, begin)
        return self._reader

    def detach(self, connection: TerminalClient) -> None:
        if self._reader is connection:
            self._reader = None

    async def close(self) -> None:
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)
        await self.shell.close()

    async def next(self, connection: TerminalClient) -> bytes:
        """The output after what the connection has seen; nothing when it is over for this connection."""
        async with self._changed:
            self._changed.notify_all()  # the shell may continue, since output was read
            await self._changed.wait_for(lambda: self._stirred(connection))
        if self._reader is not connection:
            return b""
        begin = connection.seen - self._dropped
        return bytes(self._output[begin : begin + _PIECE])

    @property
    def _end(self) -> int:
        return self._dropped + len(self._output)

    def _stirred(self, connection: TerminalClient) -> bool:
        return self._reader is not connection or self.ended or self._end > connection.seen

    async def _fill(self) -> None:
        """Reads the shell, no faster than the attached client; with nobody attached, the oldest output is dropped."""
        try:
            while data := await self.shell.read():
                self._output += data
                async with self._changed:
                    self._changed.notify_all()
                    await self._changed.wait_for(lambda: not self._far_behind())
                if self._reader is None and len(self._output) > _KEPT_BYTES:
                    await asyncio.sleep(_PACE_S)  # output that nobody reads must not keep the server busy
                # Seldom, since what stays has to be moved.
                if len(self._output) > 2 * _KEPT_BYTES:
                    excess = len(self._output) - _KEPT_BYTES
                    del self._output[:excess]
                    self._dropped += excess
        finally:
            self.ended = True
            await self.tell()

    def _far_behind(self) -> bool:
        return self._reader is not None and self._end - self._reader.seen > _AHEAD

    async def tell(self) -> None:
        """Something changed for whoever waits."""
        async with self._changed:
            self._changed.notify_all()


class TerminalClient:
    """A client of a terminal, and how much of its output it has seen."""

    def __init__(self, terminal: Terminal, begin: int) -> None:
        self.terminal, self.seen = terminal, begin

    async def read(self) -> AsyncIterator[bytes]:
        """Output until the shell ends or another connection takes over."""
        while piece := await self.terminal.next(self):
            yield piece
            self.seen += len(piece)


class Terminals:
    """The terminals of one server. All of it belongs to one event loop."""

    def __init__(self, kept_s: float = KEPT_S) -> None:
        self._kept_s = kept_s
        self._all: dict[str, Terminal] = {}
        self._opening: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @contextmanager
    def room_for(self, user: str) -> Iterator[None]:
        """Held while a terminal is being opened; TooMany if the person has the maximum already."""
        if self._opening[user] + sum(one.user == user for one in self._all.values()) >= _MOST_OF_ONE:
            raise TooMany(
                say(
                    "{user} already has {count} open terminals; close some first",
                    "{user} 已打开 {count} 个终端，请先关闭一些",
                    user=user,
                    count=_MOST_OF_ONE,
                ),
                retry_after=60,
            )
        self._opening[user] += 1
        try:
            yield
        finally:
            self._opening[user] -= 1

    def add(self, shell: Shell, user: str, job_id: str, kept: bool) -> TerminalClient:
        made = Terminal(shell, user, job_id, kept)
        self._all[made.id] = made
        return made.attach(0)

    def back(self, terminal_id: str, user: str, job_id: str, offset: int) -> TerminalClient:
        """Reconnect to one's own terminal in a job."""
        found = self._all.get(terminal_id)
        if found is None or (found.user, found.job_id) != (user, job_id):
            raise NotFound(
                Words("this terminal no longer exists; open a new one", "该终端已不存在，请打开新的终端")
            )
        if timer := self._leaving.pop(terminal_id, None):
            timer.cancel()
        return found.attach(offset)

    async def leave(self, connection: TerminalClient) -> None:
        """The client is gone. A kept terminal waits for a while; any other ends."""
        terminal = connection.terminal
        terminal.detach(connection)
        self._settle(terminal)
        await terminal.tell()

    async def close(self) -> None:
        for terminal in list(self._all.values()):
            self._close(terminal)
        await asyncio.gather(*self._closing, return_exceptions=True)

    def _settle(self, terminal: Terminal) -> None:
        if terminal.attached or terminal.id not in self._all:
            return
        if terminal.ended or not terminal.kept:
            self._close(terminal)
        elif terminal.id not in self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving[terminal.id] = loop.call_later(self._kept_s, self._given_up, terminal)

    def _given_up(self, terminal: Terminal) -> None:
        self._leaving.pop(terminal.id, None)
        if not terminal.attached:
            self._close(terminal)

    def _close(self, terminal: Terminal) -> None:
        """Close it in the background."""
        self._all.pop(terminal.id, None)
        if timer := self._leaving.pop(terminal.id, None):
            timer.cancel()
        task = asyncio.ensure_future(terminal.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
