"""The way into running tasks, wherever they run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from danlu.domain.errors import Unavailable
from danlu.domain.job import Task
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import say
from danlu.engines.kubernetes.ways.ways import KubernetesShells
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import Connection, Inspectable, Interactive, Reachable, Shell


class Ways(Interactive, Inspectable, Reachable, Protocol):
    """Into running tasks: further commands, what their programs are doing, and connections to what listens."""


class Shells:
    """`Ways` over this machine and all clusters; needs no engine but for tasks on this machine.

    `cluster` knows a cluster by its name, with which the names of its nodes end; it may take its time."""

    def __init__(
        self,
        local: Ways | None,
        cluster: Callable[[str], tuple[KubernetesCluster, ClusterCredentials] | None],
    ) -> None:
        self._local, self._cluster = local, cluster
        self._pods = KubernetesShells(self._cluster_of)

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Shell:
        return await (await self._way_to(task)).exec(attempt_id, task, argv, tty)

    async def connect(self, attempt_id: str, task: Task, port: int) -> Connection:
        return await (await self._way_to(task)).connect(attempt_id, task, port)

    def stacks(self, attempt_id: str, task: Task) -> str:
        return self._ways_of(task).stacks(attempt_id, task)

    async def _way_to(self, task: Task) -> Ways:
        return await asyncio.to_thread(self._ways_of, task)

    def _ways_of(self, task: Task) -> Ways:
        return self._local if self._local is not None and self._found(task) is None else self._pods

    def _cluster_of(self, task: Task) -> tuple[KubernetesCluster, ClusterCredentials]:
        found = self._found(task)
        if found is None:
            raise Unavailable(
                say(
                    "cannot run commands in {name}: the cluster of {node} was removed",
                    "无法进入 {name}：{node} 所属的集群已被移除",
                    name=task.name,
                    node=task.node,
                )
            )
        return found

    def _found(self, task: Task) -> tuple[KubernetesCluster, ClusterCredentials] | None:
        _, dot, cluster = task.node.rpartition(".")
        return self._cluster(cluster) if dot else None
