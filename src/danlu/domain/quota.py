"""Quotas: how much the jobs of a person and their groups may use at once, and by how much a start would exceed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from danlu.domain.errors import Shortfall
from danlu.domain.job import JobClass, JobSpec, Time
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.rules import (
    CPUS,
    DEFAULT_QUOTA,
    EVERY_CLASS,
    GPUS,
    JOBS,
    MEMORY,
    TASKS,
    UNLIMITED,
    Amounts,
    Quota,
    Raise,
)
from danlu.domain.words import Words

CLASSES = (EVERY_CLASS, *(each.value for each in JobClass))
STORAGE_TYPES = ("block", "filesystem", "local", "bucket", "ephemeral", "results", "dataset")
COUNTED = (GPUS, CPUS, MEMORY, JOBS, TASKS)
"""What quotas count besides GPU models."""
PLAIN = frozenset({JOBS, TASKS})
"""Counted in whole numbers; CPUs and GPUs are in thousandths, memory in bytes."""

_ANY_MODEL = ""
"""The key for GPUs of jobs that accept any model."""

USER, GROUP = "user:", "group:"
"""Prefixes of the names of quotas of a person or a group."""


class Source(StrEnum):
    """Where a limit comes from."""

    USER = "user"
    DEFAULT = "default"
    GROUP = "group"
    RAISE = "raise"


@dataclass(frozen=True, slots=True)
class Bound:
    """The current limit for one resource within a class (or `all`); None is unlimited. `until` is when a raise
    expires."""

    quota: str
    within: str
    resource: str
    limit: int | None
    source: Source
    until: Time | None = None

    def covers(self, job_class: str) -> bool:
        return self.within in (EVERY_CLASS, job_class)


@dataclass(frozen=True, slots=True)
class Held:
    """What jobs of one person and class count for: all their tasks together, at their maximum number."""

    owner: str
    job_class: str
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class Left:
    """What a class of jobs may still take of one resource, and the limit that leaves the least of it."""

    job_class: str
    bound: Bound
    used: int

    @property
    def amount(self) -> int:
        assert self.bound.limit is not None
        return max(0, self.bound.limit - self.used)


def of_user(name: str) -> str:
    return f"{USER}{name}"


def of_group(name: str) -> str:
    return f"{GROUP}{name}"


# ── what jobs count for ──────────────────────────────────────────────────────────────────────────────


def asked_by(owner: str, spec: JobSpec) -> Held:
    sizes = [role.resources.times(role.replicas) for role in spec.roles]
    amounts = amounts_of(
        sum(size.cpu_milli for size in sizes),
        sum(size.memory for size in sizes),
        spec.size,
        [(size.gpu_model, size.gpu_milli) for size in sizes],
    )
    return Held(owner, spec.job_class.value, amounts)


def amounts_of(
    cpus: int, memory: int, tasks: int, gpus: Iterable[tuple[str | None, int]], jobs: int = 1
) -> dict[str, int]:
    """What jobs count for. GPUs count for every model that the job accepts, since it may get any of them; otherwise a
    job without a model would escape the limits on models. They also count for `gpus`."""
    amounts = {CPUS: cpus, MEMORY: memory, GPUS: 0, JOBS: jobs, TASKS: tasks}
    for models, milli in gpus:
        amounts[GPUS] += milli
        for model in set((models or _ANY_MODEL).split("|")) if milli else ():
            amounts[model] = amounts.get(model, 0) + milli
    return amounts


def used(bound: Bound, held: Iterable[Held]) -> int:
    return sum(_counted(one, bound.resource) for one in held if bound.covers(one.job_class))


def _counted(held: Held, resource: str) -> int:
    of_any_model = 0 if resource in COUNTED else held.amounts.get(_ANY_MODEL, 0)
    return held.amounts.get(resource, 0) + of_any_model


# ── what holds ───────────────────────────────────────────────────────────────────────────────────────


def bounds_of_user(name: str, quotas: Mapping[str, Quota], now: Time) -> list[Bound]:
    """A person's own limits, else those of the default; raises of their own lift either."""
    own = quotas.get(of_user(name), Quota(of_user(name)))
    default = quotas.get(DEFAULT_QUOTA, Quota(DEFAULT_QUOTA))
    bounds = []
    for within, resource in _named(own, default):
        said = own.amounts.get(within, {}).get(resource)
        raises: Sequence[Raise] = own.raises
        source = Source.USER
        if said is None:
            said, source = default.amounts[within][resource], Source.DEFAULT
            raises = (*default.raises, *own.raises)
        bounds.append(_lifted(own.name, within, resource, said, source, raises, now))
    return bounds


