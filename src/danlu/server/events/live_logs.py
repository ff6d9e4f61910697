"""Logs followed over the console's one socket: each by a name that the client gave it."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from collections.abc import Awaitable, Callable, Mapping

from starlette.websockets import WebSocket, WebSocketDisconnect

from danlu.domain.errors import DanluError
from danlu.domain.permissions import Permission
from danlu.domain.words import NOTHING, Words
from danlu.server.desk import Desk
from danlu.server.http.answering import words
from danlu.server.http.identity import Recheck
from danlu.server.jobs.log_query import beginning, find_log
from danlu.server.live.follow import MEMBERS
from danlu.server.live.models import LiveLog, LogQuery
from danlu.server.route import checked_again, in_thread

log = logging.getLogger(__name__)

Send = Callable[[str], Awaitable[None]]


class LiveLogs:
    """What one client follows; it says all of it each time, and only what changed begins or ends."""

    def __init__(self, socket: WebSocket, desk: Desk, send: Send) -> None:
        self._socket, self._desk, self._send = socket, desk, send
        self._following: dict[str, asyncio.Task[None]] = {}
        self._broken = asyncio.Event()

    def want(self, logs: Mapping[str, LiveLog]) -> None:
        """A name stands for one log as long as it is wanted."""
        for name in self._following.keys() - logs.keys():
            self._following.pop(name).cancel()
        for name in logs.keys() - self._following.keys():
            self._following[name] = asyncio.create_task(self._follow(name, logs[name]))

    async def broken(self) -> None:
        """Until a client does not read what it asked for."""
        await self._broken.wait()

    async def close(self) -> None:
        for task in self._following.values():
            task.cancel()
        await asyncio.gather(*self._following.values(), return_exceptions=True)

    async def _follow(self, name: str, wanted: LiveLog) -> None:
        head = f'{{"log":{json.dumps(name)},'
        try:
            try:
                over = await self._tell(head, wanted)
                trouble = NOTHING if over else Words("you may no longer read this log", "你已无权查看该日志")
            except DanluError as error:
                trouble = error.text
            except (OSError, WebSocketDisconnect):  # TimeoutError is one of them: a client that does not read
                raise
            except Exception:
                log.exception("a log cannot be followed")
                trouble = Words("the log cannot be read; try again", "无法读取日志，请重试")
            if trouble.en:
                both = json.dumps(words(trouble))
                await self._send(f'{head}"error":{json.dumps(trouble.en)},"text":{both}}}')
        except (OSError, WebSocketDisconnect, RuntimeError):
            self._broken.set()

    async def _tell(self, head: str, wanted: LiveLog) -> bool:
        """Everything until the end; False if whoever follows may no longer."""
        query = LogQuery.model_validate(wanted.model_dump(exclude={"job"}, by_alias=True))
        # A socket lasts longer than people's rights: who asks is looked up now.
        who = (await checked_again(self._socket)).caller
        job, naming = await in_thread(find_log, self._desk, who, wanted.job, query)
        still = functools.partial(checked_again, self._socket, Permission.JOB_READ, job.owner)
        recheck, begin = Recheck(self._desk.identity, who.name), beginning(self._desk, query)
        pieces = self._desk.followed.stream(job, naming, begin, still, recheck, MEMBERS)
        over = False
        try:
            async for members in pieces:
                if members:
                    over = members == MEMBERS.end
                    await self._send(f"{head}{members.decode()}}}")
        finally:
            await pieces.aclose()
        return over
