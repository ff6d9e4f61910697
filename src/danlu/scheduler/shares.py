"""Current use, and what each project deserves: guarantees first, the rest by weight."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from danlu.domain.job import JobClass
from danlu.domain.rules import CPUS, EACH, GPUS, MEMORY, Amounts, Limit, Project
from danlu.domain.score import CPU
from danlu.scheduler.ask import ANY
from danlu.scheduler.board import Snapshot, demand_of
from danlu.scheduler.model import Rules

_UNIT = {MEMORY: 2**30}
_THOUSAND = 1000


class Tally:
    """Amounts by account, project, person and limit; updated by starts and evictions."""

    def __init__(
        self,
        rules: Rules,
        projects: Mapping[str, Amounts],
        people: Mapping[str, Amounts],
        holdings: Iterable[tuple[str, str, JobClass, Amounts]],
    ) -> None:
        self._rules, self._people = rules, people
        self.accounts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.projects: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.limits: dict[tuple[str, ...], int] = defaultdict(int)
        self.changes: dict[str, int] = defaultdict(int)
        self._more: dict[tuple[str, str], int] = defaultdict(int)
        for project, amounts in projects.items():
            self.sum(project, amounts)
        for holding in holdings if rules.limits else ():
            self.limit(*holding)

    def add(self, owner: str, project: str, job_class: JobClass, amounts: Amounts, sign: int = 1) -> None:
        self.sum(project, amounts, sign)
        self.limit(owner, project, job_class, amounts, sign)
        for resource, amount in amounts.items():
            self._more[owner, resource] += sign * amount

    def of(self, owner: str, resource: str) -> int:
        """How much of a resource a person holds."""
        return self._people.get(owner, {}).get(resource, 0) + self._more.get((owner, resource), 0)

    @property
    def changed(self) -> Iterable[tuple[str, str]]:
        """What was added in this decision, by person and resource."""
        return self._more

    def of_project(self, project: Project, resource: str) -> int:
        """What counts for a project's cap: with its own share all jobs that draw on it, otherwise only its own."""
        totals = self.projects if project.weight is None else self.accounts
        return totals[project.name][resource]

    def sum(self, project: str, amounts: Amounts, sign: int = 1) -> None:
        account = self._rules.account(project)
        self.changes[account] += 1
        for total in (self.accounts[account], self.projects[project]):
            for resource, amount in amounts.items():
                total[resource] += sign * amount

    def limit(self, owner: str, project: str, job_class: JobClass, amounts: Amounts, sign: int = 1) -> None:
        for limit in self._rules.limits:
            if concerns(limit, self._rules, owner, project, job_class):
                whose = limited(limit, owner, self._rules.account(project))
                self.limits[whose] += sign * amounts.get(GPUS, 0)


def limited(limit: Limit, owner: str, account: str) -> tuple[str, ...]:
    """The key under which a limit sums up use."""
    return (limit.name, owner if limit.user == EACH else "", account if limit.project == EACH else "")


def concerns(limit: Limit, rules: Rules, owner: str, project: str, job_class: JobClass) -> bool:
    """Limits of a project also apply to projects that draw on its share."""
    return limit.concerns(owner, project, job_class) or limit.concerns(
        owner, rules.account(project), job_class
    )


