"""What would happen to many jobs, each submitted alone: one decision answers for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from danlu.domain.arrays import Mask, np
from danlu.domain.reasons import MakingRoom, OverLimit, ProjectCap, Reason, ReservedFor
from danlu.scheduler.ask import ANY
from danlu.scheduler.board import Snapshot, demand_of, lanes
from danlu.scheduler.cluster import Column
from danlu.scheduler.decide import QueuePass, settle
from danlu.scheduler.draft import Draft
from danlu.scheduler.explain import HOLDS_UP_NOBODY, wanted, why
from danlu.scheduler.model import Lane, Pending, QueueLine
from danlu.scheduler.order import Order, Worth


@dataclass(frozen=True, slots=True)
class Fate:
    """What would happen to a job submitted now: it starts, or it waits for a reason behind so many jobs (None if it
    would not start even as the first)."""

    reason: Reason | None = None
    ahead: int | None = 0


def fates(snapshot: Snapshot, jobs: Sequence[Pending]) -> list[Fate]:
    """The fate of each job if it alone were queued. The jobs must have new ids and the latest slots.

    In a settled state this equals a decision with the job for all but about two in a thousand jobs, whose own request
    changes what others deserve or reserve. In other states, jobs that start in this decision anyway go first."""
    if not jobs:
        return []
    draft = Draft(snapshot)
    order = draft.order = _Order(draft, jobs)
    turns = settle(draft, _Tryout)
    ranks = _QueueRanks(order, draft)
    return [_fate(draft, turns, ranks, job) for job in jobs]


class _Tryout(QueuePass):
    """A pass in which some jobs are only tried: what they would take is noted and given back."""

    def __init__(self, draft: Draft, before: QueuePass | None = None) -> None:
        super().__init__(draft, before)
        assert isinstance(draft.order, _Order)
        self._order = draft.order
        self.starting: set[str] = set()
        self.stopped: dict[tuple[str, Lane], Reason] = {}

    def _try(self, job: Pending, lane: Lane) -> bool:
        if job.job_id not in self._order.tried:
            return super()._try(job, lane)
        shut = self._gates.shut(job, lane[0]) or self._gates.shut(job, lane[0], now=True)
        if shut is None and self._fits(job, lane[0]):
            self.starting.add(job.job_id)
        elif reason := self._room_made(job, lane[0], shut) or shut or self._reserved_for(job, lane[0]):
            self.stopped[job.job_id, lane] = reason
        return False

    def _fits(self, job: Pending, model: str) -> bool:
        nodes = self._room.fitting(job.ask, model, self.reservations.allowed(job.max_time))
        if nodes is not None and job.ask.same is None:
            return bool(nodes.any())
        mark = self._room.mark()
        tasks = self._place(job, model, soon=False)
        self._room.undo(mark)
        return bool(tasks)

    def _room_made(self, job: Pending, model: str, shut: Reason | None) -> Reason | None:
        """The reason to wait for others that would be evicted for it at once; None if none would."""
        if shut is not None and not isinstance(shut, ProjectCap | OverLimit):
            return None
        with self._order.supposing(job, model):
            evictor, mark = self._desk.evictor, self._room.mark()
            if not evictor.entitled(job.project, job.priority, model):
                return None
            way = evictor.make_room(job, model, self.reservations)
            self._room.undo(mark)
        return MakingRoom(len({victim.job.job_id for victim, _ in way.victims})) if way else None

    def _reserved_for(self, job: Pending, model: str) -> Reason | None:
        """The job for which the free room is reserved; None if there is no free room."""
        tasks = self._would_fit(job, [model], reserved=True) if self._room.could(job.ask, model) else ()
        holder = self.reservations.in_the_way(task.node for task in tasks)
        return ReservedFor(wanted(holder.ask)) if holder else None


class _Order(Order):
    """The order including the tried jobs, each placed as if its own request were counted."""

    def __init__(self, draft: Draft, jobs: Collection[Pending]) -> None:
        super().__init__(draft.snapshot, draft.held, draft.shares)
        self._jobs, self.tried = jobs, {job.job_id for job in jobs}
        self._parts: dict[tuple[object, ...], Mapping[str, Mapping[str, int]]] = {}

    def turns(self, more: Iterable[Pending], worth: Worth) -> Iterator[tuple[QueueLine, Pending]]:
        self._parts.clear()  # what projects deserve has changed
        return super().turns((*more, *self._jobs), worth)

    def key(self, line: QueueLine, at: int) -> tuple[object, ...]:
        key, job = super().key(line, at), line.jobs[at]
        return (*key[:3], *self._hoped(job, line.lane[0]), *key[5:]) if job.job_id in self.tried else key

    def _hoped(self, job: Pending, model: str) -> tuple[bool, float]:
        account = self._rules.account(job.project)
        with self.supposing(job, model):
            return self._shares.standing(account, self._held.accounts[account], model)

    def supposing(self, job: Pending, model: str) -> AbstractContextManager[None]:
        """The shares once the job's own request is counted."""
        account, demand = self._rules.account(job.project), demand_of(job.ask)
        matters = [demand.get(name, 0) for name in (ANY, *self._shares.compared(account, model))]
        known = (account, model, *matters)
        if known not in self._parts:
            self._parts[known] = self._shares.with_more(account, demand, model)
        return self._shares.supposing(self._parts[known])

    def before(self, job: Pending, lane: Lane, ranked: Column) -> Mask:
        """Which of these ranks are before a job; equal ones are."""
        mine = self.key(QueueLine(lane, (job,)), 0)[2:7]
        before, same = np.zeros(ranked.shape[1], np.bool_), np.ones(ranked.shape[1], np.bool_)
        for column, own in zip(ranked, mine, strict=True):
            before |= same & (column < own)
            same &= column == own
        return before | same

    def apart(self, lane: Lane, more: Iterable[Pending]) -> list[QueueLine]:
        """The jobs of a lane that are in no line."""
        return [line for line in (*self._apart, *self._alone(more)) if line.lane == lane]

    def ranks(self) -> dict[Lane, tuple[list[int], Column]]:
        """By lane: its lines, and what orders them except slots."""
        return {lane: (one.numbers, np.array(one.columns[:5])) for lane, one in self._sorted().items()}


