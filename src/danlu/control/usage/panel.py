"""The cluster at a glance: what there is, what is held and what is wanted, by whom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from danlu.control.plane.view import ActiveView
from danlu.control.usage.sums import CPU, JOBS, MEMORY, TASKS, PanelSums, counted
from danlu.domain.job import JobClass, Time
from danlu.domain.node import Node, NodeState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Pool
from danlu.ports.clock import Clock

_FRESH_FOR: Time = 1_000
_SPARED = 20
"""Many look at once: it is counted again after a second, in a large queue after so many times what counting took."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Of one resource, in thousandths or bytes: held by jobs, by others than Danlu, free on nodes that take jobs, and
    idle on nodes that take none (closed)."""

    used: int
    others: int
    free: int
    closed: int
    queued: int
    mine_used: int
    mine_queued: int

    @property
    def total(self) -> int:
        return self.used + self.others + self.free + self.closed

    @property
    def shortage(self) -> int:
        """How much more it would take to run all that waits."""
        return max(0, self.queued - self.free)

    @property
    def mine_shortage(self) -> int:
        """How much more it would take to run all of one's own that waits, if nobody else waited."""
        return max(0, self.mine_queued - self.free)


@dataclass(frozen=True, slots=True)
class ModelAmount:
    """GPUs of one model, on how many nodes these are, and the most that one task could have: whole cards of one
    node, or the largest share of a card."""

    model: str
    amount: Amount
    nodes: int
    largest_free: int


@dataclass(frozen=True, slots=True)
class ClassAmount:
    """One resource for one class: what nodes of pools that serve it have (total) and have free, and what its jobs hold
    and ask for."""

    total: int
    free: int
    used: int
    queued: int
    mine_used: int
    mine_queued: int

    @property
    def shortage(self) -> int:
        """How much more it would take to run all jobs of the class that wait."""
        return max(0, self.queued - self.free)

    @property
    def mine_shortage(self) -> int:
        return max(0, self.mine_queued - self.free)


@dataclass(frozen=True, slots=True)
class ClassGlance:
    """The jobs of one class and their tasks; `gpus` by model."""

    job_class: JobClass
    running: int
    queued: int
    mine_running: int
    mine_queued: int
    tasks_running: int
    tasks_queued: int
    mine_tasks_running: int
    mine_tasks_queued: int
    gpus: Mapping[str, ClassAmount]
    cpus: ClassAmount


@dataclass(frozen=True, slots=True)
class Glance:
    """What one person sees."""

    at: Time
    gpus: tuple[ModelAmount, ...]
    cpus: Amount
    memory: Amount
    running: int
    queued: int
    mine_running: int
    mine_queued: int
    nodes: Mapping[NodeState, int]
    classes: tuple[ClassGlance, ...]


class Panel:
    """Any thread."""

    def __init__(
        self,
        nodes: Callable[[], Sequence[Node]],
        pools: Callable[[], Mapping[str, Pool]],
        view: ActiveView,
        clock: Clock,
    ) -> None:
        self._nodes, self._pools, self._view, self._clock = nodes, pools, view, clock
        self._count: PanelSums | None = None
        self._fresh_for = _FRESH_FOR
        self._counting = threading.Lock()

    def glance(self, caller: Caller) -> Glance:
        caller.require(Permission.NODE_READ)
        count, me = self.count(), caller.name
        return Glance(
            at=count.at,
            gpus=tuple(
                ModelAmount(
                    model, amount_of(count, model, me), count.nodes_there[model], count.largest.get(model, 0)
                )
                for model in count.models()
            ),
            cpus=amount_of(count, CPU, me),
            memory=amount_of(count, MEMORY, me),
            running=count.used.total[JOBS],
            queued=count.queued.total[JOBS],
            mine_running=count.used.all_of(me, JOBS),
            mine_queued=count.queued.all_of(me, JOBS),
            nodes=count.nodes,
            classes=tuple(_of_class(count, job_class, me) for job_class in JobClass),
        )

    def count(self) -> PanelSums:
        """As of a moment ago. One counts; the others make do with what was counted last, if there is any."""
        known = self._count
        if known is not None and self._is_fresh(known):
            return known
        if not self._counting.acquire(blocking=known is None):
            assert known is not None
            return known
        try:
            known = self._count
            if known is None or not self._is_fresh(known):
                began = time.thread_time()
                nodes, pools = self._nodes(), self._pools()
                known = counted(self._clock.now(), nodes, pools, self._view.live(), self._view.queued())
                self._fresh_for = max(_FRESH_FOR, int((time.thread_time() - began) * 1000 * _SPARED))
                self._count = known
            return known
        finally:
            self._counting.release()

    def _is_fresh(self, count: PanelSums) -> bool:
        return 0 <= self._clock.now() - count.at < self._fresh_for


def amount_of(count: PanelSums, key: str, me: str = "") -> Amount:
    return Amount(
        used=count.used.total[key],
        others=count.others[key],
        free=count.free[key],
        closed=count.closed[key],
        queued=count.queued.total[key],
        mine_used=count.used.all_of(me, key),
        mine_queued=count.queued.all_of(me, key),
    )


def _part(count: PanelSums, job_class: JobClass, key: str, me: str) -> ClassAmount:
    return ClassAmount(
        total=count.there[job_class, key],
        free=count.open[job_class, key],
        used=count.used.by_class[job_class, key],
        queued=count.queued.by_class[job_class, key],
        mine_used=count.used.of(me, job_class, key),
        mine_queued=count.queued.of(me, job_class, key),
    )


def _of_class(count: PanelSums, job_class: JobClass, me: str) -> ClassGlance:
    jobs, tasks = (_part(count, job_class, key, me) for key in (JOBS, TASKS))
    parts = {model: _part(count, job_class, model, me) for model in count.models()}
    return ClassGlance(
        job_class=job_class,
        running=jobs.used,
        queued=jobs.queued,
        mine_running=jobs.mine_used,
        mine_queued=jobs.mine_queued,
        tasks_running=tasks.used,
        tasks_queued=tasks.queued,
        mine_tasks_running=tasks.mine_used,
        mine_tasks_queued=tasks.mine_queued,
        gpus={model: part for model, part in parts.items() if part.total or part.used or part.queued},
        cpus=_part(count, job_class, CPU, me),
    )
