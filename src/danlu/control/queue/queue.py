"""The queue as people see and change it: order, reasons to wait, pins, the order of one's own jobs, scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from danlu.control.plane.ledger import running_charges
from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.queue.backlog import Backlog, backlog_of
from danlu.domain import events as ev
from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound, Stale, WrongState
from danlu.domain.job import Job, JobClass, JobState, Time
from danlu.domain.lifecycle import advance
from danlu.domain.permissions import Caller, Permission
from danlu.domain.reasons import Reason
from danlu.domain.score import Charge, added
from danlu.domain.terms import STATES, no_such
from danlu.domain.words import Words, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock
from danlu.ports.store import ActiveJobs, JobChange, JobStore, LedgerStore
from danlu.scheduler import Decision, Lane, Pending, Snapshot
from danlu.scheduler.whatif import Alternative as Help
from danlu.scheduler.whatif import fate, fate_and_place, what_would_help

_TRIES = 5
_HELD = re.compile(r"held:(\d{1,18}):([^:]+):(.+)")


@dataclass(frozen=True, slots=True)
class Outlook:
    """What would happen to a job submitted now, and how many jobs would be ahead of it."""

    job: Job
    starts_now: bool
    reason: Reason | None = None
    ahead: int = 0


class Side(StrEnum):
    """On which side of another of one's own jobs."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Place:
    """One job's place in one lane; `readable` says whether the caller may see more than its size, such as the
    reason."""

    lane: Lane
    position: int
    job: Job
    reason: Reason | None
    readable: bool


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """Which places, and after which one; None is no bound."""

    model: str | None = None
    job_class: JobClass | None = None
    project: str | None = None
    owner: str | None = None
    limit: int = 100
    after: tuple[Lane, int] | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Why a job waits, who is ahead of it in its lanes, and what would start it now."""

    job: Job
    reason: Reason | None
    places: tuple[Place, ...]
    ahead: tuple[Place, ...]
    ahead_total: int
    helps: tuple[Help, ...]


@dataclass(frozen=True, slots=True)
class ModelScore:
    user: str
    model: str
    value: float
    held: int


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A charge and what it adds to the score at the moment of asking."""

    charge: Charge
    adds: float


class JobsAndScores(JobStore, ActiveJobs, LedgerStore, PeopleStore, Protocol):
    """Jobs, why they wait, and what people have used."""


