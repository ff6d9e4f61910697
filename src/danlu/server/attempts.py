"""Failed sign-ins, counted per name and per address."""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from danlu.domain.errors import TooMany


class SignInAttempts:
    """Only failures count: whoever knows their password is never slowed down by signing in often."""

    def __init__(self, per_minute: int) -> None:
        self._limit = RateLimitItemPerMinute(per_minute)
        self._counter = MovingWindowRateLimiter(MemoryStorage())

    def check(self, *who: str) -> None:
        """TooMany when any of them has failed too often within the last minute."""
        for one in who:
            if not self._counter.test(self._limit, one):
                again = self._counter.get_window_stats(self._limit, one).reset_time - time.time()
                wait = max(1, math.ceil(again))
                raise TooMany(f"too many failed sign-ins; try again in {wait} s", retry_after=wait)

    def failed(self, *who: str) -> None:
        for one in who:
            self._counter.hit(self._limit, one)
