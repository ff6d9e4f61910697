"""What each person may spend on urgent jobs in a month, and what they have spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from danlu.control.plane.ledger import running_charges
from danlu.control.rules.registry import Registry
from danlu.domain.errors import BudgetSpent, FieldError
from danlu.domain.job import Job, JobSpec, Time
from danlu.domain.people import User
from danlu.domain.quantity import show_milli
from danlu.domain.rules import PriorityClass
from danlu.domain.score import CPU
from danlu.domain.words import say
from danlu.ports.clock import Clock
from danlu.ports.governance import TrendStore

_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Budget:
    """GPU-hours, in thousandths, of one priority class from `since` until it `renews`."""

    priority: str
    budget: int
    spent: int
    since: Time
    renews: Time


class Budgets:
    """Any thread. `live` are a person's jobs with live tasks: their use counts up to now."""

    def __init__(
        self, registry: Registry, store: TrendStore, live: Callable[[str], Iterable[Job]], clock: Clock
    ) -> None:
        self._registry, self._store, self._live, self._clock = registry, store, live, clock

    def of(self, user: User) -> tuple[Budget, ...]:
        """Of all classes with a budget that the person may use anywhere."""
        found = []
        for name, priority in sorted(self._registry.priorities().items()):
            open_to = priority.projects or ("",)
            if any(priority.open_to(user, project) for project in open_to):
                budget = self._budget(user.name, name, priority)
                found += [budget] if budget else []
        return tuple(found)

    def refusal(self, owner: str, spec: JobSpec) -> BudgetSpent | None:
        """Why a job may not start if this month's budget of its class is used up."""
        priority = self._registry.priorities().get(spec.priority)
        budget = self._budget(owner, spec.priority, priority) if priority else None
        if budget is None or budget.spent < budget.budget:
            return None
        spent, most = show_milli(budget.spent), show_milli(budget.budget)
        renews = datetime.fromtimestamp(budget.renews / 1000, UTC).date().isoformat()
        detail = say(
            "{owner} has spent {spent} of {most} GPU-hours on {priority} jobs this month; the budget renews on "
            "{renews}",
            "{owner} 本月的优先级 {priority} 任务已用 {spent} 卡时，预算为 {most} 卡时，将于 {renews} 重置",
            owner=owner,
            spent=spent,
            most=most,
            priority=spec.priority,
            renews=renews,
        )
        hint = say(
            "choose another priority class, or wait until {renews} (UTC)",
            "请改用其他优先级，或等到 {renews}（UTC）",
            renews=renews,
        )
        error = FieldError(("priority",), BudgetSpent.code, detail, spec.priority, most, hint)
        return BudgetSpent(detail, (error,))

    def _budget(self, user: str, name: str, priority: PriorityClass) -> Budget | None:
        if priority.budget_milli is None:
            return None
        now = self._clock.now()
        since, renews = month_of(now)
        spent = self._store.spent(user, name, since) + sum(
            charge.milli * max(0, now - max(charge.began, since))
            for job in self._live(user)
            if job.spec.priority == name
            for charge in running_charges(job)
            if charge.model != CPU
        )
        return Budget(name, priority.budget_milli, spent // _HOUR, since, renews)


def month_of(now: Time) -> tuple[Time, Time]:
    """When this calendar month (UTC) began, and when the next one does."""
    first = datetime.fromtimestamp(now / 1000, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    later = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    return round(first.timestamp() * 1000), round(later.timestamp() * 1000)
