"""A project's current use: its share of the nodes, and how many of its jobs run and wait."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.plane.planner import Planner
from danlu.control.rules.registry import Registry
from danlu.domain.job import JobState, Time
from danlu.domain.permissions import Caller
from danlu.domain.rules import Project
from danlu.ports.store import JobQuery, JobStore
from danlu.scheduler.standing import Share, shares_of

_RUNNING = (JobState.STARTING, JobState.RUNNING, JobState.STOPPING)


@dataclass(frozen=True, slots=True)
class Standing:
    at: Time
    project: Project
    shares: tuple[Share, ...]
    running: int
    queued: int


class Standings:
    """Any thread."""

    def __init__(self, planner: Planner, registry: Registry, store: JobStore) -> None:
        self._planner, self._registry, self._store = planner, registry, store

    def of(self, caller: Caller, name: str) -> Standing:
        """As of now, for whoever may know of the project."""
        project = self._registry.one(caller, Project, name)
        snapshot = self._planner.snapshot()
        return Standing(
            snapshot.now,
            project,
            shares_of(snapshot, name),
            running=self._count(name, *_RUNNING),
            queued=self._count(name, JobState.QUEUED),
        )

    def _count(self, project: str, *states: JobState) -> int:
        return self._store.page(JobQuery(project=project, states=states, limit=1)).total
