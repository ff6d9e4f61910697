"""Quotas: the limits of people and groups, their use, the gate that every start passes, and changes by
administrators."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from danlu.control.quotas.headroom import Headroom
from danlu.control.quotas.storage import Storage, StorageUse, uses_of
from danlu.control.rules.quota_checks import amount_mistakes, idle_raises, nobody, strange_models
from danlu.control.rules.registry import Registry
from danlu.domain import quota as law
from danlu.domain.errors import FieldError, InsufficientQuota, Invalid, NotFound, Shortfall
from danlu.domain.job import Job
from danlu.domain.people import User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quota import Bound, Held
from danlu.domain.rules import (
    EVERY_CLASS,
    GPUS,
    JOBS,
    TASKS,
    Quota,
    QuotaAmounts,
    Raise,
)
from danlu.domain.terms import no_such
from danlu.domain.words import Words, joined, listed, say
from danlu.files.mistakes import Loc
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock
from danlu.ports.store import Gate, HoldingStore, QuotaHolding

_NAMED = 5
"""How many jobs a refusal names."""
_PLACES: Mapping[str, Loc] = {JOBS: ("kind",), TASKS: ("nodes",)}


class PeopleAndJobs(PeopleStore, HoldingStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class QuotaStanding:
    """The limits of a person or a group with their use, and their storage by type."""

    bounds: tuple[tuple[Bound, int], ...]
    storage: tuple[StorageUse, ...]


class Quotas:
    """Any thread. Reading and the gate query the store for current use, so that they are right across processes."""

    def __init__(
        self,
        registry: Registry,
        store: PeopleAndJobs,
        clock: Clock,
        storage: Storage | None = None,
        most_tasks: int | None = None,
    ) -> None:
        self._registry, self._store, self._clock = registry, store, clock
        self._storage, self._most_tasks, self._headroom = storage, most_tasks, Headroom()

    # ── what holds ───────────────────────────────────────────────────────────────────────────────────

    def of_user(self, caller: Caller, name: str) -> QuotaStanding:
        """A person's bounds, and those of their groups."""
        caller.require(Permission.QUOTA_READ, name)
        user = self._store.user(name)
        if user is None:
            raise NotFound(no_such("user", name))
        return QuotaStanding(self._bounds(user), self._storage.of(name) if self._storage else ())

    def bounds_of(self, caller: Caller) -> tuple[tuple[Bound, int], ...]:
        """One's own bounds and those of one's groups, with their use."""
        caller.require(Permission.QUOTA_READ)
        return self._bounds(caller.user)

    def of_group(self, caller: Caller, name: str) -> QuotaStanding:
        """A group's bounds: for its members, and for whoever may look at everybody's."""
        if name not in caller.user.groups and not caller.may_everywhere(Permission.QUOTA_READ):
            caller.require(Permission.QUOTA_READ, law.of_group(name))
        caller.require(Permission.QUOTA_READ)
        members = _members(self._store.users(), name)
        quota = self._registry.quotas().get(law.of_group(name))
        if quota is None and not members and name not in self._registry.groups():
            raise NotFound(no_such("group", name))
        bounds = law.bounds_of_group(name, self._registry.quotas(), self._clock.now())
        held = _held(self._store.holdings(members)) if bounds else ()
        return QuotaStanding(_used([(members, bounds)], held), uses_of(quota.storage if quota else {}))

    # ── at the gate ──────────────────────────────────────────────────────────────────────────────────

    def gate_for(self, caller: Caller, job: Job) -> Gate | None:
        """The check inside the transaction that starts a job; None if no limit applies. It raises InsufficientQuota,
        which `explained` completes."""
        asked = law.asked_by(job.owner, job.spec)
        scopes = [
            (owners, bounds)
            for owners, all_bounds in self._scopes(self._owner(caller, job))
            if (bounds := law.concerned(all_bounds, asked))
        ]
        if not scopes or self._surely_below_cap(scopes, asked):
            return None

        def check(holdings: tuple[QuotaHolding, ...]) -> None:
            held = _held(holdings)
            found = tuple(_shortfalls(scopes, asked, held))
            if found:
                raise refusal(found)
            if self._most_tasks is not None:
                used = sum(one.amounts[TASKS] for one in held if one.owner == job.owner)
                left = self._most_tasks - used - asked.amounts[TASKS]
                self._headroom.learn(job.owner, left, self._clock.now())

        return Gate(tuple(_owners(scopes)), check)

    def check(self, caller: Caller, job: Job) -> None:
        """InsufficientQuota when the job could not be started now."""
        gate = self.gate_for(caller, job)
        if gate is None:
            return
        try:
            gate.check(self._store.holdings(gate.owners))
        except InsufficientQuota as refused:
            raise self.explained(caller, refused) from None

    def explained(self, caller: Caller, refused: InsufficientQuota) -> InsufficientQuota:
        """The same refusal with the jobs that use the quota; for jobs that the caller may not read, only their
        owners."""
        return refusal(tuple(self._with_holders(caller, short) for short in refused.shortfalls))

    # ── the verbs ────────────────────────────────────────────────────────────────────────────────────

    def all(self, caller: Caller) -> tuple[Quota, ...]:
        return self._registry.all(caller, Quota)

    def one(self, caller: Caller, name: str) -> Quota:
        return self._registry.one(caller, Quota, name)

    def put(self, caller: Caller, name: str, values: Mapping[str, Any]) -> Quota:
        """Create or replace a quota; current raises stay."""
        self._check(values.get("amounts", {}))
        return self._put(caller, [name], lambda old: Quota(old.name, raises=old.raises, **values))[0]

    def edit(self, caller: Caller, name: str, changes: Mapping[str, Any]) -> Quota:
        """Change fields of a quota that there is; those not named stay."""
        self.one(caller, name)
        self._check(changes.get("amounts", {}))
        return self._put(caller, [name], lambda old: replace(old, **changes))[0]

    def put_many(self, caller: Caller, names: Sequence[str], values: Mapping[str, Any]) -> tuple[Quota, ...]:
        """Set the same on all of these, or on none; what is not named stays."""
        self._check(values.get("amounts", {}))
        return self._put(caller, names, lambda old: replace(old, **values), of=("names",))

    def remove(self, caller: Caller, name: str) -> None:
        self._registry.remove(caller, Quota, name)

    def raise_for(
        self, caller: Caller, name: str, amounts: QuotaAmounts, life: int, reason: str = ""
    ) -> Quota:
        """More for so many milliseconds, for `user:NAME`, `group:NAME` or `default`: where it says more than the quota
        does, it holds. It ends by itself."""
        caller.require(Permission.QUOTA_WRITE)
        if not any(amounts.values()):
            message = Words(
                "a raise needs amounts: how much of what, by job class", "临时提额需要填写类别和数量"
            )
            hint = Words('such as {"workspace": {"gpus": 2}}', '例如 {"workspace": {"gpus": 2}}')
            raise Invalid((FieldError(("amounts",), "missing", message, hint=hint),))
        self._check(amounts)
        self._must_lift(name, amounts)
        more = Raise(amounts, self._clock.now() + life, caller.name, reason)
        return self._put(
            caller, [name], lambda old: replace(old, raises=(*old.raises, more)), act="raised", reason=reason
        )[0]

    def end_raises(self, caller: Caller, name: str) -> Quota:
        """End all temporary raises."""
        self.one(caller, name)
        return self._put(caller, [name], lambda old: replace(old, raises=()))[0]

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _put(
        self,
        caller: Caller,
        names: Sequence[str],
        change: Callable[[Quota], Quota],
        *,
        act: str = "",
        reason: str = "",
        of: Loc = (),
    ) -> tuple[Quota, ...]:
        """Write what `change` makes of each quota, existing or new; expired raises are dropped."""
        caller.require(Permission.QUOTA_WRITE)
        now = self._clock.now()
        self._must_be_somebody(names, of)

        def changed(known: Mapping[str, Quota]) -> Iterable[Quota]:
            for name in dict.fromkeys(names):
                newer = change(known.get(name, Quota(name)))
                yield replace(newer, raises=law.without_expired(newer, now))

        return self._registry.put_all(caller, Quota, changed, act=act, reason=reason)

    def _check(self, amounts: QuotaAmounts) -> None:
        """Check once for all that get the same; earlier amounts for GPU models that no longer exist stay."""
        wrong = (*amount_mistakes(amounts), *strange_models(amounts, self._registry.gpu_models()))
        if wrong:
            raise Invalid(wrong)

    def _must_lift(self, name: str, amounts: QuotaAmounts) -> None:
        """Invalid where a raise by these amounts would change nothing."""
        self._must_be_somebody([name], ())
        bounds = law.bounds_to_raise(name, self._registry.quotas(), self._most_tasks)
        if wrong := tuple(idle_raises(name, amounts, bounds)):
            raise Invalid(wrong)

    def _must_be_somebody(self, names: Sequence[str], of: Loc) -> None:
        users = {user.name: user for user in self._store.users()}
        groups = {*self._registry.groups(), *(group for user in users.values() for group in user.groups)}
        places = (((*of, at) if of else ("name",), name) for at, name in enumerate(names))
        wrong = tuple(error for loc, name in places if (error := nobody(name, users, groups, loc)))
        if wrong:
            raise Invalid(wrong)

    def _bounds(self, user: User) -> tuple[tuple[Bound, int], ...]:
        scopes = self._scopes(user)
        return _used(scopes, _held(self._store.holdings(_owners(scopes))))

    def _scopes(self, user: User) -> list[tuple[Collection[str], list[Bound]]]:
        """The limits that apply to a person, and to whom they apply together: the person, or all members of a group."""
        quotas, now = self._registry.quotas(), self._clock.now()
        of_groups = {group: law.bounds_of_group(group, quotas, now) for group in user.groups}
        bounded = {group: bounds for group, bounds in of_groups.items() if bounds}
        everybody = self._store.users() if bounded else ()
        return [
            (
                (user.name,),
                law.with_most_tasks(
                    law.bounds_of_user(user.name, quotas, now),
                    user.name,
                    self._most_tasks,
                    law.raises_of(user.name, quotas),
                    now,
                ),
            ),
            *((_members(everybody, group), bounds) for group, bounds in bounded.items()),
        ]

    def _surely_below_cap(self, scopes: Sequence[tuple[Collection[str], list[Bound]]], asked: Held) -> bool:
        """Whether only the cap on a person's tasks applies, and is known to be far away."""
        bounds = [bound for _, some in scopes for bound in some]
        cap = law.task_cap(asked.owner, self._most_tasks)
        return bounds == [cap] and self._headroom.covers(asked.owner, asked.amounts[TASKS], self._clock.now())

    def _owner(self, caller: Caller, job: Job) -> User:
        """Quotas are the owner's, whoever starts a job."""
        owner = caller.user if caller.name == job.owner else self._store.user(job.owner)
        if owner is None:
            raise NotFound(no_such("user", job.owner))
        return owner

    def _with_holders(self, caller: Caller, short: Shortfall) -> Shortfall:
        kind, _, name = short.quota.partition(":")
        owners = _members(self._store.users(), name) if f"{kind}:" == law.GROUP else (name,)
        within = None if short.within == EVERY_CLASS else short.within
        found = self._store.holders(owners, within, short.resource, _NAMED)
        jobs = [f"{owner}:{job}" if caller.may(Permission.JOB_READ, owner) else owner for owner, job in found]
        return replace(short, jobs=tuple(dict.fromkeys(jobs)))


