"""A cluster's nodes as Danlu counts them: what they offer, and what others hold of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction

from danlu.domain.isolation import PODS
from danlu.domain.node import Foreign, Node, NodeState
from danlu.domain.rules import CLUSTER_LABEL, ENGINE_LABEL, KUBERNETES, RDMA_LABEL, KubernetesCluster
from danlu.engines.kubernetes.objects.gpu_models import GPU_RESOURCES, gpus_of
from danlu.engines.kubernetes.objects.objects import Json, labels_of, name_of, namespace_of, quantity

_OVER = frozenset({"Succeeded", "Failed"})
_KEEPS_AWAY = frozenset({"NoSchedule", "NoExecute"})
_GPU_LABEL = "gpu"
_Amounts = Mapping[str, Fraction]


def nodes_of(
    cluster: KubernetesCluster,
    nodes: Iterable[Json],
    pods: Iterable[Json],
    ours: Collection[str],
    qualify: Callable[[str], str] = str,
) -> tuple[Node, ...]:
    """The cluster's nodes, by name; `ours` names the pods in the cluster's namespace that Danlu counts itself."""
    held: defaultdict[str, list[Foreign]] = defaultdict(list)
    for pod in pods:
        node = holds(pod)
        if node and not (namespace_of(pod) == cluster.namespace and name_of(pod) in ours):
            held[node].append(requests_of(pod))
    found = (node_of(cluster, node, together(held[name_of(node)]), qualify) for node in nodes)
    return tuple(sorted(found, key=lambda node: node.name))


def holds(pod: Json) -> str | None:
    """The node of which a pod holds something: from when it is bound there until its containers have ended."""
    if (pod.get("status") or {}).get("phase") in _OVER:
        return None
    return pod["spec"].get("nodeName") or None


def together(held: Iterable[Foreign]) -> Foreign:
    cpu_milli = memory = gpus = 0
    for one in held:
        cpu_milli, memory, gpus = cpu_milli + one.cpu_milli, memory + one.memory, gpus + one.gpus
    return Foreign(cpu_milli, memory, gpus)


def requests_of(pod: Json) -> Foreign:
    """What a pod is given, as kube-scheduler counts it; parts are rounded up."""
    asked = _asked(pod["spec"])
    return Foreign(
        cpu_milli=math.ceil(asked.get("cpu", 0) * 1000),
        memory=math.ceil(asked.get("memory", 0)),
        gpus=math.ceil(sum(asked.get(name, 0) for name in GPU_RESOURCES)),
    )


def node_of(
    cluster: KubernetesCluster, node: Json, foreign: Foreign, qualify: Callable[[str], str] = str
) -> Node:
    """One node; what it has of a resource that nobody may use is not counted."""
    offered: Mapping[str, str] = (node.get("status") or {}).get("allocatable") or {}
    gpus = gpus_of(node)
    state, why = _state(cluster, node)
    labels = {
        **({_GPU_LABEL: gpus[0].model} if gpus else {}),
        **labels_of(node),
        CLUSTER_LABEL: cluster.name,
        ENGINE_LABEL: KUBERNETES,
    }
    if quantity(offered.get(cluster.rdma_resource, "0")) > 0:
        labels[RDMA_LABEL] = "true"
    return Node(
        name=qualify(name_of(node)),
        address=_address(node),
        cpu_milli=int(quantity(offered.get("cpu", "0")) * 1000),
        memory=int(quantity(offered.get("memory", "0"))),
        gpus=gpus,
        labels=labels,
        state=state,
        cluster=cluster.name,
        foreign=foreign,
        why=why,
        isolation=PODS,
    )


def _asked(spec: Json) -> _Amounts:
    """The sum of what runs together, or more where a container that runs before needs more; and the overhead.

    Init containers that are restarted for ever run beside everything that comes after them. Where the pod as a
    whole is given an amount, that counts."""
    beside: _Amounts = {}
    before: _Amounts = {}
    for container in spec.get("initContainers") or ():
        if container.get("restartPolicy") == "Always":
            beside = _sum(beside, _requests(container))
        else:
            before = _most(before, _sum(beside, _requests(container)))
    running = beside
    for container in spec.get("containers") or ():
        running = _sum(running, _requests(container))
    asked = {**_most(before, running), **_requests(spec)}
    return _sum(asked, _amounts(spec.get("overhead")))


def _requests(holder: Json) -> _Amounts:
    return _amounts((holder.get("resources") or {}).get("requests"))


def _amounts(written: Mapping[str, str] | None) -> _Amounts:
    return {name: quantity(amount) for name, amount in (written or {}).items()}


def _sum(one: _Amounts, other: _Amounts) -> _Amounts:
    return {name: one.get(name, Fraction(0)) + other.get(name, Fraction(0)) for name in {**one, **other}}


def _most(one: _Amounts, other: _Amounts) -> _Amounts:
    return {name: max(one.get(name, Fraction(0)), other.get(name, Fraction(0))) for name in {**one, **other}}


def _state(cluster: KubernetesCluster, node: Json) -> tuple[NodeState, str]:
    """Whether tasks can go there, and in the cluster's words why not."""
    conditions = (node.get("status") or {}).get("conditions") or ()
    ready: Json = next((one for one in conditions if one["type"] == "Ready"), {})
    if ready.get("status") != "True":
        return NodeState.UNREACHABLE, ready.get("message") or ready.get("reason") or "it has not reported yet"
    if node["spec"].get("unschedulable"):
        return NodeState.CORDONED, "it is cordoned in the cluster"
    for taint in node["spec"].get("taints") or ():
        if taint.get("effect") in _KEEPS_AWAY and taint["key"] not in cluster.tolerations:
            value = f"={taint['value']}" if taint.get("value") else ""
            return NodeState.CORDONED, f"taint {taint['key']}{value}:{taint['effect']}"
    return NodeState.READY, ""


def _address(node: Json) -> str:
    known = {one["type"]: one["address"] for one in (node.get("status") or {}).get("addresses") or ()}
    return str(known.get("InternalIP") or known.get("ExternalIP") or known.get("Hostname") or name_of(node))
