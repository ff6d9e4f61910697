"""Reaches another task of the gang through its agent, for programs that would use SSH.

`main` takes `TASK COMMAND…`, as mpirun calls rsh, or `--ssh TASK`, as ssh calls a proxy command."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import threading

from danlu.runtime.gang import agents
from danlu.runtime.gang.gang import read_gang

_UNREACHED = 255


def main(argv: list[str]) -> int:
    """Exits as the command does; 255 when the task cannot be reached, as ssh would."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # mpirun would take its end for the daemon's
    proxied = argv[:1] == ["--ssh"]
    name, command = (argv[1], []) if proxied else (argv[0], argv[1:])
    seat = read_gang(os.environ).seat(name)
    if seat is None:
        return _refuse(f"{name} is not a task of this job")
    request = {"do": "ssh"} if proxied else {"do": "run", "line": " ".join(command)}
    try:
        line = agents.ask(seat.host, seat.port, agents.secret_of(os.environ), request)
        return _relay(line) if proxied else _follow(line)
    except (agents.Gone, agents.UntrustedPeer) as error:
        return _refuse(f"{name} cannot be reached: {error}")


def _follow(line: agents.TrustedConnection) -> int:
    while True:
        frame = line.receive()
        if frame.kind == agents.EXIT:
            return int(frame.json())
        stream = sys.stdout if frame.kind == agents.OUT else sys.stderr
        stream.buffer.write(frame.data)
        stream.buffer.flush()


def _relay(line: agents.TrustedConnection) -> int:
    """Bytes to and fro until the other side closes, for ssh to make of them what it will."""
    first = line.receive()
    if first.kind != agents.READY:
        return _refuse(first.data.decode("utf-8", "replace"))

    def send() -> None:
        with line.socket.makefile("wb", 0) as there:
            shutil.copyfileobj(_Unbuffered(0), there)
        line.socket.shutdown(socket.SHUT_WR)

    threading.Thread(target=send, daemon=True).start()
    while True:
        data = line.socket.recv(65536)
        if not data:
            return 0
        os.write(1, data)


class _Unbuffered:
    """Reads what is there instead of waiting for as much as was asked for."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def read(self, size: int = -1) -> bytes:
        return os.read(self._fd, max(size, 65536))


def _refuse(sentence: str) -> int:
    print(f"danlu: {sentence}", file=sys.stderr)
    return _UNREACHED
