"""What a job requests of the nodes, apart from its owner: equal asks are one object, tried once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from danlu.domain.job import JobClass, JobSpec, Kind, Role
from danlu.domain.resources import Resources
from danlu.domain.rules import CPUS, GPUS, MEMORY, Amounts

ANY = ""
"""The name of the GPU model for jobs that accept any."""


@dataclass(frozen=True, slots=True)
class RoleAsk:
    """Equal tasks of one role: at least `minimum`, at most `replicas`."""

    role: str
    size: Resources
    minimum: int
    replicas: int


GangAsk = tuple[RoleAsk, ...]


@dataclass(frozen=True, eq=False)
class Ask:
    """One or several alternative gangs; the first that fits is used. Compared by identity."""

    job_class: JobClass
    gangs: tuple[GangAsk, ...]
    minimum: int
    selector: tuple[tuple[str, str], ...] = ()
    same: str | None = None
    prefer: str | None = None

    @functools.cached_property
    def models(self) -> tuple[str, ...]:
        """The GPU models whose lanes it is in: those of its largest role; only `ANY` if it accepts all."""
        parts = [part for part in self.gangs[0] if part.size.gpu_milli]
        if not parts:
            return ()
        largest = max(parts, key=lambda part: part.size.gpu_milli * part.replicas)
        return largest.size.models or (ANY,)

    @functools.cached_property
    def elastic(self) -> bool:
        return self.minimum < sum(part.replicas for part in self.gangs[0])

    def tasks(self, gang: GangAsk) -> int:
        """How many tasks of one of its gangs must start together."""
        return max(self.minimum, sum(part.minimum for part in gang))

    def amounts(self, model: str) -> Amounts:
        """What its minimum counts for in a lane."""
        if model not in self._amounts:
            total = {CPUS: 0, MEMORY: 0}
            for part, count in composition(self, self.gangs[0]):
                _add(total, part.size, count, model)
            self._amounts[model] = total
        return self._amounts[model]

    @functools.cached_property
    def _amounts(self) -> dict[str, Amounts]:
        return {}


def _add(total: dict[str, int], size: Resources, count: int, model: str) -> None:
    total[CPUS] += size.cpu_milli * count
    total[MEMORY] += size.memory * count
    if size.gpu_milli:
        model = model if not size.models or model in size.models else size.models[0]
        for key in (GPUS, model) if model else (GPUS,):
            total[key] = total.get(key, 0) + size.gpu_milli * count


def composition(ask: Ask, gang: GangAsk) -> Iterator[tuple[RoleAsk, int]]:
    """How many tasks of each part make up the minimum."""
    missing = ask.minimum - sum(part.minimum for part in gang)
    for part in gang:
        more = max(0, min(missing, part.replicas - part.minimum))
        missing -= more
        yield part, part.minimum + more


def ask_of(spec: JobSpec) -> Ask:
    """What a specification asks for; equal demands give the same object."""
    return _ask(
        spec.job_class,
        tuple(tuple(RoleAsk(role.name, role.resources, role.min, role.replicas) for role in roles)
              for roles in spec.shapes()),
        spec.minimum,
        tuple(sorted(spec.node_selector.items())),
        spec.topology.same,
        spec.topology.prefer,
    )  # fmt: skip


def altered(ask: Ask, part: RoleAsk | None = None, **changes: Any) -> Ask:
    """The same ask with another part, selector, topology or class."""
    gangs = ask.gangs if part is None else ((part,),)
    minimum = ask.minimum if part is None else part.minimum
    same, prefer = changes.get("same", ask.same), changes.get("prefer", ask.prefer)
    job_class, selector = changes.get("job_class", ask.job_class), changes.get("selector", ask.selector)
    return _ask(job_class, gangs, minimum, selector, same, prefer)


def divided(ask: Ask, total: Resources) -> Ask:
    """The same ask for another total."""
    role = Role(ask.gangs[0][0].role, 1, total, "", 1)
    shapes = JobSpec(Kind.TRAINING, "", (role,), total=True).shapes()
    gangs = tuple(
        tuple(RoleAsk(one.name, one.resources, one.min, one.replicas) for one in roles) for roles in shapes
    )
    return _ask(ask.job_class, gangs, ask.minimum, ask.selector, ask.same, ask.prefer)


def selecting(ask: Ask, selector: tuple[tuple[str, str], ...]) -> Ask:
    """The same ask with more required labels."""
    if not selector:
        return ask
    both = tuple(sorted({*ask.selector, *selector}))
    return _ask(ask.job_class, ask.gangs, ask.minimum, both, ask.same, ask.prefer)


@functools.lru_cache(maxsize=10_000)
def single(ask: Ask, part: RoleAsk) -> Ask:
    """One further task of a part, as a separate ask."""
    gang = (RoleAsk(part.role, part.size, 1, 1),)
    return _ask(ask.job_class, (gang,), 1, ask.selector, ask.same, ask.prefer)


@functools.lru_cache(maxsize=100_000)
def _ask(
    job_class: JobClass,
    gangs: tuple[GangAsk, ...],
    minimum: int,
    selector: tuple[tuple[str, str], ...],
    same: str | None,
    prefer: str | None,
) -> Ask:
    return Ask(job_class, gangs, minimum, selector, same, prefer)
