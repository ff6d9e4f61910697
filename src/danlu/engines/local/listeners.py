"""The server's socket, kept by the launcher while the server restarts: nobody can pose as Danlu meanwhile."""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path
from typing import Any

from danlu.ports import supervision
from danlu.ports.descriptors import close_all, receive_descriptors, send_descriptors

_TIMEOUT = 10.0
_LONGEST_ANSWER = 4096


class LauncherListeners:
    """Implements `ListenerKeeper` by the launcher of a runs directory."""

    def __init__(self, runs: Path) -> None:
        self._runs = str(runs)
        self._connection: socket.socket | None = None
        self._kept: tuple[str, socket.socket] | None = None

    def find(self, host: str, port: int) -> socket.socket | None:
        with contextlib.suppress(OSError, ValueError), _connect(self._runs) as launcher:
            descriptors = _ask(launcher, {"kept": [host, port]})[1]
            close_all(descriptors[1:])
            return socket.socket(fileno=descriptors[0]) if descriptors else None
        return None

    def keep(self, host: str, listener: socket.socket) -> None:
        self._kept = (host, listener.dup())
        self._keep()

    def take_all(self) -> list[tuple[str, int]]:
        """Hosts and descriptors of all that a launcher keeps, which is about to leave."""
        with contextlib.suppress(OSError, ValueError), _connect(self._runs) as launcher:
            answer, descriptors = _ask(launcher, {"kept": None})
            return list(zip(answer["hosts"], descriptors, strict=True))
        return []

    def hand_over(self, rescued: list[tuple[str, int]]) -> None:
        """To a new launcher; what this process listens on too."""
        for host, descriptor in rescued:
            with contextlib.suppress(OSError, ValueError), _connect(self._runs) as launcher:
                _ask(launcher, {"keep": host}, descriptor)
        close_all([descriptor for _, descriptor in rescued])
        self._keep()

    def _keep(self) -> None:
        """The connection stays open: its end tells the launcher that this process is gone."""
        if self._kept is None:
            return
        host, listener = self._kept
        with contextlib.suppress(OSError, ValueError):
            connection = _connect(self._runs)
            if self._connection is not None:
                self._connection.close()
            self._connection = connection
            _ask(connection, {"keep": host}, listener.fileno())

    def close(self) -> None:
        """The server stops: whoever comes now need not wait for it."""
        if self._kept is not None:
            self._kept[1].close()
            self._kept = None
        if self._connection is not None:
            with contextlib.suppress(OSError, ValueError):
                _ask(self._connection, {"keep": None})
            self._connection.close()
            self._connection = None


def socket_inside(runs: str, name: str) -> socket.socket | None:
    """A socket in the own network of a task (ATTEMPT/TASK), not connected yet; None if it shares the machine's.

    OSError when the launcher does not answer or cannot enter."""
    with _connect(runs) as launcher:
        descriptors = _ask(launcher, {"socket": name})[1]
    close_all(descriptors[1:])
    return socket.socket(fileno=descriptors[0]) if descriptors else None


def _connect(runs: str) -> socket.socket:
    launcher = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        launcher.settimeout(_TIMEOUT)
        with supervision.short_address(f"{runs}/{supervision.LAUNCHER_SOCKET}") as address:
            launcher.connect(address)
    except BaseException:
        launcher.close()
        raise
    return launcher


def _ask(launcher: socket.socket, message: object, *descriptors: int) -> tuple[dict[str, Any], list[int]]:
    """The answer and its descriptors; OSError when it is a refusal."""
    send_descriptors(launcher, json.dumps(message).encode() + b"\n", descriptors)
    data, received = receive_descriptors(launcher, _LONGEST_ANSWER)
    while data and not data.endswith(b"\n"):
        data += launcher.recv(_LONGEST_ANSWER)
    answer = json.loads(data or b"{}")
    if not answer.get("ok"):
        close_all(received)
        raise OSError(answer.get("error") or "the launcher ended")
    return answer, received
