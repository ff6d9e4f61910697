"""How the tasks of one attempt ask things of each other: both sides prove first that they know its secret.

asked                          asking
  │ ── a number, used once ──▶   │
  │ ◀── another, and proof ──    │
  │ ── proof ────────────────▶   │
  │ ◀── the request, signed ──   │
  │ ◀──────── frames ────────▶   │
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import struct
import threading
from typing import Any, Mapping, NamedTuple

_NUMBER = 32
_PROOF = hashlib.sha256().digest_size
_HEAD = struct.Struct("!BI")
_LONGEST_FRAME = 1 << 20
_PATIENCE = 10.0
# A machine that disappears sends nothing: keepalive notices within half a minute.
_KEEPALIVE = ((socket.TCP_KEEPIDLE, 10), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 4))

OUT, ERR, EXIT, RANK, OVER, READY, REFUSED = range(1, 8)
"""Kinds of frames: output, errors, an exit code, news of a rank, the end, go ahead, and why not."""


class UntrustedPeer(Exception):
    """The other side does not know the secret, or does not keep to the protocol."""


class Gone(Exception):
    """The other side has closed or cannot be reached."""


class Frame(NamedTuple):
    kind: int
    data: bytes

    def json(self) -> Any:
        return json.loads(self.data.decode("utf-8"))


class TrustedConnection:
    """A connection on which both sides have proved themselves. Several threads may send while one receives."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._sending = threading.Lock()
        connection.settimeout(None)

    def send(self, kind: int, data: bytes = b"") -> None:
        """Raises Gone when the other side has closed."""
        try:
            with self._sending:
                self.socket.sendall(_HEAD.pack(kind, len(data)) + data)
        except OSError as error:
            raise Gone(str(error)) from error

    def tell(self, kind: int, value: Any) -> None:
        self.send(kind, json.dumps(value).encode("utf-8"))

    def receive(self) -> Frame:
        """The next frame; Gone at the end of the connection."""
        kind, size = _HEAD.unpack(_exactly(self.socket, _HEAD.size))
        if size > _LONGEST_FRAME:
            raise UntrustedPeer("a frame is too long")
        return Frame(kind, _exactly(self.socket, size))

    def close(self) -> None:
        self.socket.close()


def secret_of(env: Mapping[str, str]) -> bytes:
    """The secret that only the tasks of this attempt know."""
    token = env.get("DANLU_TASK_TOKEN", "")
    if not token:
        raise UntrustedPeer("DANLU_TASK_TOKEN is not set: this task cannot authenticate itself to the others")
    return hmac.new(token.encode("utf-8"), b"danlu agents", hashlib.sha256).digest()


def ask(host: str, port: int, secret: bytes, request: Mapping[str, Any]) -> TrustedConnection:
    """A connection to the agent there, which has taken the request. Gone when nobody answers, UntrustedPeer when
    something else does."""
    try:
        connection = socket.create_connection((host, port), _PATIENCE)
    except OSError as error:
        raise Gone(error.strerror or str(error)) from error
    try:
        _keep_alive(connection)
        theirs, ours = _exactly(connection, _NUMBER), os.urandom(_NUMBER)
        connection.sendall(ours + _sign(secret, b"asking", theirs, ours))
        _check(_exactly(connection, _PROOF), _sign(secret, b"asked", theirs, ours))
        body = json.dumps(request).encode("utf-8")
        head = _HEAD.pack(0, len(body))
        connection.sendall(head + _sign(secret, b"request", theirs, ours, body) + body)
    except OSError as error:
        connection.close()
        raise Gone(str(error)) from error
    except (Gone, UntrustedPeer):
        connection.close()
        raise
    return TrustedConnection(connection)


def answer(connection: socket.socket, secret: bytes) -> tuple[TrustedConnection, dict[str, Any]]:
    """The line and the request of one who connected. Stranger or Gone unless they prove themselves in time."""
    try:
        connection.settimeout(_PATIENCE)
        _keep_alive(connection)
        ours = os.urandom(_NUMBER)
        connection.sendall(ours)
        theirs = _exactly(connection, _NUMBER)
        _check(_exactly(connection, _PROOF), _sign(secret, b"asking", ours, theirs))
        connection.sendall(_sign(secret, b"asked", ours, theirs))
        _, size = _HEAD.unpack(_exactly(connection, _HEAD.size))
        if size > _LONGEST_FRAME:
            raise UntrustedPeer("the request is too long")
        signed = _exactly(connection, _PROOF)
        body = _exactly(connection, size)
        _check(signed, _sign(secret, b"request", ours, theirs, body))
        request = json.loads(body.decode("utf-8"))
    except OSError as error:
        raise Gone(str(error)) from error
    except ValueError as error:
        raise UntrustedPeer("the request is not JSON") from error
    if not isinstance(request, dict):
        raise UntrustedPeer("the request is not an object")
    return TrustedConnection(connection), request


def _sign(secret: bytes, *parts: bytes) -> bytes:
    return hmac.new(secret, b"\0".join(parts), hashlib.sha256).digest()


def _check(proof: bytes, expected: bytes) -> None:
    if not hmac.compare_digest(proof, expected):
        raise UntrustedPeer("it could not prove that it belongs to this attempt")


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            more = connection.recv(min(size - len(data), 65536))
        except OSError as error:
            raise Gone(str(error)) from error
        if not more:
            raise Gone("the connection was closed")
        data += more
    return bytes(data)


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)
