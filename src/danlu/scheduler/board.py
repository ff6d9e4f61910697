"""The known jobs and nodes, kept ready for the next decision; a change costs only what it touches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from danlu.domain.job import JobClass, Time
from danlu.domain.node import Node
from danlu.domain.reasons import Reason
from danlu.domain.resources import Resources
from danlu.domain.rules import CPUS, GPUS, MEMORY, Amounts, Pool
from danlu.domain.score import CPU
from danlu.scheduler.ask import ANY, Ask
from danlu.scheduler.cluster import AllNodes, Column
from danlu.scheduler.columns import NameNumbers, Table
from danlu.scheduler.model import (
    Assigned,
    Holding,
    Lane,
    Pending,
    QueuedGroup,
    QueueLine,
    Rules,
    Running,
    Site,
)

_MANY_WANTS = 20_000

Scores = Mapping[tuple[str, str], float]
"""By user and GPU model (`cpu` for tasks without GPUs)."""

_GroupKey = tuple[str, str, str, JobClass, tuple[str, ...]]
_HoldingKey = tuple[str, str, JobClass]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One immutable view of everything a decision may depend on, time included."""

    now: Time
    cluster: AllNodes
    sites: tuple[Site, ...]
    running: Mapping[str, Running]
    lines: tuple[QueueLine, ...]
    numbers: Column
    """For each line: lane, project, owner, priority and the time of its first slot, by `names`."""
    names: tuple[tuple[Lane, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    wants: Mapping[Ask, Mapping[int, int]]
    """A number for every ask and duration among the lines."""
    use: Use
    apart: tuple[Pending, ...]
    """Pinned and nominated jobs."""
    moving: tuple[Running, ...]
    """Leaving jobs for which room is kept elsewhere."""
    elastic: tuple[Running, ...]
    """Running jobs that could use more tasks than they have."""
    mounting: tuple[Running, ...]
    """Running jobs that mount block volumes."""
    shapes: Mapping[Resources, int]
    """How many tasks of each shape running and queued jobs request."""
    rules: Rules
    scores: Scores
    fetching: Mapping[str, Reason] = field(default_factory=dict)
    """How far the inputs are that queued jobs wait for, by job, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Use:
    """Current and requested use: by project what stays, leaves and is requested, by person what stays."""

    projects: Mapping[str, Amounts]
    leaving: Mapping[str, Amounts]
    demand: Mapping[str, Amounts]
    people: Mapping[str, Amounts]
    priorities: Mapping[str, frozenset[str]]
    holdings: tuple[Holding, ...]


class Board:
    """Queued and running jobs as a decision needs them. Not thread-safe; its snapshots never change."""

    def __init__(self) -> None:
        self._cluster = AllNodes((), {})
        self._given: Sequence[Node] = ()
        self._pending: dict[str, Pending] = {}
        self._running: dict[str, Running] = {}
        self._queued: dict[_GroupKey, dict[str, Pending]] = defaultdict(dict)
        self._apart: dict[str, Pending] = {}
        self._held: dict[_HoldingKey, dict[str, Running]] = defaultdict(dict)
        self._on: dict[str, dict[str, Running]] = defaultdict(dict)
        self._moving: dict[str, Running] = {}
        self._elastic: dict[str, Running] = {}
        self._mounting: dict[str, Running] = {}
        self._shapes: Counter[Resources] = Counter()
        self._groups: dict[_GroupKey, QueuedGroup] = {}
        self._lines: Table[QueueLine] = Table(5)
        self._names: tuple[NameNumbers[Lane], NameNumbers[str], NameNumbers[str], NameNumbers[str]] = (
            NameNumbers(),
            NameNumbers(),
            NameNumbers(),
            NameNumbers(),
        )
        self._holdings: dict[_HoldingKey, Holding] = {}
        self._staying: dict[str, Amounts] = {}
        self._leaving: dict[str, Amounts] = {}
        self._demand: dict[str, Amounts] = {}
        self._people: dict[str, Amounts] = {}
        self._priorities: dict[str, Counter[str]] = defaultdict(Counter)
        self._wants: dict[Ask, dict[int, int]] = {}
        self._own_wants: set[Ask] = set()
        self._wanted = self._numbered = 0
        self._sites: dict[str, Site] = {}
        self._stale: set[_GroupKey | _HoldingKey | str] = set()

    def set_nodes(self, nodes: Sequence[Node], pools: Mapping[str, Pool]) -> None:
        """Set the current nodes; costs nothing if they are the same."""
        if (nodes is self._given or nodes == self._given) and pools == self._cluster.pools:
            return
        before, self._given = self._cluster, nodes
        self._cluster = AllNodes(nodes, pools)
        if self._cluster.models != before.models:  # lanes are made of them
            self._stale |= set(self._groups)
        known = self._sites if self._cluster.width == before.width else {}
        self._sites = {}
        for site in self._cluster.empty:
            name = site.node.name
            same = name in known and known[name].node == site.node
            self._sites[name] = known[name] if same else site
            if not same:
                self._stale.add(name)

    def put(self, job: Pending | Running) -> None:
        """Add or update a job."""
        self.drop(job.job_id)
        self._count(job, +1)
        if isinstance(job, Running):
            self._running[job.job_id] = job
            self._index(job)
            return
        self._pending[job.job_id] = job
        if job.pinned_at is not None or job.nominated:
            self._apart[job.job_id] = job
            return
        key = _group_key(job)
        self._queued[key][job.job_id] = job
        self._stale.add(key)

    def drop(self, job_id: str) -> None:
        """Remove a job that neither waits nor uses anything; unknown jobs are ignored."""
        if (pending := self._pending.pop(job_id, None)) is not None:
            self._count(pending, -1)
            if self._apart.pop(job_id, None) is None:
                key = _group_key(pending)
                del self._queued[key][job_id]
                self._stale.add(key)
        if (running := self._running.pop(job_id, None)) is not None:
            self._count(running, -1)
            self._unindex(running)

    def job(self, job_id: str) -> Pending | Running | None:
        return self._pending.get(job_id) or self._running.get(job_id)

    def snapshot(
        self, now: Time, rules: Rules, scores: Scores, fetching: Mapping[str, Reason] | None = None
    ) -> Snapshot:
        if self._wanted > 2 * self._numbered + _MANY_WANTS:  # most numbers belong to jobs long gone: renumber
            self._wants, self._wanted, self._numbered = {}, 0, -1
            self._stale |= set(self._groups)
        for key in self._stale:
            self._renew(key)
        self._stale.clear()
        if self._numbered < 0:
            self._numbered = self._wanted
        self._own_wants.clear()
        lines, numbers = self._lines.copy()
        return Snapshot(
            now=now,
            cluster=self._cluster,
            sites=tuple(self._sites[node.name] for node in self._cluster.nodes),
            running=dict(self._running),
            lines=tuple(lines),
            numbers=numbers,
            names=tuple(tuple(names) for names in self._names),  # type: ignore[arg-type]
            wants=dict(self._wants),
            use=Use(
                dict(self._staying),
                dict(self._leaving),
                dict(self._demand),
                dict(self._people),
                {name: frozenset(+count) for name, count in self._priorities.items()},
                tuple(self._holdings.values()),
            ),
            apart=tuple(self._apart.values()),
            moving=tuple(self._moving.values()),
            elastic=tuple(self._elastic.values()),
            mounting=tuple(self._mounting.values()),
            shapes=dict(self._shapes),
            rules=rules,
            scores=scores,
            fetching=fetching or {},
        )

    # ── what changed ─────────────────────────────────────────────────────────────────────────────────

    def _index(self, job: Running) -> None:
        key = _holding_key(job)
        self._held[key][job.job_id] = job
        self._stale.add(key)
        if job.nominated:
            self._moving[job.job_id] = job
        if job.mounts:
            self._mounting[job.job_id] = job
        most = sum(part.replicas for part in job.ask.gangs[0])
        if job.grows and job.ask.elastic and not job.leaving and len(job.tasks) < most:
            self._elastic[job.job_id] = job
        for node in {task.node for task in (*job.tasks, *job.leaving)}:
            self._on[node][job.job_id] = job
            self._stale.add(node)

    def _unindex(self, job: Running) -> None:
        key = _holding_key(job)
        del self._held[key][job.job_id]
        self._moving.pop(job.job_id, None)
        self._elastic.pop(job.job_id, None)
        self._mounting.pop(job.job_id, None)
        self._stale.add(key)
        for node in {task.node for task in (*job.tasks, *job.leaving)}:
            del self._on[node][job.job_id]
            self._stale.add(node)

    def _count(self, job: Pending | Running, sign: int) -> None:
        for part in job.ask.gangs[0] if len(job.ask.gangs) == 1 else ():
            self._shapes[part.size] += sign * part.replicas
            if not self._shapes[part.size]:
                del self._shapes[part.size]

    def _renew(self, key: _GroupKey | _HoldingKey | str) -> None:
        if isinstance(key, str):
            self._renew_site(key)
        elif len(key) == 3:
            self._renew_holding(key)
        else:
            self._renew_group(key)

    def _renew_site(self, name: str) -> None:
        at = self._cluster.index.get(name)
        if at is None:
            return
        holders = tuple(
            (job, task)
            for _, job in sorted(self._on[name].items())
            for task in (*job.tasks, *job.leaving)
            if task.node == name
        )
        self._sites[name] = self._cluster.site(self._cluster.nodes[at], holders)

    def _renew_holding(self, key: _HoldingKey) -> None:
        jobs = self._held[key].values()
        before = self._holdings.pop(key, _NOTHING)
        after = _NOTHING
        if jobs:
            staying, leaving = _sum(job.amounts for job in jobs), _sum(job.leaving_amounts for job in jobs)
            after = Holding(*key, staying, leaving, frozenset(job.priority for job in jobs))
            self._holdings[key] = after
        _shift(self._staying, key[1], before.staying, after.staying)
        _shift(self._leaving, key[1], before.leaving, after.leaving)
        _shift(self._people, key[0], before.staying, after.staying)
        self._priorities[key[1]].subtract(before.priorities)
        self._priorities[key[1]].update(after.priorities)

    def _renew_group(self, key: _GroupKey) -> None:
        jobs = tuple(sorted(self._queued[key].values(), key=lambda job: job.slot))
        before = self._groups.pop(key, None)
        demand = _demand(jobs)
        _shift(self._demand, key[1], before.demand if before else {}, demand)
        known = before.lanes if before else []
        wanted = lanes(self._cluster, key[4], key[3]) if jobs else []
        for lane in known:
            if lane not in wanted:
                self._lines.drop((key, lane))
        if jobs:
            self._groups[key] = QueuedGroup(demand, wanted)
            lane_names, projects, owners, priorities = self._names
            ranks = (projects[key[1]], owners[key[0]], priorities[key[2]], jobs[0].slot[0])
            wants = 0
            for ask, max_time in {(job.ask, job.max_time) for job in jobs}:
                wants |= 1 << self._number(ask, max_time)
            for lane in wanted:
                self._lines.set((key, lane), QueueLine(lane, jobs, wants), lane_names[lane], *ranks)

    def _number(self, ask: Ask, max_time: int) -> int:
        numbers = self._wants.get(ask, {})
        if max_time not in numbers:
            if ask not in self._own_wants:  # a snapshot may hold this one
                numbers = self._wants[ask] = dict(numbers)
                self._own_wants.add(ask)
            numbers[max_time] = self._wanted
            self._wanted += 1
        return numbers[max_time]


def lanes(cluster: AllNodes, models: tuple[str, ...], job_class: JobClass) -> list[Lane]:
    """The lanes of a job: one for each GPU model it accepts, or that of CPUs alone."""
    if not models:
        return [(CPU, job_class)]
    return [(model, job_class) for model in ((cluster.models or models) if models == (ANY,) else models)]


def demand_of(ask: Ask, tasks: Sequence[Assigned] = ()) -> Amounts:
    """What a job requests beyond these tasks; one that accepts several models requests it of each."""
    total: dict[str, int] = {CPUS: 0, MEMORY: 0}
    for part in ask.gangs[0]:
        have = len(tasks) if len(ask.gangs) > 1 else sum(task.role == part.role for task in tasks)
        missing = max(0, part.replicas - have)
        total[CPUS] += part.size.cpu_milli * missing
        total[MEMORY] += part.size.memory * missing
        if part.size.gpu_milli:
            for key in (GPUS, *(part.size.models or (ANY,))):
                total[key] = total.get(key, 0) + part.size.gpu_milli * missing
    return total


def _demand(jobs: Iterable[Pending]) -> Amounts:
    """What jobs request together; many have the same ask."""
    total: dict[str, int] = {}
    for ask, count in Counter(job.ask for job in jobs).items():
        for name, amount in demand_of(ask).items():
            total[name] = total.get(name, 0) + count * amount
    return total


def _sum(parts: Iterable[Amounts]) -> Amounts:
    total: dict[str, int] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, 0) + amount
    return total


def _shift(totals: dict[str, Amounts], key: str, before: Amounts, after: Amounts) -> None:
    """Update a sum; the old one may be in a snapshot and is not changed."""
    known = totals.get(key, {})
    names = {*known, *before, *after}
    total = {name: known.get(name, 0) + after.get(name, 0) - before.get(name, 0) for name in names}
    totals[key] = {name: amount for name, amount in total.items() if amount}


_NOTHING = Holding("", "", JobClass.SINGLE, {}, {}, frozenset())


def _group_key(job: Pending) -> _GroupKey:
    return (job.owner, job.project, job.priority, job.ask.job_class, job.ask.models)


def _holding_key(job: Running) -> _HoldingKey:
    return (job.owner, job.project, job.ask.job_class)
