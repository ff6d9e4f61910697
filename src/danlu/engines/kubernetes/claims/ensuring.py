"""The claims that an attempt's pods need and that nobody has made yet, made before its first pod."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api.api import Api, ApiError, claims
from danlu.engines.kubernetes.objects.claims import claim_of, is_for, is_of
from danlu.engines.kubernetes.objects.personal import personal_order
from danlu.ports.engine import AttemptOrder, ClaimOrder

_CONFLICT, _MOST = 409, 10_000


class ForeignClaim(Exception):
    """There is a claim of this name that is not for this person."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the cluster has a claim {name} that Danlu did not make for this person")


class NewClaims:
    """Once for all tasks of an attempt: those who come meanwhile wait for the first. Idempotent."""

    def __init__(self, api: Api, cluster: KubernetesCluster, installation: str) -> None:
        self._api, self._cluster, self._installation = api, cluster, installation
        self._there: set[tuple[str, str]] = set()
        self._turn = asyncio.Lock()

    async def ensure(self, order: AttemptOrder) -> None:
        """ApiError and ApiUnreachable as they come; ForeignClaim."""
        for wanted in self._wanted(order):
            key = (order.attempt_id, wanted.name)
            if key in self._there:
                continue
            async with self._turn:
                if key not in self._there:
                    await self._make(wanted)
                    self._remember(key)

    def _wanted(self, order: AttemptOrder) -> Iterator[ClaimOrder]:
        yield from (mount.new for mount in order.mounts if mount.new is not None)
        own = personal_order(self._cluster, order.owner)
        if own is not None:
            yield own

    async def _make(self, wanted: ClaimOrder) -> None:
        namespace = self._cluster.namespace
        body = claim_of(self._cluster, wanted, self._installation)
        try:
            await self._api.create(claims(namespace), body)
        except ApiError as error:
            if error.status != _CONFLICT:
                raise
            there = await self._api.get(claims(namespace, wanted.name))
            if not is_for(there, wanted) or not is_of(there, self._installation):
                raise ForeignClaim(wanted.name) from error

    def _remember(self, key: tuple[str, str]) -> None:
        if len(self._there) >= _MOST:
            self._there.clear()
        self._there.add(key)
