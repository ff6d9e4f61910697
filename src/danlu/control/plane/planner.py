"""From the known state to a plan, and from a plan to events of jobs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from danlu.control.plane.decisions import Decisions
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.node_rules import RuledNodes
from danlu.control.plane.view import ActiveView
from danlu.control.rules.registry import Registry
from danlu.domain.events import Event, Evicted, Grown, Nominated, Placed
from danlu.domain.job import Job, Task, Time
from danlu.domain.node import Node
from danlu.domain.permissions import Caller
from danlu.domain.project_access import may_queue
from danlu.domain.rules import Policy, Project
from danlu.ports.clock import Clock
from danlu.scheduler import (
    NOTHING_TO_DECIDE,
    Assigned,
    Decision,
    Growth,
    Plan,
    Rules,
    Snapshot,
    Start,
    decide,
)

_PROJECTS_TRIED = 8
"""Each suggestion of another project needs its own decision, so at most this many projects are tried."""


class Planner:
    """Makes decisions from the view, the rules and the ledger. Any thread."""

    def __init__(
        self,
        view: ActiveView,
        registry: Registry,
        ledger: Ledger,
        inventory: Callable[[], Sequence[Node]],
        clock: Clock,
        policy: Policy,
    ) -> None:
        self._view, self._registry, self.ledger = view, registry, ledger
        self._clock, self.policy = clock, policy
        self._ruled = RuledNodes(inventory, registry, clock)
        self._lock = threading.Lock()
        self._latest: Decision | None = None
        self.decided_at: Time | None = None
        self.decisions = Decisions()

    def nodes(self) -> Sequence[Node]:
        """The nodes as engines report them and administrators rule; the same object while nothing changed."""
        return self._ruled()

    def snapshot(self) -> Snapshot:
        """Everything a decision may depend on, as of now."""
        with self._lock:
            return self._snapshot(self._clock.now())

    def _snapshot(self, now: Time) -> Snapshot:
        registry = self._registry
        for owner, jobs in self._view.take_owners().items():
            self.ledger.hold(owner, jobs)
        limits = tuple(registry.limits().values())
        rules = Rules(registry.projects(), registry.priorities(), limits, self.policy)
        return self._view.snapshot(now, self.nodes(), registry.pools(), rules, self.ledger.scores(now))

    def decide(self) -> Decision:
        """Decide on what is known now."""
        began = time.perf_counter()
        now, decision = self._decided()
        self._latest, self.decided_at = decision, now
        self.decisions.made(now, time.perf_counter() - began)
        return decision

    def _decided(self) -> tuple[Time, Decision]:
        if self._view.empty:
            return self._clock.now(), NOTHING_TO_DECIDE
        snapshot = self.snapshot()
        return snapshot.now, decide(snapshot)

    def latest_decision(self) -> Decision:
        """What was decided last."""
        return self._latest or self.decide()

    def usable_projects(self, caller: Caller, job: Job) -> list[Project]:
        """The projects in which the person could have queued the job at its priority."""
        wanted = self._registry.priorities().get(job.spec.priority)
        alike: dict[object, Project] = {}
        for name, project in sorted(self._registry.projects().items()):
            allowed = project.allows(job.spec.priority) and may_queue(caller, project)
            if allowed and (wanted is None or wanted.open_to(caller.user, name)):
                # Of projects with the same share and the same rules, try only one.
                key = (project.account, repr(project.cap), repr(project.node_selector), project.closed)
                alike.setdefault(key, project)
        return list(alike.values())[:_PROJECTS_TRIED]

    def events_of(self, plan: Plan) -> Iterator[tuple[str, Event]]:
        """The events of a plan for each job: evictions first, then starts."""
        now = self._clock.now()
        addresses = {node.name: node.address for node in self.nodes()}
        for eviction in plan.evictions:
            if (job := self._view.get(eviction.job_id)) is not None:
                names = (
                    () if eviction.whole else tuple(f"{task.role}-{task.index}" for task in eviction.tasks)
                )
                yield job.id, Evicted(job.attempts, eviction.made_for, eviction.reason, names)
        for start in plan.starts:
            if (job := self._view.get(start.job_id)) is not None:
                yield job.id, _started(job, start, addresses, now)
        for growth in plan.growths:  # what must wait for others to leave is decided again when they have left
            if not growth.after and (job := self._view.get(growth.job_id)) is not None:
                yield job.id, _grown(job, growth, addresses, now)


def _started(job: Job, start: Start, addresses: Mapping[str, str], now: Time) -> Event:
    if start.after:
        return Nominated(tuple(_tasks(start.tasks, addresses, None)), start.after)
    return Placed(job.attempts + 1, tuple(_tasks(start.tasks, addresses, now)), start.grounds)


def _grown(job: Job, growth: Growth, addresses: Mapping[str, str], now: Time) -> Event:
    """Names of tasks that left are not reused: a new task takes the next free number."""
    assert job.attempt is not None
    used = {task.name for task in job.attempt.tasks}
    tasks = []
    for task in _tasks(growth.tasks, addresses, now):
        index = next(number for number in range(len(used) + 1) if f"{task.role}-{number}" not in used)
        tasks.append(replace(task, index=index))
        used.add(tasks[-1].name)
    return Grown(job.attempts, tuple(tasks))


def _tasks(assigned: Iterable[Assigned], addresses: Mapping[str, str], at: Time | None) -> Iterator[Task]:
    for part in assigned:
        yield Task(part.role, part.index, part.node, addresses[part.node], part.gpus, part.model, at)
