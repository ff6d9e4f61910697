"""The store: all its parts over one database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from sqlalchemy import text

from danlu.store.sql.audit_log import SqlAuditLog
from danlu.store.sql.claim import SqlClaim
from danlu.store.sql.database import Database
from danlu.store.sql.datasets.acts import SqlDatasetActs
from danlu.store.sql.datasets.datasets import SqlDatasets
from danlu.store.sql.datasets.versions import SqlVersions
from danlu.store.sql.event_log import SqlEventLog
from danlu.store.sql.inputs import SqlInputs
from danlu.store.sql.jobs.active import SqlActive
from danlu.store.sql.jobs.holdings import SqlHoldings
from danlu.store.sql.jobs.jobs import SqlJobs
from danlu.store.sql.jobs.latest import SqlLatest
from danlu.store.sql.jobs.listing import SqlListing
from danlu.store.sql.jobs.outputs import SqlOutputs
from danlu.store.sql.leases import SqlLeases
from danlu.store.sql.listening import SqlListening
from danlu.store.sql.nodes import SqlNodes
from danlu.store.sql.past import SqlPast
from danlu.store.sql.people.credentials import SqlCredentials
from danlu.store.sql.people.people import SqlPeople
from danlu.store.sql.people.preferences import SqlPreferences
from danlu.store.sql.people.ssh_keys import SqlSshKeys
from danlu.store.sql.people.tokens import SqlTokens
from danlu.store.sql.projects.members import SqlMembers
from danlu.store.sql.projects.requests import SqlRequests
from danlu.store.sql.rules import SqlRules
from danlu.store.sql.templates import SqlTemplates
from danlu.store.sql.transfers import SqlTransfers
from danlu.store.sql.upgrade import upgrade
from danlu.store.sql.usage.ledger import SqlLedger
from danlu.store.sql.usage.trends import SqlTrends
from danlu.store.sql.volume_claims import SqlVolumeClaims
from danlu.store.sql.volumes import SqlVolumes

_PING = text("SELECT 1")


class SqlStore(
    SqlJobs,
    SqlListing,
    SqlActive,
    SqlLatest,
    SqlHoldings,
    SqlEventLog,
    SqlRules,
    SqlNodes,
    SqlLeases,
    SqlLedger,
    SqlPeople,
    SqlPreferences,
    SqlCredentials,
    SqlTokens,
    SqlMembers,
    SqlRequests,
    SqlSshKeys,
    SqlTemplates,
    SqlVolumes,
    SqlDatasets,
    SqlVersions,
    SqlDatasetActs,
    SqlTransfers,
    SqlInputs,
    SqlOutputs,
    SqlVolumeClaims,
    SqlAuditLog,
    SqlTrends,
    SqlPast,
    SqlClaim,
    SqlListening,
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
            return  # the leader's view of a store that another object owns and closes
        self.stop_listening()
        self.release()
        self._database.close()
