"""Everything about people on a store of its own, with an administrator and an engineer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from argon2 import PasswordHasher

from danlu.control.people.accounts import Accounts
from danlu.control.people.bulk_accounts import BulkAccounts
from danlu.control.people.groups import Groups
from danlu.control.people.leaving import Leaving
from danlu.control.people.passwords import Passwords
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import Authentication
from danlu.control.people.ssh_keys import Keys
from danlu.control.rules.registry import Registry
from danlu.domain.events import JobCreated
from danlu.domain.job import JobState
from danlu.domain.people import UserRole
from danlu.domain.permissions import Caller
from danlu.ports.governance import AuditQuery
from danlu.ports.store import JobChange
from danlu.store.sql import SqlStore
from tests.fakes.builders import job as some_job
from tests.fakes.clock import CountingIds, FakeClock

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
GOOD = "correct horse"


class Office:
    def __init__(self, folder: Path) -> None:
        self.clock, self.folder = FakeClock(), folder
        self.store = SqlStore.open(f"sqlite:///{folder / 'danlu.db'}")
        self.registry = Registry(self.store, self.clock)
        self.registry.seed()
        self.rights, passwords, ids = Rights(self.store), Passwords(CHEAP), CountingIds()
        self.rights.follow(self.registry.groups)
        self.people = Authentication(self.store, passwords, self.clock, ids, rights=self.rights)
        self.stopped: list[tuple[str, str]] = []
        leaving = Leaving(self.store, lambda caller, job: self.stopped.append((caller.name, job)))
        self.accounts = Accounts(
            self.store, self.people, passwords, self.clock, leaving, self.registry.groups
        )
        self.bulk = BulkAccounts(self.store, self.accounts, leaving, self.clock)
        self.groups = Groups(self.registry, self.store, self.clock)
        self.keys = Keys(self.store, self.clock, ids)
        self.admin = Caller(self.people.make_user("admin", UserRole.ADMINISTRATOR), address="10.0.0.1")
        self.lin = Caller(self.people.make_user("lin", UserRole.ENGINEER, password=GOOD))

    def caller(self, name: str) -> Caller:
        """Somebody as they are now."""
        user = self.store.user(name)
        assert user is not None
        return self.rights.caller(user)

    def busy(self, owner: str, name: str = "busy-job", state: JobState = JobState.RUNNING) -> str:
        """Give somebody an active job; its id."""
        job = replace(some_job(name, owner=owner), state=state)
        self.store.add(JobChange(job, (JobCreated(owner),), owner))
        return job.id

    def noted(self, act: str) -> list[tuple[str, str]]:
        """Who did this to what, by the audit log, the oldest first."""
        entries = self.store.noted(AuditQuery(act=act))
        return [(one.entry.by, one.entry.subject) for one in reversed(entries)]
