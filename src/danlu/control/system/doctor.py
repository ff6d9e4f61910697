"""Looks over a running installation and says what is weak about it; the rules themselves are beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.control.audit import Audit
from danlu.control.system.accounts import account_weaknesses
from danlu.control.system.facts import AccountFacts, RecordFacts, ServingFacts, SystemFacts
from danlu.control.system.files import disk_weaknesses, file_weaknesses
from danlu.control.system.network import network_weaknesses
from danlu.control.system.records import record_weaknesses
from danlu.control.system.tasks import isolation_weaknesses, task_weaknesses
from danlu.domain.isolation import IsolationForm, TaskIsolation
from danlu.domain.job import Time
from danlu.domain.node import Node
from danlu.domain.people import User
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.rules import Project
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.ports.accounts import PeopleStore, TokenStore
from danlu.ports.clock import Clock
from danlu.ports.governance import AuditQuery, AuditStore
from danlu.ports.store import RuleStore
from danlu.ports.system import MachineProbe

_MOST_PEOPLE = 5_000
"""People whose last sign-in is looked up; each is a query."""
_ORDER = {severity: place for place, severity in enumerate(Severity)}
_HERE = (IsolationForm.SANDBOX, IsolationForm.PROCESS, IsolationForm.BLOCKED)


@dataclass(frozen=True, slots=True)
class SystemReport:
    """What was looked at, and what is weak, the worst first."""

    at: Time
    checked: tuple[WeakArea, ...]
    weaknesses: tuple[Weakness, ...]

    @property
    def ok(self) -> bool:
        return not self.weaknesses


class AccountsAndRecords(PeopleStore, TokenStore, AuditStore, RuleStore, Protocol):
    """People, their tokens, the audit log, and the rules."""


class Doctor:
    """Any thread. Changes nothing."""

    def __init__(
        self,
        store: AccountsAndRecords,
        clock: Clock,
        nodes: Callable[[], Sequence[Node]],
        audit: Audit,
        probe: MachineProbe,
        serving: ServingFacts,
        holds_volumes: bool = True,
    ) -> None:
        """`holds_volumes`: jobs that go on writing to a volume beyond its capacity are ended."""
        self._holds_volumes = holds_volumes
        self._store, self._clock, self._nodes = store, clock, nodes
        self._audit, self._probe, self._serving = audit, probe, serving

    def health(self, caller: Caller) -> SystemReport:
        """What is quickly seen: how tasks are kept apart, how people reach the server, and disk space."""
        caller.require(Permission.SYSTEM_READ, ANYBODY)
        people = sum(not user.disabled for user in self._store.users())
        found = [
            *isolation_weaknesses(self._isolation(), people),
            *network_weaknesses(self._serving),
            *disk_weaknesses(self._probe.space()),
        ]
        return self._report((WeakArea.TASKS, WeakArea.NETWORK), found)

    def examine(self, caller: Caller) -> SystemReport:
        """Everything. Whether the audit log was changed is left out for whoever may not read it."""
        caller.require(Permission.SYSTEM_READ, ANYBODY)
        facts = self._facts(caller)
        left_out = WeakArea.RECORDS if facts.records.broken_at is None else None
        found = [
            *task_weaknesses(facts),
            *network_weaknesses(facts.serving),
            *file_weaknesses(facts),
            *account_weaknesses(facts),
            *record_weaknesses(facts),
        ]
        return self._report(tuple(area for area in WeakArea if area is not left_out), found)

    def _report(self, checked: tuple[WeakArea, ...], found: Iterable[Weakness]) -> SystemReport:
        worst_first = sorted(found, key=lambda one: _ORDER[one.severity])
        return SystemReport(self._clock.now(), checked, tuple(worst_first))

    def _facts(self, caller: Caller) -> SystemFacts:
        nodes = self._isolation()
        return SystemFacts(
            now=self._clock.now(),
            nodes=nodes,
            machine=self._probe.look(),
            serving=self._serving,
            accounts=self._accounts(),
            records=self._records(caller),
            runs_tasks=any(told.form in _HERE for told in nodes.values()),
            holds_volumes=self._holds_volumes,
        )

    def _isolation(self) -> dict[str, TaskIsolation]:
        return {node.name: node.isolation for node in self._nodes() if node.isolation is not None}

    def _accounts(self) -> tuple[AccountFacts, ...]:
        people = self._store.users()
        known = [AccountFacts(user, self._store.tokens(user.name)) for user in people[:_MOST_PEOPLE]]
        return tuple(replace(one, signed_in_at=self._last_sign_in(one.user)) for one in known)

    def _last_sign_in(self, user: User) -> Time | None:
        found = self._store.noted(AuditQuery(by=user.name, act="signed_in", limit=1))
        return found[0].time if found else None

    def _records(self, caller: Caller) -> RecordFacts:
        last = self._store.last_noted()
        last_at = None if last is None else last.time
        if not caller.may_everywhere(Permission.AUDIT_READ):
            return RecordFacts(None, last_at)
        broken = self._audit.verify(caller).broken
        return RecordFacts(0 if broken is None else broken.seq, last_at, self._twins())

    def _twins(self) -> tuple[tuple[str, ...], ...]:
        """From before names of projects were compared in lower case."""
        alike: dict[str, list[str]] = {}
        for rule in self._store.rules():
            if isinstance(rule, Project):
                alike.setdefault(rule.name.casefold(), []).append(rule.name)
        return tuple(tuple(names) for names in alike.values() if len(names) > 1)
