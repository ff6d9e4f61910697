"""Live logs: one look at a file serves everybody who follows it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from danlu.ports.logs import LogChunk, LogKey, LogReader

_LOOK_EVERY_S = 0.1
_QUIET_S = 1.0
_CHUNK = 1 << 18


@dataclass
class _FollowedFile:
    """A followed file: who waits, and the chunk most of them want next."""

    followers: int = 0
    size: int = -1
    grown: asyncio.Event = field(default_factory=asyncio.Event)
    latest: LogChunk | None = None
    looker: asyncio.Task[None] | None = None


class SharedFollower:
    """The LogFollower for one event loop: files are looked at ten times a second, however many follow."""

    def __init__(self, logs: LogReader) -> None:
        self._logs = logs
        self._watched: dict[LogKey, _FollowedFile] = {}

    async def follow(self, key: LogKey, offset: int) -> AsyncIterator[LogChunk]:
        watched = self._watched.setdefault(key, _FollowedFile())
        watched.followers += 1
        if watched.looker is None:
            watched.looker = asyncio.create_task(self._look(key, watched))
        try:
            while True:
                grown = watched.grown
                chunk = self._chunk(key, watched, offset)
                if not chunk.records:
                    try:
                        # Not wait_for: up to Python 3.11 it may swallow a cancellation.
                        async with asyncio.timeout(_QUIET_S):
                            await grown.wait()
                    except TimeoutError:
                        yield chunk
                    continue
                offset = chunk.end
                yield chunk
        finally:
            watched.followers -= 1
            if watched.followers == 0 and watched.looker is not None:
                watched.looker.cancel()
                self._watched.pop(key, None)

    def _chunk(self, key: LogKey, watched: _FollowedFile, offset: int) -> LogChunk:
        latest = watched.latest
        if latest is not None and latest.start == offset and latest.records:
            return latest
        # A read from the page cache: cheaper than a trip to a thread.
        chunk = self._logs.read(key, offset, _CHUNK)
        if chunk.records:
            watched.latest = chunk
        return chunk

    async def _look(self, key: LogKey, watched: _FollowedFile) -> None:
        while True:
            size = self._logs.size(key)
            if size != watched.size:
                watched.size = size
                grown, watched.grown = watched.grown, asyncio.Event()
                grown.set()
            await asyncio.sleep(_LOOK_EVERY_S)
