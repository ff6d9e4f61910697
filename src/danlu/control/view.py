"""The jobs a control plane follows, kept in memory and brought up to date from the event log."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from danlu.domain.job import Job, JobState
from danlu.ports.store import ActiveJobs
from danlu.scheduler import Held, Pending


class ActiveView:
    """Every active job and every job with live tasks. Written by one thread, readable from any."""

    def __init__(self, store: ActiveJobs) -> None:
        self._store = store
        self._seq: int | None = None
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._queued: dict[str, Job] = {}
        self._live: dict[str, Job] = {}
        self._touched: set[str] = set()
        self._taken: dict[str, int] = {}

    @property
    def started(self) -> bool:
        return self._seq is not None

    def refresh(self) -> None:
        """Take in what was written since the last time, by whomever."""
        # What was just written by ourselves need not be read again.
        held, self._taken = self._taken, {}
        changes = self._store.active() if self._seq is None else self._store.changes(self._seq, held)
        self.take(changes.jobs)
        self._taken = {}
        with self._lock:
            for job_id in changes.gone:
                self._drop(job_id)
        self._seq = changes.seq

    def take(self, jobs: Iterable[Job]) -> None:
        """Newer forms of jobs; an older form than the one held is passed over."""
        with self._lock:
            for job in jobs:
                known = self._jobs.get(job.id)
                if known is not None and known.version >= job.version:
                    continue
                self._drop(job.id)
                self._touched.add(job.id)
                self._taken[job.id] = job.version
                if job.state is JobState.QUEUED:
                    self._queued[job.id] = job
                if job.live_tasks:
                    self._live[job.id] = job
                if job.active or job.live_tasks:
                    self._jobs[job.id] = job

    def get(self, job_id: str) -> Job | None:
        return self._jobs.get(job_id)

    def queued(self) -> tuple[Job, ...]:
        with self._lock:
            return tuple(self._queued.values())

    def live(self) -> tuple[Job, ...]:
        with self._lock:
            return tuple(self._live.values())

    def held(self) -> tuple[Held, ...]:
        """What live tasks hold, counted anew from what lives."""
        return tuple(
            Held(task.node, size.cpu_milli, size.memory, task.gpus)
            for job in self.live()
            for task in job.live_tasks
            for size in (job.spec.role(task.role).resources,)
        )

    def pending(self) -> tuple[Pending, ...]:
        """The queue; a job whose last tasks still live waits for their end."""
        return tuple(Pending(job.id, job.spec, job.created_at) for job in self.queued() if not job.live_tasks)

    def take_touched(self) -> set[str]:
        """The jobs that changed since this was last asked."""
        with self._lock:
            touched, self._touched = self._touched, set()
            return touched

    def touch(self, job_id: str) -> None:
        with self._lock:
            self._touched.add(job_id)

    def _drop(self, job_id: str) -> None:
        for place in (self._jobs, self._queued, self._live):
            place.pop(job_id, None)
