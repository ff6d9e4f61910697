"""Failed sign-ins: a guesser is slowed down, and locks out nobody else."""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from danlu.domain.errors import TooMany


class SignInAttempts:
    """Only failures count: whoever knows their password is never slowed down by signing in often.

    Without a name (links and providers name nobody beforehand) only the address counts: else some could lock out all.
    Counted for a name at an address, for a name from anywhere (five times as many) and for an address whatever the
    name (ten times as many): a guesser meets the first, a crowd of them the second, a search for names the third."""

    def __init__(self, per_minute: int) -> None:
        self._pair = RateLimitItemPerMinute(per_minute)
        self._name = RateLimitItemPerMinute(5 * per_minute)
        self._address = RateLimitItemPerMinute(10 * per_minute)
        self._counter = MovingWindowRateLimiter(MemoryStorage())

    def check(self, name: str, address: str) -> None:
        """TooMany when one of the three has failed too often within the last minute."""
        for limit, key in self._counted(name, address):
            if not self._counter.test(limit, key):
                again = self._counter.get_window_stats(limit, key).reset_time - time.time()
                wait = max(1, math.ceil(again))
                raise TooMany(f"too many failed sign-ins; try again in {wait} s", retry_after=wait)

    def failed(self, name: str, address: str) -> None:
        for limit, key in self._counted(name, address):
            self._counter.hit(limit, key)

    def _counted(self, name: str, address: str) -> tuple[tuple[RateLimitItemPerMinute, str], ...]:
        anybody = (self._address, f"at {address}")
        if not name:
            return (anybody,)
        return ((self._pair, f"{name} at {address}"), (self._name, f"name {name}"), anybody)
