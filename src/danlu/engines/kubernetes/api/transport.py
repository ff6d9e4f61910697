"""Single requests to an API server: signed in, counted and guarded; every failure is one of two exceptions."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import aiohttp

from danlu.domain.errors import NotLeader
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.answers import ApiError, ApiUnreachable, Json, refusal
from danlu.engines.kubernetes.api.paths import resource_of
from danlu.engines.kubernetes.api.sign_in import SignInFailed
from danlu.engines.kubernetes.api.streams import keep_alive

_AT_ONCE = 64
_CONNECT_S = 5.0
_TROUBLE = (aiohttp.ClientError, OSError, ValueError)
"""ValueError is what there is in place of an answer through a proxy, or by a token, of a kind that cannot be used."""


class Transport:
    """Everything raises ApiError or ApiUnreachable. Nothing is retried, except a stream or socket whose credentials
    were refused.

    Calls and streams use separate connections: however many streams are open, calls go through."""

    def __init__(self, credentials: Credentials, guard: Callable[[], bool], timeout_s: float) -> None:
        self.server = credentials.server
        self.requests: Counter[str] = Counter()
        self._credentials, self._guard, self._timeout_s = credentials, guard, timeout_s
        self._calls = _Lane(credentials, _AT_ONCE)
        self._streams = _Lane(credentials, 0)
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def call(
        self,
        verb: str,
        method: str,
        path: str,
        params: Mapping[str, str] | None = None,
        data: bytes | None = None,
        content: str = "application/json",
        *,
        renew: bool = False,
    ) -> bytes:
        """The body of the answer; NotLeader when it would change something and the guard says no."""
        headers = await self._headers(renew)
        if data is not None:
            headers["Content-Type"] = content
        # Wait for a free slot before asking the guard, so that nothing is sent long after the guard agreed.
        async with self._room:
            if method != "GET" and not self._guard():
                raise NotLeader
            self._count(verb, path)
            try:
                async with self._calls.session.request(
                    method,
                    self.server + path,
                    params=params,
                    data=data,
                    headers=headers,
                    timeout=aiohttp.ClientTimeout(total=self._timeout_s, sock_connect=_CONNECT_S),
                    allow_redirects=False,
                    **self._calls.route,
                ) as response:
                    raw = await response.read()
            except _TROUBLE as error:
                raise self._unreachable(error) from error
        if response.status >= 300:
            raise refusal(response.status, raw, response.headers)
        return raw

    @asynccontextmanager
    async def stream(
        self, verb: str, path: str, params: Mapping[str, str], patience_s: float | None = None
    ) -> AsyncIterator[Callable[[], Awaitable[bytes]]]:
        """A function that waits for the next bytes; empty bytes mark a regular end."""
        response = await self._opened(verb, path, params, patience_s)
        if response.status == 401:
            response.close()
            response = await self._opened(verb, path, params, patience_s, renew=True)

        async def read() -> bytes:
            try:
                return await response.content.readany()
            except _TROUBLE as error:
                raise self._unreachable(error) from error

        try:
            if response.status >= 300:
                raise refusal(response.status, await self._whole(response), response.headers)
            keep_alive(response.connection and response.connection.transport)
            yield read
        finally:
            _cut(response)

    @asynccontextmanager
    async def socket(
        self, path: str, params: Sequence[tuple[str, str]], protocol: str
    ) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        try:
            socket = await self._connected(path, params, protocol)
        except ApiError as error:
            if error.status != 401:
                raise
            socket = await self._connected(path, params, protocol, renew=True)
        try:
            keep_alive(socket)
            yield socket
        finally:
            await socket.close()

    async def close(self) -> None:
        await self._calls.close()
        await self._streams.close()

    async def _connected(
        self, path: str, params: Sequence[tuple[str, str]], protocol: str, *, renew: bool = False
    ) -> aiohttp.ClientWebSocketResponse:
        headers = await self._headers(renew)
        self._count("get", path)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._streams.session.ws_connect(
                    self.server + path,
                    params=params,
                    protocols=(protocol,),
                    headers=headers,
                    **self._streams.route,
                )
        except aiohttp.WSServerHandshakeError as error:
            raise ApiError(error.status, "", error.message) from error
        except _TROUBLE as error:
            raise self._unreachable(error) from error

    async def _opened(
        self,
        verb: str,
        path: str,
        params: Mapping[str, str],
        patience_s: float | None,
        *,
        renew: bool = False,
    ) -> aiohttp.ClientResponse:
        headers = {**await self._headers(renew), "Accept-Encoding": "identity"}
        self._count(verb, path)
        try:
            async with asyncio.timeout(patience_s or self._timeout_s):
                return await self._streams.session.get(
                    self.server + path,
                    params=params,
                    headers=headers,
                    timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S),
                    allow_redirects=False,
                    **self._streams.route,
                )
        except _TROUBLE as error:
            raise self._unreachable(error) from error

    async def _whole(self, response: aiohttp.ClientResponse) -> bytes:
        try:
            async with asyncio.timeout(self._timeout_s):
                return await response.read()
        except _TROUBLE as error:
            raise self._unreachable(error) from error

    async def _headers(self, renew: bool = False) -> dict[str, str]:
        try:
            return dict(await self._credentials.sign_in.headers(renew=renew))
        except SignInFailed as error:
            raise ApiUnreachable(f"cannot sign in to {self.server}: {error}") from error

    def _count(self, verb: str, path: str) -> None:
        self.requests[f"{verb} {resource_of(path)}"] += 1

    def _unreachable(self, error: Exception) -> ApiUnreachable:
        if isinstance(error, TimeoutError):
            return ApiUnreachable(f"{self.server} did not answer in time")
        return ApiUnreachable(f"{self.server}: {str(error) or type(error).__name__}")


class _Lane:
    """A session, created on first use because it needs a running loop."""

    def __init__(self, credentials: Credentials, limit: int) -> None:
        self._credentials, self._limit = credentials, limit
        self._session: aiohttp.ClientSession | None = None
        self.route: Json = {"proxy": credentials.proxy} if credentials.proxy else {}
        if credentials.tls is not None and credentials.server_name:
            self.route["server_hostname"] = credentials.server_name

    @property
    def session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            connector = aiohttp.TCPConnector(limit=self._limit, ssl=self._credentials.tls or True)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    async def close(self) -> None:
        if self._session is not None and self._session.connector is not None:
            await self._session.connector.close(abort_ssl=True)
            await self._session.close()
            await asyncio.sleep(0)  # cut connections are released in the loop's next turn


def _cut(response: aiohttp.ClientResponse) -> None:
    """End a stream at once: a TLS shutdown takes a while in the background, and a loop that ends has no time for it."""
    transport = response.connection.transport if response.connection else None
    response.close()
    if transport is not None:
        transport.abort()
