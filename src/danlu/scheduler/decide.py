"""The decision: who starts where, who makes room, and why everybody else waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

from danlu.domain.reasons import OverLimit, ProjectCap, Reason, RunTimeLimit
from danlu.domain.score import CPU
from danlu.scheduler.ask import ANY, Ask
from danlu.scheduler.board import Snapshot, lanes
from danlu.scheduler.claims import Claims
from danlu.scheduler.desk import Desk
from danlu.scheduler.explain import explain
from danlu.scheduler.grow import grow
from danlu.scheduler.model import FOREVER, Assigned, Growth, Lane, Line, Pending, Plan, total_of
from danlu.scheduler.order import Facts
from danlu.scheduler.possible import could_ever_start, could_start_in_time

_PASSES = 20
"""A bound no real state comes near: each pass but the last gives somebody room."""

T = TypeVar("T", bound="Turns")


def decide(snapshot: Snapshot) -> Plan:
    """Pure: the same snapshot gives the same plan, and a second decision on the applied plan changes nothing."""
    desk = Desk(snapshot)
    turns = settle(desk, Turns)
    return Plan(
        starts=(*desk.starts.values(), *desk.fresh_promises()),
        growths=tuple(Growth(job_id, tuple(tasks), after) for (job_id, after), tasks in desk.growths.items()),
        evictions=tuple(desk.evictions),
        explain=lambda: explain(desk, turns),
        order=lambda: desk.order.waiting(desk.requeued, lambda job: job.job_id in desk.starts),
    )


def settle(desk: Desk, a_pass: Callable[[Desk, T | None], T]) -> T:
    """Serve until nobody moves any more; the last pass, in which nobody did."""
    _keep_promises(desk)  # 1 room that was made for somebody is theirs
    turns = a_pass(desk, None)
    for _ in range(_PASSES):
        turns = a_pass(desk, turns)
        if turns.serve():  # 2 everybody in turn: start, make room, or claim and let pass who delays nobody
            continue  # until the order that this leads to moves nobody any more
        if not grow(desk, turns.claims):  # 3 what is left goes to jobs that can use more
            break
    return turns


# ── 1 promises ───────────────────────────────────────────────────────────────────────────────────────


def _keep_promises(desk: Desk) -> None:
    """Start those whose room is free; hold the room of all others before any of them looks for room elsewhere."""
    nominated = [job for job in desk.snapshot.apart if job.nominated]
    nominated += [one.requeued("") for one in desk.snapshot.moving]
    waiting: list[tuple[Pending, str]] = []
    for job in sorted(nominated, key=lambda job: job.slot):
        model = next((task.model for task in job.nominated if task.model), None) or CPU
        if desk.gates.shut(job, model) is not None or not _suits(desk, job):
            continue
        if _may_start(desk, job, model) and desk.room.take_all(job.nominated):
            desk.start(job, job.nominated, desk.grounds(job, model, "promised"))
        elif desk.room.take_all(job.nominated, soon=True):
            waiting.append((job, model))
    for job, model in waiting:
        may_start, nodes = _may_start(desk, job, model), desk.closing.open(job.max_time)
        tasks = desk.room.place(job.ask, model, nodes, avoids=job.avoids) if may_start else ()
        if tasks:  # nobody need leave for it any more
            desk.room.give_back(job.nominated)
            desk.start(job, tasks, desk.grounds(job, model, "promised"))
        else:
            desk.promise(job, job.nominated)
            desk.kept.add(job.job_id)


def _may_start(desk: Desk, job: Pending, model: str) -> bool:
    return not desk.still_there(job) and desk.gates.shut(job, model, now=True) is None


def _suits(desk: Desk, job: Pending) -> bool:
    """Is what was promised still what the job asks for, on nodes that it may use?"""
    ask, cluster, still_open = job.ask, desk.snapshot.cluster, desk.closing.open(job.max_time)
    gang = next((one for one in ask.gangs if one[0].replicas == len(job.nominated)), ask.gangs[0])
    for part in gang:
        own = [task for task in job.nominated if task.role == part.role]
        nodes = cluster.eligible(ask.job_class, ask.selector, part.size, ANY)
        nodes = nodes if still_open is None else nodes & still_open
        if len(own) < part.minimum or any(
            task.node not in cluster.index
            or not nodes[cluster.index[task.node]]
            or (task.cpu_milli, task.memory) != (part.size.cpu_milli, part.size.memory)
            or sum(grant.milli for grant in task.gpus) != part.size.gpu_milli
            for task in own
        ):
            return False
    together = len({cluster.nodes[cluster.index[task.node]].cluster for task in job.nominated}) == 1
    return together and len(job.nominated) >= ask.minimum


# ── 2 turns ──────────────────────────────────────────────────────────────────────────────────────────


class Turns:
    """One pass over the queue. What fails for one fails for all who are like them, until the pass is over; for want
    of room, until somebody leaves."""

    def __init__(self, desk: Desk, before: Turns | None = None) -> None:
        self._desk, self._room, self._gates, self._closing = desk, desk.room, desk.gates, desk.closing
        self.claims = Claims(desk.snapshot, desk.room, desk.closing, desk.evictor.goes, desk.placed)
        self.heads: dict[Lane, Pending] = {}
        self.why: dict[str, Reason] = {}
        self.reserved: dict[tuple[Lane, Ask], Pending] = {}
        self._failed: dict[tuple[Lane, int], dict[Ask, int]] = defaultdict(dict)
        """By lane and rank, what there was no room for, and from which duration on."""
        self._shut: dict[tuple[str, str, str, Ask], Reason] = {}
        self._open: dict[Lane, int] = defaultdict(lambda: -1)
        """What of the wants of each lane there may be room for, as bits."""
        self._no_way: dict[tuple[object, ...], int] = {}
        """For whom nobody can make room, from which duration on."""
        self._entitlements: dict[tuple[str, str, str], bool] = {}
        self._evictions = len(desk.evictions)
        if before is not None and before._evictions == self._evictions:
            for (lane, rank), asks in before._failed.items():
                for ask in (ask for ask, bound in asks.items() if not bound):
                    self._close(lane, rank, ask, 0)

    def serve(self) -> bool:
        """Give everybody their turn; true when somebody was given room."""
        self._desk.shares.divide()
        moved = False
        for line, job in self._desk.order.turns(self._desk.requeued, self):
            moved |= self._try(job, line.lane)
        return moved

    def shut(self, lane: Lane, job: Pending) -> Reason | None:
        """Which gate this job or one like it stood before."""
        return self._shut.get((job.owner, job.project, lane[0], job.ask))

    def possible(self, ask: Ask, model: str) -> bool:
        return could_ever_start(self._room.cluster, ask, model)

    def may_lead(self, job: Pending, model: str) -> bool:
        """Could it start before nodes close, were they idle? Else it claims nothing and is passed."""
        return self.possible(job.ask, model) and could_start_in_time(self._desk, job, model)

    def possible_without_others(self, ask: Ask, model: str) -> bool:
        return could_ever_start(self._room.cluster.without_others, ask, model)

    def lane_worth(self, lane: Lane, facts: Facts) -> bool:
        """Is there anybody left in a lane whose turn could matter?"""
        if lane not in self.heads or facts.wants & self._open[lane]:
            return True
        return any(self._entitled(*whose, lane[0]) for whose in facts.whose)

    def worth(self, line: Line) -> bool:
        """Does anybody in it ask for something that was not found wanting, or may have room made?"""
        if line.wants & self._open[line.lane] or line.lane not in self.heads:
            return True
        return self._entitled(line.jobs[0].project, line.jobs[0].priority, line.lane[0])

    def _entitled(self, project: str, priority: str, model: str) -> bool:
        """May jobs of this project and priority have others make room at all?"""
        key = (project, priority, model)
        if key not in self._entitlements:
            self._entitlements[key] = self._desk.evictor.entitled(project, priority, model)
        return self._entitlements[key]

    def _way(self, job: Pending, lane: Lane, shut: Reason | None) -> tuple[object, ...]:
        """Those for whom the same people would have to go."""
        alone = job.owner if shut else job.job_id if job.gave_way_to else ""
        return (job.project, job.priority, lane[0], alone, job.ask, self._closing.rank(job.max_time))

    def skip(self, line: Line, at: int) -> int:
        """Past those who have their room, those held back, and those like whom somebody failed already; the head is
        always tried."""
        failed, model, jobs, desk = self._failed[line.lane, 0], line.lane[0], line.jobs, self._desk
        if not self.worth(line):
            return len(jobs)
        headless = line.lane not in self.heads
        while at < len(jobs):
            job, always = jobs[at], headless
            if self._closing:
                failed = self._failed[line.lane, self._closing.rank(job.max_time)]
                always = headless and (job.ask not in failed or self.may_lead(job, model))
            bound = None if always else failed.get(job.ask)
            failed_before = bound is not None and job.max_time >= bound
            if failed_before and self._entitled(job.project, job.priority, model):
                failed_before = self._no_way.get(self._way(job, line.lane, None), FOREVER + 1) <= job.max_time
            shut = (job.owner, job.project, model, job.ask) in self._shut
            if not failed_before and not shut and job.job_id not in desk.given and not desk.held_back(job):
                return at
            at += 1
        return at

    def _try(self, job: Pending, lane: Lane) -> bool:
        shut = self._gates.shut(job, lane[0])
        failed = self._failed_from(job, lane) <= job.max_time
        if shut is None and not failed and (self._start(job, lane) or self._promise(job, lane)):
            return True
        if self._make_room(job, lane, shut):
            return True
        self._fail(job, lane, shut)
        return False

    def _start(self, job: Pending, lane: Lane) -> bool:
        desk, model = self._desk, lane[0]
        if desk.still_there(job) or self._gates.shut(job, model, now=True) is not None:
            return False
        tasks = self._place(job, model, soon=False)
        if tasks:
            desk.start(job, tasks, desk.grounds(job, model, self._how(job, lane)))
        return bool(tasks)

    def _promise(self, job: Pending, lane: Lane) -> bool:
        """Room that those on their way out will leave."""
        tasks = self._place(job, lane[0], soon=True) if self._desk.somebody_leaves() else ()
        if tasks:
            self._desk.promise(job, tasks)
        return bool(tasks)

    def _place(self, job: Pending, model: str, *, soon: bool) -> tuple[Assigned, ...]:
        """Room that no claim forbids; claims are asked only where there may be any."""
        if not self._room.could(job.ask, model, soon=soon):
            return ()
        allowed, mark = self.claims.allowed(job.max_time), self._room.mark()
        tasks = self._room.place(job.ask, model, allowed, soon=soon, avoids=job.avoids)
        if tasks and self._gates.shut(job, model, total_of(tasks), now=not soon) is not None:
            self._room.undo(mark)
            return ()
        return tasks

    def _how(self, job: Pending, lane: Lane) -> str:
        if job.pinned_at is not None:
            return "pinned"
        return "passing" if lane in self.heads else "turn"

    def _make_room(self, job: Pending, lane: Lane, shut: Reason | None) -> bool:
        if shut is not None and not isinstance(shut, ProjectCap | OverLimit):
            return False
        key = self._way(job, lane, shut)
        tried = self._no_way.get(key, FOREVER + 1) <= job.max_time
        if tried or not self._entitled(job.project, job.priority, lane[0]):
            return False
        if self._fits_elsewhere(job, lane):
            return False
        desk = self._desk
        way = desk.evictor.make_room(job, lane[0], self.claims)
        if way is None:
            self._no_way[key] = job.max_time
            return False
        for victim, reason in way.victims:
            desk.evict(victim, job, reason)
        desk.promise(job, way.tasks, {victim.job.job_id for victim, _ in way.victims})
        return True

    def _fits_elsewhere(self, job: Pending, lane: Lane) -> bool:
        """Nobody need go for a job that has room in another of its lanes."""
        others = [one for one in lanes(self._room.cluster, job.ask.models, lane[1]) if one != lane]
        return bool(others) and self._would_fit(job, [model for model, _ in others], claimed=False) != ()

    def _would_fit(self, job: Pending, models: Iterable[str], *, claimed: bool) -> tuple[Assigned, ...]:
        """Where it would fit now, on claimed nodes too or not; takes nothing."""
        mark, still_open = self._room.mark(), self._closing.open(job.max_time)
        allowed = still_open if claimed else self.claims.allowed(job.max_time)
        tasks = next((tasks for model in models if (tasks := self._room.place(job.ask, model, allowed))), ())
        self._room.undo(mark)
        return tasks

    def _fail(self, job: Pending, lane: Lane, shut: Reason | None) -> None:
        """It waits. The first of its lane for want of room claims what it waits for."""
        if shut is not None:
            self.why[job.job_id] = shut
            if not isinstance(shut, RunTimeLimit):
                self._shut[job.owner, job.project, lane[0], job.ask] = shut
            return
        if self._failed_from(job, lane) > job.max_time:
            self._close(lane, self._closing.rank(job.max_time), job.ask, self._bound(job, lane))
        if lane not in self.heads and self.may_lead(job, lane[0]):
            self.heads[lane] = job
            self.claims.hold(job, lane[0], lacks_room=not self._failed_from(job, lane))

    def _failed_from(self, job: Pending, lane: Lane) -> int:
        """From which duration on there is known to be no room for jobs like this one."""
        return self._failed[lane, self._closing.rank(job.max_time)].get(job.ask, FOREVER + 1)

    def _close(self, lane: Lane, rank: int, ask: Ask, bound: int) -> None:
        """Nobody in a lane and of a rank who asks this for so long, or longer, need be tried again."""
        self._failed[lane, rank][ask] = bound
        for max_time, number in self._desk.snapshot.wants.get(ask, {}).items():
            if max_time >= bound and self._closing.rank(max_time) == rank:
                self._open[lane] &= ~(1 << number)

    def _bound(self, job: Pending, lane: Lane) -> int:
        """From which duration on others who ask the same fail too: any, unless it is only claims that forbid."""
        tasks = self._would_fit(job, [lane[0]], claimed=True)
        if not tasks:
            return 0
        holder = self.claims.in_the_way(task.node for task in tasks)
        if holder is None:  # it would fit, but what it would take is more than a cap or limit allows
            return FOREVER + 1
        self.reserved[lane, job.ask] = holder
        nodes = self._room.fitting(job.ask, lane[0], self._closing.open(job.max_time))
        return job.max_time if nodes is None else self.claims.longest(nodes) + 1
