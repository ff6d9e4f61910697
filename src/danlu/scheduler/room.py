"""Free resources of the nodes, now and once leaving tasks have left. Allocations can be promised and undone."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from danlu.domain.arrays import Mask, np
from danlu.domain.resources import GpuGrant, Resources
from danlu.scheduler.ask import Ask, GangAsk, RoleAsk
from danlu.scheduler.cluster import WHOLE, AllNodes, Column
from danlu.scheduler.fragments import Fragments
from danlu.scheduler.loss import TaskShape, name_of, typical_of
from danlu.scheduler.model import Assigned, Site

_CPU, _MEMORY, _CARDS = 0, 1, 2


class Layer:
    """The free resources of every node, now or soon: one row per node with CPUs, memory and cards."""

    def __init__(self, rows: Iterable[bytes], cluster: AllNodes, stamp: Column) -> None:
        flat = np.frombuffer(b"".join(rows), np.int64)
        self.free = flat.reshape(len(cluster.nodes), _CARDS + cluster.width).copy(order="F")
        self.cpu, self.memory, self.cards = self.free[:, _CPU], self.free[:, _MEMORY], self.free[:, _CARDS:]
        self.model, self.stamp = cluster.model, stamp
        self.whole: Column = (self.cards == WHOLE).sum(1)
        self.most: Column = self.cards.max(1) if cluster.width else self.whole.copy()

    def set(self, at: int, row: Column) -> None:
        self.free[at] = row
        cards = row[_CARDS:].tolist()
        self.whole[at] = cards.count(WHOLE)
        self.most[at] = max(cards, default=0)

    def fits(self, size: Resources, mask: Mask) -> Mask:
        """The nodes on which one task of this size fits; only requested resources are compared."""
        free = self.free
        fitting = mask & (free[:, _CPU] >= size.cpu_milli) & (free[:, _MEMORY] >= size.memory)
        if size.gpu_milli >= WHOLE:
            fitting &= self.whole >= size.whole_gpus
        elif size.gpu_milli:
            fitting &= self.most >= size.gpu_milli
        return fitting

    def counts(self, size: Resources, mask: Mask) -> Column:
        """How many tasks of this size fit on each node."""
        free, most = self.free, np.where(mask, np.int64(2**31), np.int64(0))
        for wanted, column in ((size.cpu_milli, free[:, _CPU]), (size.memory, free[:, _MEMORY])):
            if wanted:
                most = np.minimum(most, np.maximum(column, 0) // wanted)
        if size.gpu_milli >= WHOLE:
            most = np.minimum(most, self.whole // size.whole_gpus)
        elif size.gpu_milli:
            most = np.minimum(most, (np.maximum(free[:, _CARDS:], 0) // size.gpu_milli).sum(1))
        return most


class Room:
    """Two layers over the same nodes. `now` never offers what is promised in `soon`."""

    def __init__(
        self, cluster: AllNodes, sites: Sequence[Site], shapes: Mapping[Resources, int] | None = None
    ) -> None:
        self.cluster = cluster
        self.stamp: Column = np.zeros(len(cluster.nodes), np.int64)
        self.now = Layer((site.now for site in sites), cluster, self.stamp)
        self.soon = Layer((site.soon for site in sites), cluster, self.stamp)
        self._shapes = shapes or {}
        self._changes = 0
        self._journal: list[tuple[int, Column, Column]] = []

    # ── the overlay ──────────────────────────────────────────────────────────────────────────────────

    def mark(self) -> int:
        """A point to which later changes can be undone."""
        return len(self._journal)

    def undo(self, mark: int) -> None:
        while len(self._journal) > mark:
            at, now, soon = self._journal.pop()
            self._write(at, now, soon)

    def take(self, task: Assigned) -> None:
        """Allocate now."""
        at, held = self._held(task)
        self._set(at, self.now.free[at] - held, self.soon.free[at] - held)

    def promise(self, task: Assigned) -> None:
        """Reserve the room for when leaving tasks have left; no other task can take it until then."""
        at, held = self._held(task)
        soon = self.soon.free[at] - held
        self._set(at, np.minimum(self.now.free[at], soon), soon)

    def leave(self, task: Assigned) -> None:
        """Mark a task as leaving: its room will be free soon."""
        if task.node in self.cluster.index:
            at, held = self._held(task)
            self._set(at, self.now.free[at].copy(), self.soon.free[at] + held)

    def take_all(self, tasks: Sequence[Assigned], *, soon: bool = False) -> bool:
        """Take (or promise) room for tasks on their nodes, for all or none."""
        mark, layer = self.mark(), self.soon if soon else self.now
        for task in tasks:
            (self.promise if soon else self.take)(task)
            if (layer.free[self.cluster.index[task.node]] < 0).any():
                self.undo(mark)
                return False
        return True

    def give_back(self, tasks: Iterable[Assigned]) -> None:
        """Give back what was promised."""
        for task in tasks:
            self.leave(task)

    def back(self, tasks: Iterable[Assigned]) -> bool:
        """Keep leaving tasks after all, if their room is still free."""
        mark = self.mark()
        for task in tasks:
            if task.node in self.cluster.index:
                at, held = self._held(task)
                soon = self.soon.free[at] - held
                if (soon < 0).any():
                    self.undo(mark)
                    return False
                self._set(at, self.now.free[at].copy(), soon)
        return True

    def _held(self, task: Assigned) -> tuple[int, Column]:
        held = np.zeros(_CARDS + self.cluster.width, np.int64)
        held[_CPU], held[_MEMORY] = task.cpu_milli, task.memory
        for column, milli in self.cluster.positions(task):
            held[column] = milli
        return self.cluster.index[task.node], held

    def _set(self, at: int, now: Column, soon: Column) -> None:
        self._journal.append((at, self.now.free[at].copy(), self.soon.free[at].copy()))
        self._write(at, now, soon)

    def _write(self, at: int, now: Column, soon: Column) -> None:
        self.now.set(at, now)
        self.soon.set(at, soon)
        self._changes += 1
        self.stamp[at] = self._changes

    # ── placing ──────────────────────────────────────────────────────────────────────────────────────

    def place(
        self,
        ask: Ask,
        model: str,
        allowed: Mask | None = None,
        *,
        soon: bool = False,
        avoids: Collection[str] = (),
    ) -> tuple[Assigned, ...]:
        """Take (or promise) room for the job's minimum; empty if it does not fit. Avoided nodes are used only if it
        fits nowhere else."""
        if avoids and (tasks := self.place(ask, model, self._others(avoids, allowed), soon=soon)):
            return tasks
        for gang in ask.gangs:
            masks = [self._mask(ask, part, model, allowed) for part in gang]
            if not self._enough(gang, masks, soon):
                continue
            for within in self._closeness(ask, gang, masks, soon):
                mark = self.mark()
                tasks = self._place_gang(ask, gang, masks, within, soon)
                if tasks:
                    return tasks
                self.undo(mark)
        return ()

    def could(self, ask: Ask, model: str, allowed: Mask | None = None, *, soon: bool = False) -> bool:
        """A quick check: false means no room, true means maybe."""
        masks = [[self._mask(ask, part, model, allowed) for part in gang] for gang in ask.gangs]
        return any(self._enough(*pair, soon) for pair in zip(ask.gangs, masks, strict=True))

    def fitting(self, ask: Ask, model: str, allowed: Mask | None = None) -> Mask | None:
        """The nodes on which a job of one task fits now; None for a job of several tasks."""
        (part, *others) = ask.gangs[0]
        if others or len(ask.gangs) > 1 or max(part.minimum, ask.minimum) > 1:
            return None
        return self.now.fits(part.size, self._mask(ask, part, model, allowed))

    def add(
        self,
        ask: Ask,
        part: RoleAsk,
        index: int,
        model: str,
        near: Sequence[Assigned],
        allowed: Mask | None,
        *,
        soon: bool = False,
        avoids: Collection[str] = (),
    ) -> Assigned | None:
        """Take (or promise) room for one more task of a job with these tasks; none if their nodes are unknown."""
        if avoids:
            others = self._others(avoids, allowed)
            if (task := self.add(ask, part, index, model, near, others, soon=soon)) is not None:
                return task
        mask = self._mask(ask, part, model, allowed)
        if near:
            at = next(
                (place for task in near if (place := self.cluster.index.get(task.node)) is not None), None
            )
            own = [
                nodes for nodes in self.cluster.parts(ask) if at is not None and (nodes is None or nodes[at])
            ]
            if not own:
                return None
            mask = mask if own[0] is None else mask & own[0]
        return self._place_task(part, index, mask, soon=soon)

    def counts(self, ask: Ask, gang: GangAsk, model: str, allowed: Mask | None = None) -> list[int]:
        """How many tasks of a gang's minimum would fit now in each cluster, ignoring other waiting jobs."""
        if not self.cluster.clusters:
            return [self._count(ask, gang, model, allowed)]
        parts = [nodes if allowed is None else nodes & allowed for _, nodes in self.cluster.clusters]
        return [self._count(ask, gang, model, nodes) for nodes in parts]

    def _count(self, ask: Ask, gang: GangAsk, model: str, nodes: Mask | None) -> int:
        tasks: list[Assigned] = []
        mark = self.mark()
        masks = [self._mask(ask, part, model, nodes) for part in gang]
        for part, mask in zip(gang, masks, strict=True):
            for index in range(part.minimum):
                if not self._place_within(part, index, mask, (None,), False, tasks):
                    break
        for part, mask in zip(gang, masks, strict=True):
            for index in range(part.minimum, part.replicas):
                if len(tasks) >= ask.minimum or not self._place_within(
                    part, index, mask, (None,), False, tasks
                ):
                    break
        self.undo(mark)
        return len(tasks)

    def closest(self, ask: Ask, part: RoleAsk, model: str, allowed: Mask | None = None) -> int:
        """The most tasks of a part that would fit within one topology domain."""
        counts = self.now.counts(part.size, self._mask(ask, part, model, allowed))
        return max((int(counts[mask].sum()) for _, mask in self.cluster.domains(ask.same or "")), default=0)

    def _mask(self, ask: Ask, part: RoleAsk, model: str, allowed: Mask | None) -> Mask:
        mask = self.cluster.eligible(ask.job_class, ask.selector, part.size, model)
        return mask if allowed is None else mask & allowed

    def _others(self, avoids: Collection[str], allowed: Mask | None) -> Mask:
        """The allowed nodes without the avoided ones."""
        mask = np.ones(len(self.cluster.nodes), np.bool_) if allowed is None else allowed.copy()
        mask[[self.cluster.index[name] for name in avoids if name in self.cluster.index]] = False
        return mask

    def _enough(self, gang: GangAsk, masks: list[Mask], soon: bool) -> bool:
        """A quick check that rules out hopeless cases."""
        layer = self.soon if soon else self.now
        for part, mask in zip(gang, masks, strict=True):
            if part.minimum == 1:
                if not layer.fits(part.size, mask).any():
                    return False
            elif part.minimum and self._most(layer.counts(part.size, mask)) < part.minimum:
                return False
        return True

    def _most(self, counts: Column) -> int:
        """The largest of the counts within one cluster."""
        if not self.cluster.clusters:
            return int(counts.sum())
        return max(int(counts[nodes].sum()) for _, nodes in self.cluster.clusters)

    def _closeness(
        self, ask: Ask, gang: GangAsk, masks: list[Mask], soon: bool
    ) -> Iterator[Sequence[Mask | None]]:
        """The sets of nodes to try, each a list of topology domains to fill in turn."""
        label, clusters = ask.same or ask.prefer, self.cluster.clusters
        if (label is None and not clusters) or (ask.tasks(gang) == 1 and not ask.elastic):
            yield (None,)
            return
        layer = self.soon if soon else self.now
        part, mask = max(zip(gang, masks, strict=True), key=lambda pair: pair[0].minimum)
        counts = layer.counts(part.size, mask)
        domains = self.cluster.domains(label) if label else ()
        sized = [(int(counts[domain].sum()), name, domain) for name, domain in domains]
        # The tightest domain that can hold all; else, if the topology is only preferred, as few domains as possible.
        for _, _, domain in sorted(
            (entry for entry in sized if entry[0] >= part.minimum), key=lambda entry: entry[:2]
        ):
            yield (domain,)
        if ask.same is None:
            sized.sort(key=lambda entry: (-entry[0], entry[1]))
            for cluster, nodes in _roomiest(clusters, counts, part) if clusters else (("", None),):
                yield (*(domain for _, name, domain in sized if not clusters or name[0] == cluster), nodes)

    def _place_gang(
        self, ask: Ask, gang: GangAsk, masks: list[Mask], within: Sequence[Mask | None], soon: bool
    ) -> tuple[Assigned, ...]:
        tasks: list[Assigned] = []
        for part, mask in zip(gang, masks, strict=True):
            for index in range(part.minimum):
                if not self._place_within(part, index, mask, within, soon, tasks):
                    return ()
        for part, mask in zip(gang, masks, strict=True):
            for index in range(part.minimum, part.replicas):
                if len(tasks) >= ask.minimum or not self._place_within(
                    part, index, mask, within, soon, tasks
                ):
                    break
        return tuple(tasks) if len(tasks) >= ask.minimum else ()

    def _place_within(
        self,
        part: RoleAsk,
        index: int,
        mask: Mask,
        within: Sequence[Mask | None],
        soon: bool,
        tasks: list[Assigned],
    ) -> bool:
        for domain in within:
            task = self._place_task(part, index, mask if domain is None else mask & domain, soon=soon)
            if task is not None:
                tasks.append(task)
                return True
        return False

    def _place_task(self, part: RoleAsk, index: int, mask: Mask, *, soon: bool) -> Assigned | None:
        layer = self.soon if soon else self.now
        candidates = np.flatnonzero(layer.fits(part.size, mask))
        if not len(candidates):
            return None
        at, cards = self._fragments.choose(layer, candidates, request_of(part.size, self.cluster))
        node = self.cluster.nodes[at]
        milli = min(part.size.gpu_milli, WHOLE)
        gpus = tuple(GpuGrant(node.gpus[card].index, milli) for card in cards)
        model = node.gpu_model if gpus else None
        task = Assigned(part.role, index, node.name, part.size.cpu_milli, part.size.memory, gpus, model)
        (self.promise if soon else self.take)(task)
        return task

    @functools.cached_property
    def _fragments(self) -> Fragments:
        """One per room, so that decisions in several threads do not share a cache."""
        return Fragments(_typical(self._shapes, self.cluster), len(self.cluster.models))


