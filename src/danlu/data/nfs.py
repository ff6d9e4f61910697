"""Whether an NFS server is one, asked by a call that does nothing (RFC 5531, RFC 8881)."""

from __future__ import annotations

import contextlib
import secrets
import socket
import struct
from collections.abc import Iterator

from danlu.data.outside import Guard
from danlu.data.verdicts import fine, name_step, route_step, tried
from danlu.domain.errors import BadAnswer
from danlu.domain.findings import Finding
from danlu.domain.volumes.source import Source
from danlu.domain.words import Words

_PROGRAM, _VERSIONS, _NOTHING = 100003, (4, 3), 0
_SILENCE_S = 10.0
_LONGEST = 4096
_ACCEPTED = struct.pack(">II", 1, 0)
"""A reply, and not a refused one."""


def nfs_steps(guard: Guard, source: Source) -> Iterator[Finding]:
    """Which folders a server exports it tells only who mounts them: that is looked at where a job starts."""
    address = source.nfs
    yield name_step(guard, address.host, address.port)
    sock = tried("route", lambda: guard.connect(address.host, address.port))
    with contextlib.closing(sock):
        sock.settimeout(_SILENCE_S)
        tried("route", lambda: _ask(sock, address.host))
    yield route_step(address.host, address.port)
    yield fine("export", _EXPORT.fill(export=address.export))


def _ask(sock: socket.socket, host: str) -> None:
    for version in _VERSIONS:
        number = secrets.randbits(32)
        call = struct.pack(">IIIIIIIIII", number, 0, 2, _PROGRAM, version, _NOTHING, 0, 0, 0, 0)
        try:
            sock.sendall(struct.pack(">I", 0x8000_0000 | len(call)) + call)
            answer = _record(sock)
        except OSError:
            break
        said = answer[:12] == struct.pack(">I", number) + _ACCEPTED
        if said and len(answer) >= 24 and answer[20:24] == b"\0\0\0\0":
            return
    raise BadAnswer(_NO_NFS.fill(host=host))


def _record(sock: socket.socket) -> bytes:
    size = struct.unpack(">I", _exactly(sock, 4))[0] & 0x7FFF_FFFF
    if size > _LONGEST:
        raise OSError("longer than any answer to nothing")
    return _exactly(sock, size)


def _exactly(sock: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = sock.recv(size - len(found))
        if not piece:
            raise OSError("ended early")
        found += piece
    return found


_NO_NFS = Words(
    "what answers at {host} is no NFS server (versions 3 and 4 over TCP)",
    "{host} 应答的不是 NFS 服务（支持 TCP 上的第 3、4 版）",
)
_EXPORT = Words(
    "whether {export} is exported to this machine shows when a job mounts it",
    "{export} 是否对本机导出，将在任务挂载时确认",
)
