"""Threads for what would hold the event loop: each kind of work has its own, so that none can take all of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")

REQUESTS_AT_ONCE = 16
"""How many requests of signed-in people may use the store at once; further ones wait on the event loop."""
STREAMS_AT_ONCE = 4
EXPORTS_AT_ONCE = 2
"""Fewer, since they compute all the time, and whatever computes makes the event loop wait."""
FILLS_AT_ONCE = 8
"""They wait for disks and for stores outside, and nobody else is to wait for those."""
OPEN_AT_ONCE = 4
BODIES_AT_ONCE = 2


class Threads:
    """Short requests run in the default threads, as FastAPI does it; see `REQUESTS_AT_ONCE`. All of it belongs to one
    event loop."""

    def __init__(self) -> None:
        self._streams = anyio.CapacityLimiter(STREAMS_AT_ONCE)
        self._exports = anyio.CapacityLimiter(EXPORTS_AT_ONCE)
        self._fills = anyio.CapacityLimiter(FILLS_AT_ONCE)
        self._open = anyio.CapacityLimiter(OPEN_AT_ONCE)
        self._bodies = anyio.CapacityLimiter(BODIES_AT_ONCE)

    async def for_stream(self, act: Callable[..., T], *args: Any) -> T:
        """A piece of a stream, or a long search."""
        return await _run(self._streams, act, args)

    async def for_export(self, act: Callable[..., T], *args: Any) -> T:
        """A piece of an export: made in a moment, so that all have their turn."""
        return await _run(self._exports, act, args)

    async def for_fill(self, act: Callable[..., T], *args: Any) -> T:
        """A piece of what a task mounts."""
        return await _run(self._fills, act, args)

    async def for_anyone(self, act: Callable[..., T], *args: Any) -> T:
        """What is answered without a sign-in: health, metrics, the console's files."""
        return await _run(self._open, act, args)

    async def for_body(self, act: Callable[..., T], *args: Any) -> T:
        """A large body: parsed and validated."""
        return await _run(self._bodies, act, args)


def set_request_threads() -> None:
    """On the server's own loop."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = REQUESTS_AT_ONCE


async def _run(limiter: anyio.CapacityLimiter, act: Callable[..., T], args: tuple[Any, ...]) -> T:
    return await anyio.to_thread.run_sync(functools.partial(act, *args), limiter=limiter)
