"""Into running tasks: on this machine, and in pods."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from danlu.bootstrap.parts import Parts
from danlu.domain.job import Task
from danlu.domain.rules import KubernetesCluster
from danlu.engines.local.ways import LocalWays
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import Connection, Shell

if TYPE_CHECKING:
    from danlu.engines.shells import Shells


class TaskWays:
    """Implements `Interactive`, `Inspectable` and `Reachable`; what it takes to enter pods is loaded with the first
    visit."""

    def __init__(self, parts: Parts, clusters: Callable[[], Mapping[str, KubernetesCluster]]) -> None:
        self._parts, self._clusters = parts, clusters

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        shells = await asyncio.to_thread(lambda: self._shells)
        return await shells.exec(attempt_id, task, argv, tty)

    async def connect(self, attempt_id: str, task: Task, port: int) -> Connection:
        shells = await asyncio.to_thread(lambda: self._shells)
        return await shells.connect(attempt_id, task, port)

    def stacks(self, attempt_id: str, task: Task) -> str:
        return self._shells.stacks(attempt_id, task)

    @functools.cached_property
    def _shells(self) -> Shells:
        from danlu.engines.shells import Shells

        settings, runs = self._parts.settings, self._parts.directory.runs
        local = LocalWays(runs, settings.python) if settings.engine == "local" else None
        return Shells(local, self._cluster)

    def _cluster(self, name: str) -> tuple[KubernetesCluster, ClusterCredentials] | None:
        cluster = self._clusters().get(name)
        access = self._parts.secrets.access(name) if cluster else None
        return (cluster, access) if cluster and access else None


def ways_into_tasks(parts: Parts, clusters: Callable[[], Mapping[str, KubernetesCluster]]) -> TaskWays | None:
    """None where nothing really runs."""
    return None if parts.settings.engine == "simulated" else TaskWays(parts, clusters)
