"""Access to other people's jobs is recorded: every shell, and reading at most once an hour."""

from __future__ import annotations

import threading

from danlu.control.jobs.jobs import noted_of
from danlu.domain.job import Job, Time
from danlu.domain.permissions import Caller
from danlu.ports.clock import Clock
from danlu.ports.governance import AuditStore

_ONCE_IN: Time = 3_600_000
_REMEMBERED = 10_000


class Visits:
    """Any thread. Pages poll, so only the first read in an hour is recorded."""

    def __init__(self, store: AuditStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._read: dict[tuple[str, str], Time] = {}
        self._lock = threading.Lock()

    def enters(self, caller: Caller, job: Job) -> None:
        """Somebody opens a shell in one of its tasks; recorded before the shell opens."""
        self._store.note(noted_of(caller, job, "exec"), self._clock.now())

    def reads(self, caller: Caller, job: Job) -> None:
        """Somebody reads its logs or its code."""
        if caller.name != job.owner and self._is_news(caller.name, job.id):
            self._store.note(noted_of(caller, job, "read"), self._clock.now())

    def _is_news(self, who: str, job_id: str) -> bool:
        now = self._clock.now()
        with self._lock:
            if now - self._read.get((who, job_id), -_ONCE_IN) < _ONCE_IN:
                return False
            if len(self._read) >= _REMEMBERED:
                self._read.clear()
            self._read[who, job_id] = now
            return True
