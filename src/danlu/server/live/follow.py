"""Following a log: shared by all followers, and finished once the task is over and everything was sent."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from danlu.domain.errors import DanluError, Unavailable
from danlu.domain.job import LIVE_TASKS, Job
from danlu.ports.logs import LogChunk, LogFollower, LogKey, LogReader
from danlu.ports.store import JobStore
from danlu.server.http.identity import Recheck
from danlu.server.http.streams import HEARTBEAT_S
from danlu.server.live.hub import EventHub
from danlu.server.live.log_lines import as_events, as_members

OPENING = b"retry: 1000\n: danlu\n\n"
HEARTBEAT = b":\n\n"
_KEPT = 32
_READ = 1 << 18


class Form(NamedTuple):
    """How a followed log is sent: at the start, while nothing happens, for lines, and at the end."""

    opening: bytes
    heartbeat: bytes
    lines: Callable[[LogChunk], bytes]
    end: bytes


SERVER_SENT = Form(OPENING, HEARTBEAT, as_events, b"event: end\ndata: {}\n\n")
MEMBERS = Form(b"", b"", as_members, b'"end":true')
"""The members of a JSON object without braces; nothing is sent while nothing happens."""


class Followed:
    """What followers share: converted chunks and lookups of jobs."""

    def __init__(self, store: JobStore, logs: LogReader, follower: LogFollower, hub: EventHub) -> None:
        self._store, self._logs, self._follower, self._hub = store, logs, follower, hub
        self._converted: OrderedDict[tuple[Form, LogKey, int, int], bytes] = OrderedDict()
        self._looks: dict[str, asyncio.Task[Job | None]] = {}

    async def stream(
        self,
        job: Job,
        key_of: Callable[[Job], LogKey | None],
        begin: Callable[[LogKey], int],
        still: Callable[[], Awaitable[object]],
        recheck: Recheck,
        form: Form,
    ) -> AsyncGenerator[bytes, None]:
        """The log, piece by piece in a form. `key_of` names the log once it exists, `begin` says where to start in it,
        `still` raises when the follower may no longer read it, `recheck` says when to call it."""
        yield form.opening
        mailbox = _Mailbox()
        with self._hub.watch(job.id, mailbox.ring):
            found = await self._look(job.id)
            while found is not None and (key := key_of(found)) is None:
                if not found.active:
                    break
                yield form.heartbeat
                await mailbox.wait(HEARTBEAT_S)
                if not await _allowed(still):
                    return
                found = await self._look(job.id)
            if found is not None and key is not None:
                offset = await run_in_threadpool(begin, key)
                mailbox.open(self._follower.follow(key, offset))
                try:
                    async for piece in self._follow(key, offset, mailbox, still, recheck, form):
                        yield piece
                finally:
                    await mailbox.close()
            else:
                yield form.end

    async def _follow(
        self,
        key: LogKey,
        offset: int,
        mailbox: _Mailbox,
        still: Callable[[], Awaitable[object]],
        recheck: Recheck,
        form: Form,
    ) -> AsyncIterator[bytes]:
        sent = time.monotonic()
        while True:
            chunk = await mailbox.next()
            now = time.monotonic()
            if recheck.due(HEARTBEAT_S) and not await _allowed(still):
                return
            if chunk is not None and chunk.records:
                offset, sent = chunk.end, now
                yield self._written(form, key, chunk)
            elif now - sent >= HEARTBEAT_S:
                sent = now
                mailbox.news = True  # look at the job, in case its end was missed
                yield form.heartbeat
            if mailbox.news:
                mailbox.news = False
                if await self._over(key):
                    break
        while (rest := await run_in_threadpool(self._logs.read, key, offset, _READ)).records:
            offset = rest.end
            yield self._written(form, key, rest)
        yield form.end

    def _written(self, form: Form, key: LogKey, chunk: LogChunk) -> bytes:
        """Converted once, however many follow."""
        name = (form, key, chunk.start, chunk.end)
        known = self._converted.get(name)
        if known is None:
            known = self._converted[name] = form.lines(chunk)
            if len(self._converted) > _KEPT:
                self._converted.popitem(last=False)
        return known

    async def _over(self, key: LogKey) -> bool:
        job = await self._look(key.job_id)
        return job is None or not is_live(job, key)

    async def _look(self, job_id: str) -> Job | None:
        """The job now; concurrent callers share one lookup."""
        look = self._looks.get(job_id)
        if look is None:
            look = asyncio.ensure_future(run_in_threadpool(self._store.get, job_id))
            self._looks[job_id] = look
            look.add_done_callback(lambda _: self._looks.pop(job_id, None))
        return await asyncio.shield(look)


def is_live(job: Job, key: LogKey) -> bool:
    """Whether the task may still write."""
    if job.attempt is None or job.attempt.number != key.attempt:
        return False
    return any(task.run == key.task and task.state in LIVE_TASKS for task in job.attempt.tasks)


class _Mailbox:
    """What a follower waits for: the next chunk, or news of the job, whichever comes first."""

    def __init__(self) -> None:
        self.news = True  # it may have ended before we looked
        self._ready = asyncio.Event()
        self._taken = asyncio.Event()
        self._chunk: LogChunk | None = None
        self._pump: asyncio.Task[None] | None = None

    def ring(self) -> None:
        """Something happened to the job."""
        self.news = True
        self._ready.set()

    async def wait(self, timeout: float) -> None:
        """Wait for news of the job, before there is anything to follow."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._ready.wait()
        self._ready.clear()

    def open(self, chunks: AsyncIterator[LogChunk]) -> None:
        self._pump = asyncio.create_task(self._fill(chunks))
        self._pump.add_done_callback(lambda _: self._ready.set())

    async def next(self) -> LogChunk | None:
        """The next chunk; None when there is only news."""
        if not self.news:
            await self._ready.wait()
        self._ready.clear()
        if self._pump is not None and self._pump.done():
            self._pump.result()
        chunk, self._chunk = self._chunk, None
        self._taken.set()
        return chunk

    async def close(self) -> None:
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)

    async def _fill(self, chunks: AsyncIterator[LogChunk]) -> None:
        """One chunk at a time, so that nothing piles up for a client that reads slowly."""
        try:
            async for chunk in chunks:
                self._chunk = chunk
                self._taken.clear()
                self._ready.set()
                await self._taken.wait()
        finally:
            if isinstance(chunks, AsyncGenerator):
                await chunks.aclose()


async def _allowed(still: Callable[[], Awaitable[object]]) -> bool:
    try:
        await still()
    except Unavailable:
        return True  # the database is unavailable for a moment: the client keeps its permissions
    except DanluError:
        return False
    return True
