"""Time and chance, handed in so that tests can hold them still."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.job import Time


class Clock(Protocol):
    def now(self) -> Time:
        """Milliseconds since 1970, UTC."""


class Ids(Protocol):
    def new(self) -> str:
        """A fresh identifier: short, sortable, never seen before."""

    def secret(self) -> str:
        """At least 128 random bits, safe in a URL."""
