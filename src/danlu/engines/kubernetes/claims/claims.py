"""Makes the claims of volumes in a cluster, enlarges and deletes them, and reads how they are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from danlu.domain.errors import Unavailable
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim, shortened
from danlu.domain.volumes.volume import Volume
from danlu.domain.words import Words, same
from danlu.engines.kubernetes.api import paths
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.answers import ApiError, ApiUnreachable, Json
from danlu.engines.kubernetes.api.api import STORAGE_CLASSES, Api, claims, events, pods
from danlu.engines.kubernetes.claims.reading import ClaimAct, ClusterStorage, by_name, read_claim
from danlu.engines.kubernetes.claims.sizes import mounted_on, used_in
from danlu.engines.kubernetes.objects.claims import VOLUME, claim_of
from danlu.engines.kubernetes.objects.names import OURS
from danlu.engines.kubernetes.objects.objects import labels_of
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.volumes.claims import claim_order

_BOUND_S = 60.0
_NO_ANSWER = Words("the cluster did not answer within {seconds} s", "集群在 {seconds} 秒内没有响应")
_MOST_NODES = 200
_FORBIDDEN, _NOT_FOUND, _CONFLICT = 403, 404, 409
_ABOUT_CLAIMS = "involvedObject.kind=PersistentVolumeClaim"
_QUOTA = "exceeded quota"
T = TypeVar("T")


class KubernetesClaims:
    """Implements ports.volumes.claims.ClusterClaims, within a minute. Do not call it from an event loop.

    `guard` says whether this control plane leads; `installation` is which Danlu claims say that they are of."""

    def __init__(self, guard: Callable[[], bool], installation: str) -> None:
        self._guard, self._installation = guard, installation

    def keep(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        wanted: Sequence[tuple[Volume, VolumeClaim | None]],
        leaving: Sequence[VolumeClaim],
    ) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
        signature = f"{self._installation}.{cluster.name}".lstrip(".")

        async def kept(api: Api) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
            return await _Round(api, cluster, signature).keep(wanted, leaving)

        return self._within(access, kept)

    def sizes(
        self, cluster: KubernetesCluster, access: ClusterCredentials, claims: Mapping[str, int]
    ) -> Mapping[str, int] | None:
        async def measured(api: Api) -> Mapping[str, int] | None:
            return await _sizes(api, cluster, claims)

        return self._within(access, measured)

    def _within(self, access: ClusterCredentials, work: Callable[[Api], Coroutine[Any, Any, T]]) -> T:
        async def run() -> T:
            api = Api(Credentials.load(access), guard=self._guard)
            try:
                async with asyncio.timeout(_BOUND_S):
                    return await work(api)
            finally:
                await api.close()

        try:
            return asyncio.run(run())
        except TimeoutError as error:
            raise Unavailable(_NO_ANSWER.fill(seconds=round(_BOUND_S))) from error
        except (ApiError, ApiUnreachable) as error:
            raise Unavailable(same(shortened(str(error)))) from error


class _Round:
    def __init__(self, api: Api, cluster: KubernetesCluster, installation: str) -> None:
        self._api, self._cluster, self._installation = api, cluster, installation

    async def keep(
        self, wanted: Sequence[tuple[Volume, VolumeClaim | None]], leaving: Sequence[VolumeClaim]
    ) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
        there = await self._look(named=[one.claim for one, _ in wanted])
        found = [await self._one(one, known, there) for one, known in wanted]
        gone = [claim.volume for claim in leaving if await self._removed(claim)]
        return tuple(found), tuple(gone)

    async def _look(self, named: Collection[str]) -> ClusterStorage:
        namespace = self._cluster.namespace
        ours, _ = await self._api.list_(claims(namespace), labelSelector=OURS)
        there = {name: one for name, one in by_name(ours).items() if name in named}
        told: defaultdict[str, list[Json]] = defaultdict(list)
        if any(not _is_settled(claim) for claim in there.values()):
            about, _ = await self._api.list_(events(namespace), fieldSelector=_ABOUT_CLAIMS)
            for event in sorted(about, key=_told_at):
                told[str((event.get("involvedObject") or {}).get("uid", ""))].append(event)
        classes = await self._readable(STORAGE_CLASSES)
        volumes = await self._readable(paths.PERSISTENT_VOLUMES) if there else {}
        return ClusterStorage(there, classes, volumes or {}, told)

    async def _readable(self, path: str) -> dict[str, Json] | None:
        """None where Danlu may not read them."""
        try:
            found, _ = await self._api.list_(path)
        except ApiError as error:
            if error.status != _FORBIDDEN:
                raise
            return None
        return by_name(found)

    async def _one(self, one: Volume, known: VolumeClaim | None, there: ClusterStorage) -> VolumeClaim:
        act, found = read_claim(one, known, there)
        try:
            if act is ClaimAct.CREATE:
                return await self._create(one, found, there)
            if act is ClaimAct.GROW:
                await self._grow(one)
        except ApiError as error:
            return _refused(found, act, error)
        return found

    async def _create(self, one: Volume, found: VolumeClaim, there: ClusterStorage) -> VolumeClaim:
        """One that has its name already was made by a request whose answer was lost, or by others."""
        namespace = self._cluster.namespace
        try:
            body = claim_of(self._cluster, claim_order(one), self._installation)
            made = await self._api.create(claims(namespace), body)
        except ApiError as error:
            if error.status != _CONFLICT:
                raise
            made = await self._api.get(claims(namespace, one.claim))
        _, read = read_claim(one, found, replace(there, claims={one.claim: made}))
        return read

    async def _grow(self, one: Volume) -> None:
        wanted = {"spec": {"resources": {"requests": {"storage": str(one.capacity)}}}}
        await self._api.patch(claims(self._cluster.namespace, one.claim), wanted)

    async def _removed(self, claim: VolumeClaim) -> bool:
        """Whether it is gone. What is not this volume's is left alone."""
        path = claims(self._cluster.namespace, claim.name)
        try:
            there = await self._api.get(path)
        except ApiError as error:
            return error.status == _NOT_FOUND
        if labels_of(there).get(VOLUME) != claim.volume:
            return True
        if "deletionTimestamp" not in there["metadata"]:
            try:
                await self._api.delete(path, uid=str(there["metadata"]["uid"]))
            except ApiError:
                return False
        return False