class Queue:
    """Any thread."""

    def __init__(
        self,
        store: JobsAndScores,
        view: ActiveView,
        planner: Planner,
        find: Callable[[Caller, str], Job],
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        self._store, self._view, self._planner, self._find = store, view, planner, find
        self._clock, self._wake = clock, wake
        self._lines: tuple[Decision | None, Mapping[Lane, tuple[Job, ...]]] = (None, {})
        self._backlog: tuple[object, Backlog] = (None, Backlog({}, {}))

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────

    def places(self, caller: Caller, query: PlaceQuery) -> tuple[tuple[Place, ...], bool]:
        """The waiting jobs, lane by lane in queue order, as of the last decision; and whether more follow."""
        caller.require(Permission.QUEUE_READ)
        found: list[Place] = []
        for lane, position, old in self._standing(query):
            job = self._view.get(old.id)
            if job is None or job.state is not JobState.QUEUED:
                continue
            if len(found) == query.limit:
                return tuple(found), True
            # The stored reason: those of a plan may only be computed in the thread that made it.
            readable = caller.may(Permission.JOB_READ, job.owner)
            reason = self._store.waiting(job.id) if readable else None
            found.append(Place(lane, position, job, reason, readable))
        return tuple(found), False

    def backlog(self, caller: Caller) -> Backlog:
        """The work that waits: in every lane in which somebody does, and in all by class."""
        caller.require(Permission.QUEUE_READ)
        lines = self._in_line()
        known, backlog = self._backlog
        if known is not lines:
            backlog = backlog_of(lines)
            self._backlog = (lines, backlog)
        return backlog

    def why(self, caller: Caller, ref: str, most: int = 50) -> Wait:
        """Why a job waits, by a decision made now; at most `most` of the jobs ahead of it are named. Of a job that does
        not wait, why it stopped or failed."""
        job = self._find(caller, ref)
        if job.state is not JobState.QUEUED:
            return Wait(job, job.reason, (), (), 0, ())
        snapshot = self._planner.snapshot()
        pending = self._view.pending(job)
        reason = fate(snapshot, pending)
        places: list[Place] = []
        ahead: list[Place] = []
        before: set[str] = set()
        for lane, jobs in self._in_line().items():
            at = next((at for at, one in enumerate(jobs) if one.id == job.id), None)
            if at is None:
                continue
            places.append(Place(lane, at + 1, job, reason, True))
            wanted = PlaceQuery(*lane, limit=min(at, most - len(ahead)))
            found = self.places(caller, wanted)[0] if wanted.limit else ()
            # A job that accepts several GPU models is in several lanes: list it once.
            ahead += (one for one in found if one.position <= at and one.job.id not in before)
            before |= {one.id for one in jobs[:at]}
        helps = self._helps(caller, snapshot, pending, job, reason) if reason else ()
        return Wait(job, reason, tuple(places), tuple(ahead), len(before), helps)

    def outlook(self, job: Job) -> Outlook:
        """Whether it would start at once, or what it would wait for."""
        reason, ahead = fate_and_place(self._planner.snapshot(), self._view.pending(job))
        return Outlook(job, reason is None, reason, ahead)

    def scores(self, caller: Caller, user: str | None = None) -> tuple[ModelScore, ...]:
        """One's own scores by GPU model, another's where one may, or everybody's."""
        if user is None and not caller.may_everywhere(Permission.SCORE_READ):
            user = caller.name
        if user is not None:
            self._may_see(caller, user)
        found = self._planner.snapshot().scores
        held = self._held()
        keys = sorted({*found, *held})
        return tuple(
            ModelScore(name, model, found.get((name, model), 0.0), held.get((name, model), 0))
            for name, model in keys
            if user in (None, name)
        )

    def ledger(
        self, caller: Caller, user: str, model: str | None, limit: int, cursor: str | None
    ) -> tuple[tuple[LedgerRow, ...], str | None]:
        """What a score is made of: current use, then past use, latest first."""
        self._may_see(caller, user)
        now, score_time = self._clock.now(), self.score_time
        charges, more = self._charges(user, model, limit, cursor)
        return tuple(LedgerRow(charge, added(charge, now, score_time)) for charge in charges), more

    @property
    def decided_at(self) -> Time | None:
        """When the last decision was made, which the places are based on."""
        return self._planner.decided_at

    @property
    def score_time(self) -> int:
        return self._planner.ledger.score_time

    # ── moving ───────────────────────────────────────────────────────────────────────────────────────

    def pin(self, caller: Caller, ref: str) -> Job:
        """To the very front of its lanes; of several pinned jobs the latest is first."""
        return self._turn(caller, ref, ev.Pinned(caller.name), "pinned")

    def unpin(self, caller: Caller, ref: str) -> Job:
        return self._turn(caller, ref, ev.Unpinned(caller.name), "unpinned")

    def order(self, caller: Caller, ref: str, side: Side, beside: str) -> tuple[Job, ...]:
        """Move one of one's own jobs right before or after another of them; nobody else is affected.

        Returns the jobs whose place changed."""
        for _ in range(_TRIES):
            job, other = self._find(caller, ref), self._find(caller, beside)
            caller.require(Permission.QUEUE_ORDER, job.owner)
            mine = self._alike(job, side, other)
            slots = sorted(one.slot for one in mine)
            wanted = [one for one in mine if one.id != job.id]
            at = next(at for at, one in enumerate(wanted) if one.id == other.id)
            wanted.insert(at if side is Side.BEFORE else at + 1, job)
            changes = [
                JobChange(step.job, step.records, caller.name)
                for one, slot in zip(wanted, slots, strict=True)
                if one.slot != slot
                for step in (advance(one, ev.Reordered(caller.name, *slot), self._clock.now()),)
            ]
            if not changes:
                return ()
            try:
                written = self._store.save(changes, self._clock.now())
            except Stale:
                continue
            self._wake()
            return written
        raise Conflict(Words("the jobs keep changing; try again", "任务一直在变化，请重试"))

    # ── parts of looking ─────────────────────────────────────────────────────────────────────────────

    def _in_line(self) -> Mapping[Lane, tuple[Job, ...]]:
        """The waiting jobs of the last decision, including evicted jobs that are still leaving."""
        decision = self._planner.latest_decision()
        known, lines = self._lines
        if known is not decision:
            lines = {
                lane: tuple(job for one in jobs if (job := self._view.get(one.job_id)) and _waits(job))
                for lane, jobs in decision.queue.items()
            }
            self._lines = (decision, lines)
        return lines

    def _standing(self, query: PlaceQuery) -> Iterator[tuple[Lane, int, Job]]:
        lane_after, position_after = query.after or (("", ""), 0)
        for lane, jobs in self._in_line().items():
            if (
                lane < lane_after
                or query.model not in (None, lane[0])
                or query.job_class not in (None, lane[1])
            ):
                continue
            first = position_after if lane == lane_after else 0
            for position, job in enumerate(jobs[first:], first + 1):
                if query.project in (None, job.spec.project) and query.owner in (None, job.owner):
                    yield lane, position, job

    def _helps(
        self, caller: Caller, snapshot: Snapshot, pending: Pending, job: Job, reason: Reason
    ) -> tuple[Help, ...]:
        helps = what_would_help(snapshot, pending, self._planner.usable_projects(caller, job), reason)
        # The selector may come from its project, which the caller cannot change.
        return tuple(one for one in helps if one.key != "node_selector" or job.spec.node_selector)

    def _charges(
        self, user: str, model: str | None, limit: int, cursor: str | None
    ) -> tuple[list[Charge], str | None]:
        """Current use first, then past use; the cursor says how far the page is in either."""
        after = _HELD.fullmatch(cursor) if cursor is not None else None
        if cursor is not None and after is None:
            page = self._store.charges(user, model, 0, limit, cursor)
            return list(page.rows), page.next_cursor
        held = self._open_charges(user, model)
        if after is not None:
            last = (-int(after[1]), after[2], after[3])
            held = [charge for charge in held if _newest_first(charge) > last]
        if len(held) >= limit:
            began, job_id, task = _newest_first(held[limit - 1])
            return held[:limit], f"held:{-began}:{job_id}:{task}"
        page = self._store.charges(user, model, 0, limit - len(held))
        return [*held, *page.rows], page.next_cursor

    # ── parts of moving ──────────────────────────────────────────────────────────────────────────────

    def _turn(self, caller: Caller, ref: str, event: ev.Event, act: str) -> Job:
        """Pin or unpin a job; always recorded in the audit log."""
        for _ in range(_TRIES):
            job = self._find(caller, ref)
            caller.require(Permission.QUEUE_PIN, job.owner)
            if not job.active:
                raise WrongState(
                    say(
                        "{name} is {state}; only active jobs have a place in the queue",
                        "{name} 的状态为“{state}”，只有进行中的任务才能置顶或取消置顶",
                        name=job.title,
                        state=STATES[job.state],
                    )
                )
            step = advance(job, event, self._clock.now())
            if not step.changed:
                return job
            try:
                note = caller.entry(act, f"job:{job.owner}:{job.record}")
                change = JobChange(step.job, step.records, caller.name)
                (written,) = self._store.save([change], self._clock.now(), notes=[note])
            except Stale:
                continue
            self._wake()
            return written
        raise Conflict(say("job '{ref}' keeps changing; try again", "任务“{ref}”一直在变化，请重试", ref=ref))

    def _alike(self, job: Job, side: Side, other: Job) -> list[Job]:
        """The owner's queued jobs that compete with both, in their order."""
        for one in (job, other):
            if one.state is not JobState.QUEUED:
                raise WrongState(
                    say(
                        "{name} is {state}; only queued jobs have an order",
                        "{name} 的状态为“{state}”，只有队列中的任务才能调整顺序",
                        name=one.title,
                        state=STATES[one.state],
                    )
                )
        line = _line(job, self._view)
        if job.id == other.id or _line(other, self._view) != line:
            message = say(
                "{name} and {other} do not compete with each other: owner, project, priority, class and GPU model "
                "must be the same",
                "{name} 与 {other} 不在同一队列中：所有者、项目组、优先级、类别和 GPU 型号须相同",
                name=job.title,
                other=other.title,
            )
            raise Invalid((FieldError((side.value,), "not_in_line", message, other.title),))
        known = {one.id for one in self._view.queued() if one.owner == job.owner} | {job.id, other.id}
        # Read from the store: the view may not have seen the latest move yet.
        fresh = (self._store.get(job_id) for job_id in known)
        mine = [one for one in fresh if one is not None and _waits(one) and _line(one, self._view) == line]
        return sorted(mine, key=lambda one: one.slot)

    def _may_see(self, caller: Caller, user: str) -> None:
        if not caller.may(Permission.SCORE_READ, user) and user != caller.name:
            raise NotFound(
                say(
                    "there is no user '{user}', or you may not see their score",
                    "没有用户“{user}”，或你无权查看其积分",
                    user=user,
                )
            )
        caller.require(Permission.SCORE_READ, user)
        if self._store.user(user) is None:
            raise NotFound(no_such("user", user))

    def _open_charges(self, user: str, model: str | None) -> list[Charge]:
        mine = [job for job in self._view.live() if job.owner == user]
        charges = [charge for job in mine for charge in running_charges(job) if model in (None, charge.model)]
        return sorted(charges, key=_newest_first)

    def _held(self) -> dict[tuple[str, str], int]:
        held: dict[tuple[str, str], int] = {}
        for job in self._view.live():
            for charge in running_charges(job):
                key = (charge.user, charge.model)
                held[key] = held.get(key, 0) + charge.milli
        return held


def _line(job: Job, view: ActiveView) -> tuple[object, ...]:
    spec = job.spec
    return (job.owner, spec.project, spec.priority, spec.job_class, view.pending(job).ask.models)


def _waits(job: Job) -> bool:
    return job.state is JobState.QUEUED


def _newest_first(charge: Charge) -> tuple[int, str, str]:
    return (-charge.began, charge.job_id, charge.task)
