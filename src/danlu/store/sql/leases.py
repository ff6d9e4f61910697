"""The leader's lease: one row, held by one process for a limited time, by the database's clock."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Connection, bindparam, cast, func, or_, select, update

from danlu.domain.job import Time
from danlu.ports.store import Lease
from danlu.store.sql.fence import CONTROL
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import leases
from danlu.store.sql.upsert import insert_for

_NOW = select(cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger))
_COLUMNS = (leases.c.holder, leases.c.epoch, leases.c.until)
_LEASE = select(*_COLUMNS).where(leases.c.name == CONTROL)
_HELD = (
    (leases.c.name == CONTROL) & (leases.c.holder == bindparam("who")) & (leases.c.epoch == bindparam("led"))
)
_RENEW = update(leases).where(_HELD).values(until=bindparam("then")).returning(*_COLUMNS)
_END = update(leases).where(_HELD).values(until=0)


@functools.cache
def _take(dialect: str) -> Any:
    """Insert the row, or take the existing one if it has expired or belongs to the same holder."""
    insert = insert_for(dialect, leases).values(name=CONTROL, epoch=1)
    free = or_(leases.c.until <= bindparam("now"), leases.c.holder == insert.excluded.holder)
    newer = {"holder": insert.excluded.holder, "epoch": leases.c.epoch + 1, "until": insert.excluded.until}
    return insert.on_conflict_do_update(index_elements=["name"], set_=newer, where=free).returning(*_COLUMNS)


class SqlLeases(StorePart):
    """Implements ports.store.LeaseStore."""

    def take_lease(self, holder: str, life_ms: int) -> Lease | None:
        with self._database.reading() as connection:
            known = _lease(connection.execute(_LEASE).first())
            if known is not None and known.holder != holder and known.until > self._now(connection):
                return None  # found without writing: standbys ask often
        with self._database.writing() as connection:
            # Read the time before waiting for the row lock: after a wait the lease then seems shorter, never longer.
            now = self._now(connection)
            values = {"holder": holder, "until": now + life_ms, "now": now}
            return _lease(connection.execute(_take(connection.dialect.name), values).first())

    def renew_lease(self, lease: Lease, life_ms: int) -> Lease | None:
        with self._database.writing() as connection:
            values = {"who": lease.holder, "led": lease.epoch, "then": self._now(connection) + life_ms}
            return _lease(connection.execute(_RENEW, values).first())

    def end_lease(self, lease: Lease) -> None:
        with self._database.writing() as connection:
            connection.execute(_END, {"who": lease.holder, "led": lease.epoch})

    def lease(self) -> Lease | None:
        with self._database.reading() as connection:
            return _lease(connection.execute(_LEASE).first())

    def _now(self, connection: Connection) -> Time:
        """SQLite has no clock but that of the machine it is on."""
        return self._database.now() if self._database.sqlite else int(connection.execute(_NOW).scalar_one())


def _lease(row: Sequence[Any] | None) -> Lease | None:
    return None if row is None else Lease(*row)
