"""Random clusters with random queues, and what must hold of any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from danlu.domain.job import JobClass
from danlu.domain.node import Node, NodeState
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.rules import EACH, ENGINE_LABEL, GPUS, KUBERNETES, Limit, Policy, PriorityClass, Project
from danlu.scheduler import FOREVER, Assigned, Pending, Running
from danlu.scheduler.ask import Ask, RoleAsk
from danlu.scheduler.model import total_of
from tests.fakes.queue import HOUR, MINUTE, NOBODY, NOW, State, gang, node, others, role, total

T = TypeVar("T")

PROJECTS = ("public", "gold", "iron", "tin")
OWNERS = ("ann", "bob", "cho")
MODELS = ("A100", "T4")
CLUSTERS = {"": {}, "east": {ENGINE_LABEL: KUBERNETES}, "west": {}}
"""By name, the labels of their nodes."""


class Picker:
    """Random choices in words; `choose(n)` is any number below n."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self._choose = choose

    def one(self, *options: T) -> T:
        return options[self._choose(len(options))]

    def count(self, least: int, most: int) -> int:
        return least + self._choose(most - least + 1)

    def seldom(self) -> bool:
        return self._choose(5) == 4


@st.composite
def states(draw: st.DrawFn) -> State:
    pick = Picker(lambda below: draw(st.integers(0, below - 1)))
    return with_a_past(pick, random_state(pick))


def random_state(pick: Picker) -> State:
    clusters = pick.one([""], [""], ["", "east"], ["east", "west"])
    state = State(
        [_node(pick, f"n{at}", pick.one(*clusters)) for at in range(pick.count(1, 6))],
        projects=[_project(pick, name) for name in PROJECTS],
        priorities=[
            PriorityClass("low", 100, may_preempt=False),
            PriorityClass("normal", 200, may_preempt=True),
            PriorityClass("high", 300, may_preempt=True, may_be_preempted=not pick.seldom()),
        ],
        limits=_limits(pick),
        scores={(owner, model): pick.one(0.0, 0.004, 1.5, 8.0) for owner in OWNERS for model in MODELS},
        policy=Policy(
            minimum_run_time=pick.one(0, 10 * MINUTE, 10 * MINUTE),
            evict_workspaces=pick.seldom(),
            maintenance_notice=pick.one(24 * HOUR, 2 * HOUR, 0),
        ),
    )
    free = Free(state.nodes)
    for at in range(pick.count(0, 8)):
        if (running := _running(pick, f"r{at}", free)) is not None:
            state.jobs.append(running)
    state.jobs += [pending(pick, f"q{at}") for at in range(pick.count(0, 8))]
    return state


def with_a_past(pick: Picker, state: State) -> State:
    """Some of its jobs had trouble on nodes, and some have saved their work."""
    jobs = []
    for job in state.jobs:
        if pick.seldom():
            job = replace(job, avoids=frozenset({pick.one("n0", "n1", "n2"), pick.one("n0", "n3")}))
        if isinstance(job, Running) and pick.seldom():
            job = replace(job, saved_at=NOW - pick.one(10 * MINUTE, 3 * HOUR))
        jobs.append(job)
    return replace(state, jobs=jobs)


def pending(pick: Picker, name: str, born: int = 0) -> Pending:
    born = born or NOW - HOUR + pick.count(0, 5)
    return Pending(
        name, pick.one(*OWNERS), _ask(pick), born, (born, name), pick.one(*PROJECTS),
        pick.one("normal", "low", "high"), pick.one(FOREVER, 5 * MINUTE, HOUR, 3 * HOUR),
        pick.count(1, 3) if pick.seldom() and pick.seldom() else None,
        refusals=1, held_until=NOW + 30 * MINUTE if pick.seldom() and pick.seldom() else None,
    )  # fmt: skip


def _node(pick: Picker, name: str, cluster: str) -> Node:
    cards, model = pick.one(4, 2, 8, 0), pick.one(*MODELS)
    labels = {"zone": pick.one("a", "b")} if not pick.seldom() else {}
    state = NodeState.CORDONED if pick.seldom() and pick.seldom() else NodeState.READY
    cpus, memory = pick.one(8, 4, 16), pick.one(16, 64)
    taken = others(pick.count(0, cards), pick.one(0, 2, 3), pick.one(0, 4)) if pick.seldom() else NOBODY
    labels |= CLUSTERS[cluster]
    closes = pick.one(5 * MINUTE, HOUR, 2 * HOUR, 30 * HOUR) if pick.seldom() else None
    return node(
        name, cards, model, cpus=cpus, memory=memory, state=state, cluster=cluster, foreign=taken, closes=closes,
        **labels,
    )  # fmt: skip


