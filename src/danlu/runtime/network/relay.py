"""Carries bytes between pairs of sockets, as fast as both sides take them."""

from __future__ import annotations

import contextlib
import select
import socket

_ROOM = 262_144
_FAILED = select.EPOLLERR | select.EPOLLHUP


class _Flow:
    """One direction of a pair."""

    def __init__(self, source: socket.socket, sink: socket.socket, waiting: bytes) -> None:
        self.source, self.sink = source, sink
        self.waiting = waiting
        self.ended = False
        self.told = False

    def pump(self) -> None:
        """Read and write what goes without waiting. OSError when either side is broken."""
        with contextlib.suppress(BlockingIOError):
            while not self.ended and len(self.waiting) < _ROOM:
                data = self.source.recv(_ROOM)
                self.ended = not data
                self.waiting += data
        with contextlib.suppress(BlockingIOError):
            while self.waiting:
                self.waiting = self.waiting[self.sink.send(self.waiting) :]
        if self.ended and not self.waiting and not self.told:
            self.told = True
            with contextlib.suppress(OSError):
                self.sink.shutdown(socket.SHUT_WR)


class Relay:
    """All pairs of one forwarder. `fileno` becomes readable when something can be carried on."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._pairs: dict[int, tuple[_Flow, _Flow]] = {}

    def __len__(self) -> int:
        return len(self._pairs) // 2

    def fileno(self) -> int:
        return self._epoll.fileno()

    def add(self, client: socket.socket, way: socket.socket, first: bytes = b"", back: bytes = b"") -> None:
        """Join the two; `first` goes to `way` before anything else, `back` to the client."""
        for end in (client, way):
            end.setblocking(False)
            with contextlib.suppress(OSError):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        flows = (_Flow(client, way, first), _Flow(way, client, back))
        for end in (client, way):
            self._pairs[end.fileno()] = flows
            self._epoll.register(end, 0)
        self._carry(flows)

    def carry_on(self) -> None:
        for fd, event in self._epoll.poll(0):
            flows = self._pairs.get(fd)
            if flows is not None:
                self._carry(flows, broken=bool(event & select.EPOLLERR))

    def _carry(self, flows: tuple[_Flow, _Flow], broken: bool = False) -> None:
        try:
            for flow in flows:
                flow.pump()
        except OSError:
            broken = True
        if broken or all(flow.told for flow in flows):
            self._part(flows)
        else:
            self._listen(flows)

    def _listen(self, flows: tuple[_Flow, _Flow]) -> None:
        for flow, other in (flows, flows[::-1]):
            # One end is where this flow begins and the other one's end.
            wanted = 0
            if not flow.ended and len(flow.waiting) < _ROOM:
                wanted |= select.EPOLLIN
            if other.waiting:
                wanted |= select.EPOLLOUT
            self._epoll.modify(flow.source, wanted)

    def _part(self, flows: tuple[_Flow, _Flow]) -> None:
        for flow in flows:
            del self._pairs[flow.source.fileno()]
            self._epoll.unregister(flow.source)
            flow.source.close()
