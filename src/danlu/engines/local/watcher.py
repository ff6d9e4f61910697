"""Hearing of tasks: a datagram says where to look, and a slow round looks everywhere in case one was lost."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from danlu.ports import supervision

_ROUND_S = 2.0


class Watcher:
    """A thread that collects the names of tasks with news and calls `wake`."""

    def __init__(self, runs: Path) -> None:
        self._path = str(runs / supervision.NOTIFY_SOCKET)
        self._wake: Callable[[], None] = lambda: None
        self._news: set[str] = set()
        self._all = True
        self._lock = threading.Lock()
        self._closed = False
        self._socket = self._bind()
        self._thread = threading.Thread(target=self._listen, name="task-watcher", daemon=True)
        self._thread.start()

    def listen(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def tell(self, name: str) -> None:
        """There is news of a task."""
        with self._lock:
            self._news.add(name)
        self._wake()

    def take(self) -> tuple[set[str], bool]:
        """The tasks with news since last asked, and whether it is time to look at all of them."""
        with self._lock:
            news, everywhere = self._news, self._all
            self._news, self._all = set(), False
            return news, everywhere

    def close(self) -> None:
        self._closed = True
        self._wake = lambda: None
        # A datagram to ourselves: nothing else wakes a reader of datagrams.
        with contextlib.suppress(OSError), supervision.short_address(self._path) as address:
            supervision.send_datagram(address, b"")
        self._thread.join(timeout=_ROUND_S + 1)
        self._socket.close()

    def _bind(self) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with supervision.short_address(self._path) as address:
            listener.bind(address)
        listener.settimeout(_ROUND_S)
        return listener

    def _listen(self) -> None:
        next_round = time.monotonic() + _ROUND_S
        while not self._closed:
            try:
                name = self._socket.recv(4096).decode("utf-8", "replace")
            except TimeoutError:
                name = ""
            except OSError:
                return
            with self._lock:
                if name:
                    self._news.add(name)
                # The round is due however busy the socket is: a killed supervisor sends nothing.
                if time.monotonic() >= next_round:
                    next_round = time.monotonic() + _ROUND_S
                    self._all = True
            self._wake()
