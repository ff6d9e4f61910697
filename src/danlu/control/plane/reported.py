"""Keeps what running trainings reported last beside their jobs, for lists."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from danlu.domain.job import Job, JobState
from danlu.ports.logs import LogKey
from danlu.ports.metrics import Latest, LatestReader
from danlu.ports.store import LatestReports

log = logging.getLogger(__name__)

EVERY_S = 10
MOST_TASKS = 8
"""How many tasks of a job are asked for reports: the first ones; most trainings report from one."""
_AT_WORK = frozenset({JobState.RUNNING, JobState.STOPPING})


class Reported:
    """Looks every few seconds; at a job that ended, a last time."""

    def __init__(self, live: Callable[[], Iterable[Job]], reader: LatestReader, store: LatestReports) -> None:
        self._live, self._reader, self._store = live, reader, store
        self._watched: dict[str, list[LogKey]] = {}
        self._told: dict[str, Latest] = {}

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        while not stop.wait(EVERY_S):
            try:
                self.look()
            except Exception:
                log.exception("could not read what trainings reported; trying again")

    def look(self) -> None:
        at_work = {job.id: _runs(job) for job in self._live() if job.state in _AT_WORK}
        found = {job: self._latest(runs) for job, runs in {**self._watched, **at_work}.items()}
        new = {job: told for job, told in found.items() if told is not None and told != self._told.get(job)}
        self._store.set_latest(new)
        self._watched = at_work
        self._told = {job: told for job, told in (self._told | new).items() if job in at_work}
        self._reader.keep_only({run for runs in at_work.values() for run in runs})

    def _latest(self, runs: Iterable[LogKey]) -> Latest | None:
        """Of the first task that reported anything."""
        return next((told for run in runs if (told := self._reader.look(run)) is not None), None)


def _runs(job: Job) -> list[LogKey]:
    tasks = job.attempt.tasks[:MOST_TASKS] if job.attempt is not None else ()
    return [LogKey(job.id, job.attempts, task.run) for task in tasks]
