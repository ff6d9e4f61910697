"""Pods made by a bare loop of requests, and watched until they run: what a cluster takes for them without Danlu."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.kubernetes.kube import Kube

Json = dict[str, Any]
_AT_ONCE = 64


@dataclass(frozen=True)
class Made:
    """How long it took until all of them ran, and our own CPU time meanwhile."""

    wall_s: float
    cpu_s: float


class BareLoop:
    """Keeps its connections from one time to the next, as Danlu does."""

    def __init__(self, runner: asyncio.Runner, session: aiohttp.ClientSession, path: str) -> None:
        self._runner, self._session, self._path = runner, session, path

    def make(self, bodies: Sequence[Json], seconds: float = 180) -> Made:
        """Create all these pods at once; return when the last one is seen running."""
        left = {body["metadata"]["name"] for body in bodies}

        async def bounded() -> Made:
            async with asyncio.timeout(seconds):
                return await self._make(bodies, left)

        try:
            return self._runner.run(bounded())
        except TimeoutError as error:
            raise TimeoutError(f"of {len(bodies)} pods these never ran: {sorted(left)[:5]} …") from error

    async def _make(self, bodies: Sequence[Json], left: set[str]) -> Made:
        async with self._session.get(self._path, params={"limit": "1"}) as answer:
            version = (await answer.json())["metadata"]["resourceVersion"]
        began, cpu = time.monotonic(), time.process_time()
        watching = asyncio.create_task(self._watch(version, left))
        room = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(self._create(body, room) for body in bodies))
        await watching
        return Made(time.monotonic() - began, time.process_time() - cpu)

    async def _create(self, body: Json, room: asyncio.Semaphore) -> None:
        async with room, self._session.post(self._path, json=body) as answer:
            assert answer.status == 201, await answer.text()
            await answer.read()

    async def _watch(self, version: str, left: set[str]) -> None:
        params = {"watch": "1", "resourceVersion": version}
        async with self._session.get(self._path, params=params) as answer:
            while left:
                pod = json.loads(await answer.content.readline())["object"]
                if pod["status"].get("phase") == "Running":
                    left.discard(pod["metadata"]["name"])
            if answer.connection is not None and answer.connection.transport is not None:
                answer.connection.transport.abort()  # the loop may end before a farewell is answered


@contextmanager
def bare_loop(kube: Kube) -> Iterator[BareLoop]:
    async def opened() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            str(kube.http.base_url).rstrip("/"),
            connector=aiohttp.TCPConnector(limit=_AT_ONCE + 1, ssl=kube.ssl),
            headers=kube.headers,
            read_bufsize=1 << 22,
            timeout=aiohttp.ClientTimeout(total=None),
        )

    with asyncio.Runner() as runner:
        session = runner.run(opened())
        try:
            yield BareLoop(runner, session, kube.path("pods"))
        finally:
            runner.run(session.close())
