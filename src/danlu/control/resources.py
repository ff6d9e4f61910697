"""The cluster at a glance: what there is, what is held and what is wanted, by whom."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from danlu.control.view import ActiveView
from danlu.domain.job import Job, JobState, Time
from danlu.domain.node import Node, NodeState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.resources import Resources
from danlu.ports.clock import Clock

_FRESH_FOR: Time = 1_000
_SPARED = 20
"""Many look at once: it is counted again after a second, in a large queue after so many times what counting took."""

CPU, MEMORY = ":cpu", ":memory"
"""What is counted beside GPU models; no model is named so."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Of one resource, in thousandths or bytes: free on nodes that take jobs, held by jobs on any node, and by others
    than Danlu on nodes that take jobs."""

    used: int
    others: int
    free: int
    queued: int
    mine_used: int
    mine_queued: int

    @property
    def total(self) -> int:
        return self.used + self.others + self.free

    @property
    def shortage(self) -> int:
        """How much more it would take to run all that waits."""
        return max(0, self.queued - self.free)


@dataclass(frozen=True, slots=True)
class ModelAmount:
    """GPUs of one model, on how many nodes that take jobs, and the most that one task could have: whole cards of one
    node, or the largest share of a card."""

    model: str
    amount: Amount
    nodes: int
    largest_free: int


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


@dataclass(slots=True)
class _Count:
    """Everybody's sums, made once for all who ask within a moment."""

    at: Time
    free: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    used: dict[str, Counter[str]] = field(default_factory=dict)
    queued: dict[str, Counter[str]] = field(default_factory=dict)
    running_jobs: Counter[str] = field(default_factory=Counter)
    queued_jobs: Counter[str] = field(default_factory=Counter)
    nodes_with: Counter[str] = field(default_factory=Counter)
    largest: dict[str, int] = field(default_factory=dict)
    states: Counter[NodeState] = field(default_factory=Counter)


class Panel:
    """Any thread."""

    def __init__(self, nodes: Callable[[], Sequence[Node]], view: ActiveView, clock: Clock) -> None:
        self._nodes, self._view, self._clock = nodes, view, clock
        self._count: _Count | None = None
        self._fresh_for = _FRESH_FOR
        self._counting = threading.Lock()

    def glance(self, caller: Caller) -> Glance:
        caller.require(Permission.NODE_READ)
        count, me = self._counted(), caller.name
        models = sorted({*count.nodes_with, *_keys(count.used), *_keys(count.queued)} - {CPU, MEMORY})
        return Glance(
            at=count.at,
            gpus=tuple(
                ModelAmount(
                    model, _amount(count, model, me), count.nodes_with[model], count.largest.get(model, 0)
                )
                for model in models
            ),
            cpus=_amount(count, CPU, me),
            memory=_amount(count, MEMORY, me),
            running=count.running_jobs.total(),
            queued=count.queued_jobs.total(),
            mine_running=count.running_jobs[me],
            mine_queued=count.queued_jobs[me],
            nodes=count.states,
        )

    def _counted(self) -> _Count:
        """One counts; the others make do with what was counted last, if there is any."""
        known = self._count
        if known is not None and self._is_fresh(known):
            return known
        if not self._counting.acquire(blocking=known is None):
            assert known is not None
            return known
        try:
            known = self._count
            if known is None or not self._is_fresh(known):
                began = time.perf_counter()
                known = _counted(self._clock.now(), self._nodes(), self._view.live(), self._view.queued())
                self._fresh_for = max(_FRESH_FOR, int((time.perf_counter() - began) * 1000 * _SPARED))
                self._count = known
            return known
        finally:
            self._counting.release()

    def _is_fresh(self, count: _Count) -> bool:
        return 0 <= self._clock.now() - count.at < self._fresh_for


def _counted(now: Time, nodes: Sequence[Node], live: Iterable[Job], queued: Iterable[Job]) -> _Count:
    count = _Count(now)
    held: dict[str, Counter[str]] = {}
    cards: dict[str, Counter[int]] = {}
    for job in live:
        # What still ends of a job that is queued again already holds something, but runs no more.
        count.running_jobs[job.owner] += job.active and job.state is not JobState.QUEUED
        for task in job.live_tasks:
            size, on = job.size_of(task), held.setdefault(task.node, Counter())
            gpus = sum(grant.milli for grant in task.gpus)
            for grant in task.gpus:
                cards.setdefault(task.node, Counter())[grant.index] += grant.milli
            for key, value in ((CPU, size.cpu_milli), (MEMORY, size.memory), (task.model or "", gpus)):
                if value and key:
                    on[key] += value
                    count.used.setdefault(key, Counter())[job.owner] += value
    for node in nodes:
        _add_node(count, node, held.get(node.name, Counter()), cards.get(node.name, Counter()))
    for job in queued:
        count.queued_jobs[job.owner] += 1
        for role in job.spec.roles:
            for key, value in _wanted(role.resources.times(role.replicas), count.nodes_with):
                count.queued.setdefault(key, Counter())[job.owner] += value
    return count


def _add_node(count: _Count, node: Node, held: Counter[str], cards: Counter[int]) -> None:
    count.states[node.state] += 1
    if node.state is not NodeState.READY:
        return
    model = node.gpu_model
    for key, size, foreign in (
        (CPU, node.cpu_milli, node.foreign.cpu_milli),
        (MEMORY, node.memory, node.foreign.memory),
    ):
        left = max(0, size - held[key])
        count.others[key] += min(left, foreign)
        count.free[key] += max(0, left - foreign)
    if model is not None:
        cards_left = [max(0, 1000 - cards[gpu.index]) for gpu in node.gpus]
        # Which cards others have is not known: some of those that no task holds.
        taken = min(node.foreign.gpus, cards_left.count(1000))
        whole = cards_left.count(1000) - taken
        # A task takes whole cards, or a share of one: halves of two cards are not a card.
        largest = 1000 * whole or max((one for one in cards_left if one < 1000), default=0)
        count.nodes_with[model] += 1
        count.others[model] += 1000 * taken
        count.free[model] += sum(cards_left) - 1000 * taken
        count.largest[model] = max(count.largest.get(model, 0), largest)


def _wanted(size: Resources, models: Counter[str]) -> list[tuple[str, int]]:
    """One that takes several models is counted with the one there are most nodes of."""
    wanted = [(CPU, size.cpu_milli), (MEMORY, size.memory)]
    if size.gpu_milli:
        model = max(size.models or sorted(models), key=lambda one: models[one], default=None)
        if model is not None:
            wanted.append((model, size.gpu_milli))
    return wanted


def _amount(count: _Count, key: str, me: str) -> Amount:
    used, queued = count.used.get(key, Counter()), count.queued.get(key, Counter())
    return Amount(used.total(), count.others[key], count.free[key], queued.total(), used[me], queued[me])


def _keys(sums: Mapping[str, Counter[str]]) -> set[str]:
    return set(sums)
