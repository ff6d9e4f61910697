"""Sockets that a server listens on, kept while it restarts, so that nobody else can pose as Danlu there."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from typing import Callable

_GRACE = 60.0
_AT_ONCE = struct.pack("ii", 1, 0)
_MOST = 64


class _KeptPort:
    def __init__(self, host: str, listener: socket.socket, holder: object) -> None:
        self.host, self.listener = host, listener
        self.port: int = listener.getsockname()[1]
        self.holder: object | None = holder
        self.left_at = 0.0
        self.is_quiet = False


class KeptPorts:
    """While a server that was killed is away, whoever comes waits in the queue of the socket. After a while, or when it
    was stopped, they are turned away, but nobody else gets the port as long as tasks run that know it as Danlu's.

    `fileno` becomes readable when there is somebody to turn away."""

    def __init__(self) -> None:
        self._kept: list[_KeptPort] = []
        self._visitors = select.epoll()

    def fileno(self) -> int:
        return self._visitors.fileno()

    def turn_away(self) -> None:
        ready = [fd for fd, _ in self._visitors.poll(0)]
        for kept in [kept for kept in self._kept if kept.listener.fileno() in ready]:
            for _ in range(_MOST):
                try:
                    visitor, _ = kept.listener.accept()
                except OSError:
                    break
                with visitor, contextlib.suppress(OSError):
                    visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)

    def keep(self, host: str, descriptor: int, holder: object) -> None:
        """A listening socket; kept on when the holder leaves."""
        listener = socket.socket(fileno=descriptor)
        listener.setblocking(False)
        port = listener.getsockname()[1]
        for other in [kept for kept in self._kept if (kept.host, kept.port) == (host, port)]:
            self._let_go(other)
        self._kept.append(_KeptPort(host, listener, holder))

    def find(self, host: str, port: int) -> int | None:
        """The descriptor of a socket whose server is gone; any of that host if the port does not matter (0)."""
        for kept in self._kept:
            if kept.holder is None and kept.host == host and port in (0, kept.port):
                if kept.is_quiet:
                    self._visitors.unregister(kept.listener)
                kept.left_at, kept.is_quiet = time.monotonic(), False
                return kept.listener.fileno()
        return None

    def all(self) -> list[tuple[str, int]]:
        """Hosts and descriptors, for a launcher that takes over."""
        return [(kept.host, kept.listener.fileno()) for kept in self._kept]

    def leave(self, holder: object, stopped: bool) -> None:
        """A server that was `stopped` says so; one that does not was killed, and another is soon there."""
        for kept in self._kept:
            if kept.holder is holder:
                kept.holder, kept.left_at = None, time.monotonic() - (_GRACE if stopped else 0.0)

    def wait_ms(self) -> int | None:
        """When to look again."""
        due = [kept.left_at + _GRACE for kept in self._kept if kept.holder is None and not kept.is_quiet]
        return max(0, int((min(due) - time.monotonic()) * 1000) + 1) if due else None

    def look(self, tasks_run: Callable[[], bool]) -> None:
        for kept in [kept for kept in self._kept if kept.holder is None]:
            if time.monotonic() < kept.left_at + _GRACE:
                continue
            if not tasks_run():
                self._let_go(kept)
            elif not kept.is_quiet:
                self._visitors.register(kept.listener, select.EPOLLIN)
                kept.is_quiet = True

    def close(self) -> None:
        """In a child: they are the launcher's."""
        self._visitors.close()
        for kept in self._kept:
            kept.listener.close()

    def _let_go(self, kept: _KeptPort) -> None:
        self._kept.remove(kept)
        if kept.is_quiet:
            self._visitors.unregister(kept.listener)
        kept.listener.close()
