"""Turns: how many requests and streams each person may have at once, so that nobody takes all there is."""

from __future__ import annotations

import asyncio
from collections import deque

from starlette.types import Scope

from danlu.domain.errors import TooManyAtOnce
from danlu.domain.permissions import Caller
from danlu.domain.words import Words, say
from danlu.server.http.threads import REQUESTS_AT_ONCE

TURN = "danlu.turn"
SHARE = REQUESTS_AT_ONCE // 2
"""How many requests of one person run at once; their further ones wait, and other people's do not."""
_TASKS_TIMES = 16
"""A job may have thousands of tasks, which fetch their code in the same moment."""
_STREAM_RETRY_S = 10
_STREAMS = Words("streams, exports and downloads", "流式连接、导出与下载")
_REQUESTS = Words("requests", "请求")


class Turns:
    """Whose requests run, whose wait, and who has how many streams. All of it belongs to one event loop."""

    def __init__(self, requests: int, streams: int) -> None:
        self._requests, self._streams = requests, streams
        self._guests: dict[str, _Guest] = {}

    async def take(self, who: Caller) -> RequestTurn:
        """Wait for a turn, behind one's own requests only; TooManyAtOnce if too many of them wait already."""
        name = who.name if who.job is None else f"job {who.job}"
        times = 1 if who.job is None else _TASKS_TIMES
        guest = self._guests.setdefault(name, _Guest(who.name, self._requests * times, self._streams * times))
        try:
            await guest.begin()
        finally:
            self._forget(name, guest)
        return RequestTurn(self, name, guest)

    def _forget(self, name: str, guest: _Guest) -> None:
        if guest.gone:
            self._guests.pop(name, None)


class _Guest:
    """A person, or the tasks of a job."""

    def __init__(self, name: str, requests: int, streams: int) -> None:
        self._name, self._most_requests, self._most_streams = name, requests, streams
        self._running, self._streams = 0, 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def gone(self) -> bool:
        return not (self._running or self._streams or self._waiting)

    async def begin(self) -> None:
        if self._running < SHARE:
            self._running += 1
            return
        if self._running + len(self._waiting) >= self._most_requests:
            raise self._too_many(_REQUESTS, self._most_requests, 1)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.end()
            raise

    def end(self) -> None:
        """The next one that waits runs instead."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._running -= 1

    def begin_stream(self) -> None:
        if self._streams >= self._most_streams:
            raise self._too_many(_STREAMS, self._most_streams, _STREAM_RETRY_S)
        self._streams += 1

    def end_stream(self) -> None:
        self._streams -= 1

    def _too_many(self, what: Words, most: int, retry_after: int) -> TooManyAtOnce:
        return TooManyAtOnce(
            say(
                "{name} has {most} {what} open, the most at once; wait for one of them to end, or close one",
                "{name} 同时打开的{what}已达上限 {most} 个，请等待其中一个结束或关闭一个",
                name=self._name,
                most=most,
                what=what,
            ),
            retry_after,
        )


class RequestTurn:
    """What one request holds until its answer is complete."""

    def __init__(self, turns: Turns, name: str, guest: _Guest) -> None:
        self._turns, self._name, self._guest = turns, name, guest
        self._is_stream = False

    def become_stream(self) -> None:
        """From now on it lasts: it counts among the streams, and short requests need not wait for it."""
        if not self._is_stream:
            self._guest.begin_stream()
            self._is_stream = True
            self._guest.end()

    def leave(self) -> None:
        if self._is_stream:
            self._guest.end_stream()
        else:
            self._guest.end()
        self._turns._forget(self._name, self._guest)


def as_stream(scope: Scope) -> None:
    """This request is answered for a long time, or sends for a long time."""
    turn: RequestTurn | None = scope.get(TURN)
    if turn is not None:
        turn.become_stream()


def give_back(scope: Scope) -> None:
    """The turn, if the request took one."""
    turn: RequestTurn | None = scope.pop(TURN, None)
    if turn is not None:
        turn.leave()
