"""Deletes Danlu's objects in a cluster that no attempt needs any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection

from danlu.domain.errors import NotLeader
from danlu.domain.job import Time
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api import api as at
from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable
from danlu.engines.kubernetes.objects.names import ATTEMPT, INSTALLATION, OURS, TOMBSTONE
from danlu.engines.kubernetes.objects.objects import Json, labels_of, name_of
from danlu.engines.kubernetes.tasks.reconcile import AT_ONCE_S
from danlu.engines.kubernetes.watch.mirror import Mirror
from danlu.ports.clock import Clock

log = logging.getLogger(__name__)

_SHORTEST_ROUND_S, _LONGEST_ROUND_S = 0.5, 60.0
_ROUNDS_PER_LIST = 10
_OVER = frozenset({"Succeeded", "Failed"})


class Leftovers:
    """Pods and services of attempts that were released, and of those that nobody knows, once somebody has said which
    ones to keep.

    What has ended is left alone for `kept_ms` first: as long as it exists, a last request of a former control plane
    cannot start it a second time. The unique ids of pods that are being collected are put into
    `condemned` as long as they are there."""

    def __init__(
        self,
        api: Api,
        cluster: KubernetesCluster,
        mirror: Mirror,
        clock: Clock,
        known: Callable[[str], bool],
        condemned: set[str],
        kept_ms: int,
        installation: str,
    ) -> None:
        self._api, self._cluster, self._mirror, self._clock = api, cluster, mirror, clock
        self._known, self._condemned, self._kept_ms = known, condemned, kept_ms
        self._installation = installation
        self._keep: set[str] | None = None
        self._released: set[str] = set()
        self._noticed: dict[str, Time] = {}
        self._asked = asyncio.Event()
        mirror.expect(self._is_owed)

    def sweep(self, keep: Collection[str]) -> None:
        """Everything but this is to go: what runs at once."""
        self._keep = set(keep)
        self._mirror.expect(self._is_owed)
        self._asked.set()

    def release(self, attempt_id: str) -> None:
        """It is over and recorded: what is left of it may go, whether or not anything was swept."""
        self._released.add(attempt_id)
        if self._keep is not None:
            self._keep.discard(attempt_id)

    async def run(self) -> None:
        """Until cancelled."""
        pause_s = min(_LONGEST_ROUND_S, max(_SHORTEST_ROUND_S, self._kept_ms / 2000))
        rounds = 0
        while True:
            swept = await self._pause(pause_s)
            try:
                await self._collect_pods(swept)
                if swept or rounds % _ROUNDS_PER_LIST == 0:
                    await self._collect_services()
            except (ApiError, ApiUnreachable, NotLeader) as error:
                log.info("leftovers could not be deleted; retrying: %s", error)
                if swept:
                    self._asked.set()
                await asyncio.sleep(_SHORTEST_ROUND_S)
            rounds += 1

    async def _pause(self, seconds: float) -> bool:
        """Until it is time for a round; whether somebody asked for it. Nothing is judged before all is known."""
        try:
            async with asyncio.timeout(seconds):
                await self._asked.wait()
        except TimeoutError:
            pass
        while not self._mirror.synced:
            await asyncio.sleep(_SHORTEST_ROUND_S)
        asked = self._asked.is_set()
        self._asked.clear()
        return asked

    async def _collect_pods(self, swept: bool) -> None:
        now, pods = self._clock.now(), self._mirror.pods()
        left = {_uid(pod): (name, pod) for name, pod in pods.items() if self._is_left(pod)}
        self._noticed = {uid: self._noticed.get(uid, now) for uid in left}
        self._condemned.intersection_update(map(_uid, pods.values()))
        self._released &= {labels_of(pod).get(ATTEMPT, "") for pod in pods.values()}
        for uid, (name, pod) in left.items():
            at_once = swept and not _is_proof(pod)
            due = at_once or now - self._noticed[uid] >= self._kept_ms
            if due and "deletionTimestamp" not in pod["metadata"] and self._is_left(pod):
                log.info("deleting %s: its attempt is unknown", name)
                self._condemned.add(uid)
                await self._delete(at.pods(self._cluster.namespace, name), grace_s=AT_ONCE_S, uid=uid)

    async def _collect_services(self) -> None:
        services, _ = await self._api.list_(at.services(self._cluster.namespace), labelSelector=OURS)
        for service in services:
            if self._is_left(service):
                await self._delete(at.services(self._cluster.namespace, name_of(service)))

    async def _delete(self, path: str, *, grace_s: int | None = None, uid: str | None = None) -> None:
        """One that the API server refuses to delete does not stop the others."""
        try:
            await self._api.delete(path, grace_s=grace_s, uid=uid)
        except ApiError as error:
            log.warning("%s could not be deleted; retrying: %s", path, error)

    def _is_left(self, one: Json) -> bool:
        attempt_id = self._unknown_attempt(one)
        if not attempt_id:
            return False
        return attempt_id in self._released or (self._keep is not None and attempt_id not in self._keep)

    def _is_owed(self, pod: Json) -> bool:
        """Of an attempt that lives, as far as anybody has said, and that we were not asked for yet."""
        attempt_id = self._unknown_attempt(pod)
        if not attempt_id or attempt_id in self._released:
            return False
        return self._keep is None or attempt_id in self._keep

    def _unknown_attempt(self, one: Json) -> str:
        """Whose it is, if it is of this Danlu and we know nothing of it; else nothing."""
        labels = labels_of(one)
        attempt_id = labels.get(ATTEMPT, "")
        strange = labels.get(INSTALLATION) != self._installation or self._known(attempt_id)
        return "" if strange else attempt_id


def _uid(pod: Json) -> str:
    return str(pod["metadata"]["uid"])


def _is_proof(pod: Json) -> bool:
    """It cannot run, and as long as it exists nothing else of its name can."""
    return (pod.get("status") or {}).get("phase") in _OVER or TOMBSTONE in labels_of(pod)
