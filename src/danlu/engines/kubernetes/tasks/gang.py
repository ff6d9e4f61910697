"""An attempt's tasks together: what is tracked of each, and telling them where the others are."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from danlu.domain.errors import NotLeader
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api.api import ApiError, ApiUnreachable
from danlu.engines.kubernetes.objects.objects import Json
from danlu.engines.kubernetes.objects.rendezvous import addresses_patch, hosts_text, needs_addresses
from danlu.engines.kubernetes.tasks.acting import Hands
from danlu.engines.kubernetes.tasks.known import KnownTask
from danlu.ports.engine import AttemptOrder

log = logging.getLogger(__name__)

_GONE = 404


@dataclass(slots=True, eq=False)
class Tracked:
    """A task, its pod as last shown or answered, and what is under way for it."""

    gang: PodGang
    known: KnownTask
    pod_name: str
    pod: Json | None = None
    node: str = ""
    there: bool = False
    shown: bool = False
    busy: bool = False
    tries: int = 0
    not_before: float = 0.0
    timer: asyncio.TimerHandle | None = None
    followed: bool = False
    filling: bool = False
    hosts: str = ""

    @property
    def address(self) -> str:
        return (self.known.last.ip if self.known.last else None) or ""


@dataclass(slots=True, eq=False)
class PodGang:
    """`tasks` by run: a task that was started again is there once for every try."""

    order: AttemptOrder
    tasks: dict[str, Tracked] = field(default_factory=dict)


class Introductions:
    """Where there are no names, tasks are told each other's addresses when all that are not over have one, and again
    when one of them comes back with another."""

    def __init__(
        self,
        cluster: KubernetesCluster,
        hands: Hands,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        again_in: Callable[[Tracked, float], None],
    ) -> None:
        self._cluster, self._hands, self._spawn, self._again_in = cluster, hands, spawn, again_in

    def look(self, gang: PodGang) -> None:
        order = gang.order
        if not needs_addresses(self._cluster, order):
            return
        found = {wish.hostname: gang.tasks.get(wish.name) for wish in order.tasks}
        addresses = {host: task.address for host, task in found.items() if task is not None and task.address}
        if any(task is None or not (task.address or task.known.end) for task in found.values()):
            return
        text = hosts_text(order, addresses)
        for task in found.values():
            if task is not None and task.there and task.known.end is None and task.hosts != text:
                task.hosts = text
                self._spawn(self._tell(task, addresses_patch(order, addresses)))

    async def _tell(self, task: Tracked, patch: Json) -> None:
        try:
            await self._hands.tell_hosts(task.pod_name, patch)
        except (ApiError, ApiUnreachable, NotLeader) as error:
            if isinstance(error, ApiError) and error.status == _GONE:
                return
            log.info("the addresses of the other tasks could not be sent to %s yet: %s", task.pod_name, error)
            task.hosts = ""
            self._again_in(task, random.uniform(0.5, 1.5))
