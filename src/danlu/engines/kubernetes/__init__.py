"""Clusters run by Kubernetes: every task is a pod on the node that was planned for it."""

from danlu.engines.kubernetes.engine import KubernetesEngine

__all__ = ["KubernetesEngine"]