def _project(pick: Picker, name: str) -> Project:
    weight = 1 if name == "public" else pick.one(1, 2, None, 0, 1e9, 0.5)
    some = {pick.one("A100", "A100", "T4", "cpus", GPUS): pick.one(4, 2, 8) * 1000}
    return Project(
        name,
        weight,
        guarantee=some if weight is not None and pick.seldom() else {},
        cap={pick.one("A100", "A100", "T4", "cpus", GPUS): pick.one(4, 2, 7) * 1000} if pick.seldom() else {},
        closed=name != "public" and pick.seldom() and pick.seldom(),
        reclaimable=not pick.seldom(),
    )


def _limits(pick: Picker) -> list[Limit]:
    if not pick.seldom():
        return []
    return [
        Limit(
            "bound",
            user=pick.one(EACH, None, "ann"),
            project=pick.one(None, EACH, "gold"),
            job_class=pick.one(None, JobClass.SINGLE),
            gpu_milli=pick.one(4000, 2000, 8000),
            max_time=pick.one(None, None, HOUR),
        )
    ]


def _ask(pick: Picker) -> Ask:
    model = pick.one("A100", "A100", "T4", None, "A100|T4")
    selector = {"zone": pick.one("a", "b")} if pick.seldom() else {}
    same, prefer = pick.one((None, None), (None, None), (None, None), ("zone", None), (None, "zone"))
    shape = pick.one("single", "single", "gang", "elastic", "roles", "total", "workspace")
    cpus, gpus = pick.one(1, 2, 4), pick.one(1, 2, 4, 0.5, 0.25, 0)
    if shape == "total":
        return total(pick.one(4, 2, 6), model, cpus=cpus, same=same, **selector)  # type: ignore[arg-type]
    if shape == "roles":
        parts = (
            _role(pick, "chief", gpus, model, cpus),
            _role(pick, "worker", pick.one(1, 2, 0), pick.one(model, "T4"), 1),
        )
        least = sum(part.minimum for part in parts) + pick.one(0, 0, 1, 2)
        least = min(least, sum(part.replicas for part in parts))
        return gang(*parts, least=least, same=same, prefer=prefer, **selector)
    tasks = 1 if shape in ("single", "workspace") else pick.count(2, 4)
    few = pick.count(1, tasks) if shape == "elastic" else tasks
    kind = "workspace" if shape == "workspace" else None
    return gang(
        role("worker", tasks, gpus, model, least=few, cpus=cpus),
        kind=kind,
        same=same,
        prefer=prefer,
        **selector,  # type: ignore[arg-type]
    )


def _role(pick: Picker, name: str, gpus: float, model: str | None, cpus: float) -> RoleAsk:
    tasks = pick.count(1, 3)
    return role(name, tasks, gpus, model, least=pick.count(0 if name == "worker" else 1, tasks), cpus=cpus)


def _running(pick: Picker, name: str, free: Free) -> Running | None:
    one = pending(pick, name)
    model = pick.one(*MODELS)
    tasks = free.place(one.ask, pick.count(0, 3), model, pick.count(0, 5))
    if not tasks:
        return None
    began = NOW - pick.one(HOUR, 2 * HOUR, 20 * MINUTE, MINUTE)
    return Running(
        name, one.owner, one.ask, began, tasks, (), one.project, one.priority, one.max_time, not pick.seldom(), one.slot,
        one.pinned_at,
    )  # fmt: skip


