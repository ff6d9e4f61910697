"""How far the inputs are that queued jobs wait for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Protocol

from danlu.domain.job import Job, Time
from danlu.domain.reasons import Reason
from danlu.domain.transfers.inputs import InputLink, how_far
from danlu.ports.clock import Clock

_FRESH_MS: Time = 1_000


class OpenInputs(Protocol):
    """The part of the store that is needed here."""

    def open_inputs(self) -> tuple[InputLink, ...]: ...


class InputProgress:
    """Read from the store again after a second; any thread."""

    def __init__(self, store: OpenInputs, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._links: Mapping[str, list[InputLink]] = {}
        self._read_at: Time | None = None

    def __call__(self, job_of: Callable[[str], Job | None]) -> Mapping[str, Reason]:
        """By job: why it waits."""
        now = self._clock.now()
        if self._read_at is None or not 0 <= now - self._read_at < _FRESH_MS:
            self._read_at = now
            found: dict[str, list[InputLink]] = defaultdict(list)
            for link in self._store.open_inputs():
                found[link.job_id].append(link)
            self._links = found
        told: dict[str, Reason] = {}
        for job_id, links in self._links.items():
            job = job_of(job_id)
            if job is not None and (reason := how_far(job, links)) is not None:
                told[job_id] = reason
        return told
