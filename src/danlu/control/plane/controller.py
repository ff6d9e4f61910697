"""The controller's loop: make the actual state match the requested one."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from danlu.control.plane.closed_nodes import leaving_events
from danlu.control.plane.deadlines import due_events
from danlu.control.plane.ledger import ended_charges
from danlu.control.plane.mounts import MountAccess
from danlu.control.plane.orders import order_of
from danlu.control.plane.planner import Planner
from danlu.control.plane.telling import Telling
from danlu.control.plane.view import ActiveView
from danlu.domain.errors import DanluError, NotLeader, Stale
from danlu.domain.events import Event, FailureRead, TaskEnded
from danlu.domain.job import Job, Task, job_id_of
from danlu.domain.lifecycle import Advanced, advance
from danlu.domain.node import Node
from danlu.domain.reasons import DatasetNotAvailable, Reason, VolumeNotAvailable
from danlu.domain.score import Charge
from danlu.domain.words import say
from danlu.ports.clock import Clock
from danlu.ports.engine import AttemptOrder, Engine, NotYet
from danlu.ports.store import JobChange, JobStore, NodeStore
from danlu.scheduler import Decision

log = logging.getLogger(__name__)

_TRIES = 8
_IDLE_WAIT_S = 1.0
_WAITING_EVERY_MS = 1_000
_NODES_EVERY_MS = 1_000


class JobsAndNodes(JobStore, NodeStore, Protocol):
    """What the loop writes."""


class Controller:
    """Drives one engine from one store. `step` may be called by one thread at a time."""

    def __init__(
        self,
        store: JobsAndNodes,
        engine: Engine,
        clock: Clock,
        planner: Planner,
        view: ActiveView,
        url: str = "",
        token_of: Callable[[str], str] | None = None,
        mounts: MountAccess | None = None,
    ) -> None:
        self._store, self._engine, self._clock, self.url = store, engine, clock, url
        self._token_of = token_of
        self.planner, self.view = planner, view
        self._woken = threading.Event()
        self._seen: list[tuple[str, Event]] = []
        self._telling = Telling(engine, self._order, mounts or MountAccess(), self._deny)
        self._waiting: dict[str, Reason] = {}
        self._waiting_written_at = 0
        self._nodes: Sequence[Node] | None = None
        self._nodes_kept_at = 0
        self._swept = False
        self._written: Callable[[], None] = lambda: None
        self._found: deque[tuple[str, Event]] = deque()
        self._followers: list[Callable[[Sequence[JobChange]], None]] = []
        engine.listen(self.wake)

    def tell(self, written: Callable[[], None]) -> None:
        """Call `written` (cheap, from any thread) whenever this controller has written events."""
        self._written = written

    def follow(self, follower: Callable[[Sequence[JobChange]], None]) -> None:
        """Call `follower` with every change that this controller has written, in its thread."""
        self._followers.append(follower)

    def found(self, job_id: str, event: Event) -> None:
        """Events found outside this loop; the next step feeds them to the job. Any thread."""
        self._found.append((job_id, event))
        self.wake()

    def wake(self) -> None:
        """Something may have changed: step soon. Cheap, from any thread."""
        self._woken.set()

    def run(self, stop: threading.Event) -> None:
        """Step until told to stop; errors are logged and the step is retried. Only NotLeader ends the loop."""
        while not stop.is_set():
            self._woken.clear()
            began = time.monotonic()
            try:
                self.step()
            except NotLeader:
                raise
            except DanluError as error:
                log.warning("the controller could not finish a step and tries again: %s", error.detail)
                stop.wait(_IDLE_WAIT_S)
            except Exception:
                log.exception("a step of the controller failed; trying again")
                stop.wait(_IDLE_WAIT_S)
            # Under load, pause as long as a step took: new jobs are then handled in batches.
            stop.wait(min(time.monotonic() - began, 0.1))
            self._woken.wait(_IDLE_WAIT_S)

    def step(self) -> None:
        """One step; running it again on the same state changes nothing."""
        self._refresh()  # 1 what people asked
        self._observe()  # 2 what engines saw
        self._pass_time()  # 3 what time brought
        decision = self._decide()  # 4 who starts where, who makes room and why others wait; 5 write it down
        self._dispatch()  # 6 tell the engine what it is owed
        self._tell_waiting(decision)
        self._keep_nodes()

    # ── in ───────────────────────────────────────────────────────────────────────────────────────────

    def _refresh(self) -> None:
        self.view.refresh()
        if not self._swept:
            self._engine.sweep({job.attempt_id for job in self.view.live()})
            self._swept = True
            gc.freeze()  # what was just loaded stays: the garbage collector need not scan it again and again

    def _observe(self) -> None:
        # Kept until they are written: an engine reports each event only once per process.
        self._seen += [(job_id_of(event.attempt_id), event) for event in self._engine.events()]
        self._feed(self._seen)
        self._seen = []

    def _pass_time(self) -> None:
        now = self._clock.now()
        found = list(self._found)
        self._feed([*due_events(self._followed(), now), *found])
        for _ in found:  # only now that it is written
            self._found.popleft()
        self._feed(leaving_events(self._followed(), self.planner.nodes(), now))

    def _followed(self) -> list[Job]:
        """Live jobs whose state the engine had a chance to report: after a restart, a job may have ended in time
        unnoticed."""
        return [job for job in self.view.live() if self._telling.has_told(job.id)]

    # ── written down ─────────────────────────────────────────────────────────────────────────────────

    def _decide(self) -> Decision:
        """Decide and commit the plan as a whole; if somebody changed a job in the meantime, decide again."""
        for _ in range(_TRIES):
            decision = self.planner.decide()
            try:
                self._feed(self.planner.events_of(decision.plan), tries=1)
                return decision
            except Stale:
                log.debug("a job changed while a plan was made; deciding again")
        return decision

    def _feed(self, happened: Iterable[tuple[str, Event]], tries: int = _TRIES) -> None:
        """Advance jobs by these events and write them in one transaction; on a conflict, reload and retry."""
        by_job: dict[str, list[Event]] = defaultdict(list)
        for job_id, event in happened:
            by_job[job_id].append(event)
        if not by_job:
            return
        for _ in range(tries):
            charges: list[Charge] = []
            changes = [
                change
                for job_id, events in by_job.items()
                if (change := self._change(job_id, events, charges))
            ]
            if not changes:
                return
            try:
                settled = self.planner.ledger.settle(charges)
                self.view.take(self._store.save(changes, self._clock.now(), charges, settled))
                self.planner.ledger.keep(settled)
                self._written()
                break
            except Stale:
                self.view.refresh()
            except Exception:
                self.planner.ledger.reread()  # nobody knows whether it was written
                raise
        else:
            raise Stale(
                say(
                    "{count} job(s) kept changing while the controller was updating them",
                    "有 {count} 个任务在控制端处理时一直在变化",
                    count=len(by_job),
                )
            )
        for follower in self._followers:
            follower(changes)

    def _change(self, job_id: str, happened: list[Event], charges: list[Charge]) -> JobChange | None:
        """The changed job, and the charges of its tasks that ended."""
        job = self.view.get(job_id)
        if job is None and any(isinstance(event, FailureRead) for event in happened):
            job = self._store.get(job_id)  # it ended meanwhile
        if job is None:
            return None
        now = self._clock.now()
        records: list[Event] = []
        for event in happened:
            step: Advanced = advance(job, event, now)
            charges += ended_charges(job, step.job)
            job = step.job
            records += step.records
        return JobChange(job, tuple(records)) if records else None

    # ── out ──────────────────────────────────────────────────────────────────────────────────────────

    def _dispatch(self) -> None:
        for job_id in sorted(self.view.take_touched()):
            job = self.view.get(job_id)
            self._waiting.pop(job_id, None)  # the stored reason of its waiting may be outdated
            try:
                self._telling.tell(job_id, job)
            except NotLeader:
                self.view.touch(job_id)
                raise
            except NotYet:
                self.view.touch(job_id)
            except Exception as error:
                # An error of one job must not affect the others; this one is retried.
                self.view.touch(job_id)
                known = isinstance(error, DanluError)
                log.warning(
                    "%s: could not pass the order to the engine, trying again: %s",
                    job_id,
                    error,
                    exc_info=not known,
                )

    def _order(self, job: Job, only: tuple[str, ...]) -> AttemptOrder:
        token = self._token_of(job.attempt_id) if self._token_of is not None else None
        return order_of(job, self.url, only, token)

    def _deny(self, job: Job, tasks: Sequence[Task], volume: str) -> None:
        """These tasks may not have a volume of their job: they end before they begin."""
        now = self._clock.now()
        lacking = DatasetNotAvailable if "@" in volume else VolumeNotAvailable
        reasons = [lacking(task.name, volume, job.owner, task.node) for task in tasks]
        ends = [
            TaskEnded(job.attempt_id, task.run, now, why) for task, why in zip(tasks, reasons, strict=True)
        ]
        self._feed([(job.id, end) for end in ends])
        self.wake()

    def _tell_waiting(self, decision: Decision) -> None:
        # Reasons are computed on demand: that takes a while with a long queue, and they change slowly.
        now, queued = self._clock.now(), self.view.waiting()
        pause = _WAITING_EVERY_MS + queued // 10 if queued > 100 else 0
        if 0 <= now - self._waiting_written_at < pause:
            return
        changed: dict[str, Reason | None] = {
            job_id: reason
            for job_id, reason in decision.waiting.items()
            if self._waiting.get(job_id) != reason
        }
        changed.update({job_id: None for job_id in self._waiting if job_id not in decision.waiting})
        if changed:
            self._store.set_waiting(changed)
            self._waiting = dict(decision.waiting)
            self._waiting_written_at = now

    def _keep_nodes(self) -> None:
        """Store the nodes, for processes without engines."""
        now = self._clock.now()
        if 0 <= now - self._nodes_kept_at < _NODES_EVERY_MS:
            return
        nodes = self._engine.inventory()
        if nodes != self._nodes:
            self._store.keep_nodes(nodes)
            self._nodes, self._nodes_kept_at = nodes, now
