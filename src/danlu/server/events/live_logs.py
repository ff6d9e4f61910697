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
    """The logs that one client follows. Each message lists all of them; only the differences are started or stopped."""

    def __init__(self, socket: WebSocket, desk: Desk, send: Send) -> None:
        self._socket, self._desk, self._send = socket, desk, send
        self._following: dict[str, asyncio.Task[None]] = {}
        self._broken = asyncio.Event()

    def want(self, logs: Mapping[str, LiveLog]) -> None:
        """Follow exactly these logs from now on; a name stands for the same log until it is left out."""
        for name in self._following.keys() - logs.keys():
            self._following.pop(name).cancel()
        for name in logs.keys() - self._following.keys():
            self._following[name] = asyncio.create_task(self._follow(name, logs[name]))

    async def broken(self) -> None:
        """Returns once a client does not read what it asked for."""
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
            except (
                OSError,
                WebSocketDisconnect,
            ):  # TimeoutError is an OSError too: a client that does not read
                raise
            except Exception:
                log.exception("could not follow a log")
                trouble = Words("the log cannot be read; try again", "无法读取日志，请重试")
            if trouble.en:
                both = json.dumps(words(trouble))
                await self._send(f'{head}"error":{json.dumps(trouble.en)},"text":{both}}}')
        except (OSError, WebSocketDisconnect, RuntimeError):
            self._broken.set()

    async def _tell(self, head: str, wanted: LiveLog) -> bool:
        """Send everything until the end; False if the client may no longer read this log."""
        query = LogQuery.model_validate(wanted.model_dump(exclude={"job"}, by_alias=True))
        # A socket may outlive a person's permissions, so look the caller up again.
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