class Shares:
    """What every account deserves of every resource, given what is held and requested."""

    def __init__(self, snapshot: Snapshot, held: Tally) -> None:
        self._rules, self._cluster, self._held = snapshot.rules, snapshot.cluster, held
        self._wanted: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._deserved: dict[str, dict[str, int]] = {}
        for project, demand in snapshot.use.demand.items():
            self.want(project, demand)
        for job in snapshot.apart:
            self.want(job.project, demand_of(job.ask))
        for one in snapshot.elastic:
            self.want(one.project, demand_of(one.ask, one.tasks))

    def want(self, project: str, demand: Amounts, sign: int = 1) -> None:
        """Add a request, or remove it. A request for any model counts for each of them."""
        if self._rules.project(project).closed or self._rules.project(self._rules.account(project)).closed:
            return
        wanted = self._wanted[self._rules.account(project)]
        for resource, amount in demand.items():
            for name in self._cluster.models if resource == ANY else (resource,):
                wanted[name] += sign * amount

    def divide(self) -> None:
        """Compute what each account deserves now: guarantees first, the rest by weight."""
        names = sorted({*self._wanted, *self._held.accounts})
        named = {resource for name in names for resource in self._rules.project(name).guarantee}
        self._deserved = {name: {} for name in names}
        for resource in sorted({*self._cluster.models, CPUS, *named}):
            for name, part in self._parts(resource, names).items():
                self._deserved[name][resource] = part

    def _parts(self, resource: str, names: Iterable[str], more: Amounts | None = None) -> dict[str, int]:
        """What these accounts deserve of one resource; `more` are additional requests."""
        accounts = {name: self._rules.project(name) for name in names}
        wants = {
            name: self._wanted[name][resource] + self._held.accounts[name][resource] for name in accounts
        }
        for name, amount in (more or {}).items():
            wants[name] += amount
        wants = {name: min(want, accounts[name].cap.get(resource, want)) for name, want in wants.items()}
        return _divide(self._cluster.capacity.get(resource, 0), accounts, wants, resource)

    def compared(self, account: str, model: str) -> list[str]:
        """The resources that are compared in a lane: its own, and those the project names and jobs of the lane use."""
        main = CPUS if model == CPU else model
        used = (CPUS, MEMORY) if model == CPU else (CPUS, MEMORY, GPUS)
        guarantee = self._rules.project(account).guarantee
        return [main, *(name for name in used if name != main and name in guarantee)]

    def deserved(self, account: str, resource: str) -> int:
        return self._deserved.get(account, {}).get(resource, 0)

    def standing(self, account: str, held: Amounts, model: str) -> tuple[bool, float]:
        """Sort key among projects, lowest first: below its guarantee or not, then how much of its share it uses."""
        guarantee = self._rules.project(account).guarantee
        names = self.compared(account, model)
        owed = any(held.get(name, 0) < guarantee.get(name, 0) for name in names)
        return not owed, max(self._level(account, name, held.get(name, 0)) for name in names)

    def with_more(self, account: str, demand: Amounts, model: str) -> Mapping[str, Mapping[str, int]]:
        """What each account would deserve of the resources compared in a lane if this one requested so much more."""
        names, parts = sorted({*self._deserved, account}), {}
        for resource in self.compared(account, model):
            wanted = demand.get(resource, 0) or (
                demand.get(ANY, 0) if resource in self._cluster.models else 0
            )
            parts[resource] = self._parts(resource, names, {account: wanted})
        return {name: {resource: part[name] for resource, part in parts.items()} for name in names}

    @contextlib.contextmanager
    def supposing(self, parts: Mapping[str, Mapping[str, int]]) -> Iterator[None]:
        """Within this context, each account deserves this."""
        before = self._deserved
        self._deserved = {name: {**before.get(name, {}), **own} for name, own in parts.items()}
        try:
            yield
        finally:
            self._deserved = before

    def within(self, account: str, held: Amounts, amounts: Amounts, model: str) -> bool:
        """Whether it would still hold no more than it deserves."""
        return all(
            held.get(name, 0) + amounts.get(name, 0) <= self.deserved(account, name)
            for name in self.compared(account, model)
        )

    def beyond(self, account: str, held: Amounts, resources: Iterable[str]) -> bool:
        """Whether it holds more than it deserves of any of these."""
        return any(held.get(name, 0) > self.deserved(account, name) for name in resources)

    def _level(self, account: str, resource: str, held: int) -> float:
        deserved = self.deserved(account, resource)
        if deserved or held:
            return held / deserved if deserved else float("inf")
        return (
            0.0 if self._rules.project(account).weight else 1.0
        )  # its share is less than one unit, or it has no weight


def _divide(
    capacity: int, accounts: Mapping[str, Project], wants: Mapping[str, int], resource: str
) -> dict[str, int]:
    """Guarantees as far as they are requested, then the rest by weight, in whole units."""
    unit = _UNIT.get(resource, _THOUSAND)
    left = capacity // unit
    wanted = {name: -(-want // unit) for name, want in wants.items()}
    owed = {
        name: min(wanted[name], project.guarantee.get(resource, 0) // unit)
        for name, project in accounts.items()
    }
    first = portions(left, {name: Fraction(part) for name, part in owed.items()}, owed)
    rest = {name: wanted[name] - first[name] for name in wanted}
    weights = {name: Fraction(project.weight or 0) for name, project in accounts.items()}
    second = portions(left - sum(first.values()), weights, rest)
    return {name: (first[name] + second[name]) * unit for name in wanted}


def portions(total: int, weights: Mapping[str, Fraction], wants: Mapping[str, int]) -> dict[str, int]:
    """Divide whole units by weight, at most what each requests; largest remainders first, ties by name.

    Accounts without weight get only what those with weight do not request."""
    given = dict.fromkeys(wants, 0)
    for weighed in (True, False):
        hungry = sorted(name for name in wants if wants[name] > 0 and (weights[name] > 0) is weighed)
        share = {name: weights[name] if weighed else Fraction(1) for name in hungry}
        total -= _pour(total, share, hungry, wants, given)
    return given


def _pour(
    total: int,
    share: Mapping[str, Fraction],
    hungry: list[str],
    wants: Mapping[str, int],
    given: dict[str, int],
) -> int:
    left = total
    while hungry and left > 0:
        each = Fraction(left) / sum(share[name] for name in hungry)
        full = [name for name in hungry if wants[name] <= each * share[name]]
        if not full:
            floors = {name: int(each * share[name]) for name in hungry}
            spare = left - sum(floors.values())
            ranked = sorted(hungry, key=lambda name: (floors[name] - each * share[name], name))
            for name in hungry:
                given[name] = floors[name] + (name in ranked[:spare])
            return total
        for name in full:
            given[name] = wants[name]
            left -= wants[name]
        hungry = [name for name in hungry if name not in full]
    return total - left
