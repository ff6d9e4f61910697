"""Evictions: preemption inside a project and reclaim across projects, all or nothing."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from danlu.domain.arrays import Mask, np
from danlu.domain.reasons import Preempted, Reason, Reclaimed
from danlu.domain.resources import Resources
from danlu.scheduler.ask import GangAsk, RoleAsk, composition
from danlu.scheduler.board import Snapshot
from danlu.scheduler.gates import Gates
from danlu.scheduler.model import Assigned, Pending, Running, total_of
from danlu.scheduler.reservations import Reservations
from danlu.scheduler.room import Room, row_fits
from danlu.scheduler.shares import Shares, Tally
from danlu.scheduler.victims import EvictionPlan, Victim, Victims, part_of

_EXACT = {1: 24, 2: 24, 3: 10}
"""With up to this many candidates, all small sets of victims are compared; with more, node by node."""


_WEIGHED = 8
"""With up to this many victims, each is checked for whether it is really needed."""
_TRIED = 32
_NODES = 8
"""How many nodes are compared for the cheapest eviction."""
_NEVER = 2**62


class Evictor:
    """Chooses victims: the fewest, then the lowest priority, then the least work lost since their last checkpoint."""

    def __init__(
        self, snapshot: Snapshot, room: Room, held: Tally, leaving: Tally, shares: Shares, gates: Gates
    ) -> None:
        self._snapshot, self._room, self._shares, self._gates = snapshot, room, shares, gates
        self._held, self._leaving, self._rules = held, leaving, snapshot.rules
        self.gone = {one.job_id for one in snapshot.moving}
        self.cut: dict[str, list[Assigned]] = {}
        """Spare tasks that were taken from jobs that keep running."""
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

    def make_room(self, job: Pending, model: str, reservations: Reservations) -> EvictionPlan | None:
        """The cheapest way to make room, promised in the room; None leaves everything unchanged."""
        for candidates, reason in (
            (self._reclaimable, self._reclaimed),
            (self._preemptible, self._preempted),
        ):
            among = candidates(job, model)
            if among is None or not among.any():
                continue
            allowed = reservations.allowed(job.max_time)
            for other in job.gave_way_to & self._victims.at.keys():
                among[self._victims.at[other]] = False
            extras = list(self._extras(self._jobs(among & self._victims.elastic)))
            chosen = self._spare_tasks(extras, job, model, allowed)
            chosen = chosen or self._choose(among, job, model, allowed)
            if chosen:
                reasons = tuple((victim, reason(victim.job, job, model)) for victim in chosen)
                return EvictionPlan(reasons, self._try(chosen, job, model, allowed, keep=True))
        return None

    def entitled(self, project: str, priority: str, model: str) -> bool:
        """Whether any job could be evicted for jobs of this project and priority."""
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
        one = victim.job
        whose = (one.owner, one.project, one.ask.job_class, total_of(victim.tasks))
        self._held.add(*whose, sign=-1)
        self._leaving.add(*whose)
        if victim.whole:
            self.gone.add(one.job_id)
            self._victims.take(one.job_id)
        else:
            self.cut.setdefault(one.job_id, []).extend(victim.tasks)

    def goes(self, one: Running, task: Assigned) -> bool:
        """Was it told to leave by this decision?"""
        return one.job_id in self.gone or task in self.cut.get(one.job_id, ())

    def spare(self, job_id: str) -> None:
        """A job that this decision gave more is not evicted by it."""
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
        """Every small set where candidates are few; else, or if none does, task by task where the fewest must go."""
        if np.count_nonzero(among) <= max(_EXACT.values()):
            few = [self._whole(one) for one in self._jobs(among)]
            if not self._try(few, job, model, allowed, fair=False):
                return []
            if chosen := self._exactly(few, job, model, allowed):
                return chosen
        found = [self._spanning(among, job, model, allowed)]
        for gang in job.ask.gangs:
            for nodes in self._room.cluster.parts(job.ask, gang):
                within = allowed if nodes is None else nodes if allowed is None else allowed & nodes
                if chosen := self._gather(among, job, gang, model, within):
                    found.append(self._spared(chosen, job, model, allowed))
        return min((chosen for chosen in found if chosen), key=self._cost, default=[])

    def _exactly(self, victims: list[Victim], job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """The cheapest of all sets of few."""
        for count, most in _EXACT.items():
            if len(victims) <= most:
                for chosen in sorted(itertools.combinations(victims, count), key=self._cost):
                    if self._try(chosen, job, model, allowed):
                        return list(chosen)
        return []

    def _spanning(self, among: Mask, job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """For a job of several tasks, one victim of several tasks may do."""
        if job.ask.tasks(job.ask.gangs[0]) < 2:
            return []
        wide = [self._whole(one) for one in self._jobs(among & self._victims.wide)]
        tried = sorted(wide, key=self._dearness)[:_TRIED]
        return next(([one] for one in tried if self._try([one], job, model, allowed)), [])

    def _spare_tasks(
        self, extras: list[Victim], job: Pending, model: str, allowed: Mask | None
    ) -> list[Victim]:
        """The smallest set of tasks that elastic jobs can do without."""
        if not extras or not self._try(extras, job, model, allowed, fair=False):
            return []
        if chosen := self._exactly(extras, job, model, allowed):
            return chosen
        extras.sort(key=lambda one: (-sum(grant.milli for grant in one.tasks[0].gpus), *self._dearness(one)))
        low, high = 1, len(extras)
        while low < high:  # more of them never do worse
            middle = (low + high) // 2
            enough = self._try(extras[:middle], job, model, allowed, fair=False)
            low, high = (low, middle) if enough else (middle + 1, high)
        return self._spared(extras[:high], job, model, allowed)

    def _spared(self, chosen: list[Victim], job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """Drop victims that are not needed, the most expensive first; empty if even all of them are not enough."""
        if not self._try(chosen, job, model, allowed):
            return []
        if len(chosen) <= _WEIGHED:
            for victim in sorted(chosen, key=self._dearness, reverse=True) if len(chosen) > 1 else ():
                rest = [one for one in chosen if one is not victim]
                if rest and self._try(rest, job, model, allowed):
                    chosen = rest
            return chosen
        mark = self._room.mark()  # many: whoever still fits beside the job as it is placed then
        self._try(chosen, job, model, allowed, keep=True)
        stay = [one for one in sorted(chosen, key=self._dearness, reverse=True) if self._room.back(one.tasks)]
        self._room.undo(mark)
        rest = [one for one in chosen if one not in stay]
        return rest if self._try(rest, job, model, allowed) else chosen

    def _gather(
        self, among: Mask, job: Pending, gang: GangAsk, model: str, allowed: Mask | None
    ) -> list[Victim]:
        """Task by task, where the fewest must leave; never from projects that hold no more than they deserve."""
        among, mark = among.copy(), self._room.mark()
        chosen: list[Victim] = []
        for part, count in composition(job.ask, gang):
            for index in range(count):
                while self._room.add(job.ask, part, index, model, (), allowed, soon=True) is None:
                    more = self._next(among, chosen, job, part, model, allowed)
                    if not more:
                        self._room.undo(mark)
                        return []
                    for victim in more:
                        among[self._victims.at[victim.job.job_id]] = False
                        chosen.append(victim)
                        for task in victim.tasks:
                            self._room.leave(task)
        self._room.undo(mark)
        return chosen or self._relief(among, job, model, allowed)

    def _relief(self, among: Mask, job: Pending, model: str, allowed: Mask | None) -> list[Victim]:
        """There is room, but a cap or limit is reached: evict jobs that count towards the same one."""
        chosen: list[Victim] = []
        for victim in sorted(map(self._whole, self._jobs(among)), key=self._dearness)[:_TRIED]:
            chosen.append(victim)
            if self._try(chosen, job, model, allowed):
                return chosen
        return []

    def _next(
        self, among: Mask, chosen: list[Victim], job: Pending, part: RoleAsk, model: str, allowed: Mask | None
    ) -> list[Victim]:
        """Whose leaving lets one more task of a part onto some node, at the least cost."""
        soon, nodes = self._room.soon, self._nodes(job, part, model, allowed)
        for one in self._victims.single(among, part.size, soon, nodes):
            victim = self._whole(one)
            holds = any(self._holds(task.node, part.size, [victim]) for task in victim.tasks)
            if holds and self._fair([*chosen, victim], job, model):
                return [victim]
        ways = []
        for at, jobs in self._victims.several(among, part.size, soon, nodes):
            node = self._room.cluster.nodes[at].name
            way = self._fewest(node, part.size, [self._whole(one) for one in jobs], chosen, job, model)
            if way:
                ways.append(way)
            if len(ways) == _NODES:
                break
        return min(ways, key=self._cost, default=[])

    def _fewest(
        self,
        node: str,
        size: Resources,
        victims: list[Victim],
        chosen: list[Victim],
        job: Pending,
        model: str,
    ) -> list[Victim]:
        """The fewest of these whose leaving lets a task of this size onto a node."""
        victims.sort(key=self._dearness)
        for count in (2, 3) if len(victims) <= _WEIGHED else (2,):
            for way in sorted(itertools.combinations(victims, count), key=self._cost):
                if self._holds(node, size, way) and self._fair([*chosen, *way], job, model):
                    return list(way)
        gone: list[Victim] = []
        for victim in sorted(victims, key=lambda one: (-part_of(one, node, size), *self._dearness(one))):
            if self._fair([*chosen, *gone, victim], job, model):
                gone.append(victim)
                if self._holds(node, size, gone):
                    return gone
        return []

    def _holds(self, node: str, size: Resources, gone: Iterable[Victim]) -> bool:
        """Would a task of this size fit on a node without these?"""
        cluster = self._room.cluster
        if node not in cluster.index:
            return False
        row = self._room.soon.free[cluster.index[node]].tolist()
        for task in (task for one in gone for task in one.tasks if task.node == node):
            row[0] += task.cpu_milli
            row[1] += task.memory
            for column, milli in cluster.positions(task):
                row[column] += milli
        return row_fits(row, size)

    def _whole(self, one: Running) -> Victim:
        """All that is left of a job; some of its tasks may be on their way already."""
        cut = self.cut.get(one.job_id, ())
        return Victim(one, tuple(task for task in one.tasks if task not in cut), True)

    def _nodes(self, job: Pending, part: RoleAsk, model: str, allowed: Mask | None) -> Mask:
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
            tasks = self._room.place(job.ask, model, allowed, soon=True, avoids=job.avoids)
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

    def _extras(self, running: Iterable[Running]) -> Iterator[Victim]:
        """The tasks that elastic jobs can do without, those of the highest index first."""
        for one in running:
            left = self._whole(one).tasks
            spare = len(left) - one.ask.minimum
            for part in reversed(one.ask.gangs[0]):
                own = sorted((task for task in left if task.role == part.role), key=lambda task: -task.index)
                for task in own[: max(0, min(spare, len(own) - part.minimum))]:
                    spare -= 1
                    yield Victim(one, (task,), False)

    # ── how they compare, and what they are told ─────────────────────────────────────────────────────

    def _dearness(self, victim: Victim) -> tuple[int, int, str]:
        """The cost of evicting a job; cheaper ones are evicted first."""
        loses = self._snapshot.now - victim.job.unsaved_since
        return (self._rules.priority(victim.job.priority).value, loses, victim.job.job_id)

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