def with_most_tasks(
    bounds: list[Bound], name: str, most: int | None, raises: Iterable[Raise] = (), now: Time = 0
) -> list[Bound]:
    """The limits of a person, with this one on all their tasks unless a quota has one; raises lift it too."""
    if most is None or any(bound.within == EVERY_CLASS and bound.resource == TASKS for bound in bounds):
        return bounds
    return [*bounds, _lifted(of_user(name), EVERY_CLASS, TASKS, most, Source.DEFAULT, raises, now)]


def raises_of(name: str, quotas: Mapping[str, Quota]) -> list[Raise]:
    """Those of everybody and of a person."""
    return [
        one for quota in (DEFAULT_QUOTA, of_user(name)) if quota in quotas for one in quotas[quota].raises
    ]


def task_cap(name: str, most: int | None) -> Bound:
    """The limit on all tasks of a person that holds without a quota."""
    return Bound(of_user(name), EVERY_CLASS, TASKS, most, Source.DEFAULT)


def bounds_of_group(name: str, quotas: Mapping[str, Quota], now: Time) -> list[Bound]:
    """Limits on all members of a group together, in addition to each member's own."""
    own = quotas.get(of_group(name), Quota(of_group(name)))
    return [
        _lifted(own.name, within, resource, own.amounts[within][resource], Source.GROUP, own.raises, now)
        for within, resource in _named(own)
    ]


def bounds_to_raise(name: str, quotas: Mapping[str, Quota], most_tasks: int | None) -> list[Bound]:
    """The limits that a raise of `user:NAME`, `group:NAME` or `default` could lift, as they are without raises."""
    bare = {key: replace(quota, raises=()) for key, quota in quotas.items()}
    if name.startswith(GROUP):
        return bounds_of_group(name.removeprefix(GROUP), bare, 0)
    # A raise of the default is for whoever has no quota of their own.
    user = "" if name == DEFAULT_QUOTA else name.removeprefix(USER)
    return with_most_tasks(bounds_of_user(user, bare, 0), user, most_tasks)


def without_expired(quota: Quota, now: Time) -> tuple[Raise, ...]:
    return tuple(one for one in quota.raises if one.until > now)


def _named(*quotas: Quota) -> list[tuple[str, str]]:
    """The classes and resources that any of them names, in a stable order."""
    said = {
        (within, resource): None
        for quota in quotas
        for within, amounts in quota.amounts.items()
        for resource in amounts
    }
    return sorted(said, key=lambda one: (CLASSES.index(one[0]) if one[0] in CLASSES else len(CLASSES), one))


def _lifted(
    quota: str, within: str, resource: str, said: int, source: Source, raises: Iterable[Raise], now: Time
) -> Bound:
    limit = None if said == UNLIMITED else said
    until: Time | None = None
    for one in raises:
        more = one.amounts.get(within, {}).get(resource)
        if limit is None or more is None or one.until <= now:
            continue
        if more == UNLIMITED or more > limit:
            limit, source, until = None if more == UNLIMITED else more, Source.RAISE, one.until
    return Bound(quota, within, resource, limit, source, until)