async def _sizes(api: Api, cluster: KubernetesCluster, names: Mapping[str, int]) -> dict[str, int] | None:
    found, _ = await api.list_(pods(cluster.namespace), labelSelector=OURS)
    used: dict[str, int] = {}
    for node in mounted_on(found, names)[:_MOST_NODES]:
        try:
            used.update(used_in(await api.get(paths.node_stats(node)), cluster.namespace, names))
        except ApiError as error:
            if error.status == _FORBIDDEN:
                return None
        except ApiUnreachable:
            continue  # a node that does not answer is not the cluster's trouble
    return used


def _refused(found: VolumeClaim, act: ClaimAct, error: ApiError) -> VolumeClaim:
    told = shortened(error.message or str(error))
    if act is ClaimAct.GROW:
        return replace(found, note=ClaimNote.NOT_GROWN, told=told)
    if error.status == _FORBIDDEN and _QUOTA not in error.message:
        return replace(found, note=ClaimNote.NOT_ALLOWED, told=told)
    return replace(found, state=ClaimState.PENDING, note=ClaimNote.REFUSED, told=told)


def _is_settled(claim: Json) -> bool:
    status, spec = claim.get("status") or {}, claim["spec"].get("resources") or {}
    return status.get("phase") == "Bound" and status.get("capacity") == spec.get("requests")


def _told_at(event: Json) -> str:
    made = event["metadata"].get("creationTimestamp")
    return str(event.get("lastTimestamp") or event.get("eventTime") or made or "")
