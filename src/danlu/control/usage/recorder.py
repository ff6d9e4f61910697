"""Sums held, requested and used resources by the hour, while this process leads.

Only the capacity of nodes and the measured use of tasks are sampled. All other amounts change with jobs, and the view
reports every change with its time. Each tick adds what was in effect since the last one, corrected by what started or
ended in between. So the sums are exact to the millisecond, even if a change becomes known late.

Each tick stores the time up to which everything is recorded. A new leader continues from there and assumes that tasks
which are alive then ran all the time. After a crash at most one tick is lost, and only of tasks that ended in it.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from danlu.control.plane.decisions import waited_for
from danlu.control.plane.ledger import UNKNOWN_MODEL, charge_of, ended_charges
from danlu.control.plane.view import ActiveView
from danlu.control.usage.busy import Busy
from danlu.control.usage.hourly import HOUR, Batch, HourKey, Hourly, hour_of
from danlu.control.usage.sums import likely_model
from danlu.domain.errors import DanluError
from danlu.domain.job import ENDED, Job, JobState, Task, Time
from danlu.domain.node import IN_SERVICE, Node, NodeState
from danlu.domain.resources import GpuGrant
from danlu.domain.score import CPU
from danlu.ports.clock import Clock
from danlu.ports.governance import TrendStore
from danlu.ports.logs import LogKey

log = logging.getLogger(__name__)

TICK: Time = 30_000
_SOON: Time = 1_000
_BRIDGED: Time = HOUR
"""After a gap without a leader of at most this length, capacity is assumed to have been the same during the gap."""
_MOST = 2**62 // (24 * HOUR)
"""The maximum of any amount: summed over a day it still fits into a column of the database."""


@dataclass(frozen=True, slots=True)
class TaskHolding:
    """What one live task holds; `run` names the measurements of its use."""

    key: HourKey
    milli: int
    began: Time
    gpus: tuple[GpuGrant, ...]
    run: str


@dataclass(frozen=True, slots=True)
class _Wait:
    """What a queued job requests, by the key it is counted under, and since when."""

    since: Time
    asked: tuple[tuple[HourKey, int], ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of a job, and when it was noticed. `loaded`: the job existed before this process started."""

    before: Job | None
    after: Job | None
    at: Time
    loaded: bool


