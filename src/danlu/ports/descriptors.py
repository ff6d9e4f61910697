"""Open files handed from one process to another over a Unix socket; Python 3.8 has no call for it."""

from __future__ import annotations

import array
import os
import socket
from collections.abc import Sequence

_MOST = 64


def send_descriptors(connection: socket.socket, data: bytes, descriptors: Sequence[int]) -> int:
    """Send the first of the data together with copies of the descriptors; how many bytes were taken."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    return connection.sendmsg([data], ancillary)


def receive_descriptors(connection: socket.socket, size: int) -> tuple[bytes, list[int]]:
    """Data, and what was sent along with it; whoever asks closes it. Nothing is inherited by programs."""
    room = socket.CMSG_SPACE(_MOST * array.array("i").itemsize)
    data, ancillary, _, _ = connection.recvmsg(size, room, socket.MSG_CMSG_CLOEXEC)
    received = array.array("i")
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            received.frombytes(content[: len(content) - len(content) % received.itemsize])
    return data, list(received)


def close_all(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