class Free:
    """What nodes have left beside what others than Danlu hold, counted as plainly as can be."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = {one.name: one for one in nodes}
        self.cpus = {one.name: one.cpu_milli - one.foreign.cpu_milli for one in nodes}
        self.memory = {one.name: one.memory - one.foreign.memory for one in nodes}
        self.cards = {(one.name, gpu.index): 1000 for one in nodes for gpu in one.gpus}

    def take(self, task: Assigned) -> None:
        self.cpus[task.node] -= task.cpu_milli
        self.memory[task.node] -= task.memory
        for grant in task.gpus:
            self.cards[task.node, grant.index] -= grant.milli

    @property
    def sound(self) -> bool:
        amounts = (*self.cpus.values(), *self.memory.values(), *self.cards.values())
        return min((*amounts, *map(self._untouched, self.nodes))) >= 0

    def _untouched(self, name: str) -> int:
        """How many cards nobody of ours holds, beyond those that others have."""
        idle = sum(left == 1000 for (where, _), left in self.cards.items() if where == name)
        return idle - self.nodes[name].foreign.gpus

    def place(self, ask: Ask, extra: int, model: str, first: int) -> tuple[Assigned, ...]:
        """The minimum of a job and some more, on the first nodes that have room; empty where there is none."""
        tasks: list[Assigned] = []
        wanted = [(part, index) for part in ask.gangs[-1] for index in range(part.minimum)]
        more = [(part, at) for part in ask.gangs[-1] for at in range(part.minimum, part.replicas)]
        extra += max(0, ask.minimum - len(wanted))
        for part, index in (*wanted, *more[:extra]):
            one = self._task(ask, part, index, model, first, tasks)
            if one is None and len(tasks) >= max(len(wanted), ask.minimum):
                break
            if one is None:
                for task in tasks:
                    self._give_back(task)
                return ()
            tasks.append(one)
        return tuple(tasks)

    def _task(
        self, ask: Ask, part: RoleAsk, index: int, model: str, first: int, tasks: list[Assigned]
    ) -> Assigned | None:
        names = sorted(self.nodes)
        for name in [*names[first % len(names) :], *names[: first % len(names)]]:
            one = self.nodes[name]
            alike = not ask.same or (
                ask.same in one.labels
                and (not tasks or self.nodes[tasks[0].node].labels.get(ask.same) == one.labels[ask.same])
            )
            apart = bool(tasks) and self.nodes[tasks[0].node].cluster != one.cluster
            shared = part.size.gpu_milli % 1000 and one.labels.get(ENGINE_LABEL) == KUBERNETES
            if not alike or apart or shared or any(one.labels.get(k) != value for k, value in ask.selector):
                continue
            accepted = model if not part.size.models or model in part.size.models else part.size.models[0]
            cards = (
                self._cards(name, part.size) if not part.size.gpu_milli or one.gpu_model == accepted else None
            )
            if cards is None or self.cpus[name] < part.size.cpu_milli or self.memory[name] < part.size.memory:
                continue
            grants = tuple(GpuGrant(card, min(1000, part.size.gpu_milli)) for card in cards)
            task = Assigned(
                part.role,
                index,
                name,
                part.size.cpu_milli,
                part.size.memory,
                grants,
                accepted if grants else None,
            )
            self.take(task)
            return task
        return None

    def _cards(self, name: str, size: Resources) -> list[int] | None:
        each, count = min(1000, size.gpu_milli), -(-size.gpu_milli // 1000)
        able = [card for (where, card), left in self.cards.items() if where == name and left >= each]
        begun = [card for card in able if self.cards[name, card] < 1000]
        able = [*begun, *[card for card in able if card not in begun][: self._untouched(name)]]
        return able[:count] if len(able) >= count else None

    def _give_back(self, task: Assigned) -> None:
        self.cpus[task.node] += task.cpu_milli
        self.memory[task.node] += task.memory
        for grant in task.gpus:
            self.cards[task.node, grant.index] += grant.milli


# ── what must hold ───────────────────────────────────────────────────────────────────────────────────


def nothing_is_oversubscribed(state: State) -> None:
    """Counting those who are leaving, and then those who come when these have left."""
    for soon in (False, True):
        free = Free(state.nodes)
        for job in state.jobs:
            if isinstance(job, Running):
                for task in (*job.tasks, *(() if soon else job.leaving)):
                    free.take(task)
            for task in job.nominated if soon else ():
                free.take(task)
        assert free.sound, ("soon" if soon else "now", free.cpus, free.cards)


def tasks_are_what_their_role_asks(state: State) -> None:
    """Where it may be, of the size it should be, on cards of its own."""
    by_name = {one.name: one for one in state.nodes}
    for job in state.running:
        for task in job.tasks:
            one = by_name[task.node]
            parts = [part for shape in job.ask.gangs for part in shape if part.role == task.role]
            part = next(
                part for part in parts if part.size.gpu_milli == sum(grant.milli for grant in task.gpus)
            )
            assert (
                len({grant.index for grant in task.gpus}) == len(task.gpus) == -(-part.size.gpu_milli // 1000)
            )
            assert (task.cpu_milli, task.memory) == (part.size.cpu_milli, part.size.memory)
            assert not task.gpus or not part.size.models or one.gpu_model in part.size.models
            assert all(one.labels.get(key) == value for key, value in job.ask.selector)
            shares = any(grant.milli < 1000 for grant in task.gpus)
            assert not shares or one.labels.get(ENGINE_LABEL) != KUBERNETES
        alike = {by_name[task.node].labels.get(job.ask.same or "") for task in job.tasks}
        assert not job.ask.same or len(job.tasks) < 2 or (len(alike) == 1 and None not in alike)
        names = [(task.role, task.index) for task in (*job.tasks, *job.leaving)]
        assert len(set(names)) == len(names), ("one task twice", job.job_id, names)


def no_gang_spans_clusters(state: State) -> None:
    where = {one.name: one.cluster for one in state.nodes}
    for job in state.jobs:
        for tasks in (job.nominated, (*job.tasks, *job.leaving) if isinstance(job, Running) else ()):
            assert len({where[task.node] for task in tasks}) <= 1, job


def nobody_held_back_starts(before: State, after: State) -> None:
    held = {job.job_id for job in before.pending if job.held_until and job.held_until > before.now}
    assert held.isdisjoint(job.job_id for job in after.running)
    assert not any(job.nominated for job in after.pending if job.job_id in held)


def nothing_is_placed_beyond_a_closing(before: State, after: State) -> None:
    """Who was given or promised a place has ended before its node closes; of whom that is not known, there is notice."""
    had = {job.job_id: (*job.nominated, *getattr(job, "tasks", ())) for job in before.jobs}
    for job in after.jobs:
        began = job.began if isinstance(job, Running) else after.now
        given = (*job.nominated, *(job.tasks if isinstance(job, Running) else ()))
        fresh = tuple(task for task in given if task not in had.get(job.job_id, ()))
        assert ends_in_time(after, fresh, min(FOREVER, began + job.max_time)), job


def ends_in_time(state: State, tasks: Iterable[Assigned], ends: int) -> bool:
    ends = state.now + state.policy.maintenance_notice if ends == FOREVER else ends
    closes = {one.name: one.closes_at for one in state.nodes if one.closes_at is not None}
    return all(closes.get(task.node, FOREVER) >= ends for task in tasks)


def gangs_are_whole_or_absent(state: State) -> None:
    for job in state.running:
        if not job.tasks:
            continue
        have = Counter(task.role for task in job.tasks)
        shapes = [
            shape
            for shape in job.ask.gangs
            if all(part.minimum <= have[part.role] <= part.replicas for part in shape)
            and all(
                task.gpus or not part.size.gpu_milli
                for part in shape
                for task in job.tasks
                if task.role == part.role
            )
        ]
        assert shapes, (job.job_id, have)
        assert len(job.tasks) >= job.ask.minimum


def bounds_hold(before: State, after: State) -> None:
    """Who was given something is within every cap and limit, counting those who are leaving too."""
    old = {job.job_id: job.tasks for job in before.running}
    for job in after.running:
        mine = total_of(tuple(task for task in job.tasks if task not in old.get(job.job_id, ())))
        if not any(mine.values()):
            continue
        project = after.rules.project(job.project)
        assert not project.closed, job.job_id
        for holder in {project.name, project.account}:
            cap = after.rules.project(holder).cap
            own = after.rules.project(holder).weight is None
            for resource, bound in cap.items():
                used = sum(
                    total_of((*one.tasks, *one.leaving)).get(resource, 0)
                    for one in after.running
                    if (one.project if own else after.rules.account(one.project)) == holder
                )
                assert not mine.get(resource) or used <= bound, ("cap", holder, resource, used, bound)
        for limit in after.limits:
            if not limit.concerns(job.owner, job.project, job.ask.job_class) or limit.gpu_milli is None:
                continue
            used = sum(
                total_of((*one.tasks, *one.leaving)).get(GPUS, 0)
                for one in after.running
                if limit.concerns(one.owner, one.project, one.ask.job_class)
                and (limit.user != EACH or one.owner == job.owner)
                and (limit.project != EACH or one.project == job.project)
            )
            assert not mine.get(GPUS) or used <= limit.gpu_milli, ("limit", used)
            assert limit.max_time is None or job.max_time <= limit.max_time or job.job_id in old
