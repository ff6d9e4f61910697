"""A state file as the scheduler sees it, and the state that a plan leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from danlu.domain.job import Time
from danlu.domain.node import Node
from danlu.domain.rules import Pool
from danlu.domain.score import CPU, Charge, added
from danlu.scheduler import Assigned, Board, Pending, Plan, Rules, Running, Snapshot

Scores = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class State:
    """Everything a decision sees. `told` are the given scores, `ledger` is past use."""

    now: Time
    nodes: tuple[Node, ...]
    pools: Mapping[str, Pool]
    rules: Rules
    jobs: Mapping[str, Pending | Running]
    firm: frozenset[str] = frozenset()
    """Jobs that may not be evicted, wherever they stand."""
    told: Scores = field(default_factory=dict)
    ledger: tuple[Charge, ...] = ()

    def snapshot(self) -> Snapshot:
        board = Board()
        board.set_nodes(self.nodes, self.pools)
        for job in self.jobs.values():
            board.put(job)
        return board.snapshot(self.now, self.rules, self.scores())

    def scores(self) -> dict[tuple[str, str], float]:
        """By user and model: as told, else from the ledger and from when running jobs began."""
        total: dict[tuple[str, str], float] = {}
        held = [
            charge
            for job in self.jobs.values()
            if isinstance(job, Running)
            for charge in _charges(job, (*job.tasks, *job.leaving), None)
        ]
        for charge in (*self.ledger, *held):
            key = (charge.user, charge.model)
            total[key] = total.get(key, 0.0) + added(charge, self.now, self.rules.policy.score_time)
        return {**total, **self.told}

    def applied(self, plan: Plan) -> State:
        """The state after the plan: evicted jobs have left, and started jobs run."""
        jobs = dict(self.jobs)
        ended: list[Charge] = []
        for eviction in plan.evictions:
            job = jobs[eviction.job_id]
            assert isinstance(job, Running)
            ended += _charges(job, eviction.tasks, self.now)
            stay = tuple(task for task in job.tasks if task not in eviction.tasks)
            jobs[job.job_id] = job.requeued(eviction.made_for) if eviction.whole else replace(job, tasks=stay)
        for left in [job for job in jobs.values() if isinstance(job, Running) and job.leaving]:
            ended += _charges(left, left.leaving, self.now)
            if left.tasks:
                jobs[left.job_id] = replace(left, leaving=())
            elif left.nominated or left.gave_way_to:
                jobs[left.job_id] = replace(left, leaving=()).requeued("")
            else:
                del jobs[left.job_id]
        for start in plan.starts:
            waited = jobs[start.job_id]
            assert isinstance(waited, Pending)
            jobs[start.job_id] = self._started(waited, start.tasks)
        for growth in plan.growths:
            job = jobs[growth.job_id]
            assert isinstance(job, Running)
            jobs[growth.job_id] = replace(job, tasks=(*job.tasks, *growth.tasks))
        return replace(self, jobs=jobs, ledger=(*self.ledger, *ended))

    def _started(self, job: Pending, tasks: tuple[Assigned, ...]) -> Running:
        return Running(
            job.job_id, job.owner, job.ask, self.now, tasks, (), job.project, job.priority, job.max_time,
            job.job_id not in self.firm, job.slot, job.pinned_at, job.gave_way_to, mounts=job.mounts,
        )  # fmt: skip


def _charges(job: Running, tasks: tuple[Assigned, ...], ended: Time | None) -> list[Charge]:
    return [
        Charge(
            user=job.owner,
            model=task.model or CPU,
            milli=sum(grant.milli for grant in task.gpus) if task.model else task.cpu_milli,
            began=job.began,
            ended=ended,
            job_id=job.job_id,
            job_name=job.job_id,
            attempt=1,
            task=f"{task.role}-{task.index}",
        )
        for task in tasks
    ]