def _roomiest(
    clusters: Sequence[tuple[str, Mask]], counts: Column, part: RoleAsk
) -> Iterator[tuple[str, Mask]]:
    """The clusters with room for a part's minimum: those that can hold most of its tasks first, among equals the
    tightest."""
    sized = [(int(counts[nodes].sum()), name, nodes) for name, nodes in clusters]
    sized.sort(key=lambda entry: (-min(entry[0], part.replicas), *entry[:2]))
    return ((name, nodes) for count, name, nodes in sized if count >= part.minimum)


def row_fits(row: list[int], size: Resources) -> bool:
    """Whether one task fits into the free resources of a node, given as plain numbers."""
    if row[_CPU] < size.cpu_milli or row[_MEMORY] < size.memory:
        return False
    part = min(size.gpu_milli, WHOLE)
    return not part or sum(free >= part for free in row[_CARDS:]) >= max(1, size.whole_gpus)


def request_of(size: Resources, cluster: AllNodes) -> TaskShape:
    """A task's size as a shape."""
    models = frozenset(cluster.models.index(name) for name in size.models if name in cluster.models)
    return TaskShape(size.cpu_milli, size.memory, size.gpu_milli, models if size.models else None)


def _typical(shapes: Mapping[Resources, int], cluster: AllNodes) -> dict[TaskShape, float]:
    """The most requested shapes. Counts are rounded up to a power of two, so that they rarely change."""
    counts: Counter[TaskShape] = Counter()
    for size, count in shapes.items():
        counts[request_of(size, cluster)] += count
    typical = typical_of({request: float(count) for request, count in counts.items() if count})
    whole = TaskShape(0, 0, WHOLE)  # always worth keeping free
    typical.setdefault(whole, max(1.0, sum(typical.values()) / 100))
    coarse = ((request, 2.0 ** math.frexp(count)[1]) for request, count in typical.items())
    return dict(sorted(coarse, key=lambda pair: name_of(pair[0])))
