"""Password checks are slow on purpose: a few at a time, a fair line for strangers, and a refusal when it is full."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from danlu.domain.errors import TooMany
from danlu.domain.words import say

T = TypeVar("T")

AT_ONCE = 2
WAITING, WAITING_AT_ONE_ADDRESS = 64, 16
RETRY_S = 2


class PasswordLine:
    """On the event loop. One turn is never given to strangers: those who are signed in, or whose browser was, wait for
    nobody else. Strangers take turns by address, so that a flood from one delays people at others by one turn."""

    def __init__(self) -> None:
        self._turns = anyio.CapacityLimiter(AT_ONCE)
        self._known = 0
        self._busy = 0
        self._lines: dict[str, deque[anyio.Event]] = {}

    @property
    def waiting(self) -> int:
        """How many strangers stand in line."""
        return sum(map(len, self._lines.values()))

    async def known(self, work: Callable[[], T]) -> T:
        """Run the work of somebody known in a thread; TooMany when too many wait already."""
        if self._known >= WAITING:
            raise _full()
        self._known += 1
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._turns)
        finally:
            self._known -= 1

    async def stranger(self, address: str, work: Callable[[], T]) -> T:
        """Run the work of a stranger in a thread, when it is their address's turn; TooMany when the line is full."""
        await self._turn_of(address)
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._turns)
        finally:
            self._next()

    async def _turn_of(self, address: str) -> None:
        if self._busy < AT_ONCE - 1:
            self._busy += 1
            return
        line = self._lines.get(address, ())
        if self.waiting >= WAITING or len(line) >= WAITING_AT_ONE_ADDRESS:
            raise _full()
        called = anyio.Event()
        self._lines.setdefault(address, deque()).append(called)
        try:
            await called.wait()
        except BaseException:
            if called.is_set():
                self._next()  # called, but gone: the turn is another's
            else:
                self._leave(address, called)
            raise

    def _next(self) -> None:
        """Give the turn to the address that has waited longest since its last one."""
        address = next(iter(self._lines), None)
        if address is None:
            self._busy -= 1
            return
        line = self._lines.pop(address)
        line.popleft().set()
        if line:
            self._lines[address] = line

    def _leave(self, address: str, called: anyio.Event) -> None:
        line = self._lines[address]
        line.remove(called)
        if not line:
            del self._lines[address]


def _full() -> TooMany:
    text = say(
        "too many people are signing in at once; try again in {wait} s",
        "同时登录的人过多，请在 {wait} 秒后重试",
        wait=RETRY_S,
    )
    return TooMany(text, retry_after=RETRY_S)
