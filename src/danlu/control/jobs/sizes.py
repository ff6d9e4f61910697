"""What no node has of a size, and how many tasks of it fit on idle nodes; the callers put it into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from danlu.control.rules.cluster_checks import LOCAL
from danlu.domain.job import JobSpec
from danlu.domain.node import Node
from danlu.domain.resources import Resources
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES
from danlu.scheduler import ask_of, could_ever_start
from danlu.scheduler.cluster import AllNodes

_NAMED = 5


@dataclass(frozen=True, slots=True)
class NoSuchGpu:
    """No node has any of these models; `there` are the existing models."""

    models: tuple[str, ...]
    there: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WholeOnly:
    """A share of a GPU, and all such GPUs are Kubernetes', which allocates whole ones."""

    gpu_milli: int


@dataclass(frozen=True, slots=True)
class Beyond:
    """More of a resource (gpus, cpus, memory) than any node with the right GPUs has."""

    resource: str
    wanted: int
    most: int


@dataclass(frozen=True, slots=True)
class TooManyTasks:
    """Every task fits somewhere, but not `count` of them together; `fit` would, and so many in each cluster."""

    place: int
    count: int
    fit: int
    clusters: tuple[tuple[str, int], ...]


Lack = NoSuchGpu | WholeOnly | Beyond


def lacking(size: Resources, nodes: Sequence[Node]) -> Iterator[Lack]:
    """What no single node has of a task's size."""
    models = size.models if size.gpu_milli else ()
    there = tuple(sorted({node.gpu_model for node in nodes if node.gpu_model}))
    if models and not set(models) & set(there):
        yield NoSuchGpu(models, there)
        return
    fitting = [node for node in nodes if not models or node.gpu_model in models]
    if size.gpu_milli and any(node.gpus for node in fitting):
        fitting = [node for node in fitting if node.gpus and divides(node, size)]
    if not fitting:
        yield WholeOnly(size.gpu_milli)
        return
    bounds = (
        Beyond("gpus", size.gpu_milli, max(1000 * len(node.gpus) for node in fitting)),
        Beyond("cpus", size.cpu_milli, max(node.cpu_milli for node in fitting)),
        Beyond("memory", size.memory, max(node.memory for node in fitting)),
    )
    yield from (one for one in bounds if one.wanted > one.most)


def holds(node: Node, size: Resources) -> bool:
    """Whether one task fits on the node when it is idle."""
    right = not size.gpu_milli or (divides(node, size) and (not size.models or node.gpu_model in size.models))
    enough = node.cpu_milli >= size.cpu_milli and node.memory >= size.memory
    return right and enough and 1000 * len(node.gpus) >= size.gpu_milli


def too_many(spec: JobSpec, cluster: AllNodes) -> TooManyTasks:
    """For the role with the most tasks: how many would fit."""
    place = max(range(len(spec.roles)), key=lambda at: spec.roles[at].min)
    fits = []
    for name, nodes in cluster.clusters:
        inside = [node for node, here in zip(cluster.nodes, nodes, strict=True) if here]
        fits.append((-_fit(spec, place, AllNodes(inside, cluster.pools)), name or LOCAL))
    best = [fit for fit in sorted(fits) if fit[0]][:_NAMED] or sorted(fits)[:1]
    clusters = tuple((name, -fit) for fit, name in best)
    return TooManyTasks(place, spec.roles[place].min, _fit(spec, place, cluster), clusters)


def divides(node: Node, size: Resources) -> bool:
    """Whether the node gives shares of a GPU, where one is asked for."""
    return size.gpu_milli % 1000 == 0 or node.labels.get(ENGINE_LABEL) != KUBERNETES


def _fit(spec: JobSpec, place: int, cluster: AllNodes) -> int:
    """How many tasks of a role would fit, fewer than it has."""
    most = spec.roles[place].min
    return _most(lambda count: could_ever_start(cluster, ask_of(_with_min(spec, place, count))), most)


def _with_min(spec: JobSpec, place: int, count: int) -> JobSpec:
    roles = tuple(
        replace(role, replicas=count, min=count) if at == place else role
        for at, role in enumerate(spec.roles)
    )
    return replace(spec, roles=roles, min=None)


def _most(fits: Callable[[int], bool], limit: int) -> int:
    """The largest count below `limit` that fits; bisection, since fewer always fit where more do."""
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
