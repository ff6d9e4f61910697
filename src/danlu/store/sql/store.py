"""The store: all its parts over one database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from sqlalchemy import text

from danlu.store.sql.audit_log import AuditLog
from danlu.store.sql.claim import Claim
from danlu.store.sql.database import Database
from danlu.store.sql.event_log import EventLog
from danlu.store.sql.jobs.active import Active
from danlu.store.sql.jobs.holdings import Holdings
from danlu.store.sql.jobs.jobs import Jobs
from danlu.store.sql.jobs.listing import Listing
from danlu.store.sql.leases import Leases
from danlu.store.sql.listening import Listening
from danlu.store.sql.nodes import KeptNodes
from danlu.store.sql.people.credentials import Credentials
from danlu.store.sql.people.people import People
from danlu.store.sql.people.preferences import KeptPreferences
from danlu.store.sql.people.ssh_keys import SshKeys
from danlu.store.sql.people.tokens import Tokens
from danlu.store.sql.projects.members import Members
from danlu.store.sql.projects.requests import Requests
from danlu.store.sql.rules import Rules
from danlu.store.sql.templates import Templates
from danlu.store.sql.upgrade import upgrade
from danlu.store.sql.usage.ledger import Ledger
from danlu.store.sql.usage.trends import Trends

_PING = text("SELECT 1")


class SqlStore(
    Jobs,
    Listing,
    Active,
    Holdings,
    EventLog,
    Rules,
    KeptNodes,
    Leases,
    Ledger,
    People,
    KeptPreferences,
    Credentials,
    Tokens,
    Members,
    Requests,
    SshKeys,
    Templates,
    AuditLog,
    Trends,
    Claim,
    Listening,
):
    """Implements ports.store.Store on SQLite or PostgreSQL. Every method may be called from any thread."""

    @classmethod
    def open(cls, url: str, *, busy_timeout: float = 5.0, now: Callable[[], int] | None = None) -> Self:
        """Open `sqlite:///FILE` or `postgresql://…`, made or brought up to date where needed.

        A write that must wait for others longer than `busy_timeout` seconds raises StoreBusy. `now` is SQLite's
        clock in milliseconds, by default the machine's; PostgreSQL has its own."""
        database = Database(url, busy_timeout, now)
        try:
            upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls(database)

    @property
    def shared(self) -> bool:
        """Whether processes on several machines may use this database together."""
        return not self._database.sqlite

    def fenced(self, epoch: int) -> Self:
        return type(self)(self._database, epoch)

    def ready(self) -> None:
        with self._database.reading() as connection:
            connection.execute(_PING)

    def close(self) -> None:
        if self._epoch is not None:
            return  # the leader's way in; the house is another's
        self.stop_listening()
        self.release()
        self._database.close()
