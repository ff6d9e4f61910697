"""Reads the logs of attempts that failed, beside the controller's loop, for a better word than an exit code."""

from __future__ import annotations

import functools
import heapq
import logging
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from danlu.domain.attempts import READABLE, first_failed
from danlu.domain.events import Event, FailureRead
from danlu.domain.failures import LAST_BYTES, LAST_LINES, SitePattern, read_failure
from danlu.domain.job import Job, JobSpec, JobState, Time
from danlu.domain.reasons import FromLog, Reason
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey, LogReader
from danlu.ports.store import JobChange, JobQuery, JobStore
from danlu.ports.supervision import split_record

log = logging.getLogger(__name__)

LOOKS_MS = (0, 3_000, 15_000, 60_000)
"""When a log is looked at after an end: that of a pod may arrive later."""
_MOST_WAITING = 20_000
_CAUGHT_UP = 100
_RECENT_MS = 3_600_000


@dataclass(order=True, slots=True)
class _Case:
    """An attempt whose log is to be looked at; `size` is how long that was at the last look."""

    due: Time
    attempt_id: str
    key: LogKey = field(compare=False)
    reason: Reason = field(compare=False)
    absent: frozenset[str] = field(compare=False)
    began: Time = field(compare=False, default=0)
    looks: int = field(compare=False, default=0)
    size: int = field(compare=False, default=-1)
    told: FromLog | None = field(compare=False, default=None)


class FailureReader:
    """`noticed` is called by the controller and only makes a note; a thread of its own reads the logs' ends. What it
    finds is fed to the job as an event. Nothing is decided by it: if too much waits, or if the process ends, an exit
    code stays an exit code."""

    def __init__(
        self,
        jobs: JobStore,
        logs: LogReader,
        tell: Callable[[str, Event], None],
        clock: Clock,
        site: Sequence[SitePattern] = (),
    ) -> None:
        self._jobs, self._logs, self._tell, self._clock, self._site = jobs, logs, tell, clock, site
        self._new: queue.Queue[_Case] = queue.Queue(_MOST_WAITING)
        self._cases: list[_Case] = []

    def noticed(self, changes: Iterable[JobChange]) -> None:
        """Called with the changes that were just written."""
        for change in changes:
            if not any(isinstance(event, FailureRead) for event in change.records):
                self._note(change.job)

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        self._safely(self.catch_up)
        while not stop.is_set():
            self._safely(self.look)
            wait = self._cases[0].due - self._clock.now() if self._cases else 1_000
            try:
                self._cases.append(self._new.get(timeout=min(max(wait, 50), 1_000) / 1000))
                heapq.heapify(self._cases)
            except queue.Empty:
                continue

    def catch_up(self) -> None:
        """Note what failed shortly before this process began, and was not read."""
        now = self._clock.now()
        rows = self._jobs.page(JobQuery(states=(JobState.FAILED,), sort="-ended", limit=_CAUGHT_UP)).rows
        for row in rows:
            if row.ended_at is not None and now - row.ended_at < _RECENT_MS:
                job = self._jobs.get(row.id)
                if job is not None and not isinstance(job.reason, FromLog):
                    self._note(job)

    def look(self) -> None:
        """Look at every log that is due."""
        while not self._new.empty():
            heapq.heappush(self._cases, self._new.get_nowait())
        now = self._clock.now()
        while self._cases and self._cases[0].due <= now:
            case = heapq.heappop(self._cases)
            self._safely(functools.partial(self._look_at, case))
            case.looks += 1
            if case.looks < len(LOOKS_MS):
                case.due = case.began + LOOKS_MS[case.looks]
                heapq.heappush(self._cases, case)

    def _note(self, job: Job) -> None:
        attempt = job.attempt
        if attempt is None or attempt.ended_at is None or not isinstance(attempt.reason, READABLE):
            return
        task = first_failed(attempt)
        if task is None or task.reason is None:
            return
        now = self._clock.now()
        key = LogKey(job.id, attempt.number, task.run)
        case = _Case(now, job.attempt_id, key, task.reason, _absent(job.spec), now)
        try:
            self._new.put_nowait(case)
        except queue.Full:
            log.warning("too many attempts failed at once: the log of %s is not read", job.attempt_id)

    def _look_at(self, case: _Case) -> None:
        size = self._logs.size(case.key)
        if size == case.size:
            return
        case.size = size
        chunk = self._logs.read(case.key, max(0, size - LAST_BYTES), LAST_BYTES)
        found = read_failure(case.reason, list(_lines(chunk.records))[-LAST_LINES:], self._site, case.absent)
        if found is not None and found != case.told:
            case.told = found
            self._tell(case.key.job_id, FailureRead(case.attempt_id, found))

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            log.exception("could not read the log of a failed job")


def _absent(spec: JobSpec) -> frozenset[str]:
    """The words of a command that can only name files of the code, where a job has none."""
    if spec.code is not None:
        return frozenset()
    commands = (role.command for role in spec.roles)
    parts = (part for one in commands for part in ((one,) if isinstance(one, str) else one))
    words = (word for part in parts for word in part.split())
    return frozenset(word for word in words if not word.startswith(("/", "-")))


def _lines(records: bytes) -> Iterator[str]:
    """The text of whole lines; long ones lie in parts."""
    parts: dict[str, list[bytes]] = {"o": [], "e": []}
    for line in records.split(b"\n"):
        record = split_record(line)
        if record is None:
            continue
        parts[record.stream].append(record.text)
        if record.whole:
            yield b"".join(parts[record.stream]).decode("utf-8", "replace")
            parts[record.stream] = []
    for rest in parts.values():
        if rest:
            yield b"".join(rest).decode("utf-8", "replace")
