"""Sums over nodes and jobs, made once for all who look at the cluster within a moment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from danlu.domain.job import Job, JobClass, JobState, Time
from danlu.domain.node import IN_SERVICE, Node, NodeState, idle
from danlu.domain.resources import Resources
from danlu.domain.rules import Pool

CPU, MEMORY, JOBS, TASKS = ":cpu", ":memory", ":jobs", ":tasks"
"""What is counted beside GPU models; no model is named so."""

_WHOLE = 1000


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
    """Everybody's sums. CPUs and GPUs in thousandths, memory in bytes; jobs and tasks are counted under JOBS and TASKS.

    `there` and `open` are what nodes of pools that serve a class have, and what is free there. `states` is of active
    jobs by class, `pools` of nodes by state."""

    at: Time
    free: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    used: Sums = field(default_factory=Sums)
    queued: Sums = field(default_factory=Sums)
    there: Counter[tuple[JobClass, str]] = field(default_factory=Counter)
    open: Counter[tuple[JobClass, str]] = field(default_factory=Counter)
    states: Counter[tuple[JobState, JobClass]] = field(default_factory=Counter)
    nodes_with: Counter[str] = field(default_factory=Counter)
    """By GPU model, the nodes that take jobs."""
    nodes_there: Counter[str] = field(default_factory=Counter)
    """The same with those that take none: all whose GPUs are counted."""
    largest: dict[str, int] = field(default_factory=dict)
    nodes: Counter[NodeState] = field(default_factory=Counter)
    pools: Counter[tuple[NodeState, str]] = field(default_factory=Counter)

    def models(self) -> list[str]:
        """The GPU models that there are, are held or are wanted."""
        found = {*self.nodes_with, *self.closed, *self.used.total, *self.queued.total}
        return sorted(found - {CPU, MEMORY, JOBS, TASKS})


def counted(
    now: Time,
    nodes: Sequence[Node],
    pools: Mapping[str, Pool],
    live: Iterable[Job],
    queued: Iterable[Job],
) -> PanelSums:
    count = PanelSums(now)
    held: dict[str, Counter[str]] = {}
    cards: dict[str, Counter[int]] = {}
    for job in live:
        _add_live(count, job, held, cards)
    for node in nodes:
        _add_node(count, node, pools.get(node.pool), held.get(node.name, Counter()), cards.get(node.name))
    _add_queued(count, queued)
    count.used.close()
    count.queued.close()
    return count


def likely_model(size: Resources, nodes_with: Mapping[str, int]) -> str | None:
    """What GPUs that are asked for are counted as: of several models that would do, the one most nodes have."""
    return max(size.models or sorted(nodes_with), key=lambda one: nodes_with.get(one, 0), default=None)


def _add_live(
    count: PanelSums, job: Job, held: dict[str, Counter[str]], cards: dict[str, Counter[int]]
) -> None:
    job_class, owner = job.spec.job_class, job.owner
    # What still ends of a job that is queued again already holds something, but runs no more.
    runs = job.active and job.state is not JobState.QUEUED
    if runs:
        count.states[job.state, job_class] += 1
        count.used.add(job_class, JOBS, owner, 1)
        count.used.add(job_class, TASKS, owner, len(job.live_tasks))
    for task in job.live_tasks:
        size, on = job.size_of(task), held.setdefault(task.node, Counter())
        gpus = sum(grant.milli for grant in task.gpus)
        for grant in task.gpus:
            cards.setdefault(task.node, Counter())[grant.index] += grant.milli
        for key, value in ((CPU, size.cpu_milli), (MEMORY, size.memory), (task.model or "", gpus)):
            if value and key:
                on[key] += value
                count.used.add(job_class, key, owner, value)


def _add_queued(count: PanelSums, queued: Iterable[Job]) -> None:
    add = count.queued.add
    model_of: dict[str | None, str | None] = {}
    for job in queued:
        job_class, owner = job.spec.job_class, job.owner
        count.states[job.state, job_class] += 1
        add(job_class, JOBS, owner, 1)
        for role in job.spec.roles:
            size, tasks = role.resources, role.replicas
            add(job_class, TASKS, owner, tasks)
            add(job_class, CPU, owner, size.cpu_milli * tasks)
            add(job_class, MEMORY, owner, size.memory * tasks)
            if not size.gpu_milli:
                continue
            if size.gpu_model not in model_of:
                model_of[size.gpu_model] = likely_model(size, count.nodes_with)
            if (model := model_of[size.gpu_model]) is not None:
                add(job_class, model, owner, size.gpu_milli * tasks)


def _add_node(
    count: PanelSums, node: Node, pool: Pool | None, held: Counter[str], cards: Counter[int] | None
) -> None:
    count.nodes[node.state] += 1
    count.pools[node.state, node.pool] += 1
    foreign, model = node.foreign, node.gpu_model
    sizes = [(CPU, node.cpu_milli, foreign.cpu_milli), (MEMORY, node.memory, foreign.memory)]
    if model is not None:
        sizes.append((model, _WHOLE * len(node.gpus), _taken(node, cards or Counter())))
    for key, size, taken in sizes:
        rest = idle(node, size, held[key], taken)
        count.others[key] += rest.others
        count.free[key] += rest.free
        count.closed[key] += rest.closed
        for job_class in JobClass:
            # A pool that no rule describes serves every class.
            if (pool is None or pool.serves(job_class)) and node.state is not NodeState.OFF:
                count.there[job_class, key] += size
                count.open[job_class, key] += rest.free
    if model is not None and node.state is not NodeState.OFF:
        count.nodes_there[model] += 1
    if model is not None and node.state in IN_SERVICE:
        count.nodes_with[model] += 1
        count.largest[model] = max(count.largest.get(model, 0), _largest(node, cards or Counter()))


def _taken(node: Node, cards: Counter[int]) -> int:
    """Which cards others have is not known: some of those that no task holds."""
    return _WHOLE * min(node.foreign.gpus, _untouched(node, cards))


def _untouched(node: Node, cards: Counter[int]) -> int:
    return sum(not cards[gpu.index] for gpu in node.gpus)


def _largest(node: Node, cards: Counter[int]) -> int:
    """A task takes whole cards, or a share of one: halves of two cards are not a card."""
    whole = _untouched(node, cards) - min(node.foreign.gpus, _untouched(node, cards))
    shares = (_WHOLE - cards[gpu.index] for gpu in node.gpus if cards[gpu.index])
    return _WHOLE * whole or max((0, *shares))