def left(bounds: Iterable[tuple[Bound, int]]) -> list[Left]:
    """What is left for each class and resource that has a limit, by the tightest of its limits; a limit on all classes
    counts for each."""
    found: dict[tuple[str, str], Left] = {}
    for bound, many in bounds:
        for job_class in JobClass if bound.limit is not None else ():
            if bound.covers(job_class.value):
                one = Left(job_class.value, bound, many)
                known = found.setdefault((one.job_class, bound.resource), one)
                if one.amount < known.amount:
                    found[one.job_class, bound.resource] = one
    return sorted(found.values(), key=lambda one: (CLASSES.index(one.job_class), one.bound.resource))


# ── what a start would exceed ────────────────────────────────────────────────────────────────────────


def concerned(bounds: Iterable[Bound], asked: Held) -> list[Bound]:
    """The limits that a start could exceed: those that count something it requests."""
    return [
        bound
        for bound in bounds
        if bound.limit is not None and bound.covers(asked.job_class) and _counted(asked, bound.resource)
    ]


def shortfalls(bounds: Iterable[Bound], asked: Held, held: Sequence[Held]) -> Iterator[Shortfall]:
    """Where the start of `asked` would exceed a limit, given what is used already. Use beyond a lowered limit stays;
    more of it is refused."""
    for bound in concerned(bounds, asked):
        before, wanted = used(bound, held), _counted(asked, bound.resource)
        assert bound.limit is not None
        if before + wanted > bound.limit:
            yield Shortfall(bound.quota, bound.within, bound.resource, before, wanted, bound.limit)


# ── in words ─────────────────────────────────────────────────────────────────────────────────────────

_CLASSES: Mapping[str, Words] = {
    EVERY_CLASS: Words("", ""),
    JobClass.WORKSPACE.value: Words(" for workspaces", "工作台"),
    JobClass.SINGLE.value: Words(" for single-task jobs", "单机训练"),
    JobClass.DISTRIBUTED.value: Words(" for distributed jobs", "多机训练"),
    JobClass.SERVICE.value: Words(" for services", "服务"),
}
_RESOURCES: Mapping[str, Words] = {
    CPUS: Words("CPUs", "核 CPU"),
    MEMORY: Words("memory", "内存"),
    GPUS: Words("GPUs", "卡"),
    JOBS: Words("jobs", "个任务"),
    TASKS: Words("tasks", "个子任务"),
}
_COUNTED_ZH = {CPUS: " CPU 核数", MEMORY: "内存", GPUS: "卡数", JOBS: "任务数", TASKS: "子任务数"}


def said(short: Shortfall) -> Words:
    """`lin uses 3 of 3 GPUs for workspaces and asks for 1 more`."""
    what = _RESOURCES.get(short.resource, Words(f"{short.resource} GPUs", f"卡 {short.resource}"))
    within = _CLASSES.get(short.within, Words(f" for {short.within}", short.within))
    before, limit, more = (show(short.resource, one) for one in (short.used, short.limit, short.asked))
    whose = short.quota.partition(":")
    group = f"{whose[0]}:" == GROUP
    return Words(
        f"{'group ' if group else ''}{whose[2]} uses {before} of {limit} {what.en}{within.en} and requests {more} more",
        f"{'用户组 ' if group else ''}{whose[2]} 的{within.zh}配额为 {limit} {what.zh}，已用 {before}，还需 {more}",
    )


def counted_said(within: str, resource: str) -> Words:
    """`GPUs for workspaces`."""
    what = _RESOURCES.get(resource, Words(f"{resource} GPUs", f"卡 {resource}"))
    kind = _CLASSES.get(within, Words(f" for {within}", within))
    chinese = _COUNTED_ZH.get(resource, f" {resource} 卡数")
    return Words(what.en + kind.en, f"{kind.zh or '各类任务合计'}{chinese}")


def bound_said(bound: Bound) -> Words:
    """`8 GPUs for workspaces`."""
    assert bound.limit is not None
    limit, named = show(bound.resource, bound.limit), counted_said(bound.within, bound.resource)
    return Words(f"{limit} {named.en}", f"{named.zh} {limit}")


def show(resource: str, amount: int) -> str:
    """An amount as people write it."""
    if resource in PLAIN:
        return str(amount)
    return show_size(amount) if resource == MEMORY else show_milli(amount)
