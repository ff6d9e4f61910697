"""Statistics of decisions: how often, how fast, and how long started jobs had waited."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.job import Job, Time

DECIDED_WITHIN = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
WAITED_WITHIN = (1.0, 10.0, 60.0, 300.0, 900.0, 3600.0, 10_800.0, 43_200.0, 86_400.0, 604_800.0)
"""Upper bounds in seconds, ascending; one more bucket counts what took longer than all."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A histogram: how many values are in each bucket, and their sum in seconds."""

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    total: float = 0.0

    def plus(self, seconds: float) -> Spread:
        at = bisect_left(self.bounds, seconds)
        counts = (*self.counts[:at], self.counts[at] + 1, *self.counts[at + 1 :])
        return Spread(self.bounds, counts, self.total + seconds)


def spread(bounds: tuple[float, ...]) -> Spread:
    return Spread(bounds, (0,) * (len(bounds) + 1))


class Decisions:
    """Counted since the process began. Any thread; what it hands out never changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.last_at: Time | None = None
        self.last_seconds = 0.0
        self.took = spread(DECIDED_WITHIN)
        self._waits: dict[str, Spread] = {}

    def made(self, at: Time, seconds: float) -> None:
        with self._lock:
            self.last_at, self.last_seconds = at, seconds
            self.took = self.took.plus(seconds)

    def noticed(self, before: Job | None, after: Job | None) -> None:
        """For `ActiveView.notice`: an attempt that began ends a wait."""
        if before is None or after is None or (waited := waited_for(before, after)) is None:
            return
        job_class = after.spec.job_class.value
        with self._lock:
            known = self._waits.get(job_class) or spread(WAITED_WITHIN)
            self._waits = {**self._waits, job_class: known.plus(waited / 1000)}

    def waits(self) -> Mapping[str, Spread]:
        """The waits of started jobs, by class."""
        return self._waits


def waited_for(before: Job | None, after: Job) -> Time | None:
    """How long the attempt that started between these two versions had been queued; None if none did."""
    attempt = after.attempt
    if attempt is None or after.attempts == (before.attempts if before is not None else 0):
        return None
    queued_at = after.queued_at if before is None or before.queued_at is None else before.queued_at
    return max(0, attempt.created_at - (attempt.created_at if queued_at is None else queued_at))
