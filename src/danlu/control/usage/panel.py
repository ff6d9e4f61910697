"""The cluster at a glance: what there is, what is held and what is wanted, by whom."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from danlu.control.plane.view import ActiveView
from danlu.domain.job import Job, JobClass, JobState, Time
from danlu.domain.node import Node, NodeState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.resources import Resources
from danlu.ports.clock import Clock

_FRESH_FOR: Time = 1_000
_SPARED = 20
"""Many look at once: it is counted again after a second, in a large queue after so many times what counting took."""

CPU, MEMORY, JOBS = ":cpu", ":memory", ":jobs"
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
class ClassAmount:
    """What jobs of one class hold and ask for of one resource, and how much more it would take to run all of them."""

    used: int
    queued: int
    mine_used: int
    mine_queued: int
    shortage: int


@dataclass(frozen=True, slots=True)
class ClassGlance:
    """The jobs of one class; `gpus` by model."""

    job_class: JobClass
    running: int
    queued: int
    mine_running: int
    mine_queued: int
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


class Sums:
    """Amounts by class and resource, everybody's and each person's; once `closed`, together too."""

    def __init__(self) -> None:
        self.total: Counter[str] = Counter()
        self.by_class: Counter[tuple[JobClass, str]] = Counter()
        self._of: dict[tuple[JobClass, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def add(self, job_class: JobClass, key: str, owner: str, amount: int) -> None:
        self._of[job_class, key][owner] += amount

    def close(self) -> None:
        for (job_class, key), amounts in self._of.items():
            amount = sum(amounts.values())
            self.by_class[job_class, key] += amount
            self.total[key] += amount

    def of(self, owner: str, job_class: JobClass, key: str) -> int:
        known = self._of.get((job_class, key))
        return known.get(owner, 0) if known is not None else 0

    def all_of(self, owner: str, key: str) -> int:
        return sum(self.of(owner, job_class, key) for job_class in JobClass)


@dataclass(slots=True)
class PanelSums:
    """Everybody's sums, made once for all who ask within a moment. CPUs and GPUs in thousandths, memory in bytes;
    jobs are counted under JOBS. `states` is of active jobs by class, `pools` of nodes by state."""

    at: Time
    free: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    used: Sums = field(default_factory=Sums)
    queued: Sums = field(default_factory=Sums)
    states: Counter[tuple[JobState, JobClass]] = field(default_factory=Counter)
    nodes_with: Counter[str] = field(default_factory=Counter)
    largest: dict[str, int] = field(default_factory=dict)
    nodes: Counter[NodeState] = field(default_factory=Counter)
    pools: Counter[tuple[NodeState, str]] = field(default_factory=Counter)

    def models(self) -> list[str]:
        """The GPU models that there are, are held or are wanted."""
        return sorted({*self.nodes_with, *self.used.total, *self.queued.total} - {CPU, MEMORY, JOBS})

    def amount(self, key: str, me: str = "") -> Amount:
        used, queued = self.used.total[key], self.queued.total[key]
        return Amount(
            used,
            self.others[key],
            self.free[key],
            queued,
            self.used.all_of(me, key),
            self.queued.all_of(me, key),
        )

    def part(self, job_class: JobClass, key: str, me: str) -> ClassAmount:
        queued = self.queued.by_class[job_class, key]
        return ClassAmount(
            self.used.by_class[job_class, key],
            queued,
            self.used.of(me, job_class, key),
            self.queued.of(me, job_class, key),
            max(0, queued - self.free[key]),
        )


class Panel:
    """Any thread."""

    def __init__(self, nodes: Callable[[], Sequence[Node]], view: ActiveView, clock: Clock) -> None:
        self._nodes, self._view, self._clock = nodes, view, clock
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
                    model, count.amount(model, me), count.nodes_with[model], count.largest.get(model, 0)
                )
                for model in count.models()
            ),
            cpus=count.amount(CPU, me),
            memory=count.amount(MEMORY, me),
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
                known = _counted(self._clock.now(), self._nodes(), self._view.live(), self._view.queued())
                self._fresh_for = max(_FRESH_FOR, int((time.thread_time() - began) * 1000 * _SPARED))
                self._count = known
            return known
        finally:
            self._counting.release()

    def _is_fresh(self, count: PanelSums) -> bool:
        return 0 <= self._clock.now() - count.at < self._fresh_for


def _counted(now: Time, nodes: Sequence[Node], live: Iterable[Job], queued: Iterable[Job]) -> PanelSums:
    count = PanelSums(now)
    held: dict[str, Counter[str]] = {}
    cards: dict[str, Counter[int]] = {}
    for job in live:
        job_class, owner = job.spec.job_class, job.owner
        # What still ends of a job that is queued again already holds something, but runs no more.
        if job.active and job.state is not JobState.QUEUED:
            count.states[job.state, job_class] += 1
            count.used.add(job_class, JOBS, owner, 1)
        for task in job.live_tasks:
            size, on = job.size_of(task), held.setdefault(task.node, Counter())
            gpus = sum(grant.milli for grant in task.gpus)
            for grant in task.gpus:
                cards.setdefault(task.node, Counter())[grant.index] += grant.milli
            for key, value in ((CPU, size.cpu_milli), (MEMORY, size.memory), (task.model or "", gpus)):
                if value and key:
                    on[key] += value
                    count.used.add(job_class, key, owner, value)
    for node in nodes:
        _add_node(count, node, held.get(node.name, Counter()), cards.get(node.name, Counter()))
    _add_queued(count, queued)
    count.used.close()
    count.queued.close()
    return count


def _add_queued(count: PanelSums, queued: Iterable[Job]) -> None:
    add = count.queued.add
    model_of: dict[str | None, str | None] = {}
    for job in queued:
        job_class, owner = job.spec.job_class, job.owner
        count.states[job.state, job_class] += 1
        add(job_class, JOBS, owner, 1)
        for role in job.spec.roles:
            size, tasks = role.resources, role.replicas
            add(job_class, CPU, owner, size.cpu_milli * tasks)
            add(job_class, MEMORY, owner, size.memory * tasks)
            if not size.gpu_milli:
                continue
            if size.gpu_model not in model_of:
                model_of[size.gpu_model] = likely_model(size, count.nodes_with)
            if (model := model_of[size.gpu_model]) is not None:
                add(job_class, model, owner, size.gpu_milli * tasks)


def _add_node(count: PanelSums, node: Node, held: Counter[str], cards: Counter[int]) -> None:
    count.nodes[node.state] += 1
    count.pools[node.state, node.pool] += 1
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


def _of_class(count: PanelSums, job_class: JobClass, me: str) -> ClassGlance:
    jobs = count.part(job_class, JOBS, me)
    parts = {model: count.part(job_class, model, me) for model in count.models()}
    return ClassGlance(
        job_class=job_class,
        running=jobs.used,
        queued=jobs.queued,
        mine_running=jobs.mine_used,
        mine_queued=jobs.mine_queued,
        gpus={model: part for model, part in parts.items() if part.used or part.queued},
        cpus=count.part(job_class, CPU, me),
    )


def likely_model(size: Resources, nodes_with: Mapping[str, int]) -> str | None:
    """What GPUs that are asked for are counted as: of several models that would do, the one most nodes have."""
    return max(size.models or sorted(nodes_with), key=lambda one: nodes_with.get(one, 0), default=None)
