"""The process behind the doors of one network: it answers inside, and asks outside. It comes with the first visitor and
goes when nobody has come for a while, or when the attempt is over."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections import deque
from typing import Callable

from danlu.ports import supervision
from danlu.runtime.isolation import linux
from danlu.runtime.network import proxy
from danlu.runtime.network.namespace import DANLU, NAMES, PROXY, NetworkDoor
from danlu.runtime.network.relay import Relay
from danlu.runtime.network.wish import NetworkWish

_IDLE = 30.0
_LOOK_EVERY = 2.0
_MOST = 512
_MOST_OPENING = 64
_CONNECT_SECONDS = 30.0
_ANSWER_SECONDS = 5.0
_LONGEST_ANSWER = 65_535


def forward(doors: list[NetworkDoor], wish: NetworkWish, attempt_dir: str) -> None:
    """For a process of its own, which needs no privilege."""
    linux.drop_capabilities()
    _Forwarder(doors, wish, attempt_dir).run()


def attempt_lives(attempt_dir: str) -> bool:
    """Whether any task of it has a supervisor."""
    try:
        names = os.listdir(attempt_dir)
    except OSError:
        return False
    return any(supervision.is_alive(os.path.join(attempt_dir, name)) for name in names)


class _Forwarder:
    def __init__(self, doors: list[NetworkDoor], wish: NetworkWish, attempt_dir: str) -> None:
        self._wish, self._attempt_dir = wish, attempt_dir
        self._doors = {door.listener.fileno(): door for door in doors}
        self._relay = Relay()
        self._poller = select.poll()
        self._opened: deque[tuple[socket.socket, socket.socket, bytes, bytes]] = deque()
        self._opening = 0
        self._lock = threading.Lock()
        self._wake_from, self._wake_to = os.pipe()
        os.set_blocking(self._wake_to, False)
        self._busy_at = time.monotonic()

    def run(self) -> None:
        self._poller.register(self._relay.fileno(), select.POLLIN)
        self._poller.register(self._wake_from, select.POLLIN)
        next_look = time.monotonic() + _LOOK_EVERY
        while True:
            self._listen()
            for fd, _ in self._poller.poll(int(_LOOK_EVERY * 1000)):
                if fd in self._doors:
                    self._answer(self._doors[fd])
                elif fd == self._wake_from:
                    os.read(fd, 4096)
            while self._opened:
                self._relay.add(*self._opened.popleft())
            self._relay.carry_on()
            now = time.monotonic()
            if self._opening or len(self._relay):
                self._busy_at = now
            if now >= next_look:
                next_look = now + _LOOK_EVERY
                if now - self._busy_at > _IDLE or not attempt_lives(self._attempt_dir):
                    return

    def _listen(self) -> None:
        """Whoever comes while it is full waits at the door."""
        room = self._opening < _MOST_OPENING and len(self._relay) < _MOST
        for fd in self._doors:
            self._poller.register(fd, select.POLLIN if room else 0)

    def _answer(self, door: NetworkDoor) -> None:
        self._busy_at = time.monotonic()
        with contextlib.suppress(BlockingIOError, ConnectionError):
            if door.kind == NAMES and door.listener.type == socket.SOCK_DGRAM:
                question, client = door.listener.recvfrom(_LONGEST_ANSWER)
                self._begin(lambda: _ask_name_server(door.listener, question, client))
                return
            visitor, _ = door.listener.accept()
            self._begin(lambda: self._open(door, visitor))

    def _begin(self, work: Callable[[], None]) -> None:
        """Names and distant hosts take their time: each in a thread."""

        def run() -> None:
            try:
                work()
            except OSError:
                pass  # the visitor sees a connection that ends
            finally:
                with self._lock:
                    self._opening -= 1
                with contextlib.suppress(BlockingIOError):
                    os.write(self._wake_to, b"+")

        with self._lock:
            self._opening += 1
        threading.Thread(target=run, daemon=True).start()

    def _open(self, door: NetworkDoor, visitor: socket.socket) -> None:
        try:
            first = back = b""
            if door.kind == PROXY:
                request = proxy.read_request(visitor)
                way = proxy.open_way(request, self._wish.allow)
                first, back = request.first, proxy.ESTABLISHED if request.tunnel else b""
            elif door.kind == DANLU and self._wish.danlu is not None:
                way = socket.create_connection(self._wish.danlu, _CONNECT_SECONDS)
            else:
                way = socket.create_connection(door.listener.getsockname()[:2], _CONNECT_SECONDS)
        except proxy.Refused as refusal:
            with visitor:
                visitor.sendall(refusal.answer())
        except BaseException:
            visitor.close()
            raise
        else:
            self._opened.append((visitor, way, first, back))


def _ask_name_server(door: socket.socket, question: bytes, client: tuple[str, int]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way:
        way.settimeout(_ANSWER_SECONDS)
        way.connect(door.getsockname())
        way.send(question)
        door.sendto(way.recv(_LONGEST_ANSWER), client)
