"""What the server answers about machines."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import ByCode
from danlu.sdk.models.problems import Finding
from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class IsolationLack(ByCode):
    """What tasks on a node could have and do not: which ability, why, and how to fix it."""

    code: str = ""
    ability: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    fix: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NodeIsolation:
    """How tasks on a node are kept apart: their form, what protects them, and what they lack; `text` says it in a
    few words. `one_user`: tasks of different people are one user to the machine; `root`: tasks have root's
    privileges; `subordinate_ids`: how many people can have a user of their own if these are subordinate ids, else
    0."""

    form: str = ""
    abilities: tuple[str, ...] = ()
    lacking: tuple[IsolationLack, ...] = ()
    one_user: bool = False
    root: bool = False
    subordinate_ids: int = 0
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NodeNetwork:
    """What a node receives and sends, in bytes per second. `shared`: the node is virtual, and these are the figures
    of the whole machine, the same for all its virtual nodes."""

    received: int = 0
    sent: int = 0
    shared: bool = False


@dataclass(frozen=True)
class Node:
    """A node: a machine, or a part of one (`virtual`). `cluster` is empty for the machine that Danlu itself runs
    on. `used` is what Danlu's tasks use, `foreign` what workloads outside Danlu use, `free` what jobs could still
    get: nothing on a node that accepts none; `why` says why it accepts no tasks. `given_labels` are those of its
    `labels` that administrators set. `network` is null where it is not measured, as on Kubernetes. `note` is the
    note given when it was cordoned. `isolation` says how its tasks are kept apart, if that is known. `drain_by` is
    the deadline of a drain; at `closes_at` the node closes (or closed), for a drain or a `maintenance`."""

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
    network: NodeNetwork | None = None
    free: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    note: str = ""
    drain_by: str | None = None
    closes_at: str | None = None
    maintenance: str | None = None
    isolation: NodeIsolation | None = None


@dataclass(frozen=True)
class NodeMoved:
    """What a move does, or would do: `running` jobs keep running; `waiting` jobs could no longer start anywhere.
    Also the flavors that no node could hold any more for a job class, and those that some node now could."""

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
    """Nodes to be drained by a deadline, and the jobs that run there now."""

    nodes: tuple[str, ...] = ()
    jobs: tuple[Mapping[str, Any], ...] = ()
    drain_by: str = ""


@dataclass(frozen=True)
class Maintenance:
    """A time during which nodes accept no jobs; `pool` means all nodes of that pool."""

    name: str = ""
    start: str = ""
    end: str = ""
    nodes: tuple[str, ...] = ()
    pool: str | None = None
    description: str = ""
    state: str = ""


@dataclass(frozen=True)
class Cluster:
    """A Kubernetes cluster that jobs may run on, with its nodes; `server` is shown to those who may change it.
    `findings` is filled if the cluster was checked for this answer."""

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
    block_class: str = ""
    filesystem_class: str = ""
    personal_claim: str = ""
    personal_size: int = 0
    in_cluster: bool = False
    credentials_at: str | None = None
    nodes: Mapping[str, int] = field(default_factory=dict)
    gpus: tuple[Mapping[str, Any], ...] = ()
    tasks: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ClusterReport:
    """What was found, worst first; ready if nothing is missing."""

    ready: bool = False
    server: str = ""
    findings: tuple[Finding, ...] = ()


READERS.update(
    {
        NodeIsolation: {"abilities": ("abilities", tuple), "lacking": ("lacking", each(IsolationLack))},
        Node: {
            "gpus": ("gpus", tuple),
            "tasks": ("tasks", tuple),
            "network": ("network", one(NodeNetwork)),
            "isolation": ("isolation", one(NodeIsolation)),
        },
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
