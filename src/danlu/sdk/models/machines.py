"""What the server answers about machines."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.problems import Finding
from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class Node:
    """A machine, or a part of one that poses as a machine (`virtual`). `cluster` is empty where Danlu itself runs.
    `used` is by Danlu's tasks, `foreign` what others than Danlu hold; `why` says what keeps it from taking tasks.
    Of its `labels`, `given_labels` are those that administrators gave it. `note` is what was said when it was
    cordoned. At `drain_by` what runs there must have left as it is drained; at `closes_at` it closes (or did), for
    that or for a `maintenance`."""

    name: str = ""
    state: str = ""
    virtual: bool = False
    address: str = ""
    cpus: float = 0
    memory: int = 0
    gpu_model: str | None = None
    gpus: tuple[Mapping[str, Any], ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    given_labels: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Mapping[str, Any], ...] = ()
    pool: str | None = None
    cluster: str = ""
    foreign: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    note: str = ""
    drain_by: str | None = None
    closes_at: str | None = None
    maintenance: str | None = None


@dataclass(frozen=True)
class NodeMoved:
    """What a move does, or would do: `running` jobs go on; `waiting` ones could start nowhere any more. Of flavors,
    those that no node could hold any more for a class of jobs, and those that some node now could."""

    nodes: tuple[Mapping[str, str], ...] = ()
    running: tuple[Mapping[str, Any], ...] = ()
    waiting: tuple[Mapping[str, Any], ...] = ()
    flavors_lost: tuple[str, ...] = ()
    flavors_gained: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeOutcome:
    name: str = ""
    ok: bool = False
    error: str | None = None
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class NodesDrained:
    """Nodes that must be empty by a time, and the jobs that run there now."""

    nodes: tuple[str, ...] = ()
    jobs: tuple[Mapping[str, Any], ...] = ()
    drain_by: str = ""


@dataclass(frozen=True)
class Maintenance:
    """A time during which nodes take no jobs; `pool` stands for all nodes that are in it."""

    name: str = ""
    start: str = ""
    end: str = ""
    nodes: tuple[str, ...] = ()
    pool: str | None = None
    description: str = ""
    state: str = ""


@dataclass(frozen=True)
class Cluster:
    """A Kubernetes that jobs may run on, with its nodes; `server` is told to those who may change it. `findings`
    has something in it when the cluster was looked at for this answer."""

    name: str = ""
    state: str = ""
    why: str = ""
    server: str | None = None
    namespace: str = ""
    image: str = ""
    helper: str = ""
    dns: bool = True
    pull_policy: str = ""
    pull_secrets: tuple[str, ...] = ()
    tolerations: tuple[str, ...] = ()
    rdma_resource: str = ""
    admission_time: str = ""
    lost_time: str = ""
    description: str = ""
    in_cluster: bool = False
    credentials_at: str | None = None
    nodes: Mapping[str, int] = field(default_factory=dict)
    gpus: tuple[Mapping[str, Any], ...] = ()
    tasks: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ClusterReport:
    """What was found, the worst first; ready when nothing is missing."""

    ready: bool = False
    server: str = ""
    findings: tuple[Finding, ...] = ()


READERS.update(
    {
        Node: {"gpus": ("gpus", tuple), "tasks": ("tasks", tuple)},
        NodeMoved: {
            "nodes": ("nodes", tuple),
            "running": ("running", tuple),
            "waiting": ("waiting", tuple),
            "flavors_lost": ("flavors_lost", tuple),
            "flavors_gained": ("flavors_gained", tuple),
        },
        NodesDrained: {"nodes": ("nodes", tuple), "jobs": ("jobs", tuple)},
        Maintenance: {"nodes": ("nodes", tuple)},
        Cluster: {
            "pull_secrets": ("pull_secrets", tuple),
            "tolerations": ("tolerations", tuple),
            "gpus": ("gpus", tuple),
            "findings": ("findings", each(Finding)),
        },
        ClusterReport: {"findings": ("findings", each(Finding))},
    }
)
