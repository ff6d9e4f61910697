"""The nodes as columns: what never changes during a decision, and what was once asked about it."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from danlu.domain.job import JobClass
from danlu.domain.node import Node, NodeState
from danlu.domain.resources import Resources
from danlu.domain.rules import CPUS, GPUS, MEMORY, Amounts, Pool
from danlu.scheduler.ask import ANY
from danlu.scheduler.model import Assigned, Running, Site

Mask = npt.NDArray[np.bool_]
Column = npt.NDArray[np.int64]

WHOLE = 1000
IN_SERVICE = frozenset({NodeState.READY, NodeState.OCCUPIED})


class Cluster:
    """All nodes by name. Immutable; what it remembers depends on nothing else."""

    def __init__(self, nodes: Iterable[Node], pools: Mapping[str, Pool]) -> None:
        self.nodes: Sequence[Node] = sorted(nodes, key=lambda node: node.name)
        self.pools = pools
        self.index = {node.name: at for at, node in enumerate(self.nodes)}
        self.width = max((len(node.gpus) for node in self.nodes), default=0)
        self.models = tuple(sorted({node.gpu_model for node in self.nodes if node.gpu_model}))
        self.model: Column = np.array(
            [self.models.index(node.gpu_model) if node.gpu_model else -1 for node in self.nodes], np.int64
        )
        self._position = [{gpu.index: at for at, gpu in enumerate(node.gpus)} for node in self.nodes]
        self._row = struct.Struct(f"{2 + self.width}q")
        self._masks: dict[object, Mask] = {}
        self._domains: dict[str, tuple[tuple[str, Mask], ...]] = {}
        self.possible: dict[object, bool] = {}
        """What was found of asks: would they fit if everything were idle?"""
        self.capacity: Amounts = self._capacity()
        self.empty = [self.site(node, ()) for node in self.nodes]

    def site(self, node: Node, holders: tuple[tuple[Running, Assigned], ...]) -> Site:
        """What is free on a node, counted anew from who holds something there."""
        now = self._free(node)
        soon = list(now)
        position = self._position[self.index[node.name]]
        for running, task in holders:
            for row in (now,) if task in running.leaving else (now, soon):
                row[0] -= task.cpu_milli
                row[1] -= task.memory
                for grant in task.gpus:
                    if grant.index in position:
                        row[2 + position[grant.index]] -= grant.milli
        return Site(node, holders, self._row.pack(*now), self._row.pack(*soon))

    def positions(self, task: Assigned) -> list[tuple[int, int]]:
        """The columns of a task's cards, and how much of each it holds."""
        position = self._position[self.index[task.node]]
        return [(2 + position[grant.index], grant.milli) for grant in task.gpus if grant.index in position]

    def eligible(
        self, job_class: JobClass, selector: tuple[tuple[str, str], ...], size: Resources, model: str
    ) -> Mask:
        """The nodes a task could run on were they idle; `model` narrows what its role accepts."""
        wanted = size.models
        if size.gpu_milli and model != ANY and (not wanted or model in wanted):
            wanted = (model,)
        key = (job_class, selector, size.cpu_milli, size.memory, size.gpu_milli, wanted)
        if key not in self._masks:
            mask = self._labelled(job_class, selector) & self._large_enough(size)
            if size.gpu_milli and wanted:
                numbers = [self.models.index(name) for name in wanted if name in self.models]
                mask = mask & np.isin(self.model, numbers)
            self._masks[key] = mask
        return self._masks[key]

    def domains(self, label: str) -> tuple[tuple[str, Mask], ...]:
        """The nodes by the value of a label; those without it are in none."""
        if label not in self._domains:
            values = [node.labels.get(label) for node in self.nodes]
            names = sorted({value for value in values if value is not None})
            self._domains[label] = tuple((name, np.array([v == name for v in values])) for name in names)
        return self._domains[label]

    def _labelled(self, job_class: JobClass, selector: tuple[tuple[str, str], ...]) -> Mask:
        key = (job_class, selector)
        if key not in self._masks:
            self._masks[key] = np.array(
                [
                    node.state in IN_SERVICE
                    and (node.pool not in self.pools or self.pools[node.pool].serves(job_class))
                    and all(node.labels.get(label) == value for label, value in selector)
                    for node in self.nodes
                ],
                np.bool_,
            )
        return self._masks[key]

    def _large_enough(self, size: Resources) -> Mask:
        cards = -(-size.gpu_milli // WHOLE)
        return np.array(
            [
                node.cpu_milli >= size.cpu_milli and node.memory >= size.memory and len(node.gpus) >= cards
                for node in self.nodes
            ],
            np.bool_,
        )

    def _free(self, node: Node) -> list[int]:
        cards = len(node.gpus)
        return [node.cpu_milli, node.memory, *[WHOLE] * cards, *[0] * (self.width - cards)]

    def _capacity(self) -> Amounts:
        total = {CPUS: 0, MEMORY: 0, GPUS: 0}
        for node in self.nodes:
            if node.state in IN_SERVICE:
                total[CPUS] += node.cpu_milli
                total[MEMORY] += node.memory
                if node.gpu_model:
                    for key in (GPUS, node.gpu_model):
                        total[key] = total.get(key, 0) + WHOLE * len(node.gpus)
        return total