def refusal(found: tuple[Shortfall, ...]) -> InsufficientQuota:
    """The refusal in words, and at the fields that request too much."""
    errors: dict[Loc, FieldError] = {}
    for short in found:
        loc = _PLACES.get(short.resource) or ("resources", _field(short.resource))
        limit, asked = (law.show(short.resource, one) for one in (short.limit, short.asked))
        error = FieldError(loc, InsufficientQuota.code, law.said(short), asked, limit, _advice(short))
        errors.setdefault(loc, error)
    text = say(
        "{title}: {found}",
        "{title}：{found}",
        title=InsufficientQuota.title,
        found=joined(law.said(short) for short in found),
    )
    return InsufficientQuota(text, found, tuple(errors.values()))


def _advice(short: Shortfall) -> Words:
    ways = [say("stop one of {jobs}", "停止 {jobs} 中的一个", jobs=listed(short.jobs))] if short.jobs else []
    ways += [] if short.resource in law.COUNTED else [Words("choose another GPU model", "改用其他 GPU 型号")]
    ways += [Words("request more: danlu request quota", "申请更多配额：danlu request quota")]
    return Words(", or ".join(way.en for way in ways), "，或".join(way.zh for way in ways))


def _field(resource: str) -> str:
    return resource if resource in ("cpus", "memory") else GPUS


