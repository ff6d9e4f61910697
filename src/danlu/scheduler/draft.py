"""The working state of one decision: current use, and what was given to which job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from danlu.domain.events import Grounds
from danlu.domain.job import Time
from danlu.domain.reasons import Reason
from danlu.scheduler.board import Snapshot, demand_of
from danlu.scheduler.closing import Closing
from danlu.scheduler.evict import Evictor
from danlu.scheduler.gates import Gates
from danlu.scheduler.model import (
    FOREVER,
    Assigned,
    Eviction,
    Growth,
    Lane,
    Pending,
    Plan,
    Start,
    total_of,
)
from danlu.scheduler.order import Order
from danlu.scheduler.room import Room
from danlu.scheduler.shares import Shares, Tally
from danlu.scheduler.victims import Victim
from danlu.scheduler.volumes import BlockVolumes


class Draft:
    """What a decision works on and writes to."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        use, rules = snapshot.use, snapshot.rules
        stay = ((one.owner, one.project, one.job_class, one.staying) for one in use.holdings)
        leave = ((one.owner, one.project, one.job_class, one.leaving) for one in use.holdings)
        self.held = Tally(rules, use.projects, use.people, stay)
        self.leaving = Tally(rules, use.leaving, {}, leave)
        self.room = Room(snapshot.cluster, snapshot.sites, snapshot.shapes)
        self.closing = Closing(snapshot.cluster, snapshot.now, rules.policy.maintenance_notice)
        self.shares = Shares(snapshot, self.held)
        self.gates = Gates(snapshot.rules, self.held, self.leaving)
        self.volumes = BlockVolumes(snapshot.mounting, snapshot.now)
        self.evictor = Evictor(snapshot, self.room, self.held, self.leaving, self.shares, self.gates)
        self.order = Order(snapshot, self.held, self.shares)
        self.starts: dict[str, Start] = {}
        self.promised: dict[str, Start] = {}
        self.given: dict[str, Pending] = {}
        self.kept: set[str] = set()
        """Promised earlier, but not free yet."""
        self.growths: dict[tuple[str, tuple[str, ...]], list[Assigned]] = {}
        self.evictions: list[Eviction] = []
        self.requeued: list[Pending] = []
        self.shrunk: dict[str, list[Assigned]] = {}
        """What stays of jobs that lose some of their tasks, or all."""
        self.placed: dict[str, list[tuple[Time, Assigned]]] = defaultdict(list)

    def plan(self) -> Plan:
        """What was decided so far."""
        return Plan(
            starts=(*self.starts.values(), *self.fresh_promises()),
            growths=tuple(Growth(job, tuple(tasks), after) for (job, after), tasks in self.growths.items()),
            evictions=tuple(self.evictions),
        )

    def waiting(self) -> dict[Lane, tuple[Pending, ...]]:
        """Who does not start, lane by lane, in the order of service."""
        return self.order.waiting(self.requeued, lambda job: job.job_id in self.starts)

    def start(self, job: Pending, tasks: tuple[Assigned, ...], grounds: Grounds) -> None:
        self.starts[job.job_id] = Start(job.job_id, tasks, (), grounds)
        self.hold(job, tasks)

    def promise(self, job: Pending, tasks: tuple[Assigned, ...], leaving: set[str] | None = None) -> None:
        """The job starts once these, and all other jobs leaving its nodes, have left."""
        after = set(leaving or ()) | ({job.job_id} & self.evictor.gone)
        for node in {task.node for task in tasks}:
            after |= set(self.leaving_from(node))
        if not after:  # it is not room that must be left, but a cap or a limit
            everybody = self.snapshot.running.values()
            after = {one.job_id for one in everybody if one.leaving or one.job_id in self.evictor.gone}
        self.promised[job.job_id] = Start(job.job_id, tasks, tuple(sorted(after)))
        self.hold(job, tasks)

    def leaving_from(self, node: str) -> tuple[str, ...]:
        """Who is on the way out of a node."""
        site = self.snapshot.sites[self.snapshot.cluster.index[node]]
        return tuple(
            sorted(
                {
                    one.job_id
                    for one, task in site.holders
                    if task in one.leaving or self.evictor.goes(one, task)
                }
            )
        )

    def grown(self, job_id: str) -> list[Assigned]:
        return [task for (whose, _), tasks in self.growths.items() if whose == job_id for task in tasks]

    def fresh_promises(self) -> list[Start]:
        return [start for job_id, start in self.promised.items() if job_id not in self.kept]

    def hold(self, job: Pending, tasks: Sequence[Assigned], before: Sequence[Assigned] = ()) -> None:
        """Count what was given to one who had the tasks before, and remember when it ends."""
        self.given[job.job_id] = job
        self.volumes.take(job)
        self.held.add(job.owner, job.project, job.ask.job_class, total_of(tasks))
        self.shares.want(job.project, demand_of(job.ask, before), sign=-1)
        self.shares.want(job.project, demand_of(job.ask, (*before, *tasks)))
        ends = min(FOREVER, self.snapshot.now + job.max_time)
        for task in tasks:
            self.placed[task.node].append((ends, task))

    def evict(self, victim: Victim, job: Pending, reason: Reason) -> None:
        """A job is evicted, whole or in part, and waits again for what it loses."""
        one = victim.job
        self.evictor.release(victim)
        self.evictions.append(Eviction(one.job_id, victim.tasks, victim.whole, job.job_id, reason))
        if victim.whole:
            self.requeued.append(one.requeued(job.job_id))
        stay = self.shrunk[one.job_id] = [
            task for task in self.shrunk.get(one.job_id, one.tasks) if task not in victim.tasks
        ]
        self.shares.want(one.project, demand_of(one.ask, [*stay, *victim.tasks]), sign=-1)
        self.shares.want(one.project, demand_of(one.ask, stay))

    def somebody_leaves(self) -> bool:
        return bool(self.evictor.gone or self.evictor.cut) or any(self.snapshot.use.leaving.values())

    def held_back(self, job: Pending) -> bool:
        """Rejected by a cluster recently, or without its inputs: it keeps its place in the queue, and others pass
        it."""
        if job.fetching is not None:
            return True
        return job.held_until is not None and job.held_until > self.snapshot.now

    def still_there(self, job: Pending) -> bool:
        """Evicted just now: it cannot start again before it has ended."""
        return job.job_id in self.evictor.gone

    def grounds(self, job: Pending, model: str, how: str) -> Grounds:
        score, level = self.order.worth(job, model)
        return Grounds(how, job.priority, score, level)
