"""Orders to stop: from the `stop` file, or by SIGTERM to the supervisor itself."""

from __future__ import annotations

import os
import signal
import time
from typing import NamedTuple

from danlu.ports import supervision

_LOOK_EVERY = 2.0


class Stopped(Exception):
    """Somebody asked to stop before the command was launched."""


class StopOrder(NamedTuple):
    grace: float
    reason: str


class Orders:
    """The newest order to stop. Looking is cheap, done when poked and every two seconds anyway."""

    def __init__(self, own_grace: float) -> None:
        self._own_grace = own_grace
        self._terminated = False
        self._seen: tuple[int, int] | None = None
        self._next_look = 0.0
        signal.signal(signal.SIGTERM, self._terminate)

    def poke(self) -> None:
        self._next_look = 0.0

    def next_look(self) -> float:
        return self._next_look

    def look(self) -> StopOrder | None:
        """An order not seen before."""
        if self._terminated:
            self._terminated = False
            return StopOrder(self._own_grace, "supervisor_terminated")
        now = time.monotonic()
        if now < self._next_look:
            return None
        self._next_look = now + _LOOK_EVERY
        try:
            stat = os.stat(supervision.STOP_FILE)
        except OSError:
            return None
        if self._seen == (stat.st_ino, stat.st_mtime_ns):
            return None
        self._seen = (stat.st_ino, stat.st_mtime_ns)
        return _read()

    def refuse_to_start(self) -> None:
        """Raise Stopped if anybody has asked."""
        order = self.look()
        if order is not None:
            raise Stopped(order.reason)

    def _terminate(self, *_: object) -> None:
        self._terminated = True
        self._next_look = 0.0


def _read() -> StopOrder:
    try:
        data = supervision.read_json(supervision.STOP_FILE)
        return StopOrder(max(0.0, float(data["grace_ms"]) / 1000), str(data.get("reason", "")))
    except (ValueError, TypeError, KeyError, OSError):
        return StopOrder(0.0, "")
