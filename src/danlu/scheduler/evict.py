"""Making room: preemption inside a project and reclaim across projects, whole or not at all."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from danlu.domain.reasons import Preempted, Reason, Reclaimed
from danlu.domain.resources import Resources
from danlu.scheduler.ask import Gang, Part
from danlu.scheduler.board import Snapshot
from danlu.scheduler.claims import Claims
from danlu.scheduler.cluster import WHOLE, Mask
from danlu.scheduler.gates import Gates
from danlu.scheduler.model import Assigned, Pending, Running, total_of
from danlu.scheduler.room import Room
from danlu.scheduler.shares import Shares, Tally
from danlu.scheduler.victims import Victims

_EXACT = {1: 24, 2: 24, 3: 10}
"""Up to so many candidates, every set of that many victims is weighed; beyond, node by node."""


_NEVER = 2**62


@dataclass(frozen=True, eq=False, slots=True)
class Victim:
    """A running job, or an extra task it can do without."""

    job: Running
    tasks: tuple[Assigned, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Way:
    """How room is made: who goes, for which reason each, and where the job then runs."""

    victims: tuple[tuple[Victim, Reason], ...]
    tasks: tuple[Assigned, ...]


class Evictor:
    """Looks for victims: fewest first, then of the lowest priority, then those that have run least."""

    def __init__(
        self, snapshot: Snapshot, room: Room, held: Tally, leaving: Tally, shares: Shares, gates: Gates
    ) -> None:
        self._snapshot, self._room, self._shares, self._gates = snapshot, room, shares, gates
        self._held, self._leaving, self._rules = held, leaving, snapshot.rules
        self.gone = {one.job_id for one in snapshot.moving}
        self._lowest = {
            project: min((self._rules.priority(name).value for name in names), default=_NEVER)
            for project, names in snapshot.use.priorities.items()
        }
        self._lenders = [
            (project, self._rules.account(project))
            for project in sorted(self._lowest)
            if self._rules.project(project).reclaimable
        ]

    @functools.cached_property
    def _victims(self) -> Victims:
        return Victims(self._snapshot)

    def make_room(self, job: Pending, model: str, claims: Claims) -> Way | None:
        """The way to make room that costs others least, promised in the room; None leaves everything as it was."""
        for candidates, reason in (
            (self._reclaimable, self._reclaimed),
            (self._preemptible, self._preempted),
        ):
            among = candidates(job, model)
            if among is None or not among.any():
                continue
            allowed = claims.allowed(job.max_time)
            for other in job.gave_way_to & self._victims.at.keys():
                among[self._victims.at[other]] = False
            extras = list(_extras(self._jobs(among & self._victims.elastic)))
            chosen = self._cheapest(extras, job, model, allowed) or self._choose(among, job, model, allowed)
            if chosen:
                reasons = tuple((victim, reason(victim.job, job, model)) for victim in chosen)
                return Way(reasons, self._try(chosen, job, model, allowed, keep=True))
        return None

    def entitled(self, project: str, priority: str, model: str) -> bool:
        """Is there anybody, however many, who would have to make room for jobs of this project and priority?"""
        mine = self._rules.priority(priority)
        if mine.may_preempt and self._lowest.get(project, _NEVER) < mine.value:
            return True
        account = self._rules.account(project)
        compared = self._shares.compared(account, model)
        held = self._held.accounts[account]
        if any(held.get(name, 0) >= self._shares.deserved(account, name) for name in compared):
            return False
        return bool(self._lending(account, compared))

    def release(self, victim: Victim) -> None:
        """Count a victim as leaving from now on."""
        whose = (victim.job.owner, victim.job.project, victim.job.ask.job_class, total_of(victim.tasks))
        self._held.add(*whose, sign=-1)
        self._leaving.add(*whose)
        self.gone.add(victim.job.job_id)
        self._victims.take(victim.job.job_id)

    def spare(self, job_id: str) -> None:
        """Who was given more by this decision is not evicted by it."""
        self._victims.take(job_id)

    # ── who may have to go ───────────────────────────────────────────────────────────────────────────

    def _preemptible(self, job: Pending, _: str) -> Mask | None:
        mine = self._rules.priority(job.priority)
        if not mine.may_preempt or self._lowest.get(job.project, _NEVER) >= mine.value:
            return None
        return self._victims.of([job.project], below=mine.value)

    def _reclaimable(self, job: Pending, model: str) -> Mask | None:
        account = self._rules.account(job.project)
        amounts = job.ask.amounts(model)
        if not self._shares.within(account, self._held.accounts[account], amounts, model):
            return None
        compared = self._shares.compared(account, model)
        lenders = self._lending(account, compared)
        return self._victims.of(lenders) if lenders else None

    def _lending(self, account: str, compared: list[str]) -> list[str]:
        """The projects that hold more than their account deserves."""
        return [
            project
            for project, other in self._lenders
            if other != account and self._shares.beyond(other, self._held.accounts[other], compared)
        ]

    def _jobs(self, among: Mask) -> list[Running]:
        return [self._victims.jobs[number] for number in np.flatnonzero(among)]

    # ── which of them ────────────────────────────────────────────────────────────────────────────────

    def _choose(self, among: Mask, job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """Every way where they are few; else node by node, and then spare whom one can."""
        if np.count_nonzero(among) <= max(_EXACT.values()):
            whole = [Victim(one, one.tasks, True) for one in self._jobs(among)]
            return self._cheapest(whole, job, model, allowed)
        domains = [mask for _, mask in self._room.cluster.domains(job.ask.same)] if job.ask.same else [None]
        found = []
        for domain in domains:
            within = allowed if domain is None else domain if allowed is None else allowed & domain
            if chosen := self._gather(among, job, model, within):
                found.append(self._spared(chosen, job, model, allowed))
        return min((chosen for chosen in found if chosen), key=self._cost, default=[])

    def _cheapest(
        self, victims: list[Victim], job: Pending, model: str, allowed: Mask | None
    ) -> list[Victim]:
        if not victims or not self._try(victims, job, model, allowed, fair=False):
            return []
        victims.sort(key=self._dearness)
        for count, most in _EXACT.items():
            if len(victims) <= most:
                for chosen in sorted(itertools.combinations(victims, count), key=self._cost):
                    if self._try(chosen, job, model, allowed):
                        return list(chosen)
        return self._spared(victims, job, model, allowed)

    def _spared(self, chosen: list[Victim], job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """Without those who need not go after all, the dearest first; nobody if all of them do not do."""
        if not self._try(chosen, job, model, allowed):
            return []
        for victim in sorted(chosen, key=self._dearness, reverse=True) if len(chosen) > 1 else ():
            rest = [one for one in chosen if one is not victim]
            if rest and self._try(rest, job, model, allowed):
                chosen = rest
        return chosen

    def _gather(self, among: Mask, job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """Task by task: where the fewest must go for it."""
        ask, among, chosen, mark = job.ask, among.copy(), [], self._room.mark()
        gang = next((gang for gang in ask.gangs if self._within_reach(among, job, gang, model, allowed)), ())
        for part in gang:
            for index in range(part.minimum):
                while self._room.add(ask, part, index, model, (), allowed, soon=True) is None:
                    more = self._next(among, job, part, model, allowed)
                    if not more:
                        self._room.undo(mark)
                        return []
                    for one in more:
                        among[self._victims.at[one.job_id]] = False
                        chosen.append(Victim(one, one.tasks, True))
                        for task in one.tasks:
                            self._room.leave(task)
        self._room.undo(mark)
        return chosen

    def _within_reach(self, among: Mask, job: Pending, gang: Gang, model: str, allowed: Mask | None) -> bool:
        soon = self._room.soon
        return all(
            self._victims.enough(among, part.size, part.minimum, soon, self._nodes(job, part, model, allowed))
            for part in gang
        )

    def _next(self, among: Mask, job: Pending, part: Part, model: str, allowed: Mask | None) -> list[Running]:
        """Whose leaving lets one more task of a part onto some node, at the least cost."""
        soon, nodes = self._room.soon, self._nodes(job, part, model, allowed)
        for one in self._victims.single(among, part.size, soon, nodes):
            if any(self._holds({task.node}, part.size, [one]) for task in one.tasks):
                return [one]
        ways = [
            way
            for at, jobs in self._victims.several(among, part.size, soon, nodes)
            if (way := self._fewest(self._room.cluster.nodes[at].name, part.size, jobs))
        ]
        return min(
            ways, key=lambda way: self._cost([Victim(one, one.tasks, True) for one in way]), default=[]
        )

    def _fewest(self, node: str, size: Resources, jobs: list[Running]) -> list[Running]:
        """Few of these whose leaving lets a task of this size onto a node: the largest first."""
        ranked = sorted(jobs, key=lambda one: (-_gpus_on(one, node), *self._dearness(Victim(one, (), True))))
        for count in range(1, len(ranked) + 1):
            if self._holds({node}, size, ranked[:count]):
                return ranked[:count]
        return []

    def _holds(self, nodes: set[str], size: Resources, gone: list[Running]) -> bool:
        """Would a task of this size fit on a node without these?"""
        cluster = self._room.cluster
        for node in nodes & cluster.index.keys():
            row = self._room.soon.free[cluster.index[node]].tolist()
            for task in (task for one in gone for task in one.tasks if task.node == node):
                row[0] += task.cpu_milli
                row[1] += task.memory
                for column, milli in cluster.positions(task):
                    row[column] += milli
            part = min(size.gpu_milli, WHOLE)
            able = sum(free >= part for free in row[2:]) if part else 0
            if row[0] >= size.cpu_milli and row[1] >= size.memory and able >= -(-size.gpu_milli // WHOLE):
                return True
        return False

    def _nodes(self, job: Pending, part: Part, model: str, allowed: Mask | None) -> Mask:
        mask = self._room.cluster.eligible(job.ask.job_class, job.ask.selector, part.size, model)
        return mask if allowed is None else mask & allowed

    def _try(
        self,
        victims: Iterable[Victim],
        job: Pending,
        model: str,
        allowed: Mask | None,
        *,
        keep: bool = False,
        fair: bool = True,
    ) -> tuple[Assigned, ...]:
        """Where the job would run with these gone; undone unless kept."""
        mark = self._room.mark()
        victims = list(victims)
        for victim in victims:
            for task in victim.tasks:
                self._room.leave(task)
        tasks: tuple[Assigned, ...] = ()
        if not fair or self._fair(victims, job, model):
            tasks = self._room.place(job.ask, model, allowed, soon=True)
        if tasks and not self._open(victims, job, model, tasks):
            tasks = ()
        if not (keep and tasks):
            self._room.undo(mark)
        return tasks

    def _open(self, victims: list[Victim], job: Pending, model: str, tasks: tuple[Assigned, ...]) -> bool:
        """Do caps and limits let the job in, once these are gone?"""
        for sign in (-1, 1):
            for victim in victims:
                one = victim.job
                self._held.add(one.owner, one.project, one.ask.job_class, total_of(victim.tasks), sign)
            if sign < 0:
                open_ = self._gates.shut(job, model, total_of(tasks)) is None
        return open_

    def _fair(self, victims: list[Victim], job: Pending, model: str) -> bool:
        """Across projects, each victim's project must have more than it deserves when its turn comes."""
        account = self._rules.account(job.project)
        compared = self._shares.compared(account, model)
        taken: dict[str, list[dict[str, int]]] = defaultdict(list)
        for victim in victims:
            other = self._rules.account(victim.job.project)
            if other != account:
                taken[other].append(dict(total_of(victim.tasks)))
        for other, parts in taken.items():
            parts.sort(key=lambda amounts: amounts.get(compared[0], 0))
            held = dict(self._held.accounts[other])
            for amounts in parts:
                if not self._shares.beyond(other, held, [name for name in compared if amounts.get(name)]):
                    return False
                for name, amount in amounts.items():
                    held[name] = held.get(name, 0) - amount
        return True

    # ── how they compare, and what they are told ─────────────────────────────────────────────────────

    def _dearness(self, victim: Victim) -> tuple[int, int, str]:
        """The higher, the less one would evict it."""
        run = self._snapshot.now - victim.job.began
        return (self._rules.priority(victim.job.priority).value, run, victim.job.job_id)

    def _cost(self, victims: Sequence[Victim]) -> tuple[int, list[int], int, list[str]]:
        dear = sorted((self._dearness(victim) for victim in victims), reverse=True)
        return (len(victims), [one[0] for one in dear], sum(one[1] for one in dear), [one[2] for one in dear])

    def _preempted(self, victim: Running, job: Pending, _: str) -> Reason:
        return Preempted(job.project, job.priority, victim.priority)

    def _reclaimed(self, victim: Running, job: Pending, model: str) -> Reason:
        account, other = self._rules.account(job.project), self._rules.account(victim.project)
        held = self._held.accounts[other]
        compared = self._shares.compared(account, model)
        resource = next((name for name in compared if self._shares.beyond(other, held, [name])), compared[0])
        deserved = self._shares.deserved(other, resource)
        return Reclaimed(account, other, resource, held.get(resource, 0), deserved)


def _extras(running: Iterable[Running]) -> Iterator[Victim]:
    """The tasks that elastic jobs can do without, those of the highest index first."""
    for one in running:
        spare = len(one.tasks) - one.ask.minimum
        for part in reversed(one.ask.gangs[0]) if one.ask.elastic else ():
            own = sorted((task for task in one.tasks if task.role == part.role), key=lambda task: -task.index)
            for task in own[: max(0, len(own) - part.minimum)]:
                if spare > 0:
                    spare -= 1
                    yield Victim(one, (task,), False)


def _gpus_on(one: Running, node: str) -> int:
    return sum(grant.milli for task in one.tasks if task.node == node for grant in task.gpus)
