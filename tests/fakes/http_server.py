"""A small HTTP server on loopback whose answers a test decides, connection faults included."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
    connection: int

    def json(self) -> Any:
        return json.loads(self.body)

    def one(self, name: str) -> str | None:
        return self.query.get(name, [None])[0]


@dataclass
class Reply:
    """`pieces` are sent as they are, one after the other; `drop` closes the connection after them without an end."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    pieces: list[bytes] | None = None
    drop: bool = False
    silent: bool = False
    talk: Callable[[ServerSide], None] | None = None


Handler = Callable[[Request], Reply]


def problem(
    status: int, code: str, detail: str, errors: list[dict[str, Any]] | None = None, **more: Any
) -> Reply:
    body = {"type": code, "title": code, "status": status, "detail": detail, "errors": errors or [], **more}
    return Reply(status, body, {"Content-Type": "application/problem+json"})


class FakeServer:
    """Routes are (method, path) → a Reply, a list of them taken in turn, or a function of the request."""

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str], Reply | list[Reply] | Handler] = {}
        self.fallback: Handler = lambda request: problem(404, "not_found", f"no {request.path}")
        self.requests: list[Request] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._connections = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def on(self, method: str, path: str, *replies: Any) -> None:
        """Answer `path` (under /api/v1 unless it begins with a slash) with these replies, the last one forever."""
        found = [one if isinstance(one, Reply) or callable(one) else Reply(body=one) for one in replies]
        full = path if path.startswith("/") else f"/api/v1/{path}"
        self.routes[method, full] = found[0] if len(found) == 1 else found

    def asked(self, method: str, path: str) -> list[Request]:
        full = path if path.startswith("/") else f"/api/v1/{path}"
        return [one for one in self.requests if (one.method, one.path) == (method, full)]

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End every connection there is; new ones are welcome."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections += 1
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection, self._connections), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        stream = connection.makefile("rb")
        try:
            while True:
                request = _read_request(stream, number)
                if request is None:
                    return
                self.requests.append(request)
                reply = self._reply(request)
                if not _send(connection, stream, request, reply):
                    return
        except OSError:
            return
        finally:
            stream.close()
            connection.close()

    def _reply(self, request: Request) -> Reply:
        route = self.routes.get((request.method, request.path))
        if route is None:
            return self.fallback(request)
        if isinstance(route, list):
            route = route.pop(0) if len(route) > 1 else route[0]
        return route(request) if callable(route) else route


def _read_request(stream: Any, number: int) -> Request | None:
    line = stream.readline().decode("latin-1")
    if not line.strip():
        return None
    method, target, _ = line.split(" ", 2)
    headers: dict[str, str] = {}
    while True:
        raw = stream.readline().decode("latin-1").rstrip("\r\n")
        if not raw:
            break
        name, _, value = raw.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, unquote(parts.path), parse_qs(parts.query), headers, body, number)


def _send(connection: socket.socket, stream: Any, request: Request, reply: Reply) -> bool:
    """Send one answer; whether the connection lives on."""
    if reply.talk is not None:
        _upgrade(connection, request)
        reply.talk(ServerSide(connection, stream))
        return False
    if reply.silent:
        return False
    if reply.pieces is not None:
        kind = reply.headers.get("Content-Type", "text/event-stream")
        connection.sendall(
            f"HTTP/1.1 {reply.status} X\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode()
        )
        for piece in reply.pieces:
            connection.sendall(piece)
        return False
    body = (
        b""
        if reply.body is None
        else reply.body
        if isinstance(reply.body, bytes)
        else json.dumps(reply.body).encode()
    )
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    sent = f"HTTP/1.1 {reply.status} X\r\n{head}\r\n".encode() + (b"" if request.method == "HEAD" else body)
    connection.sendall(sent[: len(sent) // 2] if reply.drop else sent)
    return not reply.drop


def _upgrade(connection: socket.socket, request: Request) -> None:
    key = request.headers["sec-websocket-key"] + _GUID
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    connection.sendall(f"{head}Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())


class ServerSide:
    """The server's end of a WebSocket, frame by frame."""

    def __init__(self, connection: socket.socket, stream: Any) -> None:
        self.connection = connection
        self.stream = stream

    def send(self, opcode: int, payload: bytes, final: bool = True) -> None:
        size = len(payload)
        first = (0x80 if final else 0) | opcode
        if size < 126:
            head = struct.pack("!BB", first, size)
        elif size < 65536:
            head = struct.pack("!BBH", first, 126, size)
        else:
            head = struct.pack("!BBQ", first, 127, size)
        self.connection.sendall(head + payload)

    def receive(self) -> tuple[int, bytes]:
        """(opcode, payload) of a frame, which a client must have masked."""
        first, second = self.stream.read(2)
        assert second & 0x80, "a client masks its frames"
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", self.stream.read(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self.stream.read(8))
        mask = self.stream.read(4)
        payload = self.stream.read(size)
        return first & 0x0F, bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
