"""Lines between programs under test: each carries connections on to one or several others, and can be cut."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading

Address = str | tuple[str, int]
"""The path of a Unix socket, or host and port."""

_PIECE = 1 << 16


class Line:
    """Listens at an address (port 0: a free one); connections go to `ends` in turn, leaving out those that refuse.

    While it is cut, nothing passes and nobody is told: what was sent arrives when it is mended, as on a network."""

    def __init__(self, at: Address, *ends: Address) -> None:
        self._ends, self._turn = ends, itertools.count()
        self._flows = threading.Event()
        self._flows.set()
        self._over = False
        self._lock = threading.Lock()
        self._carried: list[tuple[socket.socket, socket.socket]] = []
        self.counts = [0] * len(ends)
        self._listening = _socket(at)
        self._listening.bind(at)
        self._listening.listen(128)
        self.address: Address = self._listening.getsockname()
        threading.Thread(target=self._accept, name="line", daemon=True).start()

    def cut(self) -> None:
        self._flows.clear()

    def mend(self) -> None:
        self._flows.set()

    def hang_up(self) -> None:
        """End the connections there are; new ones go to the next in turn."""
        with self._lock:
            carried, self._carried = self._carried, []
        for both in carried:
            for one in both:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._over = True
        self._flows.set()
        # A thread that waits for a connection notices only when there is one, or none can come any more.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.hang_up()

    def _accept(self) -> None:
        while not self._over:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(caller,), name="line", daemon=True).start()

    def _connect(self, caller: socket.socket) -> None:
        self._flows.wait()
        first = next(self._turn)
        for number in range(first, first + len(self._ends)):
            which = number % len(self._ends)
            called = _socket(self._ends[which])
            try:
                called.connect(self._ends[which])
            except OSError:
                called.close()
                continue
            with self._lock:
                self.counts[which] += 1
                self._carried.append((caller, called))
            self._carry_both(caller, called)
            return
        caller.close()

    def _carry_both(self, caller: socket.socket, called: socket.socket) -> None:
        back = threading.Thread(target=self._carry, args=(called, caller), name="line", daemon=True)
        back.start()
        self._carry(caller, called)
        back.join()
        with self._lock:
            self._carried = [one for one in self._carried if one[0] is not caller]
        caller.close()
        called.close()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                self._flows.wait()
                target.sendall(piece)
        self._flows.wait()
        for one, side in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
            with contextlib.suppress(OSError):
                one.shutdown(side)


class BreakingLine(Line):
    """One connection after the other breaks once it has brought so many bytes back; those after the last are whole."""

    def __init__(self, end: Address, *after: int) -> None:
        self._after, self.broken = list(after), 0
        super().__init__(("127.0.0.1", 0), end)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        """An answer that is longer than what is left of the line is cut in the middle."""
        if not self._is_back(source):
            super()._carry(source, target)
            return
        carried = 0
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                carried += len(piece)
                with self._lock:
                    breaks = bool(self._after) and carried >= self._after[0]
                    if breaks:
                        self._after.pop(0)
                        self.broken += 1
                if breaks:
                    break
                target.sendall(piece)
        for one in (target, source):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _is_back(self, source: socket.socket) -> bool:
        with self._lock:
            return any(called is source for _, called in self._carried)


def _socket(address: Address) -> socket.socket:
    return socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
