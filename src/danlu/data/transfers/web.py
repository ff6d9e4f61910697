"""Requests to servers outside: guarded addresses, bounded redirects, a login that never goes astray."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from danlu.data.transfers.guard import AddressGuard
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import WebLogin

CONNECT_S = 20.0
SILENT_S = 60.0
"""A server that says nothing for so long is given up."""
MOST_REDIRECTS = 8
_REDIRECTS = (301, 302, 303, 307, 308)
_LATER = (408, 425, 429, 500, 502, 503, 504)
_AGENT = "danlu-transfer"


class Web:
    """A client for one transfer. What it is to tell (`login`, `headers`) is told to the first host alone."""

    def __init__(
        self, guard: AddressGuard, login: WebLogin | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self._guard = guard
        self._told = dict(headers or {})
        if login is not None:
            self._told["Authorization"] = authorization(login)
        self._tls = ssl.create_default_context()

    def get(self, url: str, headers: Mapping[str, str]) -> WebAnswer:
        """Whatever its status is, after redirects."""
        first, at = url, url
        for _ in range(MOST_REDIRECTS):
            told = self._told if origin(at) == origin(first) else {}
            answer = self.request("GET", at, {**told, **headers})
            if answer.status not in _REDIRECTS:
                return answer
            answer.close()
            at = self._next(at, answer.header("Location"))
        raise TransferStopped("too_many_redirects", url=without_query(url), most=MOST_REDIRECTS)

    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> WebAnswer:
        parts = urlsplit(url)
        host = parts.hostname or ""
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        connection = _Checked(host, port, self._connected(host, port, secure))
        target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._") + (
            "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~-._?") if parts.query else ""
        )
        try:
            named = {"Host": _host_of(parts.hostname or "", parts.port), "User-Agent": _AGENT}
            connection.request(method, target, body, {**named, "Accept-Encoding": "identity", **headers})
            return WebAnswer(url, host, connection, connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise TransferStopped("not_reached", host=host, why=why(error)) from None

    def _connected(self, host: str, port: int, secure: bool) -> socket.socket:
        last: OSError | None = None
        for address in self._guard.addresses(host, port):
            try:
                connected = socket.create_connection((address, port), CONNECT_S)
                connected.settimeout(SILENT_S)
                return self._tls.wrap_socket(connected, server_hostname=host) if secure else connected
            except OSError as error:
                last = error
        raise TransferStopped("not_reached", host=host, why=why(last))

    def _next(self, at: str, location: str) -> str:
        to = urljoin(at, location)
        leaves_tls = urlsplit(at).scheme == "https" and urlsplit(to).scheme != "https"
        if not location or urlsplit(to).scheme not in ("http", "https") or leaves_tls:
            raise TransferStopped("bad_redirect", host=urlsplit(at).hostname, url=without_query(to))
        return to


class WebAnswer:
    """An answer whose body is still to be read; always close it."""

    def __init__(
        self, url: str, host: str, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse
    ) -> None:
        self.url, self.host, self.status = url, host, answer.status
        self._connection, self._answer = connection, answer

    def header(self, name: str) -> str:
        return str(self._answer.headers.get(name) or "").strip()

    def read(self, size: int) -> bytes:
        """OSError where a body without a length is cut; one with a length just ends early."""
        try:
            return self._answer.read(size)
        except http.client.HTTPException as error:
            raise ConnectionError(why(error)) from None

    def refuse(self, with_login: bool) -> TransferStopped:
        """What this status means for a transfer."""
        self.close()
        told = {"host": self.host, "status": self.status}
        if self.status in (401, 403, 407):
            return TransferStopped("login_refused" if with_login else "login_wanted", **told)
        if self.status in (404, 410):
            return TransferStopped("not_found_there", url=without_query(self.url), status=self.status)
        return TransferStopped("failing_there" if self.status in _LATER else "refused_there", **told)

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


class _Checked(http.client.HTTPConnection):
    """Over a connection that is there already: nothing is resolved again."""

    def __init__(self, host: str, port: int, connected: socket.socket) -> None:
        super().__init__(host, port)
        self.sock = connected
        self.auto_open = 0


def authorization(login: WebLogin) -> str:
    if not login.user:
        return f"Bearer {login.secret}"
    return "Basic " + base64.b64encode(f"{login.user}:{login.secret}".encode()).decode()


def origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def without_query(url: str) -> str:
    return url.partition("?")[0]


def why(error: Any) -> str:
    """A code, or what the system says."""
    if isinstance(error, TimeoutError):
        return "silent"
    if isinstance(error, OSError) and error.strerror:
        return str(error.strerror)
    return str(error) or type(error).__name__


def _host_of(host: str, port: int | None) -> str:
    named = f"[{host}]" if ":" in host else host
    return named if port is None else f"{named}:{port}"
