"""Detects hung jobs, takes their stacks, and reports them to the life cycle."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from danlu.domain.errors import DanluError
from danlu.domain.events import Event, JobHung
from danlu.domain.job import Job, JobState, Task, Time
from danlu.domain.node import Node, NodeState
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.signs import Signs

log = logging.getLogger(__name__)

EVERY_MS = 15_000
_OUT_OF_SIGHT = frozenset({NodeState.UNREACHABLE, NodeState.OFF})


@dataclass(slots=True)
class _WatchedAttempt:
    """An attempt watched since this time; `called` while its stacks are taken because it seems to hang."""

    since: Time
    called: bool = False


def _in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="hung", daemon=True).start()


class Hangs:
    """Periodically checks running jobs that have a `hang_after`.

    It reads file times, so that a restart of Danlu neither hides nor invents a silence. But nothing counts as hung
    before it was watched for a while, nor while its nodes are unreachable. `look_into` takes stacks in the background
    (`begin`), within a time limit; the job is reported as hung afterwards."""

    def __init__(
        self,
        live: Callable[[], Iterable[Job]],
        nodes: Callable[[], Sequence[Node]],
        signs: Signs,
        look_into: Callable[[Job], object],
        tell: Callable[[str, Event], None],
        clock: Clock,
        begin: Callable[[Callable[[], None]], None] = _in_a_thread,
    ) -> None:
        self._live, self._nodes, self._signs, self._clock = live, nodes, signs, clock
        self._look_into, self._tell, self._begin = look_into, tell, begin
        self._watched: dict[str, _WatchedAttempt] = {}

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        while not stop.wait(EVERY_MS / 1000):
            try:
                self.look()
            except Exception:
                log.exception("could not check whether jobs hang; trying again")

    def look(self) -> None:
        now = self._clock.now()
        jobs = [
            job for job in self._live() if job.spec.hang_after is not None and job.state is JobState.RUNNING
        ]
        hidden = {node.name for node in self._nodes() if node.state in _OUT_OF_SIGHT} if jobs else set()
        known, self._watched = self._watched, {}
        for job in jobs:
            if any(task.node in hidden for task in job.live_tasks):
                continue  # its activity there cannot be seen: watching starts again when it can
            watched = self._watched[job.attempt_id] = known.get(job.attempt_id) or _WatchedAttempt(now)
            long_enough = now - watched.since >= EVERY_MS
            if long_enough and not watched.called and self._quiet(job, now) is not None:
                watched.called = True
                self._begin(functools.partial(self._looked_into, job, watched))

    def _looked_into(self, job: Job, watched: _WatchedAttempt) -> None:
        try:
            self._look_into(job)
        except DanluError as error:
            log.warning("%s hangs, and its stacks could not be taken: %s", job.attempt_id, error.detail)
        except Exception:
            log.exception("%s hangs, and its stacks could not be taken", job.attempt_id)
        quiet = self._quiet(job, self._clock.now())
        if quiet is None:
            watched.called = False  # it has moved meanwhile
        else:
            self._tell(job.id, JobHung(job.attempt_id, quiet))

    def _quiet(self, job: Job, now: Time) -> int | None:
        """How long it has shown no progress, if at least its hang_after; None otherwise."""
        assert job.attempt is not None
        limit = job.spec.hang_after
        if limit is None or not job.live_tasks:
            return None
        begun = max(job.attempt.created_at, *map(_begun, job.live_tasks))
        if now - begun < limit or self._last_sign(job, now - limit) is not None:
            return None
        quiet = now - max(begun, self._last_sign(job, begun) or begun)
        return quiet - quiet % 1000  # for people to read

    def _last_sign(self, job: Job, since: Time) -> Time | None:
        signs = (self._signs.last(LogKey(job.id, job.attempts, task.run), since) for task in job.live_tasks)
        return max((sign for sign in signs if sign is not None), default=None)


def _begun(task: Task) -> Time:
    """From when progress can be expected of a task: for one that waits for its restart, from then on."""
    return max(task.placed_at or 0, task.not_before or 0, task.started_at or 0)
