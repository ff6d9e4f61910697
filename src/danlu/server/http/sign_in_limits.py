"""Limits on failed sign-ins: they slow down guessing without locking anybody else out."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from danlu.domain.errors import TooMany
from danlu.domain.words import say

WINDOW_S = 60.0
PATIENCE_S = 3.0
"""How long an attempt may be held back before it is refused instead."""


@dataclass(frozen=True, slots=True)
class SignInTry:
    """A name (none: links and providers name nobody beforehand), where it comes from, and the browser, if it has signed
    in with this name before."""

    name: str
    address: str
    device: str = ""


class SignInAttempts:
    """Only failures count: signing in often with the right password is never slowed down.

    A guesser has `per_minute` failures for a name at an address; a browser that signed in before has as many of its
    own, whatever others do. What several people may share never refuses the right password:
    - a name that is guessed from many addresses (five times as many failures) leaves each address a fifth of them;
    - an address with many failures (ten times as many), perhaps a proxy in front of everybody, has its attempts spread
      over the minute."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._now = per_minute, now
        self._failures: dict[str, deque[float]] = {}
        self._next: dict[str, float] = {}
        """When the next attempt from a busy address may be looked at."""
        self._swept = now()
        self._lock = threading.Lock()

    def check(self, attempt: SignInTry) -> None:
        """TooMany if the attempt's own budget is used up."""
        with self._lock:
            key, most = self._budget(attempt)
            if key is None:
                return
            failures = self._recent(key)
            if len(failures) >= most:
                raise _too_many(failures[-most] + WINDOW_S - self._now())

    def hold(self, attempt: SignInTry) -> float:
        """How many seconds to wait before looking at an attempt; TooMany if that would be too long."""
        if attempt.device:
            return 0.0
        with self._lock:
            now, key, most = self._now(), _at(attempt), 10 * self._most
            failures = self._recent(key)
            if len(failures) < most:
                return 0.0
            turn = max(now, self._next.get(key, failures[-1] + WINDOW_S / most))
            if turn - now > PATIENCE_S:
                raise _too_many(turn - now)
            self._next[key] = turn + WINDOW_S / most
            return turn - now

    def failed(self, attempt: SignInTry) -> None:
        now = self._now()
        with self._lock:
            self._sweep(now)
            if attempt.device:
                counted = [(_pair(attempt), self._most)]
            else:
                counted = [(_at(attempt), 10 * self._most)]
                if attempt.name:
                    counted += [(_pair(attempt), self._most), (_name(attempt), 5 * self._most)]
            for key, most in counted:
                self._failures.setdefault(key, deque(maxlen=most)).append(now)

    def _budget(self, attempt: SignInTry) -> tuple[str | None, int]:
        """What the attempt's failures are counted under, and how many there may be."""
        if not attempt.name:
            return None, 0
        crowd = not attempt.device and len(self._recent(_name(attempt))) >= 5 * self._most
        return _pair(attempt), max(1, self._most // 5) if crowd else self._most

    def _recent(self, key: str) -> deque[float]:
        """The failures of the last minute; older ones are dropped."""
        found = self._failures.get(key)
        if found is None:
            return deque()
        while found and found[0] + WINDOW_S <= self._now():
            found.popleft()
        return found

    def _sweep(self, now: float) -> None:
        """Forget failures that no longer count, so that trying many names does not fill the memory."""
        if now - self._swept < WINDOW_S:
            return
        self._swept = now
        self._failures = {
            key: told for key, told in self._failures.items() if told and told[-1] + WINDOW_S > now
        }
        self._next = {key: turn for key, turn in self._next.items() if turn > now}


def place_of(address: str) -> str:
    """The address as it counts: one machine has a whole network of 2^64 addresses in IPv6."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ip_network((known, 64), strict=False))


def _pair(attempt: SignInTry) -> str:
    if attempt.device:
        return f"device {attempt.device}"
    return f"{attempt.name} at {place_of(attempt.address)}"


def _name(attempt: SignInTry) -> str:
    return f"name {attempt.name}"


def _at(attempt: SignInTry) -> str:
    return f"at {place_of(attempt.address)}"


def _too_many(left: float) -> TooMany:
    wait = max(1, math.ceil(left))
    text = say(
        "too many failed sign-ins; try again in {wait} s", "登录失败次数过多，请在 {wait} 秒后重试", wait=wait
    )
    return TooMany(text, retry_after=wait)
