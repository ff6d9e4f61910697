"""Running jobs that may be evicted, as columns: which of them would make room for a task, and on which node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from danlu.domain.arrays import Mask, np
from danlu.domain.job import JobClass
from danlu.domain.reasons import Reason
from danlu.domain.resources import Resources
from danlu.scheduler.board import Snapshot
from danlu.scheduler.cluster import Column
from danlu.scheduler.model import Assigned, Running
from danlu.scheduler.room import Layer

_NODES = 64
"""How many of the best jobs or nodes by sums are returned; the caller checks their cards."""


@dataclass(frozen=True, eq=False, slots=True)
class Victim:
    """A running job, or a spare task of an elastic one."""

    job: Running
    tasks: tuple[Assigned, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class EvictionPlan:
    """How room is made: the victims with their reasons, and where the job runs then."""

    victims: tuple[tuple[Victim, Reason], ...]
    tasks: tuple[Assigned, ...]


class Victims:
    """All jobs that may be evicted. Rows are tasks, sorted by node, the largest first."""

    def __init__(self, snapshot: Snapshot) -> None:
        rules, index = snapshot.rules, snapshot.cluster.index
        self.jobs = [one for one in snapshot.running.values() if one.tasks and _evictable(snapshot, one)]
        self.at = {one.job_id: number for number, one in enumerate(self.jobs)}
        self._projects = {
            name: number for number, name in enumerate(sorted({one.project for one in self.jobs}))
        }
        self._project: Column = np.array([self._projects[one.project] for one in self.jobs], np.int64)
        self.priority: Column = np.array([rules.priority(one.priority).value for one in self.jobs], np.int64)
        self.loses: Column = np.array([snapshot.now - one.unsaved_since for one in self.jobs], np.int64)
        """The time of each job since its last checkpoint."""
        self.wide: Mask = np.array([len(one.tasks) > 1 for one in self.jobs], np.bool_)
        self.elastic: Mask = np.array([one.ask.elastic for one in self.jobs], np.bool_)
        self.left: Mask = np.ones(len(self.jobs), np.bool_)
        rows = [
            (index[task.node], number, task.cpu_milli, task.memory, sum(grant.milli for grant in task.gpus))
            for number, one in enumerate(self.jobs)
            for task in one.tasks
            if task.node in index
        ]
        table = np.array(rows, np.int64).reshape(len(rows), 5)
        table = table[
            np.lexsort((self.loses[table[:, 1]], self.priority[table[:, 1]], -table[:, 4], table[:, 0]))
        ]
        self._node, self._job, self._cpu, self._memory, self._gpu = (table[:, at] for at in range(5))

    def of(self, projects: Iterable[str], below: int | None = None) -> Mask:
        """Jobs of these projects, below the priority if one is given, that are not victims yet."""
        picked = np.zeros(len(self._projects) + 1, np.bool_)
        picked[[self._projects[name] for name in projects if name in self._projects]] = True
        wanted = self.left & picked[self._project]
        return wanted if below is None else wanted & (self.priority < below)

    def take(self, job_id: str) -> None:
        if job_id in self.at:
            self.left[self.at[job_id]] = False

    def single(self, among: Mask, size: Resources, layer: Layer, nodes: Mask) -> list[Running]:
        """Jobs of which one would be enough, by sums: the lowest priority first, then the least work lost."""
        rows, short = self._short(among, size, layer, nodes)
        enough = (
            (self._cpu[rows] >= short[0]) & (self._memory[rows] >= short[1]) & (self._gpu[rows] >= short[2])
        )
        jobs = np.unique(self._job[rows[enough]])
        best = jobs[np.lexsort((jobs, self.loses[jobs], self.priority[jobs]))]
        return [self.jobs[number] for number in best[:_NODES]]

    def several(
        self, among: Mask, size: Resources, layer: Layer, nodes: Mask
    ) -> list[tuple[int, list[Running]]]:
        """The nodes with the fewest victims needed, by sums, and the jobs there."""
        rows, short = self._short(among, size, layer, nodes)
        if not len(rows):
            return []
        node = self._node[rows]
        first = np.flatnonzero(np.r_[True, node[1:] != node[:-1]])
        begin = np.repeat(first, np.diff(np.r_[first, len(rows)]))
        enough = np.ones(len(rows), np.bool_)
        for freed, needed in zip((self._cpu, self._memory, self._gpu), short, strict=True):
            sums = np.cumsum(freed[rows])
            enough &= sums - np.where(begin > 0, sums[begin - 1], 0) >= needed
        count = np.minimum.reduceat(np.where(enough, np.arange(len(rows)) - begin, len(rows)), first)
        best = np.argsort(count, kind="stable")[:_NODES]
        return [
            (
                int(node[first[at]]),
                [self.jobs[number] for number in np.unique(self._job[rows[node == node[first[at]]]])],
            )
            for at in best
            if count[at] < len(rows)
        ]

    def _short(self, among: Mask, size: Resources, layer: Layer, nodes: Mask) -> tuple[Column, list[Column]]:
        """The rows of these jobs on these nodes, and what each node lacks for one more task."""
        rows = np.flatnonzero(among[self._job] & nodes[self._node])
        node = self._node[rows]
        lacking = size.gpu_milli - layer.cards[node].sum(1)
        return rows, [size.cpu_milli - layer.free[node, 0], size.memory - layer.free[node, 1], lacking]


def _evictable(snapshot: Snapshot, one: Running) -> bool:
    policy = snapshot.rules.policy
    return (
        one.preemptible
        and snapshot.rules.priority(one.priority).may_be_preempted
        and (policy.evict_workspaces or one.ask.job_class is not JobClass.WORKSPACE)
        and snapshot.now - one.began >= max(1, policy.minimum_run_time)  # never in the moment it starts
    )


def part_of(victim: Victim, node: str, size: Resources) -> float:
    """How much of a task's request a victim would free on a node."""
    here = [task for task in victim.tasks if task.node == node]
    left = (
        (sum(grant.milli for task in here for grant in task.gpus), size.gpu_milli),
        (sum(task.cpu_milli for task in here), size.cpu_milli),
        (sum(task.memory for task in here), size.memory),
    )
    return sum(min(1.0, freed / wanted) for freed, wanted in left if wanted)