class _QueueRanks:
    """How many jobs wait before a job after the decision."""

    def __init__(self, order: _Order, draft: Draft) -> None:
        self._order, self._desk, self._by_lane = order, draft, order.ranks()
        self._sizes = np.array([sum(map(self._waits, line.jobs)) if draft.starts else len(line.jobs)
                                for line in order.lines], np.int64)  # fmt: skip

    def ahead(self, job: Pending, lane: Lane) -> int:
        order, mine = self._order, self._order.key(QueueLine(lane, (job,)), 0)
        count = sum(
            self._waits(line.jobs[0]) and order.key(line, 0) < mine
            for line in order.apart(lane, self._desk.requeued)
        )
        if lane in self._by_lane:
            numbers, ranked = self._by_lane[lane]
            count += int(self._sizes[numbers][order.before(job, lane, ranked)].sum())
        return count

    def _waits(self, job: Pending) -> bool:
        return job.job_id not in self._desk.starts


def _fate(draft: Draft, turns: _Tryout, ranks: _QueueRanks, job: Pending) -> Fate:
    if job.job_id in turns.starting:
        return Fate()
    stood = lanes(draft.snapshot.cluster, job.ask.models, job.ask.job_class)
    fates = [_waiting(draft, turns, ranks, job, lane) for lane in stood]
    return min(fates, key=lambda fate: (fate.ahead is None, fate.ahead))


def _waiting(draft: Draft, turns: _Tryout, ranks: _QueueRanks, job: Pending, lane: Lane) -> Fate:
    stopped = turns.stopped.get((job.job_id, lane))
    if isinstance(stopped, MakingRoom):
        return Fate(stopped, 0)
    ahead = ranks.ahead(job, lane)
    reason = stopped or why(draft, turns.failures, lane, job, ahead)
    return Fate(reason, None if isinstance(reason, HOLDS_UP_NOBODY) else ahead)
