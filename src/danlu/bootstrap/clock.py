"""The real clock and real randomness."""

from __future__ import annotations

import secrets
import threading
import time

from danlu.domain.ids import SALT_BITS, make_id
from danlu.domain.job import Time
from danlu.ports.clock import Clock


class SystemClock:
    def now(self) -> Time:
        return time.time_ns() // 1_000_000


class RandomIds:
    """Identifiers that increase within this process and are practically unique across processes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = ""
        self._moment = 0
        self._lock = threading.Lock()

    def new(self) -> str:
        with self._lock:
            # If the clock is set back, ids must not decrease: they continue from the last time, one by one.
            self._moment = max(self._clock.now(), self._moment)
            fresh = make_id(self._moment, secrets.randbits(SALT_BITS))
            while fresh <= self._last:
                self._moment += 1
                fresh = make_id(self._moment, secrets.randbits(SALT_BITS))
            self._last = fresh
            return fresh

    def secret(self) -> str:
        return secrets.token_urlsafe(24)
