"""Keeps the claims of volumes in clusters as their records say, beside the loop that runs jobs."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from danlu.domain.errors import DanluError, NotLeader
from danlu.domain.job import Time
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim, shortened
from danlu.domain.volumes.volume import Volume
from danlu.ports.clock import Clock
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.volumes.claims import ClaimStore, ClusterClaims, KnownClusters

log = logging.getLogger(__name__)

EVERY_S = 2
SOON_MS, WAITING_MS, LATER_MS = 3_000, 10_000, 30_000
"""How often a cluster is looked at: while something is to come, while a job is to begin, and when all is well."""
MEASURED_MS = 60_000
_PASSING = frozenset({ClaimNote.MAKING, ClaimNote.PROVISIONING, ClaimNote.GROWING})


@dataclass(slots=True)
class _Place:
    """The volumes of one cluster, and when it was last looked at for what."""

    wanted: list[tuple[Volume, VolumeClaim | None]] = field(default_factory=list)
    leaving: list[VolumeClaim] = field(default_factory=list)

    def key(self) -> object:
        """What must be there: different, it is looked at at once."""
        return [(one.id, one.capacity) for one, _ in self.wanted], [claim.volume for claim in self.leaving]

    @property
    def patience(self) -> Time:
        notes = {claim.note if claim is not None else ClaimNote.MAKING for _, claim in self.wanted}
        if self.leaving or notes & _PASSING:
            return SOON_MS
        return WAITING_MS if ClaimNote.FIRST_JOB in notes else LATER_MS


@dataclass(slots=True)
class _Looked:
    at: Time
    key: object
    measured_at: Time


class ClaimKeeper:
    """What must exist follows from the store, so that what was begun before a crash is finished after it."""

    def __init__(
        self,
        store: ClaimStore,
        cluster_claims: ClusterClaims,
        clusters: KnownClusters,
        access: Callable[[str], ClusterCredentials | None],
        clock: Clock,
    ) -> None:
        self._store, self._claims = store, cluster_claims
        self._clusters, self._access, self._clock = clusters, access, clock
        self._looked: dict[str, _Looked] = {}

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(EVERY_S):
            try:
                self.round()
            except Exception:
                log.exception("the claims of volumes could not be looked at; trying again")

    def round(self) -> None:
        """One look at every cluster that it is time for."""
        clusters = self._clusters()
        for name, place in self._places().items():
            cluster, access = clusters.get(name), self._access(name)
            if cluster is not None and access is not None and self._is_time(name, place):
                self._look(cluster, access, place)

    def _places(self) -> dict[str, _Place]:
        kept, places = self._store.kept_claims(), defaultdict[str, _Place](_Place)
        for one, claim in kept.wanted:
            places[one.cluster].wanted.append((one, claim))
        for claim in kept.leaving:
            places[claim.cluster].leaving.append(claim)
        return places

    def _is_time(self, name: str, place: _Place) -> bool:
        looked = self._looked.get(name)
        if looked is None or looked.key != place.key():
            return True
        return self._clock.now() - looked.at >= place.patience

    def _look(self, cluster: KubernetesCluster, access: ClusterCredentials, place: _Place) -> None:
        now, before = self._clock.now(), self._looked.get(cluster.name)
        measured_at = before.measured_at if before else now - MEASURED_MS
        try:
            found, gone = self._claims.keep(cluster, access, place.wanted, place.leaving)
            if now - measured_at >= MEASURED_MS:
                found, measured_at = self._measured(cluster, access, found, now), now
        except NotLeader:
            raise
        except DanluError as error:
            found, gone = _unanswered(place.wanted, shortened(error.detail)), ()
        self._looked[cluster.name] = _Looked(now, place.key(), measured_at)
        known = {one.id: claim for one, claim in place.wanted}
        if new := [claim for claim in found if claim != known[claim.volume]]:
            self._store.keep_claims(new)
        if gone:
            self._store.claims_left(gone)

    def _measured(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        found: Sequence[VolumeClaim],
        now: Time,
    ) -> tuple[VolumeClaim, ...]:
        bound = {claim.name: claim.capacity for claim in found if claim.state is ClaimState.BOUND}
        sizes = (self._claims.sizes(cluster, access, bound) if bound else None) or {}
        return tuple(
            replace(claim, used=sizes[claim.name], used_at=now) if claim.name in sizes else claim
            for claim in found
        )


def _unanswered(wanted: Iterable[tuple[Volume, VolumeClaim | None]], told: str) -> tuple[VolumeClaim, ...]:
    """What was known stays, and nobody knows better."""
    return tuple(
        replace(known or VolumeClaim(one.id, one.cluster, one.claim), note=ClaimNote.UNREACHABLE, told=told)
        for one, known in wanted
    )
