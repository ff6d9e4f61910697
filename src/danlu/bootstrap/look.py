"""A look at a cluster, for which everything it takes is loaded with the first one."""

from __future__ import annotations

from danlu.domain.rules import KubernetesCluster
from danlu.ports.clusters import ClusterCredentials, Finding


class FirstLook:
    """Implements ports.clusters.ClusterInspector; whoever has no cluster does without what it loads."""

    def inspect(
        self, cluster: KubernetesCluster, access: ClusterCredentials
    ) -> tuple[str, tuple[Finding, ...]]:
        from danlu.engines.kubernetes.inspect.inspect import KubernetesInspector

        return KubernetesInspector().inspect(cluster, access)
