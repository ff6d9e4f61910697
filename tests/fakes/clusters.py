"""Clusters that are found as a test says, and secrets in memory."""

from __future__ import annotations

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import Words, same
from danlu.ports.clusters import ClusterCredentials

SERVER = "https://k8s.lab:6443"
VERSION = Finding("reachable", Level.OK, Words("Kubernetes 1.31 answers", "Kubernetes 1.31 有应答"))
NO_PLUGIN = Finding(
    "no_device_plugin",
    Level.WARNING,
    Words("2 nodes have GPUs that nobody offers", "2 个节点的 GPU 未被提供"),
    Words("Install the device plugin", "请安装设备插件"),
)
NO_NAMESPACE = Finding(
    "no_namespace",
    Level.MISSING,
    Words("There is no namespace danlu-jobs", "没有命名空间 danlu-jobs"),
    Words("kubectl create namespace danlu-jobs", "kubectl create namespace danlu-jobs"),
)


class ScriptedInspector:
    """Implements ports.clusters.ClusterInspector: finds what the test put into `findings`, at `server`; the kubeconfig
    "broken" is none."""

    def __init__(self) -> None:
        self.findings: tuple[Finding, ...] = (VERSION,)
        self.server = SERVER
        self.looked: list[tuple[KubernetesCluster, ClusterCredentials]] = []

    def inspect(
        self, cluster: KubernetesCluster, access: ClusterCredentials
    ) -> tuple[str, tuple[Finding, ...]]:
        self.looked.append((cluster, access))
        if access.kubeconfig == "broken":
            raise Invalid((FieldError(("kubeconfig",), "bad_kubeconfig", same("it is no kubeconfig")),))
        return self.server, self.findings


class MemorySecrets:
    """Implements ports.clusters.ClusterSecrets."""

    def __init__(self) -> None:
        self.kept: dict[str, ClusterCredentials] = {}

    def access(self, name: str) -> ClusterCredentials | None:
        return self.kept.get(name)

    def keep(self, name: str, access: ClusterCredentials) -> None:
        self.kept[name] = access

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)