def _shortfalls(
    scopes: Iterable[tuple[Collection[str], list[Bound]]], asked: Held, held: Sequence[Held]
) -> Iterable[Shortfall]:
    for owners, bounds in scopes:
        yield from law.shortfalls(bounds, asked, [one for one in held if one.owner in owners])


def _members(everybody: Iterable[User], group: str) -> frozenset[str]:
    return frozenset(user.name for user in everybody if group in user.groups)


def _owners(scopes: Iterable[tuple[Collection[str], list[Bound]]]) -> set[str]:
    return {owner for owners, _ in scopes for owner in owners}


def _held(holdings: Iterable[QuotaHolding]) -> tuple[Held, ...]:
    return tuple(
        Held(
            one.owner,
            one.job_class,
            law.amounts_of(one.cpu_milli, one.memory, one.tasks, _gpus(one), one.jobs),
        )
        for one in holdings
    )


def _gpus(one: QuotaHolding) -> list[tuple[str | None, int]]:
    """How much of which model, all its jobs together."""
    if not one.gpu_mix:
        return [(one.gpu_model, one.gpu_milli)]
    return [(model or None, milli * one.jobs) for model, milli in one.gpu_mix.items()]


def _used(
    scopes: Iterable[tuple[Collection[str], list[Bound]]], held: Sequence[Held]
) -> tuple[tuple[Bound, int], ...]:
    return tuple(
        (bound, law.used(bound, [one for one in held if one.owner in owners]))
        for owners, all_bounds in scopes
        for bound in all_bounds
    )