class Recorder:
    """Follows a view; create it before the first refresh of the view. Only one thread at a time may call `tick`."""

    def __init__(
        self,
        store: TrendStore,
        view: ActiveView,
        nodes: Callable[[], Sequence[Node]],
        clock: Clock,
        busy: Busy | None = None,
    ) -> None:
        self._store, self._view, self._nodes, self._clock = store, view, nodes, clock
        self._busy = busy
        self._changes: deque[_Change] = deque()
        self._began = clock.now()
        self._since: Time | None = None
        self._held: dict[LogKey, TaskHolding] = {}
        self._waiting: dict[str, _Wait] = {}
        self._holding: Counter[HourKey] = Counter()
        self._asking: Counter[HourKey] = Counter()
        self._offered: tuple[Sequence[Node] | None, Counter[str], Counter[str]] = (None, Counter(), Counter())
        self._sums = Hourly()
        self._unsure: Batch | None = None
        self._written: Time | None = None
        view.notice(self._notice)

    def run(self, stop: threading.Event) -> None:
        """Tick until told to stop, and once more at the end: an orderly shutdown loses nothing. Blocks."""
        while not stop.wait(self._pause() / 1000):
            self._try()
        self._try()

    def tick(self) -> None:
        """Record up to now."""
        if not self._view.started:
            return
        # Take the changes before reading the clock: changes that arrive in between belong to the next tick.
        changes = [self._changes.popleft() for _ in range(len(self._changes))]
        now = self._clock.now()
        if self._since is None:
            known = self._store.recorded_until()
            if known is None:
                self._store.begin_recording(self._began)
            self._since = self._began if known is None else known
        self._offer()
        for change in changes:
            self._take(change, self._since)
        if self._since > now + HOUR:
            self._since = now  # the clock was wrong: continue with its current time
        if now > self._since:
            self._pass(self._since, now)
            self._since = now
        self._write(self._since)

    def _pause(self) -> Time:
        """Time until the next tick: short while nothing is recorded yet; never beyond the end of the hour."""
        return _SOON if self._since is None else min(TICK, HOUR - self._clock.now() % HOUR)

    def _try(self) -> None:
        try:
            self.tick()
        except DanluError as error:
            log.warning("could not record usage, trying again: %s", error.detail)
        except Exception:
            log.exception("could not record usage; trying again")

    # ── what changed ─────────────────────────────────────────────────────────────────────────────────

    def _notice(self, before: Job | None, after: Job | None) -> None:
        self._changes.append(_Change(before, after, self._clock.now(), not self._view.started))

    def _take(self, change: _Change, since: Time) -> None:
        before, after = change.before, change.after
        job = after or before
        if job is None:
            return
        if before is not None:
            self._release(before, after, change.at, since)
        if after is not None:
            self._hold(after, since, loaded=change.loaded)
        self._queue(job, change, since)
        self._count(change, since)

    def _release(self, before: Job, after: Job | None, at: Time, since: Time) -> None:
        """Add what tasks held that have ended."""
        gone = [charge_of(before, task, at) for task in before.live_tasks] if after is None else ()
        for charge in gone if after is None else ended_charges(before, after):
            holding = self._held.pop(LogKey(charge.job_id, charge.attempt, charge.task), None)
            if holding is not None and charge.ended is not None:
                self._holding[holding.key] -= holding.milli
                self._sums.add(holding.key, "held", holding.milli, since, charge.ended)

    def _hold(self, job: Job, since: Time, *, loaded: bool) -> None:
        for task in job.live_tasks:
            place = LogKey(job.id, job.attempts, task.name)
            if (known := self._held.get(place)) is not None:
                self._held[place] = replace(known, run=task.run)
                continue
            charge = charge_of(job, task, None)
            began = max(charge.began, since if loaded else since - HOUR)
            holding = TaskHolding(_key(job, charge.model), charge.milli, began, task.gpus, task.run)
            self._held[place] = holding
            self._holding[holding.key] += holding.milli
            self._sums.add(holding.key, "held", holding.milli, began, since)

    def _queue(self, job: Job, change: _Change, since: Time) -> None:
        after = change.after
        queued_at = after.queued_at if after is not None and after.state is JobState.QUEUED else None
        known, asked = self._waiting.get(job.id), tuple(self._asked(job)) if queued_at is not None else ()
        changed = known is not None and known.since == queued_at and known.asked != asked
        if known is not None and (changed or known.since != queued_at):
            del self._waiting[job.id]
            left = change.at if changed else max(known.since, _left(change))
            for key, milli in known.asked:
                self._asking[key] -= milli
                self._sums.add(key, "queued", milli, since, left)
            known = None
        if known is None and queued_at is not None:
            began = change.at if changed else max(queued_at, since if change.loaded else since - HOUR)
            self._waiting[job.id] = _Wait(queued_at, asked)
            for key, milli in asked:
                self._asking[key] += milli
                self._sums.add(key, "queued", milli, began, since)

    def _count(self, change: _Change, since: Time) -> None:
        """Count started attempts with their waits, and ended jobs."""
        before, after = change.before, change.after
        if after is None or (before is None and not change.loaded):
            return
        waited = waited_for(before, after)
        fresh = before is not None or (after.state is not JobState.QUEUED and bool(after.live_tasks))
        if waited is not None and after.attempt is not None and fresh:
            began = after.attempt.created_at
            if not change.loaded or began > since:
                self._sums.count(self._sort(after), hour_of(began), starts=1, waited=waited)
        if before is not None and before.active and after.state in ENDED:
            failed = int(after.state is JobState.FAILED)
            hour = hour_of(change.at if after.ended_at is None else after.ended_at)
            self._sums.count(self._sort(after), hour, ended=1, failed=failed)

    def _sort(self, job: Job) -> HourKey:
        """The key of a whole job: by the GPU model of most of its tasks, if any has GPUs."""
        tasks: Iterable[Task] = job.attempt.tasks if job.attempt is not None else ()
        models = Counter(task.model or UNKNOWN_MODEL for task in tasks if task.gpus)
        if models:
            return _key(job, max(sorted(models), key=models.__getitem__))
        asked = [key for key, _ in self._asked(job)] if not tasks else []
        return next((key for key in asked if key[3] != CPU), _key(job, CPU))

    def _asked(self, job: Job) -> Iterable[tuple[HourKey, int]]:
        amounts: Counter[str] = Counter()
        nodes_with = self._offered[2]
        for role in job.spec.roles:
            size = role.resources.times(role.replicas)
            if size.gpu_milli:
                amounts[likely_model(size, nodes_with) or UNKNOWN_MODEL] += size.gpu_milli
            else:
                amounts[CPU] += size.cpu_milli
        return ((_key(job, model), min(milli, _MOST)) for model, milli in amounts.items())

    # ── what passed ──────────────────────────────────────────────────────────────────────────────────

    def _offer(self) -> None:
        """The capacity of all nodes that are not off, as the panel counts it, and how many that take jobs have each
        model."""
        nodes = self._nodes()
        if nodes is self._offered[0]:
            return
        amounts: Counter[str] = Counter()
        having: Counter[str] = Counter()
        for node in nodes:
            if node.state is NodeState.OFF:
                continue
            amounts[CPU] += node.cpu_milli
            if node.gpu_model is not None:
                amounts[node.gpu_model] += 1000 * len(node.gpus)
                having[node.gpu_model] += node.state in IN_SERVICE
        self._offered = (nodes, amounts, having)

    def _pass(self, since: Time, now: Time) -> None:
        for field, rates in (("held", self._holding), ("queued", self._asking)):
            for key in [key for key, milli in rates.items() if not milli]:
                del rates[key]
            for key, milli in rates.items():
                self._sums.add(key, field, min(milli, _MOST), since, now)
        for model, milli in self._offered[1].items():
            self._sums.offer(model, min(milli, _MOST), max(since, now - _BRIDGED), now)
        if self._busy is None:
            return
        begin = max(since, now - 2 * TICK)  # after a longer pause the latest measurements do not represent it
        for place, holding in self._held.items():
            measured = place._replace(task=holding.run)
            used = self._busy.of(measured, holding.gpus, holding.milli, max(begin, holding.began), now)
            if used is not None:
                self._sums.count(holding.key, hour_of(now - 1), busy=used.busy, measured=used.measured)

    def _write(self, until: Time) -> None:
        """Write each batch once: if a write failed, the stored time shows whether it was written after all."""
        if self._unsure is not None:
            if self._store.recorded_until() != self._unsure.until:
                self._store.add_hours(self._unsure.rows, self._unsure.capacity, self._unsure.until)
            self._written, self._unsure = self._unsure.until, None
        if until != self._written:
            self._unsure = self._sums.taken(until)
            self._store.add_hours(self._unsure.rows, self._unsure.capacity, until)
            self._written, self._unsure = until, None


def _key(job: Job, model: str) -> HourKey:
    return (job.spec.project, job.owner, job.spec.job_class.value, model)


def _left(change: _Change) -> Time:
    """When a job left the queue."""
    before, after = change.before, change.after
    if after is None or before is None:
        return change.at
    if after.attempt is not None and after.attempts != before.attempts:
        return after.attempt.created_at
    known = after.queued_at if after.state is JobState.QUEUED else after.ended_at
    return change.at if known is None else known
