"""Time and randomness, injected so that tests can control them."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.job import Time


class Clock(Protocol):
    def now(self) -> Time:
        """Milliseconds since 1970, UTC."""


class Ids(Protocol):
    def new(self) -> str:
        """A new identifier: short, sortable, unique."""

    def secret(self) -> str:
        """At least 128 random bits, safe in a URL."""
