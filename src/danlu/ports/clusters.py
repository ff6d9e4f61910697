"""External clusters: their credentials, and checks whether they have everything that Danlu needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster

__all__ = ["ClusterCredentials", "ClusterInspector", "ClusterSecrets", "Finding", "Level"]


@dataclass(frozen=True, slots=True)
class ClusterCredentials:
    """A kubeconfig (as text, with everything in it that it needs) and the context to use; without one, Danlu's own
    service account in the cluster it runs in. It is never printed."""

    kubeconfig: str | None = field(default=None, repr=False)
    context: str | None = None


class ClusterSecrets(Protocol):
    """The credentials of each cluster, in the data directory, readable by Danlu alone."""

    def access(self, name: str) -> ClusterCredentials | None:
        """None for a cluster without stored credentials."""

    def keep(self, name: str, access: ClusterCredentials) -> None: ...

    def remove(self, name: str) -> None:
        """Already gone is success."""


class ClusterInspector(Protocol):
    """Checks a cluster before and while it is used. Slow: it talks to the cluster."""

    def inspect(
        self, cluster: KubernetesCluster, access: ClusterCredentials
    ) -> tuple[str, tuple[Finding, ...]]:
        """The address of its API server and all findings, worst first; that a cluster cannot be reached or read is a
        finding too. Invalid at `kubeconfig` or `context` if the kubeconfig itself is wrong."""
