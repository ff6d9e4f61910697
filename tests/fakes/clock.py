"""A clock that stands still until it is moved, and identifiers that count."""

from __future__ import annotations

from danlu.domain.ids import make_id

START = 1_800_000_000_000


class FakeClock:
    def __init__(self, now: int = START) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    def advance(self, millis: int) -> None:
        self._now += millis


class CountingIds:
    def __init__(self) -> None:
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return make_id(START + self._count, 0)

    def secret(self) -> str:
        self._count += 1
        return f"secret-{self._count:020d}"
