"""The decision: which jobs start where, which are evicted, and why the others wait."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from danlu.domain.reasons import OverLimit, ProjectCap, Reason, VolumeBusy
from danlu.scheduler.board import Snapshot, lanes
from danlu.scheduler.draft import Draft
from danlu.scheduler.explain import explain
from danlu.scheduler.failures import NEVER, Failures
from danlu.scheduler.grow import grow
from danlu.scheduler.model import Assigned, Lane, Pending, Plan, total_of
from danlu.scheduler.possible import may_lead
from danlu.scheduler.promises import keep_promises
from danlu.scheduler.reservations import Reservations
from danlu.scheduler.volumes import BlockVolumes

_PASSES = 20
"""A limit that no real state reaches: each pass but the last places some job."""

T = TypeVar("T", bound="QueuePass")
Reasons = Mapping[str, Reason]
Queue = Mapping[Lane, tuple[Pending, ...]]


def decide(snapshot: Snapshot) -> Decision:
    """Pure: the same snapshot gives the same plan, and a second decision on the applied plan changes nothing."""
    draft = Draft(snapshot)
    failures = settle(draft, QueuePass).failures
    return Decision(draft.plan(), lambda: explain(draft, failures), draft.waiting)


class Decision:
    """A plan, and the reasons of waiting jobs: computed on demand, since with a long queue that takes longer than
    deciding."""

    def __init__(self, plan: Plan, reasons: Callable[[], Reasons], queue: Callable[[], Queue]) -> None:
        self.plan, self._reasons, self._queue = plan, reasons, queue

    @functools.cached_property
    def waiting(self) -> Reasons:
        """Why each job waits that neither starts nor is sure to."""
        return self._reasons()

    @functools.cached_property
    def queue(self) -> Queue:
        """Who still waits, lane by lane, in the order of service."""
        return self._queue()


NOTHING_TO_DECIDE = Decision(Plan((), (), ()), dict, dict)
"""The decision where no job waits or runs."""


def settle(draft: Draft, a_pass: Callable[[Draft, T | None], T]) -> T:
    """Repeat passes until nothing changes; returns the last pass."""
    keep_promises(draft)  # 1 room that was made for somebody is theirs
    turns = a_pass(draft, None)
    for _ in range(_PASSES):
        turns = a_pass(draft, turns)
        if turns.serve():  # 2 everybody in turn: start, make room, or reserve and let pass who delays nobody
            continue  # until the order that this leads to moves nobody any more
        if not grow(draft, turns.reservations):  # 3 what is left goes to jobs that can use more
            break
    return turns


class QueuePass:
    """One pass over the queue in order, skipping jobs like one that already failed."""

    def __init__(self, draft: Draft, before: QueuePass | None = None) -> None:
        self._desk, self._room, self._gates, self._closing = draft, draft.room, draft.gates, draft.closing
        goes, placed = draft.evictor.goes, draft.placed
        self.reservations = Reservations(draft.snapshot, draft.room, draft.closing, goes, placed)
        self.failures: Failures = Failures(draft, before.failures if before else None)
        self._before = BlockVolumes()
        """Volumes of jobs that wait for them, or for room at the head of a lane: nobody behind them may take these."""

    def serve(self) -> bool:
        """Try every job in order; true if some job was placed."""
        self._desk.shares.divide()
        moved = False
        for line, job in self._desk.order.turns(self._desk.requeued, self.failures):
            moved |= self._try(job, line.lane)
        return moved

    def _try(self, job: Pending, lane: Lane) -> bool:
        gate = self._gates.shut(job, lane[0]) or self._busy(job)
        may_fit = gate is None and not self.failures.no_room(job, lane)
        if may_fit and (self._start(job, lane) or self._promise(job, lane)):
            return True
        if self._make_room(job, lane, gate):
            return True
        self._fail(job, lane, gate)
        return False

    def _busy(self, job: Pending) -> Reason | None:
        return self._desk.volumes.shut(job) or self._before.shut(job)

    def _start(self, job: Pending, lane: Lane) -> bool:
        draft, model = self._desk, lane[0]
        if draft.still_there(job) or self._gates.shut(job, model, now=True) is not None:
            return False
        tasks = self._place(job, model, soon=False)
        if tasks:
            draft.start(job, tasks, draft.grounds(job, model, self._how(job, lane)))
        return bool(tasks)

    def _promise(self, job: Pending, lane: Lane) -> bool:
        """Try the room that leaving jobs will free."""
        tasks = self._place(job, lane[0], soon=True) if self._desk.somebody_leaves() else ()
        if tasks:
            self._desk.promise(job, tasks)
        return bool(tasks)

    def _place(self, job: Pending, model: str, *, soon: bool) -> tuple[Assigned, ...]:
        """Try the room that no reservation forbids."""
        if not self._room.could(job.ask, model, soon=soon):
            return ()
        allowed, mark = self.reservations.allowed(job.max_time), self._room.mark()
        tasks = self._room.place(job.ask, model, allowed, soon=soon, avoids=job.avoids)
        if tasks and self._gates.shut(job, model, total_of(tasks), now=not soon) is not None:
            self._room.undo(mark)
            return ()
        return tasks

    def _how(self, job: Pending, lane: Lane) -> str:
        if job.pinned_at is not None:
            return "pinned"
        return "passing" if lane in self.failures.heads else "turn"

    def _make_room(self, job: Pending, lane: Lane, gate: Reason | None) -> bool:
        if gate is not None and not isinstance(gate, ProjectCap | OverLimit):
            return False
        failures = self.failures
        if failures.nobody_leaves(job, lane, gate):
            return False
        if not failures.entitled(job.project, job.priority, lane[0]) or self._fits_elsewhere(job, lane):
            return False
        draft = self._desk
        way = draft.evictor.make_room(job, lane[0], self.reservations)
        if way is None:
            failures.note_nobody_leaves(job, lane, gate)
            return False
        for victim, reason in way.victims:
            draft.evict(victim, job, reason)
        draft.promise(job, way.tasks, {victim.job.job_id for victim, _ in way.victims})
        return True

    def _fits_elsewhere(self, job: Pending, lane: Lane) -> bool:
        """No eviction is needed for a job that has room in another of its lanes."""
        others = [one for one in lanes(self._room.cluster, job.ask.models, lane[1]) if one != lane]
        return bool(others) and self._would_fit(job, [model for model, _ in others], reserved=False) != ()

    def _would_fit(self, job: Pending, models: Iterable[str], *, reserved: bool) -> tuple[Assigned, ...]:
        """Where it would fit now, on reserved nodes too or not; takes nothing."""
        mark, still_open = self._room.mark(), self._closing.open(job.max_time)
        allowed = still_open if reserved else self.reservations.allowed(job.max_time)
        tasks = next((tasks for model in models if (tasks := self._room.place(job.ask, model, allowed))), ())
        self._room.undo(mark)
        return tasks

    def _fail(self, job: Pending, lane: Lane, gate: Reason | None) -> None:
        """The job waits. The first of its lane that lacks room reserves the nodes it waits for."""
        failures = self.failures
        if gate is not None:
            failures.note_gate(job, lane, gate)
            if isinstance(gate, VolumeBusy) and may_lead(self._desk, job, lane[0]):
                self._before.take(job, ahead=True)
            return
        if not failures.no_room(job, lane):
            failures.note_no_room(job, lane, self._bound(job, lane))
        if lane not in failures.heads and may_lead(self._desk, job, lane[0]):
            failures.heads[lane] = job
            self._before.take(job, ahead=True)
            self.reservations.hold(job, lane[0], lacks_room=not failures.no_room_since(job, lane))

    def _bound(self, job: Pending, lane: Lane) -> int:
        """From which duration on jobs with the same ask fail too: any, unless only reservations forbid it."""
        tasks = self._would_fit(job, [lane[0]], reserved=True)
        if not tasks:
            return 0
        holder = self.reservations.in_the_way(task.node for task in tasks)
        if holder is None:  # it would fit, but what it would take is more than a cap or limit allows
            return NEVER
        self.failures.note_reserved_for(holder, job, lane)
        nodes = self._room.fitting(job.ask, lane[0], self._closing.open(job.max_time))
        return job.max_time if nodes is None else self.reservations.longest(nodes) + 1
