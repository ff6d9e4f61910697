"""What is free on the nodes, and taking from it with the power to give back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from danlu.domain.job import JobSpec, Role
from danlu.domain.node import Node, NodeState
from danlu.domain.resources import GpuGrant, Resources
from danlu.scheduler.model import Assigned, Held

WHOLE = 1000


@dataclass(slots=True)
class _Free:
    node: Node
    cpu_milli: int
    memory: int
    gpus: list[int]  # thousandths free, by position of the card in node.gpus


class Room:
    """The free part of all nodes in service. Not thread-safe; made anew for each decision."""

    def __init__(self, nodes: Iterable[Node], held: Iterable[Held] = ()) -> None:
        self._free = {
            node.name: _Free(node, node.cpu_milli, node.memory, [WHOLE] * len(node.gpus))
            for node in sorted(nodes, key=lambda node: node.name)
            if node.state in (NodeState.READY, NodeState.OCCUPIED)
        }
        for part in held:
            self._take(part, sign=-1)

    def place(self, spec: JobSpec) -> tuple[Assigned, ...] | None:
        """Take room for the job's minimum and what more fits; all of the minimum or nothing."""
        taken: list[tuple[Assigned, Held]] = []
        minimum = [(role, index) for role in spec.roles for index in range(role.min)]
        extra = [(role, index) for role in spec.roles for index in range(role.min, role.replicas)]
        for role, index in minimum:
            if not self._place_task(role, index, spec.node_selector, taken):
                for _, part in taken:
                    self._take(part, sign=+1)
                return None
        for role, index in extra:
            if not self._place_task(role, index, spec.node_selector, taken):
                break
        return tuple(assigned for assigned, _ in taken)

    def count(self, role: Role, selector: Mapping[str, str], limit: int) -> int:
        """How many tasks of a role would fit now, up to `limit`; takes nothing in the end."""
        taken: list[tuple[Assigned, Held]] = []
        while len(taken) < limit and self._place_task(role, len(taken), selector, taken):
            pass
        for _, part in taken:
            self._take(part, sign=+1)
        return len(taken)

    def _place_task(
        self, role: Role, index: int, selector: Mapping[str, str], taken: list[tuple[Assigned, Held]]
    ) -> bool:
        best = min(
            (free for free in self._free.values() if _fits(free, role.resources, selector)),
            key=lambda free: (sum(free.gpus), free.cpu_milli, free.memory, free.node.name),
            default=None,
        )
        if best is None:
            return False
        gpus = _cards(best, role.resources.gpu_milli)
        part = Held(best.node.name, role.resources.cpu_milli, role.resources.memory, gpus)
        self._take(part, sign=-1)
        taken.append((Assigned(role.name, index, best.node.name, gpus), part))
        return True

    def _take(self, part: Held, sign: int) -> None:
        free = self._free.get(part.node)
        if free is None:
            return
        free.cpu_milli += sign * part.cpu_milli
        free.memory += sign * part.memory
        positions = {gpu.index: position for position, gpu in enumerate(free.node.gpus)}
        for grant in part.gpus:
            if grant.index in positions:
                free.gpus[positions[grant.index]] += sign * grant.milli


def _fits(free: _Free, wanted: Resources, selector: Mapping[str, str]) -> bool:
    """Only the resources a request uses are compared."""
    if wanted.cpu_milli > free.cpu_milli or wanted.memory > free.memory:
        return False
    if any(free.node.labels.get(key) != value for key, value in selector.items()):
        return False
    if not wanted.gpu_milli:
        return True
    if wanted.gpu_model and wanted.gpu_model != free.node.gpu_model:
        return False
    if wanted.gpu_milli < WHOLE:
        return any(card >= wanted.gpu_milli for card in free.gpus)
    return sum(card == WHOLE for card in free.gpus) >= wanted.whole_gpus


def _cards(free: _Free, gpu_milli: int) -> tuple[GpuGrant, ...]:
    if not gpu_milli:
        return ()
    if gpu_milli < WHOLE:
        room = ((card, at) for at, card in enumerate(free.gpus) if card >= gpu_milli)
        return (GpuGrant(free.node.gpus[min(room)[1]].index, gpu_milli),)
    whole = [at for at, card in enumerate(free.gpus) if card == WHOLE][: gpu_milli // WHOLE]
    return tuple(GpuGrant(free.node.gpus[at].index) for at in whole)
