"""Clusters of others' making: how to sign in there, and whether all is there that Danlu needs."""

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
    """How to sign in to each cluster: in the data directory, readable by Danlu alone."""

    def access(self, name: str) -> ClusterCredentials | None:
        """None for a cluster nobody put here."""

    def keep(self, name: str, access: ClusterCredentials) -> None: ...

    def remove(self, name: str) -> None:
        """Already gone is success."""


class ClusterInspector(Protocol):
    """Looks at a cluster before and while it is used. Slow: it talks to the cluster."""

    def inspect(
        self, cluster: KubernetesCluster, access: ClusterCredentials
    ) -> tuple[str, tuple[Finding, ...]]:
        """The address of its API server and everything that was looked at, the worst first; a cluster that cannot be
        reached or read is a finding too. Invalid when the kubeconfig itself is wrong, with `kubeconfig` or `context`
        as the place."""
