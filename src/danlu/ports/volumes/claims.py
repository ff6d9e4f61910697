"""Claims that Danlu makes for volumes in clusters: their records, and who makes them there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import VolumeClaim, is_shared
from danlu.domain.volumes.volume import Volume
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import ClaimOrder


@dataclass(frozen=True, slots=True)
class KeptClaims:
    """What is to be there: volumes with what is known of their claims, and claims that are to go."""

    wanted: tuple[tuple[Volume, VolumeClaim | None], ...]
    leaving: tuple[VolumeClaim, ...]


def claim_order(one: Volume) -> ClaimOrder:
    """The claim that a volume is to have."""
    return ClaimOrder(one.claim, one.storage_class, one.capacity, is_shared(one), one.owner, one.id)


class ClaimStore(Protocol):
    """What must exist follows from the volumes; what was found is kept beside them."""

    def volume_claim(self, volume_id: str) -> VolumeClaim | None: ...

    def kept_claims(self) -> KeptClaims: ...

    def keep_claims(self, found: Sequence[VolumeClaim]) -> None:
        """What was found of claims, unless their volumes are gone for good by now. For the leader alone."""

    def claims_left(self, volume_ids: Collection[str]) -> None:
        """The claims of these volumes, which were gone, are deleted. Idempotent. For the leader alone."""


class ClusterClaims(Protocol):
    """Makes claims in a cluster, enlarges and deletes them. Slow: it talks to the cluster."""

    def keep(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        wanted: Sequence[tuple[Volume, VolumeClaim | None]],
        leaving: Sequence[VolumeClaim],
    ) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
        """Every wanted claim as it is now, and the volumes whose claims are gone. What cannot be done is noted there;
        Unavailable where nobody answers. Idempotent: a claim's name follows from its volume."""

    def sizes(
        self, cluster: KubernetesCluster, access: ClusterCredentials, claims: Mapping[str, int]
    ) -> Mapping[str, int] | None:
        """How many bytes are used in each of these claims, given with their capacities, that is mounted somewhere and
        can be measured; None where Danlu may not ask."""


KnownClusters = Callable[[], Mapping[str, KubernetesCluster]]
