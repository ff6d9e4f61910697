"""Small states of a cluster for the scheduler's tests: a case reads in a few lines."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from danlu.domain.job import JobClass
from danlu.domain.node import Foreign, Gpu, Node, NodeState
from danlu.domain.reasons import MakingRoom, Reason
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.rules import BUILT_IN, CPUS, GPUS, MEMORY, Limit, Policy, Pool, PriorityClass, Project
from danlu.scheduler import (
    FOREVER,
    Assigned,
    BlockMount,
    Board,
    Decision,
    Lane,
    Pending,
    Plan,
    Rules,
    Running,
    Snapshot,
    decide,
)
from danlu.scheduler.ask import Ask, RoleAsk, _ask
from danlu.scheduler.draft import Draft

MINUTE, HOUR = 60_000, 3_600_000
NOW = 1_000 * HOUR
GIB = 2**30
NOBODY = Foreign()
_DEFAULT = {
    kind: [rule for rule in BUILT_IN if rule.kind == kind] for kind in ("project", "priority", "pool")
}


def node(name: str, gpus: int = 8, model: str = "A100", *, cpus: int = 64, memory: int = 512, pool: str = "default",
         state: NodeState = NodeState.READY, cluster: str = "", foreign: Foreign = NOBODY, closes: int | None = None,
         **labels: str) -> Node:  # fmt: skip
    """`closes` is how long from now on, for the maintenance `move`."""
    cards = tuple(Gpu(index, f"{name}-{index}", model) for index in range(gpus))
    closes_at, closes_for = (None, "") if closes is None else (NOW + closes, "move")
    return Node(
        name, "127.0.0.1", cpus * 1000, memory * GIB, cards, labels, state, False, pool, cluster, foreign,
        closes_at=closes_at, closes_for=closes_for, opens_at=NOW + HOUR if closes is not None and closes <= 0 else None,
    )  # fmt: skip


def others(gpus: int = 0, cpus: float = 0, memory: float = 0) -> Foreign:
    """What others than Danlu hold."""
    return Foreign(int(cpus * 1000), int(memory * GIB), gpus)


def nodes(names: str, gpus: int = 8, model: str = "A100", **rest: object) -> list[Node]:
    """Equal nodes, their names in one string."""
    return [node(name, gpus, model, **rest) for name in names.split()]  # type: ignore[arg-type]


def size(gpus: float = 1, model: str | None = "A100", cpus: float = 1, memory: float = 1) -> Resources:
    return Resources(int(cpus * 1000), int(memory * GIB), round(gpus * 1000), model if gpus else None)


def ask(gpus: float = 1, model: str | None = "A100", *, tasks: int = 1, least: int | None = None, cpus: float = 1,
        memory: float = 1, kind: str | None = None, same: str | None = None, prefer: str | None = None,
        **selector: str) -> Ask:  # fmt: skip
    part = RoleAsk("worker", size(gpus, model, cpus, memory), tasks if least is None else least, tasks)
    return gang(part, kind=kind, same=same, prefer=prefer, **selector)  # type: ignore[arg-type]


def role(name: str, tasks: int = 1, gpus: float = 1, model: str | None = "A100", *, least: int | None = None,
         cpus: float = 1, memory: float = 1) -> RoleAsk:  # fmt: skip
    return RoleAsk(name, size(gpus, model, cpus, memory), tasks if least is None else least, tasks)


def gang(*parts: RoleAsk, least: int = 0, kind: str | None = None, same: str | None = None, prefer: str | None = None,
         **selector: str) -> Ask:  # fmt: skip
    """Roles that start together; `least` is how many tasks it takes in all."""
    tasks = sum(part.replicas for part in parts)
    job_class = JobClass(kind) if kind else JobClass.SINGLE if tasks == 1 else JobClass.DISTRIBUTED
    minimum = max(least, sum(part.minimum for part in parts))
    return _ask(job_class, (parts,), minimum, tuple(sorted(selector.items())), same, prefer)


def total(gpus: int, model: str | None = "A100", *, cpus: float = 1, memory: float = 1, same: str | None = None,
          **selector: str) -> Ask:  # fmt: skip
    """So many GPUs in all, in whatever number of equal tasks."""
    whole = size(gpus, model, cpus, memory)
    gangs = tuple(
        (RoleAsk("worker", whole.split(tasks), tasks, tasks),)
        for tasks in range(1, gpus + 1)
        if gpus % tasks == 0
    )
    job_class = JobClass.SINGLE if gpus == 1 else JobClass.DISTRIBUTED
    return _ask(job_class, gangs, 1, tuple(sorted(selector.items())), same, None)


_births = itertools.count(1)


def wait(job: str, gpus: float = 1, model: str | None = "A100", *, owner: str = "ann", at: int | None = None,
         of: Ask | None = None, project: str = "public", priority: str = "normal", max_time: int = FOREVER,
         pinned: int | None = None, slot: int | None = None, gave_way_to: Iterable[str] = (),
         nominated: tuple[Assigned, ...] = (), held: int = 0, refusals: int = 0, avoids: str = "",
         mounts: str = "", **asked: object) -> Pending:  # fmt: skip
    """`mounts` names block volumes, with an exclamation mark those that it writes to."""
    born = NOW - HOUR + (next(_births) if at is None else at)
    return Pending(job, owner, of or ask(gpus, model, **asked), born, (NOW - HOUR + slot if slot else born, job), project, priority,  # type: ignore[arg-type]
                   max_time, pinned, nominated, frozenset(gave_way_to), refusals, NOW + held if held else None,
                   avoids=frozenset(avoids.split()), mounts=_mounts(job, mounts))  # fmt: skip


def run(job: str, where: str | Iterable[str], gpus: float = 1, model: str | None = "A100", *, owner: str = "bob",
        cards: Iterable[int] = (), of: Ask | None = None, since: int = HOUR, project: str = "public",
        priority: str = "normal", max_time: int = FOREVER, preemptible: bool = True, leaving: bool = False,
        saved: int | None = None, avoids: str = "", mounts: str = "", expected: int = FOREVER,
        **asked: object) -> Running:  # fmt: skip
    """A job with one task on each of these nodes (one string of names), on the cards from the first (or from those
    given)."""
    nodes = where.split() if isinstance(where, str) else list(where)
    of = of or ask(gpus, model, **{"tasks": len(nodes), **asked})  # type: ignore[arg-type]
    each = of.gangs[0][0].size
    picked = list(cards) or list(range(max(1, each.whole_gpus))) if each.gpu_milli else []
    grants = tuple(GpuGrant(card, min(each.gpu_milli, 1000)) for card in picked)
    tasks = tuple(
        Assigned("worker", index, name, each.cpu_milli, each.memory, grants, model if grants else None)
        for index, name in enumerate(nodes)
    )
    began = NOW - since
    return Running(job, owner, of, began, () if leaving else tasks, tasks if leaving else (), project, priority,
                   max_time, preemptible, (began, job), saved_at=None if saved is None else NOW - saved,
                   avoids=frozenset(avoids.split()), mounts=_mounts(job, mounts), expected_time=expected)  # fmt: skip


def _mounts(job: str, said: str) -> tuple[BlockMount, ...]:
    return tuple(BlockMount(one.rstrip("!"), one.endswith("!"), one.rstrip("!"), job) for one in said.split())


@dataclass(frozen=True)
class Decided(Plan):
    """A plan together with what is told of those who wait: cases look at both."""

    decision: Decision = field(repr=False, compare=False)

    @property
    def waiting(self) -> Mapping[str, Reason]:
        return self.decision.waiting

    @property
    def queue(self) -> Mapping[Lane, tuple[Pending, ...]]:
        return self.decision.queue


def decided(decision: Decision) -> Decided:
    plan = decision.plan
    return Decided(plan.starts, plan.growths, plan.evictions, decision)


@dataclass
class State:
    """Everything a decision sees."""

    nodes: list[Node]
    jobs: list[Any] = field(default_factory=list)
    """Pending and Running, which have no type in common that a list of both would be inferred to have."""
    projects: list[Project] = field(default_factory=list)
    priorities: list[PriorityClass] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    scores: Mapping[tuple[str, str], float] = field(default_factory=dict)
    policy: Policy = field(default_factory=Policy)
    now: int = NOW

    @property
    def rules(self) -> Rules:
        projects = {rule.name: rule for rule in (*_DEFAULT["project"], *self.projects)}
        priorities = {rule.name: rule for rule in (*_DEFAULT["priority"], *self.priorities)}
        return Rules(projects, priorities, tuple(self.limits), self.policy)  # type: ignore[arg-type]

    @property
    def pending(self) -> list[Pending]:
        return [job for job in self.jobs if isinstance(job, Pending)]

    @property
    def running(self) -> list[Running]:
        return [job for job in self.jobs if isinstance(job, Running)]

    def snapshot(self) -> Snapshot:
        board = Board()
        board.set_nodes(self.nodes, {pool.name: pool for pool in self.pools})
        for job in self.jobs:
            board.put(job)
        return self.seen(board)

    def seen(self, board: Board) -> Snapshot:
        """A snapshot of a board that has the same jobs and nodes."""
        return board.snapshot(self.now, self.rules, self.scores)

    def shares(self) -> dict[str, dict[str, int]]:
        """What each account deserves of each resource, as things stand."""
        draft = Draft(self.snapshot())
        draft.shares.divide()
        names = {rule.account for rule in self.rules.projects.values()}
        resources = {CPUS, GPUS, MEMORY, *(one.gpu_model or GPUS for one in self.nodes)}
        return {name: {each: draft.shares.deserved(name, each) for each in resources} for name in names}

    def decide(self) -> Decided:
        return decided(decide(self.snapshot()))

    def applied(self, plan: Plan) -> State:
        """As it is once everybody who had to leave has left and everybody who could start has started."""
        jobs: dict[str, Pending | Running] = {job.job_id: job for job in self.jobs}
        for eviction in plan.evictions:
            job = jobs[eviction.job_id]
            assert isinstance(job, Running)
            if eviction.whole:
                jobs[eviction.job_id] = job.requeued(eviction.made_for)
            else:
                jobs[eviction.job_id] = replace(
                    job, tasks=tuple(t for t in job.tasks if t not in eviction.tasks)
                )
        for start in plan.starts:
            jobs[start.job_id] = self._started(jobs[start.job_id], start.tasks)
        for growth in plan.growths:
            job = jobs[growth.job_id]
            assert isinstance(job, Running)
            jobs[growth.job_id] = replace(job, tasks=(*job.tasks, *growth.tasks))
        return replace(self, jobs=list(jobs.values()))

    def told(self, plan: Decided) -> State:
        """As it is right after: who must leave still is there, who must wait for that has its nomination, and
        who is told another reason than that has it no more."""
        jobs: dict[str, Pending | Running] = {
            job.job_id: job
            if isinstance(plan.waiting.get(job.job_id), MakingRoom)
            else replace(job, nominated=())
            for job in self.jobs
        }
        for eviction in plan.evictions:
            job = jobs[eviction.job_id]
            assert isinstance(job, Running)
            stays = () if eviction.whole else tuple(task for task in job.tasks if task not in eviction.tasks)
            gave_way = job.gave_way_to | ({eviction.made_for} if eviction.whole else frozenset())
            jobs[eviction.job_id] = replace(
                job, tasks=stays, leaving=(*job.leaving, *eviction.tasks), gave_way_to=gave_way
            )
        for start in plan.starts:
            job = jobs[start.job_id]
            jobs[start.job_id] = (
                replace(job, nominated=start.tasks) if start.after else self._started(job, start.tasks)
            )
        for growth in (growth for growth in plan.growths if not growth.after):
            job = jobs[growth.job_id]
            assert isinstance(job, Running)
            jobs[growth.job_id] = replace(job, tasks=(*job.tasks, *growth.tasks))
        return replace(self, jobs=list(jobs.values()))

    def left(self, *names: str) -> State:
        """Once the tasks that were leaving of these jobs have ended (of all, where none is named)."""
        return replace(
            self, jobs=[_left(job) if not names or job.job_id in names else job for job in self.jobs]
        )

    def without(self, *names: str) -> State:
        return replace(self, jobs=[job for job in self.jobs if job.job_id not in names])

    def plus(self, *jobs: Pending | Running) -> State:
        return replace(self, jobs=[*self.jobs, *jobs])

    def later(self, time: int) -> State:
        return replace(self, now=self.now + time)

    def _started(self, job: Pending | Running, tasks: tuple[Assigned, ...]) -> Running:
        assert isinstance(job, Pending), f"{job.job_id} still holds something"
        return Running(
            job.job_id, job.owner, job.ask, self.now, tasks, (), job.project, job.priority, job.max_time, True,
            job.slot, job.pinned_at, job.gave_way_to, avoids=job.avoids,
            mounts=job.mounts,
        )  # fmt: skip


def _left(job: Pending | Running) -> Pending | Running:
    if isinstance(job, Pending) or not job.leaving:
        return job
    if job.tasks:
        return replace(job, leaving=())
    queued = job.requeued("")
    return replace(queued, gave_way_to=job.gave_way_to)


# ── plans in a few words ─────────────────────────────────────────────────────────────────────────────


def started(plan: Plan) -> list[str]:
    """Who starts, at once or as soon as room is made; by name."""
    return sorted(start.job_id for start in plan.starts)


def evicted(plan: Plan) -> dict[str, str]:
    """Who must leave, and for whom."""
    return {eviction.job_id: eviction.made_for for eviction in plan.evictions}


def places(plan: Plan, job: str) -> list[str]:
    """`node:card,card` of each task a job is started with."""
    return [shown(task) for start in plan.starts if start.job_id == job for task in start.tasks]


def shown(task: Assigned) -> str:
    cards = ",".join(str(grant.index) for grant in task.gpus)
    return f"{task.node}:{cards}" if cards else task.node
