"""What a job asks for that is more than there is, even when all of it is idle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from danlu.control.jobs.unserved import place_of_size
from danlu.control.rules.cluster_checks import LOCAL
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES
from danlu.files.mistakes import Loc, did_you_mean
from danlu.scheduler import ask_of, could_ever_start
from danlu.scheduler.cluster import Cluster

_NAMED = 5


def larger_than_any(
    role: Role, place: int, nodes: Sequence[Node], data: Mapping[str, Any], labels: str = ""
) -> Iterator[FieldError]:
    """What of a role's task no single node has, of those that have the `labels` it is bound to."""
    node_there = f"node labelled {labels}" if labels else "node"
    size, root = role.resources, place_of_size(place, data)
    models = sorted({node.gpu_model for node in nodes if node.gpu_model})
    strange = [name for name in size.models if name not in models]
    if size.gpu_milli and strange and len(strange) == len(size.models):
        there = (
            f"there are {', '.join(models)}"
            if models
            else "no such node has a GPU"
            if labels
            else "no node has a GPU"
        )
        hint = did_you_mean(strange[0], models)
        message = f"no {node_there} has GPU model '{strange[0]}' ({there})"
        yield FieldError((*root, "gpu"), "no_such_gpu", message, size.gpu_model, models, hint)
        return
    wanted_models = size.models if size.gpu_milli else ()
    fitting = [node for node in nodes if not wanted_models or node.gpu_model in wanted_models]
    with_cards = [node for node in fitting if node.gpus]
    if size.gpu_milli % 1000 and with_cards:
        fitting = [node for node in with_cards if node.labels.get(ENGINE_LABEL) != KUBERNETES]
    if not fitting:
        share = show_milli(size.gpu_milli)
        message = f"{share} of a GPU: there are such GPUs on Kubernetes only, which gives whole ones"
        yield FieldError((*root, "gpus"), "out_of_range", message, share, hint="ask for whole GPUs")
        return
    bounds = (
        ("gpus", size.gpu_milli, max(1000 * len(node.gpus) for node in fitting), show_milli),
        ("cpus", size.cpu_milli, max(node.cpu_milli for node in fitting), show_milli),
        ("memory", size.memory, max(node.memory for node in fitting), show_size),
    )
    for key, wanted, most, show in bounds:
        if wanted > most:
            message = f"{show(wanted)} is more than any {node_there} has ({show(most)})"
            yield FieldError((*root, key), "out_of_range", message, show(wanted), show(most))


def too_many(spec: JobSpec, cluster: Cluster, data: Mapping[str, Any]) -> FieldError:
    """Every task fits somewhere, but not all of the minimum at once, or not in one cluster."""
    if spec.total:
        gpus = show_milli(spec.roles[0].resources.gpu_milli)
        whose = "any one cluster" if cluster.clusters else "the nodes"
        message = f"{gpus} GPUs are more than {whose} can hold, however divided"
        return FieldError(("resources", "gpus"), "out_of_range", message, gpus, hint="ask for fewer")
    place = max(range(len(spec.roles)), key=lambda at: spec.roles[at].min)
    role = spec.roles[place]
    fit = _fit(spec, place, cluster)
    loc: Loc = ("roles", place, "replicas") if "roles" in data else ("nodes",)
    message = f"{role.min} tasks of this size are more than all nodes together can hold ({fit})"
    if cluster.clusters:
        message = f"{role.min} tasks of this size fit into no cluster as a whole: {_by_cluster(spec, place, cluster)}"
    return FieldError(loc, "out_of_range", message, role.min, fit, "ask for fewer or smaller tasks")


def _fit(spec: JobSpec, place: int, cluster: Cluster) -> int:
    """How many tasks of a role would fit, fewer than it has."""
    most = spec.roles[place].min
    return _most(lambda count: could_ever_start(cluster, ask_of(_with_min(spec, place, count))), most)


def _by_cluster(spec: JobSpec, place: int, cluster: Cluster) -> str:
    """`east could hold 3, west 2`: those that could hold most."""
    fits = []
    for name, nodes in cluster.clusters:
        own = Cluster(
            [node for node, inside in zip(cluster.nodes, nodes, strict=True) if inside], cluster.pools
        )
        fits.append((-_fit(spec, place, own), name or LOCAL))
    (best, first), *others = [fit for fit in sorted(fits) if fit[0]][:_NAMED] or sorted(fits)[:1]
    return ", ".join([f"{first} could hold {-best}", *(f"{name} {-fit}" for fit, name in others)])


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
