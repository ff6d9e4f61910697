"""Carrying out what is to be done about a task: one request to the API server, and what came of it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from danlu.domain.reasons import NotAdmitted, Reason, StartFailed
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api import api as at
from danlu.engines.kubernetes.api.api import Api, ApiError
from danlu.engines.kubernetes.claims.ensuring import ForeignClaim, NewClaims
from danlu.engines.kubernetes.logs.logs import PodLogFollower
from danlu.engines.kubernetes.objects.filling import too_large
from danlu.engines.kubernetes.objects.names import (
    ATTEMPT,
    INSTALLATION,
    MANAGED_BY,
    TASK,
    pod_name,
    service_name,
)
from danlu.engines.kubernetes.objects.objects import Json, labels_of
from danlu.engines.kubernetes.objects.pods import pod_of, service_of, tombstone_of
from danlu.engines.kubernetes.objects.rendezvous import needs_service
from danlu.engines.kubernetes.tasks.reconcile import Action, Bury, Create, Delete, Drain, Look
from danlu.engines.kubernetes.watch.mirror import Mirror
from danlu.ports.engine import AttemptOrder, TaskOrder

_FOR_GOOD = frozenset({400, 403, 404, 413, 422})
_CONFLICT, _NOT_FOUND = 409, 404
_NOT_NOW = re.compile(
    "exceeded quota|status unknown for quota|error looking up service account|because it is being terminated"
)
"""Refusals (403) that are about the current state of the namespace, not about the pod."""


@dataclass(frozen=True, slots=True)
class Found:
    """The task's pod, as the API server has it."""

    pod: Json


@dataclass(frozen=True, slots=True)
class Absent:
    """The API server has no such pod."""


@dataclass(frozen=True, slots=True)
class PodRefused:
    """The API server refuses the pod for good."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Asked:
    """The pod is to end within so many seconds."""

    grace_s: int


@dataclass(frozen=True, slots=True)
class Drained:
    """Everything that the task printed was written."""


Outcome = Found | Absent | PodRefused | Asked | Drained


class Hands:
    """Whatever may pass is raised as ApiError or ApiUnreachable: it is for the caller to try again."""

    def __init__(
        self, api: Api, cluster: KubernetesCluster, mirror: Mirror, logs: PodLogFollower, installation: str
    ) -> None:
        self._api, self._cluster, self._mirror, self._logs = api, cluster, mirror, logs
        self._installation = installation
        self._claims = NewClaims(api, cluster, installation)
        self._serviced: dict[str, asyncio.Lock | None] = {}

    async def carry_out(self, action: Action, order: AttemptOrder, task: TaskOrder) -> Outcome:
        name = pod_name(order.attempt_id, task.name)
        match action:
            case Create():
                return await self._create(order, task)
            case Bury():
                return await self._make(tombstone_of(self._cluster, order, task), order, task)
            case Look():
                return await self._look(order, task)
            case Delete(uid=uid, grace_s=grace_s):
                there = await self._api.delete(
                    at.pods(self._cluster.namespace, name), grace_s=grace_s, uid=uid
                )
                return Asked(grace_s) if there else Absent()
            case Drain():
                await self._logs.finished(name)
                return Drained()

    async def tell_hosts(self, pod: str, patch: Json) -> None:
        await self._api.patch(at.pods(self._cluster.namespace, pod), patch)

    async def end(self, pod: str, uid: str, grace_s: int) -> None:
        await self._api.delete(at.pods(self._cluster.namespace, pod), grace_s=grace_s, uid=uid)

    async def remove_service(self, attempt_id: str) -> None:
        self._serviced.pop(attempt_id, None)
        await self._api.delete(at.services(self._cluster.namespace, service_name(attempt_id)))

    async def _create(self, order: AttemptOrder, task: TaskOrder) -> Outcome:
        node = task.node.removesuffix(f".{self._cluster.name}")
        disk = self._mirror.disk(node)
        if (refused := too_large(order, task, disk)) is not None:
            return PodRefused(refused)
        body = pod_of(
            self._cluster,
            order,
            task,
            node=node,
            gpu_resource=self._mirror.gpu_resource(node),
            counts_disk=disk is not None,
        )
        try:
            await self._claims.ensure(order)
            if needs_service(self._cluster, order):
                await self._ensure_service(order)
        except ApiError as error:
            return _refusal(error, task)
        except ForeignClaim as error:
            return PodRefused(StartFailed(task.name, str(error)))
        return await self._make(body, order, task)

    async def _ensure_service(self, order: AttemptOrder) -> None:
        """Once for all tasks of an attempt: those who come meanwhile wait for the first."""
        lock = self._serviced.setdefault(order.attempt_id, asyncio.Lock())
        if lock is None:
            return
        async with lock:
            if self._serviced.get(order.attempt_id, lock) is None:
                return
            try:
                service = self._signed(service_of(self._cluster, order))
                await self._api.create(at.services(self._cluster.namespace), service)
            except ApiError as error:
                if error.status != _CONFLICT:
                    raise
            self._serviced[order.attempt_id] = None

    async def _make(self, body: Json, order: AttemptOrder, task: TaskOrder) -> Outcome:
        try:
            return Found(await self._api.create(at.pods(self._cluster.namespace), self._signed(body)))
        except ApiError as error:
            if error.status != _CONFLICT:
                return _refusal(error, task)
        # It exists already: created before a restart, or by a request whose answer was lost.
        return await self._look(order, task)

    def _signed(self, body: Json) -> Json:
        body["metadata"]["labels"][INSTALLATION] = self._installation
        return body

    async def _look(self, order: AttemptOrder, task: TaskOrder) -> Outcome:
        name = pod_name(order.attempt_id, task.name)
        try:
            pod = await self._api.get(at.pods(self._cluster.namespace, name))
        except ApiError as error:
            if error.status == _NOT_FOUND:
                return Absent()
            raise
        if is_of(pod, order.attempt_id, task.name):
            return Found(pod)
        return PodRefused(
            StartFailed(
                task.name, f"the cluster already has a pod {name}, which does not belong to this task"
            )
        )


def is_of(pod: Json, attempt_id: str, task: str) -> bool:
    """Whether a pod says of itself that it is this task's."""
    labels = labels_of(pod)
    return MANAGED_BY in labels and labels.get(ATTEMPT) == attempt_id and labels.get(TASK) == task


def _refusal(error: ApiError, task: TaskOrder) -> PodRefused:
    """What the API server will not do however often it is asked; anything else is raised again."""
    if error.status not in _FOR_GOOD:
        raise error
    if error.status == 403 and _NOT_NOW.search(error.message):
        return PodRefused(NotAdmitted(task.name, task.node, error.message))
    return PodRefused(StartFailed(task.name, error.message))
