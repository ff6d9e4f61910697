"""One request on its way: its body must come, and its answer begin, within the time there is."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from danlu.domain.errors import Overdue, TooSlow
from danlu.domain.quantity import time_said
from danlu.domain.words import say
from danlu.files.settings import Settings
from danlu.server.http.problems import problem

LATE = "danlu.late"
_SLOWEST = 4 << 10
"""Bytes per second: a large body has the more time."""


@dataclass(frozen=True, slots=True)
class RequestTimes:
    """In seconds: for a body to arrive (more if it is large), and from then on for the answer to begin."""

    body: float
    answer: float

    @staticmethod
    def of(settings: Settings) -> RequestTimes:
        return RequestTimes(settings.body_time / 1000, settings.request_time / 1000)


class Visit:
    """What is received and answered, and when. Whoever is too late finds the request answered already: a thread cannot
    be stopped, but nobody has to wait for it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, times: RequestTimes) -> None:
        self.scope, self._receive, self._send, self._times = scope, receive, send, times
        self.began = time.perf_counter()
        self.status = 0
        self.stream = False
        self.late = False
        self._whole_body = False
        self._received, self._waited = 0, 0.0
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = self._loop.call_later(times.answer, self._overdue)
        self._answering: asyncio.Task[None] | None = None

    async def receive(self) -> Message:
        if self._whole_body or self.status:
            return await self._receive()
        self._stop_timer()
        began = self._loop.time()
        allowed = self._times.body + self._received / _SLOWEST
        try:
            async with asyncio.timeout_at(began + allowed - self._waited):
                message = await self._receive()
        except TimeoutError:
            raise self._too_slow(allowed) from None
        self._waited += self._loop.time() - began
        self._received += len(message.get("body", b""))
        self._whole_body = not message.get("more_body", False)
        self._timer = self._loop.call_later(self._times.answer, self._overdue)
        return message

    async def send(self, message: Message) -> None:
        if not self.late:
            await self._pass_on(message)

    def dress(self, headers: MutableHeaders) -> None:
        """Add what every answer has."""

    async def end(self) -> None:
        self._stop_timer()
        if self._answering is not None:
            await self._answering

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._stop_timer()
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            self.stream = headers.get("content-type", "").startswith("text/event-stream")
            self.dress(headers)
        await self._send(message)

    def _overdue(self) -> None:
        self.late = self.scope[LATE] = True
        self._answering = self._loop.create_task(self._answer_late())

    async def _answer_late(self) -> None:
        limit = time_said(round(self._times.answer * 1000))
        answer = problem(
            Overdue(
                say(
                    "there was no answer within {limit}, the time for a request; what was asked for may still be "
                    "done: look before you repeat it",
                    "未能在请求时限 {limit}内给出应答；操作仍可能完成，重试前请先查看",
                    limit=limit,
                )
            )
        )
        await answer(self.scope, self._receive, self._pass_on)

    def _too_slow(self, allowed: float) -> TooSlow:
        return TooSlow(
            say(
                "{received} bytes of the body arrived within {limit}; send it again over a faster connection",
                "{limit}内只收到请求内容的 {received} 字节；请换用更快的网络重新发送",
                received=self._received,
                limit=time_said(round(allowed * 1000)),
            )
        )
