"""The queue order: pins, priority, the project's share, the user's score, the owner's order, creation."""

from __future__ import annotations

import functools
import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from danlu.domain.arrays import np
from danlu.domain.rules import CPUS
from danlu.domain.score import CPU
from danlu.scheduler.board import Snapshot, lanes
from danlu.scheduler.cluster import Column
from danlu.scheduler.model import Lane, Pending, QueueLine
from danlu.scheduler.shares import Shares, Tally

_Key = tuple[Any, ...]


class Worth(Protocol):
    """Which jobs are worth trying; one that is not will not be later in the same pass either."""

    def lane_worth(self, lane: Lane, facts: LaneFacts) -> bool: ...

    def worth(self, line: QueueLine) -> bool:
        """A quick look at a line."""

    def skip(self, line: QueueLine, at: int) -> int:
        """The next place in a line that is worth a try; beyond the end if there is none."""


@dataclass(slots=True)
class LaneFacts:
    """What all lines of a lane want together, and the projects and priorities among them."""

    wants: int = 0
    whose: set[tuple[str, str]] = field(default_factory=set)


class Order:
    """Returns the next job of all lanes together.

    Lines are sorted once per pass, by columns. Starting something moves its owner and project back, so a line's true
    key may be higher than the one it was sorted by, never lower: when a line comes up its key is worked out again, and
    if it has grown, the line waits in a heap until its time comes."""

    def __init__(self, snapshot: Snapshot, held: Tally, shares: Shares) -> None:
        self._snapshot, self._held, self._shares, self._rules = snapshot, held, shares, snapshot.rules
        self.lines = snapshot.lines
        self._apart = self._alone(snapshot.apart)
        self._standings: dict[tuple[str, str], tuple[int, tuple[bool, float]]] = {}
        self._pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._base: Column | None = None

    def turns(self, more: Iterable[Pending], worth: Worth) -> Iterator[tuple[QueueLine, Pending]]:
        """The next job of every lane in its order; between lanes by pin, priority and slot."""
        self._standings.clear()  # what projects deserve was worked out anew
        alone: dict[Lane, list[QueueLine]] = defaultdict(list)
        for line in (*self._apart, *self._alone(more)):
            alone[line.lane].append(line)
        by_lane = self._sorted()
        lanes_there = sorted({*alone, *by_lane})
        streams = [_Stream(self, lane, by_lane.get(lane), alone[lane], worth) for lane in lanes_there]
        heads = [
            (turn, number) for number, stream in enumerate(streams) if (turn := stream.turn()) is not None
        ]
        heapq.heapify(heads)
        while heads:
            turn, number = heads[0]
            current = streams[number].turn()
            if current == turn:
                yield streams[number].take()
                current = streams[number].turn()
            if current is None:
                heapq.heappop(heads)
            else:
                heapq.heapreplace(heads, (current, number))

    def waiting(
        self, more: Iterable[Pending], placed: Callable[[Pending], bool]
    ) -> dict[Lane, tuple[Pending, ...]]:
        """All waiting jobs, lane by lane, in their final order."""
        by_lane: dict[Lane, list[tuple[_Key, Pending]]] = defaultdict(list)
        for line in (*self._snapshot.lines, *self._apart, *self._alone(more)):
            left = [job for job in line.jobs if not placed(job)]
            if left:
                prefix = self.key(line, 0)[:-1]
                by_lane[line.lane] += [((*prefix, job.slot), job) for job in left]
        return {
            lane: tuple(job for _, job in sorted(entries, key=lambda entry: entry[0]))
            for lane, entries in sorted(by_lane.items())
        }

    def key(self, line: QueueLine, at: int) -> _Key:
        """The sort key; lower is sooner."""
        job, model = line.jobs[at], line.lane[0]
        pin = (0, -job.pinned_at) if job.pinned_at is not None else (1, 0)
        account = self._rules.account(job.project)
        priority = -self._rules.priority(job.priority).value
        held = self._held.of(job.owner, CPUS if model == CPU else model)
        standing = self._standing(account, model)
        return (*pin, priority, *standing, self._score(job.owner, model), held, job.slot)

    def worth(self, job: Pending, model: str) -> tuple[float, float]:
        """The score of its owner, and how much of its share its project has."""
        standing = self._standing(self._rules.account(job.project), model)
        return self._snapshot.scores.get((job.owner, model), 0.0), standing[1]

    def _sorted(self) -> dict[Lane, _Ranked]:
        """The lines of each lane by all that orders them now."""
        if not self._snapshot.lines:
            return {}
        lane, project, _, priority, slot = self._snapshot.numbers
        lane_names, projects, _, priorities = self._snapshot.names
        accounts = [self._rules.account(name) for name in projects]
        value: Column = np.array([-self._rules.priority(name).value for name in priorities], np.int64)[
            priority
        ]
        standing = np.array(
            [[self._standing(account, name[0]) for name in lane_names] for account in accounts]
        )
        which, score = self._people
        held = self._held_by[which]
        over, level = standing[project, lane].T
        ranked = np.lexsort((slot, held, score, level, over, value, lane))
        columns = [column[ranked] for column in (value, over, level, score, held, slot)]
        first = np.flatnonzero(np.diff(lane[ranked], prepend=-1))
        spans = zip(first.tolist(), [*first[1:].tolist(), len(ranked)], strict=True)
        return {
            lane_names[lane[ranked[begin]]]: _Ranked(
                ranked[begin:end].tolist(), [column[begin:end] for column in columns]
            )
            for begin, end in spans
        }

    @functools.cached_property
    def facts(self) -> dict[Lane, LaneFacts]:
        """Facts about each lane, to skip it without looking at its lines."""
        lanes_facts: dict[Lane, LaneFacts] = defaultdict(LaneFacts)
        for line in self.lines:
            facts, job = lanes_facts[line.lane], line.jobs[0]
            facts.wants |= line.wants
            facts.whose.add((job.project, job.priority))
        return lanes_facts

    @functools.cached_property
    def _people(self) -> tuple[Column, Any]:
        """For each line: whose it is and what its lane counts (as a place in `_pairs`), and their score."""
        lane, _, owner, _, _ = self._snapshot.numbers
        lane_names, _, owners, _ = self._snapshot.names
        models = [name[0] for name in lane_names]
        pairs, which = np.unique(owner * len(models) + lane, return_inverse=True)
        people = [(owners[pair // len(models)], models[pair % len(models)]) for pair in pairs.tolist()]
        score = np.array([self._score(name, model) for name, model in people])[which]
        for at, (name, model) in enumerate(people):
            self._pairs[name, CPUS if model == CPU else model].append(at)
        return which, score

    @property
    def _held_by(self) -> Column:
        """What each of these people uses, including what this decision gave."""
        if self._base is None:
            self._base = np.zeros(1 + max(at for places in self._pairs.values() for at in places), np.int64)
            for whose, places in self._pairs.items():
                self._base[places] = self._held.of(*whose)
        held: Column = self._base.copy()
        for whose in self._held.changed:
            held[self._pairs.get(whose, [])] = self._held.of(*whose)
        return held

    def _score(self, owner: str, model: str) -> float:
        return round(self._snapshot.scores.get((owner, model), 0.0), 2)

    def _standing(self, account: str, model: str) -> tuple[bool, float]:
        changes = self._held.changes[account]
        known = self._standings.get((account, model))
        if known is not None and known[0] == changes:
            return known[1]
        standing = self._shares.standing(account, self._held.accounts[account], model)
        self._standings[account, model] = (changes, standing)
        return standing

    def _alone(self, jobs: Iterable[Pending]) -> list[QueueLine]:
        cluster = self._snapshot.cluster
        return [
            QueueLine(lane, (job,))
            for job in jobs
            for lane in lanes(cluster, job.ask.models, job.ask.job_class)
        ]


class _Ranked:
    """The lines of one lane, sorted once, and for each a key that is not above its own."""

    def __init__(self, numbers: list[int], columns: list[Any]) -> None:
        self.numbers, self.columns = numbers, columns

    def key(self, place: int) -> _Key:
        *rank, slot = (column[place].item() for column in self.columns)
        return (1, 0, *rank, (slot,))


class _Stream:
    """The jobs of one lane in order: lines as they were sorted, and a heap of those whose time has come or changed."""

    def __init__(
        self,
        order: Order,
        lane: Lane,
        ranked: _Ranked | None,
        alone: list[QueueLine],
        worth: Worth,
    ) -> None:
        self._order, self._lane, self._ranked, self._worth = order, lane, ranked, worth
        self._facts = order.facts.get(lane, LaneFacts())
        self._lines, self._place = order.lines, 0
        self._heap: list[tuple[_Key, int, int, QueueLine]] = []
        for number, line in enumerate(alone, len(self._lines)):
            self._come(line, number, 0)

    def turn(self) -> _Key | None:
        """The key of the next job against other lanes; None if there is none."""
        heap = self._heap
        while True:
            self._admit()
            if not heap:
                return None
            key, number, at, line = heap[0]
            now = self._worth.skip(line, at)
            if now == at and self._order.key(line, at) == key:
                return (*key[:3], line.jobs[at].slot)
            heapq.heappop(heap)
            self._come(line, number, now)

    def _admit(self) -> None:
        """Move lines into the heap that may be next."""
        if self._ranked is None:
            return
        numbers, lines, heap, worth = self._ranked.numbers, self._lines, self._heap, self._worth.worth
        if self._place < len(numbers) and not self._worth.lane_worth(self._lane, self._facts):
            self._place = len(numbers)
        while self._place < len(numbers):
            number = numbers[self._place]
            if worth(lines[number]):
                if heap and self._ranked.key(self._place) > heap[0][0]:
                    return
                self._come(lines[number], number, 0)
            self._place += 1

    def take(self) -> tuple[QueueLine, Pending]:
        _, number, at, line = heapq.heappop(self._heap)
        self._come(line, number, at + 1)
        return line, line.jobs[at]

    def _come(self, line: QueueLine, number: int, at: int) -> None:
        at = self._worth.skip(line, at)
        if at < len(line.jobs):
            heapq.heappush(self._heap, (self._order.key(line, at), number, at, line))
