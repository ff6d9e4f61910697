"""The client of a cluster's API server: JSON over HTTP, streams and sockets, on one event loop."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

import aiohttp

from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.answers import ApiError, ApiUnreachable, Json, parsed, refused
from danlu.engines.kubernetes.api.paths import (
    ALL_PODS,
    NODES,
    STORAGE_CLASSES,
    claims,
    events,
    namespaces,
    pods,
    services,
)
from danlu.engines.kubernetes.api.streams import split_lines
from danlu.engines.kubernetes.api.transport import Transport

__all__ = [
    "ALL_PODS",
    "NODES",
    "STORAGE_CLASSES",
    "Api",
    "ApiError",
    "ApiUnreachable",
    "Json",
    "always",
    "claims",
    "events",
    "namespaces",
    "pods",
    "services",
]

_PAGE = "500"
_PULSE_S = 4.0
_TRIES = 5
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.2, 10.0
_REPEATABLE = frozenset({"GET", "PATCH", "DELETE"})


def always() -> bool:
    return True


class Api:
    """Every method raises ApiError or ApiUnreachable, and NotLeader for a change that `guard` does not allow.

    What can be repeated without harm (get, list, patch, delete) is repeated a few times when the server answers 5xx;
    what it turned away unread (429) is repeated whatever it is, after the time the server asks for. A connection that
    fails is the caller's to try again. However many streams are open, calls do not wait for them.

    To be used, and closed, on one event loop."""

    def __init__(
        self, credentials: Credentials, *, guard: Callable[[], bool] = always, timeout_s: float = 10.0
    ) -> None:
        self._transport = Transport(credentials, guard, timeout_s)
        self.server = credentials.server
        self.requests = self._transport.requests
        """How often each request was sent: `create pods`, `watch nodes`, `get pods/log`."""
        self._pulse: asyncio.Task[None] | None = None

    async def get(self, path: str, **params: str) -> Json:
        return await self._call("get", "GET", path, params)

    async def list_(self, path: str, **params: str) -> tuple[list[Json], str]:
        """All objects, read in pages as they were at one moment, and the version of that moment.

        Objects in a list say neither kind nor apiVersion."""
        found: list[Json] = []
        page: dict[str, str] = {"limit": _PAGE}
        while True:
            try:
                answer = await self._call("list", "GET", path, {**params, **page})
            except ApiError as error:
                if error.status != 410 or "continue" not in page:
                    raise
                # The version that the pages were read at has expired: list once more, without pages.
                found, page = [], {}
                continue
            found += answer.get("items") or ()
            metadata = answer.get("metadata") or {}
            if not metadata.get("continue"):
                return found, str(metadata.get("resourceVersion", ""))
            page = {"limit": _PAGE, "continue": metadata["continue"]}

    async def create(self, path: str, body: Json) -> Json:
        return await self._call("create", "POST", path, body=body)

    async def patch(self, path: str, body: Json) -> Json:
        """A JSON merge patch."""
        return await self._call("patch", "PATCH", path, body=body, content="application/merge-patch+json")

    async def delete(self, path: str, *, grace_s: int | None = None, uid: str | None = None) -> bool:
        """False when it no longer exists, or when another object (with another uid) has its name by now."""
        options: Json = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
        if grace_s is not None:
            options["gracePeriodSeconds"] = grace_s
        if uid is not None:
            options["preconditions"] = {"uid": uid}
        try:
            await self._call("delete", "DELETE", path, body=options)
        except ApiError as error:
            if error.status == 404 or (error.status == 409 and uid is not None):
                return False
            raise
        return True

    async def watch(self, path: str, version: str, **params: str) -> AsyncGenerator[Json, None]:
        """Changes after a version, as {"type", "object"}, bookmarks included; ends when the server ends it in good
        order. ApiError(410) when that version is forgotten."""
        query = {"watch": "1", "allowWatchBookmarks": "true", "resourceVersion": version, **params}
        async with self._transport.stream("watch", path, query) as read:
            async for line in split_lines(read):
                event = parsed(line)
                if event.get("type") == "ERROR":
                    raise refused(event.get("object") or {})
                yield event

    def stream(
        self, path: str, patience_s: float | None = None, **params: str
    ) -> AbstractAsyncContextManager[Callable[[], Awaitable[bytes]]]:
        """A streamed answer as it comes: each call waits for the next bytes, and may be given up without losing any;
        empty at the end. `patience_s` is how long the answer itself may take to begin."""
        return self._transport.stream("get", path, params, patience_s)

    def socket(
        self, path: str, params: Sequence[tuple[str, str]], protocol: str
    ) -> AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse]:
        """A WebSocket, for exec and port-forward."""
        return self._transport.socket(path, params, protocol)

    async def pulse(self) -> None:
        """Ask whether the server is well, and return if it says so within a few seconds. Those who ask at the same
        time share one question."""
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.create_task(self._feel_pulse())
            self._pulse.add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._pulse)

    async def close(self) -> None:
        if self._pulse is not None:
            self._pulse.cancel()
        await self._transport.close()

    async def _feel_pulse(self) -> None:
        try:
            async with asyncio.timeout(_PULSE_S):
                await self._transport.call("get", "GET", "/readyz")
        except TimeoutError as error:
            raise ApiUnreachable(f"{self.server} did not answer within {_PULSE_S:.0f} s") from error
        except ApiError as error:
            # A server that refuses the health check has answered all the same.
            if error.status == 429 or error.status >= 500:
                raise

    async def _call(
        self,
        verb: str,
        method: str,
        path: str,
        params: Mapping[str, str] | None = None,
        body: Json | None = None,
        content: str = "application/json",
    ) -> Json:
        data = None if body is None else json.dumps(body).encode()
        wait, renew = _FIRST_WAIT_S, False
        for left in reversed(range(_TRIES)):
            try:
                return parsed(
                    await self._transport.call(verb, method, path, params, data, content, renew=renew)
                )
            except ApiError as error:
                unknown = error.status == 401 and not renew
                busy = error.status == 429 or (error.status >= 500 and method in _REPEATABLE)
                if not left or not (unknown or busy):
                    raise
                renew = unknown
                if busy:
                    asked = min(error.retry_after, _LONGEST_WAIT_S)
                    await asyncio.sleep(max(asked, wait * random.uniform(0.5, 1.5)))
                    wait *= 2
        raise AssertionError("the last try returns or raises")
