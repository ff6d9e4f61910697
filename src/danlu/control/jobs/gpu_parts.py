"""What goes with a job's GPUs: the CPUs and memory that its file leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from danlu.control.jobs.sizes import divides
from danlu.control.jobs.unserved import place_of_size, role_in
from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import Policy
from danlu.files.job_file import ResourcesPart
from danlu.files.mistakes import Loc

_PART = 20
"""The system keeps 5 % of a node, and at least this much:"""
_LEAST_CPU_MILLI, _LEAST_MEMORY = 500, GIB
_HALF = 500
_PLAIN = ResourcesPart.model_construct()
"""What a task without GPUs gets; one with GPUs gets no less."""


@dataclass(frozen=True, slots=True)
class GivenSize:
    """What a role gets for its GPUs because the file at this place does not say it."""

    loc: Loc
    cpu_milli: int
    memory: int
    shm: int


def kept_for_system(node: Node) -> tuple[int, int]:
    """The CPUs (in thousandths) and memory of a node that are the system's."""
    return max(node.cpu_milli // _PART, _LEAST_CPU_MILLI), max(node.memory // _PART, _LEAST_MEMORY)


def with_gpu_parts(spec: JobSpec, data: Mapping[str, Any], nodes: Sequence[Node], policy: Policy) -> JobSpec:
    """The specification with the GPUs' part of their node wherever the file does not give CPUs, memory or shared
    memory: of the nodes (those the job could run on) the smallest part, so that it fits on any of them."""
    roles = tuple(
        _completed(role, _written(place, data), _part(role.resources, nodes, policy, spec.total))
        for place, role in enumerate(spec.roles)
    )
    return spec if roles == spec.roles else replace(spec, roles=roles)


def given_sizes(asked: JobSpec, given: JobSpec, data: Mapping[str, Any]) -> Iterator[GivenSize]:
    """Where the file left something to the GPUs' part, and what it got."""
    told = set()
    for place, (before, after) in enumerate(zip(asked.roles, given.roles, strict=True)):
        size, loc = after.resources, place_of_size(place, data)
        if before != after and loc not in told:
            told.add(loc)
            yield GivenSize(loc, size.cpu_milli, size.memory, size.shm)


def _completed(role: Role, written: set[str], part: tuple[int, int] | None) -> Role:
    if part is None or role.flavor is not None:
        return role
    size = role.resources
    memory = size.memory if "memory" in written else part[1]
    return replace(
        role,
        resources=replace(
            size,
            cpu_milli=size.cpu_milli if "cpus" in written else part[0],
            memory=memory,
            shm=size.shm if "shm" in written else _rounded(memory // 2, GIB),
        ),
    )


def _part(size: Resources, nodes: Sequence[Node], policy: Policy, total: bool) -> tuple[int, int] | None:
    if not size.gpu_milli:
        return None
    fitting = [node for node in nodes if _could_hold(node, size, total)]
    if size.gpu_milli > 1000 * sum(len(node.gpus) for node in fitting):
        return None
    parts = [_of(node, size, policy, total) for node in fitting]
    cpus, memory = (min(amounts) for amounts in zip(*parts, strict=True))
    return _rounded(cpus, _HALF), _rounded(memory, GIB)


def _of(node: Node, size: Resources, policy: Policy, total: bool) -> tuple[int, int]:
    """A node's part for these GPUs, in CPUs and memory; what the settings say, as far as the node has it."""
    kept = kept_for_system(node)
    left = (max(0, node.cpu_milli - kept[0]), max(0, node.memory - kept[1]))
    parts = []
    for rest, own, plain in zip(
        left, (policy.gpu_cpu_milli, policy.gpu_memory), (_PLAIN.cpus, _PLAIN.memory), strict=True
    ):
        fair = rest * size.gpu_milli // (1000 * len(node.gpus))
        if own is None:
            parts.append(max(fair, min(plain, rest)))
        else:
            parts.append(min(own * size.gpu_milli // 1000, fair if total else rest))
    return parts[0], parts[1]


def _could_hold(node: Node, size: Resources, total: bool) -> bool:
    right = bool(node.gpus) and (not size.models or node.gpu_model in size.models) and divides(node, size)
    return right and (total or 1000 * len(node.gpus) >= size.gpu_milli)


def _rounded(amount: int, unit: int) -> int:
    return amount // unit * unit or amount


def _written(place: int, data: Mapping[str, Any]) -> set[str]:
    """What the file says of a role's size."""
    size = role_in(place, data).get("resources") or data.get("resources")
    return {key for key, value in size.items() if value is not None} if isinstance(size, Mapping) else set()
