"""A past that was made up for a demonstration, written in one transaction into a database without jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from danlu.ports.past import Past
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.jobs.rows import asked, attempt_values, standing
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import attempts, capacity, events, jobs, recorded
from danlu.store.sql.usage import ledger, trends

_ANY_JOB = select(jobs.c.id).limit(1)
_ANY_HOUR = select(recorded.c.name).where(recorded.c.name == trends.RECORDED).limit(1)


class SqlPast(StorePart):
    """Implements ports.past.PastStore."""

    def remember(self, past: Past) -> bool:
        # Made before the transaction: PostgreSQL ends one in which nothing happens for a while.
        known = [_job(one.job) for one in past.jobs]
        tries = [attempt_values(one.job, attempt) for one in past.jobs for attempt in one.attempts]
        told = [event_log.values(one.event, one.at, one.job.owner, one.actor, one.job) for one in past.events]
        with self._writing(orderly=True) as connection:
            if connection.execute(_ANY_JOB).first() or connection.execute(_ANY_HOUR).first():
                return False
            _put_all(connection, jobs, known)
            _put_all(connection, attempts, tries)
            _put_all(connection, events, told)
            ledger.append(connection, past.charges, past.settled)
            trends.put_hours(connection, past.hours)
            _put_all(connection, capacity, [asdict(one) for one in past.capacity])
            marks = {trends.BEGAN: past.began, trends.RECORDED: past.until}
            _put_all(connection, recorded, [{"name": name, "until": at} for name, at in marks.items()])
            for at, noted in groupby(past.entries, key=lambda one: one[0]):
                audit_log.append(connection, [entry for _, entry in noted], at)
        return True


def _job(job: Any) -> dict[str, Any]:
    plain = {name: getattr(job, name) for name in ("id", "owner", "version", "created_at")}
    return {**plain, **asked(job), **standing(job), "cloned_from": None}


def _put_all(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table), rows)
