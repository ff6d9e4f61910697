"""How many tasks each role of a strategy should have: as many as fit now, else as many as fit on idle nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from danlu.control.jobs.advice import advice
from danlu.control.jobs.training import WORKER, bounds, completed, mistakes, usual_count
from danlu.control.plane.planner import Planner
from danlu.control.rules.registry import Registry
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobClass, JobSpec, Kind, Role
from danlu.domain.labels import demanded_labels
from danlu.domain.permissions import Caller, Permission
from danlu.domain.resources import Resources
from danlu.domain.rules import NORMAL, PUBLIC, Flavor
from danlu.domain.terms import no_such
from danlu.domain.words import Words
from danlu.files.mistakes import did_you_mean
from danlu.frameworks.base import RoleShape, Strategy
from danlu.frameworks.catalog import framework, strategy
from danlu.scheduler import FOREVER, Ask, Pending, Snapshot, ask_of, could_ever_start, selecting
from danlu.scheduler.ask import ANY
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.model import Site
from danlu.scheduler.tryout import fates

CPU_SIZE = Resources(2000, 4 * 2**30)
"""The size of roles without GPUs if there is no CPU flavor."""
_MOST = 1024
_NOW = Words("{count} of this size could start now", "现在可以启动 {count} 个这种规格的子任务")
_LATER = Words(
    "{count} of this size can start once other jobs have ended; none can start now",
    "其他任务结束后可容纳 {count} 个这种规格的子任务；目前没有空位",
)
_NEVER = Words(
    "no node is large enough for one of this size, even when idle",
    "即使空闲，也没有节点能容纳这种规格的子任务",
)
_NEEDED = Words("the strategy needs {count}", "该策略需要 {count} 个")


@dataclass(frozen=True, slots=True)
class Wish:
    """A strategy (None: the framework's usual one) for workers of a size, by name or by numbers; `left_out` are those
    that go with the GPUs, as in a job's file."""

    framework: str
    strategy: str | None = None
    flavor: str | None = None
    resources: Resources | None = None
    project: str = PUBLIC
    left_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ProposedRole:
    """`resources` is set if no flavor fits."""

    name: str
    replicas: int
    flavor: str | None
    resources: Resources | None
    why: Words


@dataclass(frozen=True, slots=True)
class FrameworkProposal:
    """With `nodes`, the only role is worker, and the short form of the job file is enough."""

    strategy: str
    roles: tuple[ProposedRole, ...]
    nodes: int | None
    advice: tuple[Words, ...]


class Proposals:
    """Any thread. Nothing is cached: every proposal is computed from the current state."""

    def __init__(
        self,
        registry: Registry,
        planner: Planner,
        idle: Callable[[], AllNodes],
        sized: Callable[[JobSpec, Mapping[str, Any]], JobSpec],
    ) -> None:
        """`sized` gives a specification what goes with its GPUs and its file leaves out."""
        self._registry, self._planner, self._idle, self._sized = registry, planner, idle, sized

    def propose(self, caller: Caller, wish: Wish) -> FrameworkProposal:
        """Invalid where there is no such framework, strategy, flavor or project."""
        caller.require(Permission.JOB_WRITE, caller.name)
        chosen = self._checked(wish)
        sizes = _Sizes(self._completed(wish), chosen, self._registry.flavors())
        found = self._found(caller, sizes)
        spec = sizes.spec(found.count)
        # The minimum of an elastic job is chosen by whoever submits it.
        told = tuple(one.text for one in advice(spec, {"roles": []}) if one.loc[-1] != "min")
        roles = tuple(sizes.proposed(found))
        alone = all(shape.name == WORKER or not shape.least for shape in chosen.roles)
        return FrameworkProposal(chosen.name, roles, found.count if alone else None, told)

    def _completed(self, wish: Wish) -> Wish:
        """With the size that workers would really get."""
        if wish.resources is None:
            return wish
        written = {"cpus", "memory", "shm"} - wish.left_out
        workers = Role(WORKER, 2, wish.resources, "", 2)
        spec = JobSpec(Kind.TRAINING, "", (workers,), wish.project, framework=wish.framework)
        (worker,) = self._sized(spec, {"resources": dict.fromkeys(written, True)}).roles
        return replace(wish, resources=worker.resources)

    def _checked(self, wish: Wish) -> Strategy:
        size = Role(WORKER, 1, Resources(), "", 1)
        spec = JobSpec(Kind.TRAINING, "", (size,), framework=wish.framework, strategy=wish.strategy or "")
        wrong = [one for one in mistakes(spec, {}) if one.loc in (("framework",), ("strategy",))]
        for key, name, there in (
            ("flavor", wish.flavor, sorted(self._registry.flavors())),
            ("project", wish.project, sorted(self._registry.projects())),
        ):
            if name is not None and name not in there:
                message, hint = no_such(key, name), did_you_mean(name, there)
                wrong.append(FieldError((key,), f"no_such_{key}", message, name, hint=hint))
        if wrong:
            raise Invalid(tuple(wrong))
        return strategy(framework(wish.framework), wish.strategy or "")

    def _found(self, caller: Caller, sizes: _Sizes) -> _Found:
        """One scheduling decision answers for all possible numbers of workers."""
        snapshot, idle = self._planner.snapshot(), self._idle()
        project = self._registry.projects()[sizes.wish.project]

        def ask(count: int) -> Ask:
            spec = sizes.spec(count)
            labels = demanded_labels(spec, project, all_serve=True)
            return selecting(ask_of(spec), tuple(sorted(labels.items())))

        machines = sizes.machines(idle.empty, idle, ask(2))
        ever = _most(lambda count: sizes.allowed(count, machines) and could_ever_start(idle, ask(count)))
        counts = [count for count in _round_numbers(ever) if count >= sizes.least]
        with_room = sizes.machines(snapshot.sites, snapshot.cluster, ask(2))
        tried = [_trial(snapshot, caller.name, sizes.wish.project, count, ask(count)) for count in counts]
        starting = [
            count
            for count, fate in zip(counts, fates(snapshot, tried), strict=True)
            if fate.reason is None and sizes.allowed(count, with_room)
        ]
        if starting:
            return _Found(starting[-1], _NOW)
        return _Found(counts[-1], _LATER) if counts else _Found(sizes.least, _NEVER)


@dataclass(frozen=True, slots=True)
class _Found:
    count: int
    why: Words


class _Sizes:
    """The roles of a strategy for any number of workers."""

    def __init__(self, wish: Wish, chosen: Strategy, flavors: Mapping[str, Flavor]) -> None:
        self.wish, self._chosen = wish, chosen
        self._flavor = flavors.get(wish.flavor or "")
        self._resources = self._flavor.resources if self._flavor else wish.resources or Resources()
        plain = [one for one in flavors.values() if _for_servers(one)]
        self._cpu = min(plain, key=_smallest, default=None)
        worker = chosen.role(WORKER)
        self.least, self._most = bounds(worker, 0) if worker else (1, None)

    def allowed(self, count: int, machines: int) -> bool:
        """Whether this number is allowed; without GPUs one per node is usual, since one worker can use all its CPUs."""
        classes = self._flavor.classes if self._flavor else ()
        fits = not classes or self.spec(count).job_class in classes
        usual = self._resources.gpu_milli or count <= max(self.least, machines)
        return fits and bool(usual) and (self._most is None or count <= self._most)

    def machines(self, sites: Iterable[Site], cluster: AllNodes, ask: Ask) -> int:
        """On how many nodes a worker fits, by CPUs and memory."""
        size = self._resources
        eligible = cluster.eligible(ask.job_class, ask.selector, size, ANY)
        return sum(
            bool(eligible[cluster.index[site.node.name]]) and size.cpu_milli <= cpus and size.memory <= memory
            for site in sites
            for cpus, memory in [_free(site)]
        )

    def spec(self, count: int) -> JobSpec:
        roles = tuple(
            Role(shape.name, replicas, self._size(shape), "", replicas)
            for shape, replicas in self._counts(count)
        )
        named = JobSpec(Kind.TRAINING, "", roles, self.wish.project, framework=self.wish.framework)
        return completed(replace(named, strategy=self._chosen.name), {})

    def proposed(self, found: _Found) -> Iterator[ProposedRole]:
        for shape, replicas in self._counts(found.count):
            if shape.name == WORKER:
                why = found.why.fill(count=replicas)
            else:
                why = shape.usual if shape.usual.en else _NEEDED.fill(count=replicas)
            if self._as_asked(shape):
                yield ProposedRole(shape.name, replicas, self.wish.flavor, None, why)
            elif self._cpu:
                yield ProposedRole(shape.name, replicas, self._cpu.name, None, why)
            else:
                yield ProposedRole(shape.name, replicas, None, CPU_SIZE, why)

    def _counts(self, workers: int) -> Iterator[tuple[RoleShape, int]]:
        for shape in self._chosen.roles:
            count = workers if shape.name == WORKER else usual_count(shape, workers)
            if count:
                yield shape, count

    def _as_asked(self, shape: RoleShape) -> bool:
        return shape.gpus or not self._resources.gpu_milli

    def _size(self, shape: RoleShape) -> Resources:
        if self._as_asked(shape):
            return self._resources
        return self._cpu.resources if self._cpu else CPU_SIZE


def _free(site: Site) -> tuple[int, int]:
    """Free CPUs and memory."""
    node, held = site.node, [task for _, task in site.holders]
    return (
        node.cpu_milli - node.foreign.cpu_milli - sum(task.cpu_milli for task in held),
        node.memory - node.foreign.memory - sum(task.memory for task in held),
    )


def _for_servers(flavor: Flavor) -> bool:
    return not flavor.resources.gpu_milli and (not flavor.classes or JobClass.DISTRIBUTED in flavor.classes)


def _smallest(flavor: Flavor) -> tuple[object, ...]:
    return flavor.resources.cpu_milli, flavor.resources.memory, flavor.name


def _round_numbers(most: int) -> list[int]:
    """1, 2, 4, 8 … and all there is room for."""
    powers = [1 << power for power in range(most.bit_length())]
    return sorted({*powers, most} - {0})


def _most(fits: Callable[[int], bool]) -> int:
    """The largest count that fits: doubling, then bisection."""
    high = 1
    while high <= _MOST and fits(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _trial(snapshot: Snapshot, owner: str, project: str, count: int, ask: Ask) -> Pending:
    """A trial job as the person could submit it now: last in the queue."""
    name, now = f"proposal:{count}", snapshot.now
    longest = snapshot.rules.policy.default_max_time.get(ask.job_class) or FOREVER
    return Pending(name, owner, ask, now, (now, name), project, NORMAL, longest)
