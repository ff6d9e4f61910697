"""Checks of every start besides the life cycle: the budget of its priority class, quotas, and the owner's disk use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.quotas.storage import Storage
from danlu.control.rules.registry import Registry
from danlu.domain.audit import Entry
from danlu.domain.errors import BudgetSpent, DiskLimit, InsufficientQuota
from danlu.domain.job import Job
from danlu.domain.permissions import Caller
from danlu.ports.store import Gate, QuotaHolding

Pass = tuple[Gate | None, tuple[Entry, ...]]


class Starts:
    """Used when a job that was not active is queued; automatic requeues are not checked."""

    def __init__(
        self, registry: Registry, quotas: Quotas, budgets: Budgets, storage: Storage | None = None
    ) -> None:
        self._registry, self._quotas, self._budgets, self._storage = registry, quotas, budgets, storage

    @contextmanager
    def passing(self, caller: Caller, job: Job) -> Iterator[Pass]:
        """Wraps the transaction that starts a job: provides the gate it must pass and the audit entries. A refusal at
        the gate is completed with the jobs that use the quota."""
        try:
            yield self._gate(caller, job), self._notes(caller, job)
        except InsufficientQuota as refused:
            raise self._quotas.explained(caller, refused) from None

    def check(self, caller: Caller, job: Job) -> None:
        """InsufficientQuota, BudgetSpent or DiskLimit when the job could not be started now; when several hold, the
        first with the errors of all."""
        spent = self._refusal(job)
        try:
            self._quotas.check(caller, job)
        except InsufficientQuota as short:
            errors = (*(spent.errors if spent else ()), *short.errors)
            raise InsufficientQuota(short.text, short.shortfalls, errors) from None
        if spent:
            raise spent

    def _gate(self, caller: Caller, job: Job) -> Gate | None:
        """A spent budget or a full disk is refused at the gate too, so that a repeated request with the same key still
        finds the job it created."""
        spent = self._refusal(job)
        return Gate((), _refusing(spent)) if spent else self._quotas.gate_for(caller, job)

    def _refusal(self, job: Job) -> BudgetSpent | DiskLimit | None:
        full = self._storage.refusal(job.owner) if self._storage else None
        return full or self._budgets.refusal(job.owner, job.spec)

    def _notes(self, caller: Caller, job: Job) -> tuple[Entry, ...]:
        """A start at a priority class with a reason or budget is recorded, with its reason."""
        priority = self._registry.priorities().get(job.spec.priority)
        if priority is None or not (priority.needs_reason or priority.budget_milli is not None):
            return ()
        subject, after = f"job:{job.owner}:{job.record}", {"priority": priority.name}
        return (caller.entry("started", subject, after=after, reason=job.spec.justification),)


def _refusing(why: BudgetSpent | DiskLimit) -> Callable[[tuple[QuotaHolding, ...]], None]:
    def check(_: tuple[QuotaHolding, ...]) -> None:
        raise why

    return check
