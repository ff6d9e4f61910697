"""Logs followed over the console's one socket: each by a name that the client gave it."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable, Mapping

from starlette.websockets import WebSocket

from danlu.domain.errors import DanluError
from danlu.domain.permissions import Caller, Permission
from danlu.server.desk import Desk
from danlu.server.follow import MEMBERS
from danlu.server.log_query import beginning, find_job, key_of
from danlu.server.route import checked_again, in_thread
from danlu.wire.requests import LiveLog, LogQuery

Send = Callable[[str], Awaitable[None]]


class LiveLogs:
    """What one client follows; it says all of it each time, and only what changed begins or ends."""

    def __init__(self, socket: WebSocket, desk: Desk, who: Caller, send: Send) -> None:
        self._socket, self._desk, self._who, self._send = socket, desk, who, send
        self._following: dict[str, asyncio.Task[None]] = {}

    def want(self, logs: Mapping[str, LiveLog]) -> None:
        """A name stands for one log as long as it is wanted."""
        for name in self._following.keys() - logs.keys():
            self._following.pop(name).cancel()
        for name in logs.keys() - self._following.keys():
            self._following[name] = asyncio.create_task(self._follow(name, logs[name]))

    async def close(self) -> None:
        for task in self._following.values():
            task.cancel()
        await asyncio.gather(*self._following.values(), return_exceptions=True)

    async def _follow(self, name: str, wanted: LiveLog) -> None:
        query = LogQuery(task=wanted.task, attempt=wanted.attempt, offset=wanted.offset)
        head = f'{{"log":{json.dumps(name)},'
        try:
            job = await in_thread(find_job, self._desk, self._who, wanted.job, query)
            still = functools.partial(checked_again, self._socket, Permission.JOB_READ, job.owner)
            naming = functools.partial(key_of, query=query)
            pieces = self._desk.followed.stream(job, naming, beginning(self._desk, query), still, MEMBERS)
            try:
                async for members in pieces:
                    if members:
                        await self._send(f"{head}{members.decode()}}}")
            finally:
                await pieces.aclose()
        except DanluError as error:
            await self._send(f'{head}"error":{json.dumps(error.detail)}}}')
