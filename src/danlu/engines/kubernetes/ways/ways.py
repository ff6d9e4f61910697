"""Access to running pods, for processes that have no engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from danlu.domain.errors import Invalid, NotFound, Unavailable
from danlu.domain.job import Task
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import say
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable, pods
from danlu.engines.kubernetes.api.channels import Channels
from danlu.engines.kubernetes.objects.names import pod_name
from danlu.engines.kubernetes.ways.forward import ForwardedConnection
from danlu.engines.kubernetes.ways.shell import Enter, KubernetesShell
from danlu.engines.kubernetes.ways.stacks import read_stacks
from danlu.ports.clusters import ClusterCredentials


class KubernetesShells:
    """`Interactive`, `Reachable` and `Inspectable` for tasks that run as pods; on any event loop, with connections of
    its own.

    `cluster_of` says where a task runs. It may take its time, for it is asked in a thread."""

    def __init__(self, cluster_of: Callable[[Task], tuple[KubernetesCluster, ClusterCredentials]]) -> None:
        self._cluster_of = cluster_of
        self._credentials: dict[str, tuple[ClusterCredentials, Credentials]] = {}

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> KubernetesShell:
        """Unavailable when the task cannot be entered, NotFound when its pod is gone."""

        return await KubernetesShell.open(self._way_into(attempt_id, task), task.name, argv, tty)

    async def connect(self, attempt_id: str, task: Task, port: int) -> ForwardedConnection:
        channels = await self._opened(attempt_id, task, "portforward", [("ports", str(port))])
        return await ForwardedConnection.open(channels, task.name, port)

    def stacks(self, attempt_id: str, task: Task) -> str:
        """Not to be called on an event loop: it runs one of its own."""
        return asyncio.run(read_stacks(self._way_into(attempt_id, task), task.name))

    def _way_into(self, attempt_id: str, task: Task) -> Enter:
        async def enter(params: Sequence[tuple[str, str]]) -> Channels:
            return await self._opened(attempt_id, task, "exec", params)

        return enter

    async def _opened(
        self, attempt_id: str, task: Task, part: str, params: Sequence[tuple[str, str]]
    ) -> Channels:
        cluster, credentials = await asyncio.to_thread(self._sign_in, task)
        path = pods(cluster.namespace, pod_name(attempt_id, task.run), part)
        try:
            return await Channels.open(Api(credentials), path, params)
        except ApiUnreachable as error:
            raise Unavailable(
                say(
                    "cluster {name} cannot be reached: {error}",
                    "无法连接集群 {name}：{error}",
                    name=cluster.name,
                    error=error,
                )
            ) from error
        except ApiError as error:
            raise _refusal(cluster, task, part, error) from error

    def _sign_in(self, task: Task) -> tuple[KubernetesCluster, Credentials]:
        cluster, access = self._cluster_of(task)
        known = self._credentials.get(cluster.name)
        if known is None or known[0] != access:
            try:
                known = access, Credentials.load(access)
            except Invalid as error:
                raise Unavailable(
                    say(
                        "Danlu cannot sign in to cluster {name}: {error}",
                        "丹炉无法登录集群 {name}：{error}",
                        name=cluster.name,
                        error=error.text,
                    )
                ) from error
            self._credentials[cluster.name] = known
        return cluster, known[1]


def _refusal(cluster: KubernetesCluster, task: Task, part: str, error: ApiError) -> NotFound | Unavailable:
    if error.status == 404:
        return NotFound(say("the pod of {name} no longer exists", "{name} 的 Pod 已不存在", name=task.name))
    if error.status in (401, 403):
        return Unavailable(
            say(
                "cluster {name} does not allow Danlu to use pods/{part} in namespace {namespace}",
                "集群 {name} 不允许丹炉在命名空间 {namespace} 中使用 pods/{part}",
                name=cluster.name,
                part=part,
                namespace=cluster.namespace,
            )
        )
    return Unavailable(
        say(
            "{name} cannot be reached inside its pod; it may be starting or ending: {message}",
            "无法进入 {name} 的 Pod，它可能正在启动或结束：{message}",
            name=task.name,
            message=error.message,
        )
    )
