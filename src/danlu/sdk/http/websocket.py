"""A WebSocket client on the standard library: what RFC 6455 asks of one side, and no more."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import struct
import threading
from http.client import HTTPException
from typing import Mapping

from danlu.sdk.http.errors import Unreachable, from_problem
from danlu.sdk.http.http import SOMETHING_ELSE, Http, Params

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
MAX_MESSAGE = 64 * 1024 * 1024


class Closed(Exception):
    """The other side is gone; `code` and `reason` are what it said, 1006 when it said nothing."""

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(reason or f"closed with code {code}")
        self.code = code
        self.reason = reason


class WebSocket:
    """One open connection. One thread receives; any thread may send."""

    def __init__(self, sock: socket.socket, already_read: bytes = b"") -> None:
        self._sock = sock
        self._buffer = bytearray(already_read)
        self._sending = threading.Lock()
        self._close_sent = False

    def fileno(self) -> int:
        return self._sock.fileno()

    def pending(self) -> bool:
        """Whether bytes wait here that `select` on the socket would not tell of."""
        tls = getattr(self._sock, "pending", None)
        return bool(self._buffer) or bool(tls and tls())

    def receive(self) -> tuple[int, bytes]:
        """The next whole message as (TEXT or BINARY, payload); pings are answered; Closed at the end."""
        kind, parts, size = 0, [], 0
        while True:
            final, opcode, payload = self._frame()
            if opcode == PING:
                self._send_frame(PONG, payload)
            elif opcode == CLOSE:
                self._answer_close(payload)
            elif opcode in (TEXT, BINARY, CONTINUED):
                if (opcode == CONTINUED) != bool(kind):
                    raise self._broken("a message began inside another")
                kind = kind or opcode
                size += len(payload)
                if size > MAX_MESSAGE:
                    raise self._broken("a message is too large")
                parts.append(payload)
                if final:
                    return kind, b"".join(parts)
            elif opcode != PONG:
                raise self._broken(f"a frame of unknown kind {opcode}")

    def send(self, payload: bytes) -> None:
        self._send_frame(BINARY, payload)

    def send_text(self, text: str) -> None:
        self._send_frame(TEXT, text.encode())

    def close(self, code: int = 1000) -> None:
        """Say goodbye and leave; closing twice does nothing."""
        try:
            if not self._close_sent:
                self._close_sent = True
                self._send_frame(CLOSE, struct.pack("!H", code))
        except (Closed, OSError):
            pass
        finally:
            self._sock.close()

    def _frame(self) -> tuple[bool, int, bytes]:
        first, second = self._exactly(2)
        if first & 0x70:
            raise self._broken("a frame uses an extension nobody agreed to")
        if second & 0x80:
            raise self._broken("the server masked a frame")
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._exactly(8))
        opcode = first & 0x0F
        if length > MAX_MESSAGE or (opcode >= CLOSE and (length > 125 or not first & 0x80)):
            raise self._broken("a frame is too large")
        return bool(first & 0x80), opcode, self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        while len(self._buffer) < count:
            try:
                piece = self._sock.recv(max(65536, count - len(self._buffer)))
            except socket.timeout as why:
                raise Closed(1006, "nothing came for too long") from why
            except OSError as why:
                raise Closed(1006, str(why.strerror or why)) from why
            if not piece:
                raise Closed()
            self._buffer += piece
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        mask = os.urandom(4)
        with self._sending:
            try:
                self._sock.sendall(head + mask + masked(payload, mask))
            except OSError as why:
                raise Closed(1006, str(why.strerror or why)) from why

    def _answer_close(self, payload: bytes) -> None:
        code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
        if not self._close_sent:
            self._close_sent = True
            self._send_frame(CLOSE, payload[:2])
        raise Closed(code, payload[2:].decode("utf-8", "replace"))

    def _broken(self, why: str) -> Closed:
        self.close(1002)
        return Closed(1002, why)


def masked(payload: bytes, mask: bytes) -> bytes:
    """XOR with the repeated mask, as whole numbers: a loop over bytes would be a hundred times slower."""
    size = len(payload)
    if not size:
        return b""
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def open_websocket(http: Http, path: str, params: Params | None = None, timeout: float = 30) -> WebSocket:
    """Connect and shake hands; a refusal is raised as the error its problem+json tells of."""
    key = base64.b64encode(os.urandom(16)).decode()
    connection = http.connect(timeout)
    with http.translated():
        connection.connect()
        sock = connection.sock
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.sendall(_request(http, http.url_of(path, params), key))
        try:
            status, headers, body, rest = _answer(sock)
        except BaseException:
            sock.close()
            raise
    if status != 101:
        sock.close()
        problem = http.decode(body) if body.startswith(b"{") else {}
        raise from_problem(status, problem)
    wanted = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
    if headers.get("sec-websocket-accept") != wanted:
        sock.close()
        raise Unreachable(http.target.url, SOMETHING_ELSE)
    sock.settimeout(None)
    return WebSocket(sock, rest)


def _request(http: Http, url: str, key: str) -> bytes:
    host = f"[{http.host}]" if ":" in http.host else http.host
    lines = [
        f"GET {url} HTTP/1.1",
        f"Host: {host}:{http.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in http.headers().items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _answer(sock: socket.socket) -> tuple[int, Mapping[str, str], bytes, bytes]:
    """(status, headers, body, rest): the first frames may come in the same packet as the headers."""
    head = bytearray()
    while b"\r\n\r\n" not in head:
        piece = sock.recv(4096)
        if not piece or len(head) > 65536:
            raise HTTPException("no answer to the handshake")
        head += piece
    top, _, rest = bytes(head).partition(b"\r\n\r\n")
    lines = top.decode("latin-1").split("\r\n")
    status = lines[0].split(" ", 2)[1:2]
    if not lines[0].startswith("HTTP/1.") or not status or not status[0].isdigit():
        raise HTTPException("not HTTP")
    pairs = (line.partition(":") for line in lines[1:])
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = b""
    if status[0] != "101":
        wanted = int(headers.get("content-length", "0") or 0)
        body = rest
        while len(body) < wanted:
            piece = sock.recv(4096)
            if not piece:
                break
            body += piece
    return int(status[0]), headers, body, rest
