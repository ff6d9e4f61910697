"""Claims in clusters, for which everything it takes is loaded with the first one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import VolumeClaim
from danlu.domain.volumes.volume import Volume
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.volumes.claims import ClusterClaims


class KeptByKubernetes:
    """Implements ports.volumes.claims.ClusterClaims; whoever has no cluster does without what it loads."""

    def __init__(self, may_act: Callable[[], bool], installation: str) -> None:
        self._may_act, self._installation = may_act, installation

    def keep(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        wanted: Sequence[tuple[Volume, VolumeClaim | None]],
        leaving: Sequence[VolumeClaim],
    ) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
        return self._claims.keep(cluster, access, wanted, leaving)

    def sizes(
        self, cluster: KubernetesCluster, access: ClusterCredentials, claims: Mapping[str, int]
    ) -> Mapping[str, int] | None:
        return self._claims.sizes(cluster, access, claims)

    @functools.cached_property
    def _claims(self) -> ClusterClaims:
        from danlu.engines.kubernetes.claims.claims import KubernetesClaims

        return KubernetesClaims(self._may_act, self._installation)
