"""The nodes as columns, immutable during a decision, with cached answers about them."""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from danlu.domain.arrays import Ints, Mask, np
from danlu.domain.job import JobClass
from danlu.domain.node import IN_SERVICE, Foreign, Node, NodeState
from danlu.domain.resources import Resources
from danlu.domain.rules import CPUS, ENGINE_LABEL, GPUS, KUBERNETES, MEMORY, Amounts, Pool
from danlu.scheduler.ask import ANY, Ask, GangAsk
from danlu.scheduler.model import FOREVER, Assigned, Running, Site

Column = Ints

WHOLE = 1000
ENDLESS = 2**31
"""How many tasks a node without a cap may have."""

Domain = tuple[str, str]
"""A cluster and the value of a label there: equal values in two clusters are different domains."""


class AllNodes:
    """All nodes by name, of all clusters. Immutable; its caches depend on nothing else."""

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
        self._row = struct.Struct(f"{3 + self.width}q")
        self.capped = any(node.max_tasks is not None for node in self.nodes)
        """Whether any node bounds the number of its tasks."""
        self._masks: dict[object, Mask] = {}
        self._domains: dict[str, tuple[tuple[Domain, Mask], ...]] = {}
        self.possible: dict[object, bool] = {}
        """Cache by ask: whether it would fit if everything were idle."""
        self.capacity: Amounts = self._capacity()
        self.empty = [self.site(node, ()) for node in self.nodes]

    def site(self, node: Node, holders: tuple[tuple[Running, Assigned], ...]) -> Site:
        """What is free on a node, recounted from the tasks there."""
        now = self._free(node)
        soon = list(now)
        position = self._position[self.index[node.name]]
        for running, task in holders:
            for row in (now,) if task in running.leaving else (now, soon):
                row[0] -= task.cpu_milli
                row[1] -= task.memory
                row[-1] -= 1
                for grant in task.gpus:
                    if grant.index in position:
                        row[2 + position[grant.index]] -= grant.milli
        if node.foreign.gpus:
            for row in (now, soon):
                _take_cards(row, len(node.gpus), node.foreign.gpus)
        return Site(node, holders, self._row.pack(*now), self._row.pack(*soon))

    def positions(self, task: Assigned) -> list[tuple[int, int]]:
        """The columns of a task's cards, and how much of each it holds."""
        position = self._position[self.index[task.node]]
        return [(2 + position[grant.index], grant.milli) for grant in task.gpus if grant.index in position]

    def eligible(
        self, job_class: JobClass, selector: tuple[tuple[str, str], ...], size: Resources, model: str
    ) -> Mask:
        """The nodes that a task could run on if they were idle; `model` narrows what its role accepts."""
        wanted = size.models
        if size.gpu_milli and model != ANY and (not wanted or model in wanted):
            wanted = (model,)
        key = (job_class, selector, size.cpu_milli, size.memory, size.gpu_milli, wanted)
        if key not in self._masks:
            mask = self._labelled(job_class, selector) & self._large_enough(size)
            if size.gpu_milli and wanted:
                numbers = [self.models.index(name) for name in wanted if name in self.models]
                mask = mask & np.isin(self.model, numbers)
            if size.gpu_milli % WHOLE:
                mask = mask & self._shares_cards
            self._masks[key] = mask
        return self._masks[key]

    @functools.cached_property
    def clusters(self) -> tuple[tuple[str, Mask], ...]:
        """The nodes by the cluster they are in; none where all are in one."""
        names = sorted({node.cluster for node in self.nodes})
        if len(names) < 2:
            return ()
        return tuple((name, np.array([node.cluster == name for node in self.nodes])) for name in names)

    @functools.cached_property
    def closes(self) -> Column | None:
        """When each node closes, FOREVER where it does not; None where none does."""
        times = [node.closes_at if node.state in IN_SERVICE else None for node in self.nodes]
        if not any(time is not None for time in times):
            return None
        return np.array([FOREVER if time is None else time for time in times], np.int64)

    def domains(self, label: str) -> tuple[tuple[Domain, Mask], ...]:
        """The nodes by the value of a label, cluster by cluster; those without it are in none."""
        if label not in self._domains:
            values = [
                (node.cluster, node.labels[label]) if label in node.labels else None for node in self.nodes
            ]
            names = sorted({value for value in values if value is not None})
            self._domains[label] = tuple((name, np.array([v == name for v in values])) for name in names)
        return self._domains[label]

    def parts(self, ask: Ask, gang: GangAsk | None = None) -> Sequence[Mask | None]:
        """The sets of nodes of which a job's tasks must use one (clusters); None is all nodes, as for a single task."""
        if ask.same:
            return [nodes for _, nodes in self.domains(ask.same)]
        if self.clusters and (gang is None or ask.tasks(gang) > 1):
            return [nodes for _, nodes in self.clusters]
        return (None,)

    @functools.cached_property
    def without_others(self) -> AllNodes:
        """The same nodes without workloads outside Danlu."""
        if all(node.foreign == Foreign() for node in self.nodes):
            return self
        return AllNodes([replace(node, foreign=Foreign()) for node in self.nodes], self.pools)

    @functools.cached_property
    def in_maintenance(self) -> Mask:
        """The nodes that take no tasks for a maintenance."""
        return np.array([node.opens_at is not None for node in self.nodes], np.bool_) & self.closed

    @functools.cached_property
    def closed(self) -> Mask:
        """The nodes that take no tasks because somebody closed them: they can be opened again."""
        return np.array([node.state is NodeState.CORDONED for node in self.nodes], np.bool_)

    @functools.cached_property
    def without_maintenance(self) -> AllNodes:
        """The same nodes after all current maintenance."""
        return self._reopened(self.in_maintenance)

    @functools.cached_property
    def without_closures(self) -> AllNodes:
        """The same nodes if none were closed."""
        return self._reopened(self.closed)

    def _reopened(self, closed: Mask) -> AllNodes:
        if not closed.any():
            return self
        nodes = zip(self.nodes, closed.tolist(), strict=True)
        return AllNodes(
            [replace(node, state=NodeState.READY) if back else node for node, back in nodes], self.pools
        )

    @functools.cached_property
    def _shares_cards(self) -> Mask:
        """Whether a GPU can be shared by several tasks: device plugins of Kubernetes allocate whole GPUs."""
        return np.array([node.labels.get(ENGINE_LABEL) != KUBERNETES for node in self.nodes], np.bool_)

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
        cpus, memory, cards = self._sizes.T
        large: Mask = (cpus >= size.cpu_milli) & (memory >= size.memory) & (WHOLE * cards >= size.gpu_milli)
        return large

    @functools.cached_property
    def _sizes(self) -> Column:
        """The whole of each node: CPUs, memory and number of cards."""
        rows = [(node.cpu_milli, node.memory, len(node.gpus)) for node in self.nodes]
        return np.array(rows, np.int64).reshape(len(rows), 3)

    def _free(self, node: Node) -> list[int]:
        cards = len(node.gpus)
        cpu_milli, memory = node.cpu_milli - node.foreign.cpu_milli, node.memory - node.foreign.memory
        tasks = ENDLESS if node.max_tasks is None else node.max_tasks
        return [cpu_milli, memory, *[WHOLE] * cards, *[0] * (self.width - cards), tasks]

    def _capacity(self) -> Amounts:
        """What projects share: everything except what workloads outside Danlu use."""
        total = {CPUS: 0, MEMORY: 0, GPUS: 0}
        for node in self.nodes:
            if node.state in IN_SERVICE:
                total[CPUS] += max(0, node.cpu_milli - node.foreign.cpu_milli)
                total[MEMORY] += max(0, node.memory - node.foreign.memory)
                if node.gpu_model:
                    cards = max(0, len(node.gpus) - node.foreign.gpus)
                    for key in (GPUS, node.gpu_model):
                        total[key] = total.get(key, 0) + WHOLE * cards
        return total


def _take_cards(row: list[int], cards: int, taken: int) -> None:
    """Which GPUs workloads outside Danlu use is not known: assume those without our tasks, from the highest index
    down."""
    for column in range(1 + cards, 1, -1):
        if taken and row[column] == WHOLE:
            row[column], taken = 0, taken - 1
