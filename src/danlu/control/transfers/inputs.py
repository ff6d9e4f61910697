"""Fetches the inputs of queued jobs, while this process leads.

What is to be done follows from what is stored: a queued job that lacks its inputs wants a transfer for each, and the
link between them is written in the transaction that makes or joins the transfer. So whoever leads next goes on."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from danlu.domain import events as ev
from danlu.domain.errors import Conflict, DanluError, NotLeader
from danlu.domain.job import Job, Time
from danlu.domain.transfers.inputs import InputLink, ends_of, fits, lost, wish_of
from danlu.domain.transfers.transfer import ForJob, Transfer, TransferState
from danlu.ports.clock import Clock, Ids
from danlu.ports.inputs import InputStore

log = logging.getLogger(__name__)

_ROUND_S = 0.5
_HOUSEKEEPING_EVERY: Time = 60_000
_TOLD_AGAIN: Time = 10_000
S = TransferState


class FollowedJobs(Protocol):
    """The jobs that a controller follows."""

    @property
    def started(self) -> bool: ...

    def get(self, job_id: str) -> Job | None: ...

    def notice(self, noticed: Callable[[Job | None, Job | None], None]) -> None: ...


class InputFetcher:
    """`found` tells the controller what became of a job's inputs; told twice, it counts once. `round` belongs to one
    thread."""

    def __init__(
        self,
        store: InputStore,
        jobs: FollowedJobs,
        found: Callable[[str, ev.Event], None],
        most: int,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store, self._jobs, self._found, self._most = store, jobs, found, most
        self._clock, self._ids = clock, ids
        self._lock = threading.Lock()
        self._fetching: set[str] = set()
        self._may_be_open = True
        """Whether links may have to be released: a former leader's too."""
        self._told: dict[str, tuple[Time | None, Time]] = {}
        self._tidied_at: Time = 0
        jobs.notice(self._noticed)

    def run(self, stop: threading.Event) -> None:
        """Until told to stop."""
        while not stop.is_set():
            try:
                self.round()
            except NotLeader as error:
                log.warning("inputs of jobs are left to who leads: %s", error.detail)
            except DanluError as error:
                log.warning("inputs of jobs could not be looked after, trying again: %s", error.detail)
            except Exception:
                log.exception("inputs of jobs could not be looked after; trying again")
            stop.wait(_ROUND_S)

    def round(self) -> None:
        """One look at every job that waits for inputs; a second one changes nothing."""
        if not self._jobs.started:
            return  # who knows no jobs yet would give up what they wait for
        with self._lock:
            waiting = [
                job for job_id in sorted(self._fetching) if (job := self._jobs.get(job_id)) is not None
            ]
        if waiting or self._may_be_open:
            self._look([job for job in waiting if job.fetching])
        now = self._clock.now()
        if now - self._tidied_at >= _HOUSEKEEPING_EVERY:
            self._tidied_at = now
            self._store.forget_inputs()

    def _look(self, waiting: Sequence[Job]) -> None:
        links: dict[str, dict[int, InputLink]] = defaultdict(dict)
        for link in self._store.open_inputs():
            links[link.job_id][link.place] = link
        wanted = {job.id: len(job.spec.inputs) for job in waiting}
        self._told = {job_id: told for job_id, told in self._told.items() if job_id in wanted}
        for job in waiting:
            self._fetch(job, links.get(job.id, {}))
        for job_id, places in links.items():
            for place in places:
                if place >= wanted.get(job_id, 0):
                    self._store.release_input(job_id, place, self._clock.now())
        self._may_be_open = bool(wanted)

    def _fetch(self, job: Job, links: Mapping[int, InputLink]) -> None:
        """Begin what is not begun, and tell when all is there or something cannot be."""
        assert job.queued_at is not None
        done = 0
        for place in range(len(job.spec.inputs)):
            transfer = self._transfer(job, place, links.get(place))
            if transfer is None:
                continue
            if transfer.state in (S.FAILED, S.CANCELLED):
                self._tell(job, ev.InputLost(lost(job, place, transfer), job.queued_at))
                return
            done += transfer.state is S.COMPLETED
        if done == len(job.spec.inputs):
            self._tell(job, ev.InputsFetched(done, job.queued_at))

    def _tell(self, job: Job, event: ev.InputsFetched | ev.InputLost) -> None:
        """Not with every round: a controller that is busy, or cannot write, has it already."""
        now = self._clock.now()
        since, at = self._told.get(job.id, (None, 0))
        if since != event.since or now - at >= _TOLD_AGAIN:
            self._told[job.id] = (event.since, now)
            self._found(job.id, event)

    def _transfer(self, job: Job, place: int, link: InputLink | None) -> Transfer | None:
        """That of an input; None while its owner has too many already."""
        one, now = job.spec.inputs[place], self._clock.now()
        assert job.queued_at is not None
        if link is not None and link.since == job.queued_at and link.transfer and fits(link.transfer, one):
            return link.transfer
        source, target = ends_of(one)
        made = Transfer(
            self._ids.new(),
            job.owner,
            source,
            target,
            wish_of(one),
            now,
            now,
            for_job=ForJob(job.id, job.record),
        )
        try:
            return self._store.begin_input(job.id, place, job.queued_at, made, now, self._most)
        except Conflict as error:
            log.debug("%s waits for input %d: %s", job.id, place + 1, error.detail)
            return None

    def _noticed(self, before: Job | None, job: Job | None) -> None:
        with self._lock:
            if job is not None and job.fetching:
                self._fetching.add(job.id)
            elif (known := job or before) is not None:
                self._fetching.discard(known.id)
