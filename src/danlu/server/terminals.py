"""Terminals that outlive a connection: their output is kept for a while, and whoever returns reads on."""

from __future__ import annotations

import asyncio
import functools
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress

from danlu.domain.errors import NotFound, TooMany
from danlu.ports.engine import Shell

KEPT_S = 300.0
"""How long a terminal without a connection waits for its person."""
_KEPT_BYTES = 1 << 20
_AHEAD = 1 << 18
_MOST_OF_ONE = 20


class Terminal:
    """A shell with the last of its output; one connection at a time, the latest wins."""

    def __init__(self, shell: Shell, user: str, job_id: str, kept: bool) -> None:
        self.id, self.shell, self.user, self.job_id = secrets.token_urlsafe(12), shell, user, job_id
        self.kept = kept
        self.ended = False
        self._output = bytearray()
        self._dropped = 0
        self._seen: int | None = None
        self._reader: object | None = None
        self._changed = asyncio.Condition()
        self._pump = asyncio.create_task(self._fill())

    @property
    def attached(self) -> bool:
        return self._reader is not None

    def begin(self, offset: int) -> int:
        """Where output can be read from, for somebody who has seen so much."""
        return min(max(offset, self._dropped), self._dropped + len(self._output))

    async def read(self, offset: int) -> AsyncIterator[bytes]:
        """Output from an offset on, until the shell ends or another connection takes over."""
        me = self._reader = object()
        self._seen = offset
        try:
            while True:
                async with self._changed:
                    self._changed.notify_all()
                    await self._changed.wait_for(functools.partial(self._stirred, me, offset))
                if self._reader is not me:
                    return
                piece = bytes(self._output[offset - self._dropped :])
                if not piece:
                    return
                yield piece
                offset = self._seen = offset + len(piece)
        finally:
            if self._reader is me:
                self._reader = self._seen = None
                with suppress(RuntimeError):
                    await self._tell()

    async def close(self) -> None:
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)
        await self.shell.close()

    def _stirred(self, reader: object, offset: int) -> bool:
        return self._reader is not reader or self.ended or self._dropped + len(self._output) > offset

    async def _fill(self) -> None:
        """Reads the shell: no faster than who is attached; with nobody there, the oldest output goes."""
        try:
            while data := await self.shell.read():
                self._output += data
                await self._tell()
                async with self._changed:
                    await self._changed.wait_for(lambda: not self._far_behind())
                # Seldom, since what stays has to be moved.
                if len(self._output) > 2 * _KEPT_BYTES:
                    excess = len(self._output) - _KEPT_BYTES
                    del self._output[:excess]
                    self._dropped += excess
        finally:
            self.ended = True
            await self._tell()

    def _far_behind(self) -> bool:
        return self._seen is not None and self._dropped + len(self._output) - self._seen > _AHEAD

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


class Terminals:
    """The terminals of one server. All of it belongs to one event loop."""

    def __init__(self, kept_s: float = KEPT_S) -> None:
        self._kept_s = kept_s
        self._all: dict[str, Terminal] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def check(self, user: str) -> None:
        """TooMany when a person has enough of them."""
        if sum(one.user == user for one in self._all.values()) >= _MOST_OF_ONE:
            raise TooMany(f"{user} has {_MOST_OF_ONE} terminals open; close some first", retry_after=60)

    def add(self, shell: Shell, user: str, job_id: str, kept: bool) -> Terminal:
        made = Terminal(shell, user, job_id, kept)
        self._all[made.id] = made
        return made

    def get(self, terminal_id: str, user: str, job_id: str) -> Terminal:
        """One's own terminal in a job; whoever returns stops the clock."""
        found = self._all.get(terminal_id)
        if found is None or (found.user, found.job_id) != (user, job_id):
            raise NotFound("this terminal is gone; open a new one")
        if timer := self._leaving.pop(terminal_id, None):
            timer.cancel()
        return found

    def leave(self, terminal: Terminal) -> None:
        """Its connection is gone: if it is to be kept, it waits for a while."""
        if terminal.attached:
            return
        if terminal.ended or not terminal.kept:
            self.end(terminal)
        elif terminal.id in self._all and terminal.id not in self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving[terminal.id] = loop.call_later(self._kept_s, self.end, terminal)

    def end(self, terminal: Terminal) -> None:
        """Close it, in its own time."""
        self._all.pop(terminal.id, None)
        if timer := self._leaving.pop(terminal.id, None):
            timer.cancel()
        task = asyncio.ensure_future(terminal.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        for terminal in list(self._all.values()):
            self.end(terminal)
        await asyncio.gather(*self._closing, return_exceptions=True)
