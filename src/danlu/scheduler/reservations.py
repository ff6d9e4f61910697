"""Backfill: the head of a lane that cannot start reserves the nodes it waits for; others may not delay it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from danlu.domain.arrays import Mask, np
from danlu.domain.job import Time
from danlu.domain.resources import Resources
from danlu.scheduler.ask import Ask, GangAsk, composition
from danlu.scheduler.board import Snapshot
from danlu.scheduler.closing import Closing
from danlu.scheduler.cluster import WHOLE
from danlu.scheduler.model import FOREVER, Assigned, Pending, Running
from danlu.scheduler.room import Room, row_fits

_LOOKED_AT = 32
"""How many nodes a head considers beyond what it needs: those with most free, and those that become free first."""

Goes = Callable[[Running, Assigned], bool]
"""Whether this decision told a task to leave."""

PlacedTasks = Mapping[str, list[tuple[Time, Assigned]]]
"""By node, what this decision put there, and when each ends."""

_Wait = tuple[Time, int, int]
"""When one more task fits on a node, how many must leave at an unknown time, and which node."""


class Reservations:
    """Which nodes are reserved for whom, and until when others may use them; never beyond a node's closing time."""

    def __init__(
        self, snapshot: Snapshot, room: Room, closing: Closing, goes: Goes, placed: PlacedTasks
    ) -> None:
        self._snapshot, self._room, self._closing = snapshot, room, closing
        self._goes, self._placed = goes, placed
        self._until = np.full(len(snapshot.cluster.nodes), FOREVER, np.int64)
        self._holders: dict[int, Pending] = {}
        self._due: list[tuple[Pending, str, bool]] = []

    def allowed(self, max_time: int) -> Mask | None:
        """The nodes that a job may use if it is sure to end by then; None means all."""
        self._settle()
        nodes = self._closing.open(max_time)
        if not self._holders:
            return nodes
        free: Mask = self._until >= min(FOREVER, self._snapshot.now + max_time)
        return free if nodes is None else free & nodes

    def longest(self, nodes: Mask) -> int:
        """How long a job may be at most to use one of these nodes."""
        self._settle()
        return int(max(0, self._until[nodes].max(initial=0) - self._snapshot.now))

    def hold(self, job: Pending, model: str, *, lacks_room: bool = True) -> None:
        """Reserve the nodes where the job could start first. If that time is unknown, nobody passes it there.

        A job that only waits because of others' reservations reserves nothing itself."""
        # Computed when a job could use the room: nothing that it depends on changes until then.
        self._due.append((job, model, lacks_room))

    def _settle(self) -> None:
        for job, model, lacks_room in self._due:
            nodes, start = self._first_place(job, model)
            for at in nodes:
                if lacks_room or at not in self._holders:
                    self._until[at] = min(self._until[at], start)
                    self._holders.setdefault(at, job)
        self._due.clear()

    def in_the_way(self, nodes: Iterable[str]) -> Pending | None:
        """The jobs that have reserved one of these nodes."""
        self._settle()
        index = self._snapshot.cluster.index
        return next((self._holders[index[node]] for node in nodes if index[node] in self._holders), None)

    def _first_place(self, job: Pending, model: str) -> tuple[set[int], Time]:
        places = [
            place
            for gang in job.ask.gangs
            for nodes in self._snapshot.cluster.parts(job.ask, gang)
            if (place := self._in_time(job, gang, model, nodes))
        ]
        if not places:
            return set(), FOREVER
        time, _, nodes = min(places, key=lambda place: (place[0], place[1], min(place[2])))
        return nodes, self._snapshot.now if time == FOREVER else time

    def _in_time(
        self, job: Pending, gang: GangAsk, model: str, within: Mask | None
    ) -> tuple[Time, int, set[int]] | None:
        """As `_gang`, on nodes that do not close before the job would have ended: the later it starts, the fewer."""
        now = self._snapshot.now
        within = _both(within, self._closing.open(job.max_time))
        while (place := self._gang(job.ask, gang, model, within)) is not None:
            start = now if place[0] == FOREVER else max(now, place[0])
            nodes = self._closing.open_later(start, job.max_time)
            if nodes is None or nodes[list(place[2])].all():
                return place
            within = _both(within, nodes)
        return None

    def _gang(
        self, ask: Ask, gang: GangAsk, model: str, within: Mask | None
    ) -> tuple[Time, int, set[int]] | None:
        """When and where all of a gang's minimum fits: role by role, the nodes that are free first."""
        time, unknown = 0, 0
        taken: dict[int, list[Resources]] = {}
        for part, count in composition(ask, gang):
            mask = self._snapshot.cluster.eligible(ask.job_class, ask.selector, part.size, model)
            mask = mask if within is None else mask & within
            nodes = self._candidates(mask, count)
            waits = sorted(
                wait for at in nodes for wait in self._waits(at, part.size, count, taken.get(at, []))
            )
            if len(waits) < count:
                return None
            for wait in waits[:count]:
                time, unknown = max(time, wait[0]), unknown + wait[1]
                taken.setdefault(wait[2], []).append(part.size)
        return (time, unknown, set(taken)) if taken else None

    def _candidates(self, mask: Mask, tasks: int) -> Sequence[int]:
        unreserved = mask & (self._until == FOREVER)
        nodes = np.flatnonzero(unreserved if unreserved.sum() >= tasks else mask)
        free = self._room.soon.free[nodes]
        freest = nodes[np.lexsort((nodes, -free[:, 0], -free[:, 2:].sum(1)))]
        sites = self._snapshot.sites
        cleared = sorted(nodes.tolist(), key=lambda at: (sites[at].cleared, at))
        looked_at = _LOOKED_AT // 2 + tasks
        return sorted({*freest[:looked_at].tolist(), *cleared[:looked_at]})

    def _waits(self, at: int, size: Resources, most: int, first: list[Resources]) -> list[_Wait]:
        """For the first, second… task of this size on a node: when it fits, as those there come to their ends."""
        site, now = self._snapshot.sites[at], self._snapshot.now
        row = self._room.soon.free[at].tolist()
        positions = self._snapshot.cluster.positions
        ends = [(max(now, one.ends), task) for one, task in site.staying if not self._goes(one, task)]
        ends += self._placed.get(site.node.name, ())
        waits: list[_Wait] = []
        time, unknown = now, 0
        for end, task in [(now, None), *sorted(ends, key=lambda pair: pair[0])]:
            if task is not None:
                _release(row, positions(task), task.cpu_milli, task.memory)
                time, unknown = end, unknown + (end == FOREVER)
            while first and row_fits(row, first[0]):  # other tasks of the same gang
                _release(row, _cards(row, first[0]), -first[0].cpu_milli, -first[0].memory)
                first = first[1:]
            while not first and row_fits(row, size):
                waits.append((time, unknown, at))
                if len(waits) == most:
                    return waits
                _release(row, _cards(row, size), -size.cpu_milli, -size.memory)
        return waits


def _both(one: Mask | None, other: Mask | None) -> Mask | None:
    return other if one is None else one if other is None else one & other


def _release(row: list[int], cards: list[tuple[int, int]], cpu_milli: int, memory: int) -> None:
    row[0] += cpu_milli
    row[1] += memory
    for column, milli in cards:
        row[column] += milli


def _cards(row: list[int], size: Resources) -> list[tuple[int, int]]:
    """The cards a task would take, as negative releases."""
    if not size.gpu_milli:
        return []
    part = min(size.gpu_milli, WHOLE)
    able = sorted((free, column) for column, free in enumerate(row[2:], 2) if free >= part)
    return [(column, -part) for _, column in able[: max(1, size.whole_gpus)]]
