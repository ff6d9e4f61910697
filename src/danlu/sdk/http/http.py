"""One kept-alive HTTP connection, its retries, and the server's errors as ours."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import threading
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import IO, Any, Callable, Iterator, Mapping
from urllib.parse import urlencode, urlsplit

from danlu import __version__
from danlu.domain.words import Words, same, say
from danlu.sdk.http.config import DEFAULT_URL, Target, is_loopback
from danlu.sdk.http.errors import ServerFailed, Unreachable, from_problem

# What a dropped connection looks like: http.client's own RemoteDisconnected is a ConnectionError.
DROPPED = (ConnectionError, HTTPException)
HARMLESS = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
"""Doing these twice is doing them once."""

SOMETHING_ELSE = Words("the server there is not Danlu", "应答的不是丹炉")

Params = Mapping[str, object]
PAGE = 200


class Http:
    """Requests to one server. Threads take turns on one connection; a stream gets one of its own."""

    def __init__(self, target: Target, timeout: float = 30) -> None:
        self.target = target
        self.timeout = timeout
        parts = urlsplit(target.url)
        self.secure = parts.scheme == "https"
        self.host = parts.hostname or ""
        self.port = parts.port or (443 if self.secure else 80)
        self.prefix = parts.path.rstrip("/")
        self._lock = threading.Lock()
        self._kept: HTTPConnection | None = None

    def close(self) -> None:
        with self._lock:
            if self._kept is not None:
                self._kept.close()
                self._kept = None

    def __del__(self) -> None:
        # Most scripts never close their client; the socket should not outlive it with a warning.
        if getattr(self, "_kept", None) is not None:
            self._drop()

    def json(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        body: object = None,
        key: str = "",
        harmless: bool | None = None,
    ) -> Any:
        """Send and receive JSON; an empty answer is None. `key` is for `POST jobs`, which the server does once
        per key; `harmless` says of another request that it may be repeated."""
        headers = {"Idempotency-Key": key} if key else {}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, ensure_ascii=False).encode()
        _, answer, _ = self.send(method, path, params, data, headers, harmless)
        return self.decode(answer) if answer else None

    def send(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        body: bytes | IO[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        harmless: bool | None = None,
    ) -> tuple[int, bytes, list[tuple[str, str]]]:
        """One request, once more if the connection drops and repeating is harmless; errors are raised."""
        headers = {**self.headers(), **(headers or {})}
        if harmless is None:
            harmless = method in HARMLESS
        repeatable = harmless or "Idempotency-Key" in headers
        sent = False
        with self._lock, self.translated(lambda: sent and not harmless):
            for last_try in (not repeatable, True):
                try:
                    kept = self._connected()
                    sent = True
                    kept.request(method, self.url_of(path, params), body=body, headers=headers)
                    response = kept.getresponse()
                    answer = response.read()
                    break
                except DROPPED as why:
                    self._drop()
                    if last_try or isinstance(why, ConnectionRefusedError):
                        raise
                    if hasattr(body, "seek"):
                        body.seek(0)  # type: ignore[union-attr]
                except BaseException:
                    # Half an answer may be on its way: the connection is no use to the next request.
                    self._drop()
                    raise
            if response.will_close:
                self._drop()
        self._raise_for(response, answer, not harmless)
        return response.status, answer, response.getheaders()

    def pages(
        self, path: str, limit: int | None = None, filters: Params | None = None
    ) -> Iterator[dict[str, Any]]:
        """The items of a list, page after page."""
        query = dict(filters or {})
        while limit is None or limit > 0:
            query["limit"] = PAGE if limit is None else min(limit, PAGE)
            page = self.json("GET", path, query)
            yield from page["items"]
            if not page.get("next_cursor") or not page["items"]:
                return
            limit = None if limit is None else limit - len(page["items"])
            query["cursor"] = page["next_cursor"]

    @contextlib.contextmanager
    def stream(
        self,
        path: str,
        params: Params | None = None,
        timeout: float = 60,
        last_id: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[HTTPResponse]:
        """A GET whose answer is read as it comes; `timeout` is the longest silence between two pieces."""
        with self.translated():
            connection = self.connect(timeout)
            try:
                sent = {**self.headers(), "Accept": "text/event-stream", **(headers or {})}
                if last_id:
                    sent["Last-Event-ID"] = last_id
                connection.request("GET", self.url_of(path, params), headers=sent)
                response = connection.getresponse()
                if response.status >= 300:
                    self._raise_for(response, response.read())
            except BaseException:
                connection.close()
                raise
        try:
            yield response
        finally:
            response.close()
            connection.close()

    def connect(self, timeout: float) -> HTTPConnection:
        if not self.secure:
            return HTTPConnection(self.host, self.port, timeout=timeout)
        import ssl  # http.client has loaded it by now

        context = ssl.create_default_context(cafile=os.environ.get("DANLU_CA_FILE") or None)
        return HTTPSConnection(self.host, self.port, timeout=timeout, context=context)

    def url_of(self, path: str, params: Params | None = None) -> str:
        query = urlencode(list(_pairs(params))) if params else ""
        root = path if path.startswith("/") else f"/api/v1/{path}"
        return f"{self.prefix}{root}{'?' + query if query else ''}"

    def decode(self, answer: bytes) -> Any:
        try:
            return json.loads(answer)
        except ValueError as why:
            raise self.unreachable(SOMETHING_ELSE) from why

    def unreachable(self, why: Words, unsure: bool = False) -> Unreachable:
        """`unsure`: a request that changes something was on its way, and nobody told what became of it."""
        if unsure:
            why = say(
                "{why}; the request may or may not have been carried out",
                "{why}；请求可能已执行，也可能未执行",
                why=why,
            )
            advice = Words(
                "Check whether it was carried out before you try again",
                "重试前请先确认请求是否已执行",
            )
        elif self.target.url == DEFAULT_URL or is_loopback(self.host):
            advice = Words(
                "Start Danlu on this machine with 'danlu up', or use another server: danlu login URL",
                "请用 danlu up 在本机启动丹炉，或使用其他服务器：danlu login URL",
            )
        else:
            advice = say(
                "Check the address (it comes from {said_by}), or use another server: danlu login URL",
                "请检查地址（来自{said_by}），或使用其他服务器：danlu login URL",
                said_by=self.target.said_by,
            )
        return Unreachable(self.target.url, why, advice)

    def _connected(self) -> HTTPConnection:
        if self._kept is not None and _left(self._kept.sock):
            self._drop()
        if self._kept is None:
            self._kept = self.connect(self.timeout)
            self._kept.connect()
            # Header and body go out as two writes; waiting for the first's receipt would cost 40 ms.
            self._kept.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._kept

    def _drop(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": f"danlu/{__version__}"}
        if self.target.token:
            headers["Authorization"] = f"Bearer {self.target.token}"
        return headers

    def _raise_for(self, response: HTTPResponse, answer: bytes, changing: bool = False) -> None:
        if response.status < 300:
            return
        if response.status < 400:
            place = response.getheader("Location") or Words("another address", "其他地址")
            raise self.unreachable(say("it has moved to {place}", "服务已迁移到 {place}", place=place))
        try:
            body = json.loads(answer) if answer else {}
        except ValueError:
            body = None
        if not isinstance(body, dict):
            if response.status in (502, 504):
                answered = say(
                    "a proxy answered with status {status}", "代理返回状态码 {status}", status=response.status
                )
                raise self.unreachable(answered, changing)
            if response.status < 500:
                raise self.unreachable(SOMETHING_ELSE)
            raise ServerFailed(
                say(
                    "the server failed with status {status}; its log says why",
                    "服务器出错（状态码 {status}），原因见服务器日志",
                    status=response.status,
                )
            )
        raise from_problem(response.status, body, response.getheader("Retry-After"))

    @contextlib.contextmanager
    def translated(self, unsure: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Whatever goes wrong below HTTP is `Unreachable`, with a sentence a person understands."""
        try:
            yield
        except ConnectionRefusedError as why:
            raise self.unreachable(Words("nothing is listening there", "该地址没有服务在监听")) from why
        except socket.timeout as why:
            silent = say("no answer within {limit} s", "{limit} 秒内没有应答", limit=f"{self.timeout:g}")
            raise self.unreachable(silent, unsure()) from why
        except socket.gaierror as why:
            raise self.unreachable(
                say("the host name '{host}' cannot be resolved", "无法解析主机名“{host}”", host=self.host)
            ) from why
        except (HTTPException, OSError) as why:
            raise self.unreachable(_sentence(why), unsure()) from why


def _left(sock: socket.socket | None) -> bool:
    """Whether the server closed the idle connection; known before sending, nothing need be repeated."""
    if sock is None:
        return True
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


def _sentence(why: BaseException) -> Words:
    import ssl  # http.client has loaded it by now

    if isinstance(why, ssl.SSLCertVerificationError):
        return say(
            "its certificate is not trusted ({why}); set DANLU_CA_FILE to the file of the CA that signed it",
            "其证书不受信任（{why}）；请用 DANLU_CA_FILE 指定签发它的 CA 证书文件",
            why=why,
        )
    if isinstance(why, HTTPException) and not isinstance(why, ConnectionError):
        return SOMETHING_ELSE
    if isinstance(why, ConnectionError):
        return Words("the connection broke", "连接中断")
    return same(str(getattr(why, "strerror", None) or why))


def _pairs(params: Params) -> Iterator[tuple[str, str]]:
    for key, value in params.items():
        if value is None or value == "":
            continue
        if isinstance(value, (list, tuple)):
            yield from ((key, str(one)) for one in value)
        else:
            yield key, str(value).lower() if isinstance(value, bool) else str(value)
