"""Limits on failed sign-ins: they slow down guessing without locking anybody else out."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable

from danlu.domain.errors import TooMany
from danlu.domain.words import say

WINDOW_S = 60.0


class SignInAttempts:
    """Only failures count: signing in often with the right password is never slowed down.

    Without a name (links and providers name nobody beforehand) only the address counts: else some could lock out all.
    Counted for a name at an address, for a name from anywhere (five times as many) and for an address whatever the
    name (ten times as many): a guesser meets the first, a crowd of them the second, a search for names the third."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._pair, self._name, self._address = per_minute, 5 * per_minute, 10 * per_minute
        self._now = now
        self._failures: dict[str, deque[float]] = {}
        """Times of failures by what they count for, and the maximum of each."""
        self._swept = now()
        self._lock = threading.Lock()

    def check(self, name: str, address: str) -> None:
        """TooMany if one of the three counts was exceeded within the last minute."""
        with self._lock:
            for key, most in self._counted(name, address):
                failures = self._failures.get(key)
                if failures is None or len(failures) < most:
                    continue
                left = failures[0] + WINDOW_S - self._now()
                if left > 0:
                    wait = math.ceil(left)
                    raise TooMany(
                        say(
                            "too many failed sign-ins; try again in {wait} s",
                            "登录失败次数过多，请在 {wait} 秒后重试",
                            wait=wait,
                        ),
                        retry_after=wait,
                    )

    def failed(self, name: str, address: str) -> None:
        now = self._now()
        with self._lock:
            self._sweep(now)
            for key, most in self._counted(name, address):
                self._failures.setdefault(key, deque(maxlen=most)).append(now)

    def _sweep(self, now: float) -> None:
        """Forget failures that no longer count, so that trying many names does not fill the memory."""
        if now - self._swept < WINDOW_S:
            return
        self._swept = now
        self._failures = {key: told for key, told in self._failures.items() if told[-1] + WINDOW_S > now}

    def _counted(self, name: str, address: str) -> tuple[tuple[str, int], ...]:
        anybody = (f"at {address}", self._address)
        if not name:
            return (anybody,)
        return ((f"{name} at {address}", self._pair), (f"name {name}", self._name), anybody)
