"""Input and output of a decision."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from danlu.domain.events import Grounds
from danlu.domain.job import JobClass, Time
from danlu.domain.node import Node
from danlu.domain.reasons import Reason
from danlu.domain.resources import GpuGrant
from danlu.domain.rules import CPUS, GPUS, MEMORY, Amounts, Limit, Policy, PriorityClass, Project
from danlu.scheduler.ask import Ask

FOREVER = 2**62
"""Later than any time: the end of jobs without max_time."""

Lane = tuple[str, JobClass]
"""Jobs that compete for one GPU model (or for CPUs alone), by class."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """One task at its place, and what it holds there."""

    role: str
    index: int
    node: str
    cpu_milli: int
    memory: int
    gpus: tuple[GpuGrant, ...] = ()
    model: str | None = None


@dataclass(frozen=True, slots=True)
class BlockMount:
    """A block volume that a job mounts, by id, and as people know the volume and the job."""

    volume: str
    writes: bool
    title: str = ""
    job: str = ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A queued job."""

    job_id: str
    owner: str
    ask: Ask
    created_at: Time
    slot: tuple[Time, str]
    project: str = "public"
    priority: str = "normal"
    max_time: int = FOREVER
    pinned_at: Time | None = None
    nominated: tuple[Assigned, ...] = ()
    gave_way_to: frozenset[str] = frozenset()
    refusals: int = 0
    held_until: Time | None = None
    """Rejections by clusters in a row, and when it may be placed again."""
    troubles: int = 0
    avoids: frozenset[str] = frozenset()
    """Restarts in a row, and the nodes to avoid if others fit."""
    mounts: tuple[BlockMount, ...] = ()
    fetching: Reason | None = None
    """That it waits for its inputs: it keeps its place in the queue, and others pass it."""
    lacks: Reason | None = None
    """What must change outside the queue before it can start."""


@dataclass(frozen=True)
class Running:
    """A job that uses nodes: `tasks` stay, `leaving` tasks are there until they are seen to have ended."""

    job_id: str
    owner: str
    ask: Ask
    began: Time
    tasks: tuple[Assigned, ...]
    leaving: tuple[Assigned, ...] = ()
    project: str = "public"
    priority: str = "normal"
    max_time: int = FOREVER
    preemptible: bool = True
    slot: tuple[Time, str] = (0, "")
    pinned_at: Time | None = None
    gave_way_to: frozenset[str] = frozenset()
    nominated: tuple[Assigned, ...] = ()
    grows: bool = True
    """Whether it may grow: not once any of its tasks completed, or too many failed."""
    saved_at: Time | None = None
    """When this attempt last saved its progress."""
    avoids: frozenset[str] = frozenset()
    mounts: tuple[BlockMount, ...] = ()
    expected_time: int = FOREVER

    @property
    def ends(self) -> Time:
        return min(FOREVER, self.began + self.max_time)

    def about(self, now: Time) -> Time:
        """When it will probably have ended; FOREVER if nothing tells."""
        expected = self.began + self.expected_time
        return min(self.ends, expected) if expected > now else self.ends

    @property
    def unsaved_since(self) -> Time:
        """Since when its work is unsaved: this is lost if it is evicted."""
        return self.began if self.saved_at is None else max(self.began, self.saved_at)

    @functools.cached_property
    def amounts(self) -> Amounts:
        return total_of(self.tasks)

    @functools.cached_property
    def leaving_amounts(self) -> Amounts:
        return total_of(self.leaving)

    def requeued(self, by: str) -> Pending:
        """The job as it is in the queue after an eviction."""
        gave_way = self.gave_way_to | {by}
        return Pending(
            self.job_id, self.owner, self.ask, self.slot[0], self.slot, self.project, self.priority,
            self.max_time, self.pinned_at, self.nominated, gave_way, avoids=self.avoids,
            mounts=self.mounts,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class QueuedGroup:
    """What queued jobs of one person, project, priority, class and the same models request together, and their
    lanes."""

    demand: Amounts
    lanes: list[Lane]


@dataclass(frozen=True, slots=True)
class QueueLine:
    """The jobs of a group in one lane, in their owner's order, or one job alone that is pinned or nominated.

    `wants` has a bit for each number of an ask and duration; all bits if unknown."""

    lane: Lane
    jobs: tuple[Pending, ...]
    wants: int = -1


@dataclass(frozen=True, slots=True)
class Holding:
    """What the running jobs of one person, project and class use together; `leaving` is the part that is ending."""

    owner: str
    project: str
    job_class: JobClass
    staying: Amounts
    leaving: Amounts
    priorities: frozenset[str]


@dataclass(frozen=True)
class Site:
    """A node with its tasks, and what is free now and after leaving tasks have left."""

    node: Node
    holders: tuple[tuple[Running, Assigned], ...]
    now: bytes
    soon: bytes

    @functools.cached_property
    def staying(self) -> list[tuple[Running, Assigned]]:
        return [(one, task) for one, task in self.holders if task not in one.leaving]

    @functools.cached_property
    def cleared(self) -> Time:
        """When all tasks on it have ended at the latest."""
        return max((one.ends for one, _ in self.staying), default=0)


@dataclass(frozen=True, slots=True)
class Start:
    """A job to start on these tasks' places, once the jobs in `after` have left them."""

    job_id: str
    tasks: tuple[Assigned, ...]
    after: tuple[str, ...] = ()
    grounds: Grounds = field(default=Grounds(), compare=False)


@dataclass(frozen=True, slots=True)
class Growth:
    """Further tasks for a running job that can use more, once the jobs in `after` have left their places."""

    job_id: str
    tasks: tuple[Assigned, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Eviction:
    """A running job, or only these tasks of it, to make room for another."""

    job_id: str
    tasks: tuple[Assigned, ...]
    whole: bool
    made_for: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Plan:
    """Starts, growths and evictions."""

    starts: tuple[Start, ...]
    growths: tuple[Growth, ...]
    evictions: tuple[Eviction, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that a decision needs."""

    projects: Mapping[str, Project]
    priorities: Mapping[str, PriorityClass]
    limits: tuple[Limit, ...] = ()
    policy: Policy = field(default_factory=Policy)

    def project(self, name: str) -> Project:
        """A project; one that was removed while it has jobs counts like one without a weight."""
        return self.projects.get(name) or Project(name)

    def account(self, project: str) -> str:
        return self.project(project).account

    def priority(self, name: str) -> PriorityClass:
        return self.priorities.get(name) or PriorityClass(name)


def total_of(tasks: Iterable[Assigned]) -> Amounts:
    """What tasks at their places hold together."""
    total = {CPUS: 0, MEMORY: 0}
    for task in tasks:
        total[CPUS] += task.cpu_milli
        total[MEMORY] += task.memory
        milli = sum(grant.milli for grant in task.gpus)
        if milli:
            for key in dict.fromkeys((GPUS, task.model or GPUS)):
                total[key] = total.get(key, 0) + milli
    return total
