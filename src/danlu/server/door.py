"""What every request passes through: host check, security headers, metrics, and a handler for unexpected errors."""

from __future__ import annotations

import logging
import time
from collections import Counter
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from danlu.domain.errors import DanluError, NotAllowed, NotFound
from danlu.domain.words import Words, say
from danlu.files.settings import Settings
from danlu.server.desk import Desk
from danlu.server.http.connections import too_many_of
from danlu.server.http.problems import incident, problem
from danlu.server.http.turns import give_back
from danlu.server.http.visits import RequestTimes, Visit

access = logging.getLogger("danlu.server.access")

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Permitted-Cross-Domain-Policies": "none",
}
_BARE = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_BY_TLS = {"Strict-Transport-Security": f"max-age={180 * 86_400}"}
"""For this host name alone: others of the domain may have no TLS."""


class Door:
    """A plain ASGI middleware: cheap on every request, transparent to streams."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app, self._desk = app, desk
        settings = desk.services.process.settings
        self._hosts, self._times = _own_hosts(settings), RequestTimes.of(settings)
        self._most_of_address, self._open = settings.connections_per_address, Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            app = WebSocketClose(1008) if "\0" in scope.get("path", "") else self._app
            try:
                await app(scope, receive, send)
            finally:
                give_back(scope)
            return
        visit = _Visit(scope, receive, send, self._times)
        visit.secure = self._desk.secure(HTTPConnection(scope))
        self._desk.metrics.arrived()
        try:
            self._refuse(scope)
            await self._answer(visit)
        except DanluError as error:
            await problem(error)(scope, receive, visit.send)
        except ClientDisconnect:
            pass  # nobody is left to answer
        except Exception as error:
            answer = incident(error)
            if visit.status:
                raise  # half an answer is out: the connection must break
            await answer(scope, receive, visit.send)
        finally:
            await visit.end()
            self._account(visit)

    def _refuse(self, scope: Scope) -> None:
        if "\0" in scope["path"]:
            raise NotFound(Words("nothing exists at this address", "该地址不存在"))
        if self._hosts is None:
            return
        name = _host_name(Headers(scope=scope).get("host", ""))
        if name not in self._hosts and not _is_loopback(name):
            raise NotAllowed(
                say(
                    "this server does not serve the host name '{name}'; see the setting public_url",
                    "该服务端不接受以“{name}”为主机名的访问，参见设置 public_url",
                    name=name,
                )
            )

    async def _answer(self, visit: _Visit) -> None:
        """Behind a proxy all come over its connections: then this is what bounds an address."""
        scope = visit.scope
        address = scope["client"][0] if scope.get("client") else ""
        if self._open[address] >= self._most_of_address:
            raise too_many_of(address, self._most_of_address)
        self._open[address] += 1
        try:
            await self._app(scope, visit.receive, visit.send)
        finally:
            give_back(scope)
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _account(self, visit: _Visit) -> None:
        took = time.perf_counter() - visit.began
        method, status = visit.scope["method"], visit.status
        route = getattr(visit.scope.get("route"), "path", "console" if status < 400 else "none")
        self._desk.metrics.answered(method, route, status, took, visit.stream)
        if method not in _SAFE and (status < 400 or visit.late):
            self._desk.hub.wake()
        access.debug("%s %s %s %.1f ms", method, visit.scope["path"], status, took * 1000)


class _Visit(Visit):
    secure = False

    def dress(self, headers: MutableHeaders) -> None:
        _add(headers, _EVERYWHERE)
        if self.secure:
            _add(headers, _BY_TLS)
        if "content-security-policy" not in headers:
            _add(headers, _BARE)


def _add(headers: MutableHeaders, more: dict[str, str]) -> None:
    for name, value in more.items():
        headers.setdefault(name, value)


def _own_hosts(settings: Settings) -> frozenset[str] | None:
    """The host names a server on loopback accepts, which prevents DNS rebinding: a web page whose name points here
    must not reach it."""
    if not _is_loopback(settings.host):
        return None
    public = urlsplit(settings.public_url).hostname if settings.public_url else None
    return frozenset({"localhost", settings.host, public or "localhost"})


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    try:
        return bool(ip_address(name).is_loopback)
    except ValueError:
        return name == "localhost"
