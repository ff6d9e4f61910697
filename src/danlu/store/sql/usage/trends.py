"""Held and requested resources by the hour; sums are computed on reading."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Executable, Float, Table, bindparam, case, cast, func, literal, select

from danlu.domain.job import Time
from danlu.domain.score import CPU
from danlu.ports.governance import CapacityRow, HourlyQuery, HourRow, TrendRow
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import capacity, days, hours, ledger, project_days, project_hours, recorded
from danlu.store.sql.upsert import insert_for

HOUR: Time = 3_600_000
DAY: Time = 24 * HOUR
_MONDAY: Time = 3 * DAY
"""The Monday before 1970: weeks, days and hours are counted from there."""
RECORDED, BEGAN = "hours", "began"
"""Marks: up to when hours are written, and when recording began."""
_SUMS = ("held", "queued", "busy", "measured", "starts", "waited", "ended", "failed")


def _adding(insert: Any, table: Any, sums: Sequence[str]) -> Executable:
    """Add to the row with the same key, or insert it."""
    more = {name: table.c[name] + insert.excluded[name] for name in sums}
    statement: Executable = insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=more)
    return statement


def _marking(insert: Any) -> Executable:
    statement: Executable = insert.on_conflict_do_update(
        index_elements=["name"], set_={"until": insert.excluded.until}
    )
    return statement


@functools.cache
def _begin(dialect: str) -> Executable:
    return insert_for(dialect, recorded).on_conflict_do_nothing(index_elements=["name"])


@functools.cache
def _add(dialect: str) -> tuple[dict[Table, Executable], Executable, Executable]:
    """The statements that add to each table of hours and to the capacity, and move the mark."""
    insert = functools.partial(insert_for, dialect)
    return (
        {table: _adding(insert(table), table, _SUMS) for table in (hours, days, project_hours, project_days)},
        _adding(insert(capacity), capacity, ("total",)),
        _marking(insert(recorded)),
    )


_FROM = case((ledger.c.began > bindparam("since"), ledger.c.began), else_=bindparam("since"))
_SPENT = select(func.coalesce(func.sum(ledger.c.milli * (ledger.c.ended - _FROM)), 0)).where(
    ledger.c.user == bindparam("person"),
    ledger.c.ended >= bindparam("since"),
    ledger.c.priority == bindparam("priority"),
    ledger.c.model != "cpu",
)


def put_hours(connection: Connection, rows: Sequence[HourRow]) -> None:
    """Add to what is stored, by the hour and by the day, of each person and of all."""
    for table, add in _add(connection.dialect.name)[0].items():
        if rows:
            connection.execute(add, _summed(rows, table))


class SqlTrends(StorePart):
    """Implements ports.governance.TrendStore."""

    def add_hours(
        self, rows: Sequence[HourRow], capacity: Sequence[CapacityRow], until: Time | None = None
    ) -> None:
        if not rows and not capacity and until is None:
            return
        with self._writing(telling=False) as connection:
            _, add_capacity, mark = _add(connection.dialect.name)
            put_hours(connection, rows)
            if capacity:
                connection.execute(add_capacity, [asdict(row) for row in capacity])
            if until is not None:
                connection.execute(mark, {"name": RECORDED, "until": until})

    def begin_recording(self, at: Time) -> None:
        with self._writing(telling=False) as connection:
            connection.execute(_begin(connection.dialect.name), {"name": BEGAN, "until": at})

    def recorded_since(self) -> Time | None:
        return self._marked(BEGAN)

    def recorded_until(self) -> Time | None:
        return self._marked(RECORDED)

    def _marked(self, name: str) -> Time | None:
        with self._database.reading() as connection:
            found = connection.execute(select(recorded.c.until).where(recorded.c.name == name)).scalar()
        return None if found is None else int(found)

    def trend(self, query: HourlyQuery) -> tuple[TrendRow, ...]:
        whole_days = not any(time % DAY for time in (query.since, query.until, query.step))
        if query.users is None and query.by != "user":
            table = project_days if whole_days else project_hours
        else:
            table = days if whole_days else hours
        at = _step(table.c.hour, query.step, DAY if whole_days else HOUR)
        key = literal("") if query.by is None else table.c[query.by]
        sums = [_sum(table.c[name]).label(name) for name in _SUMS]
        wanted = select(at.label("at"), key.label("key"), *sums).where(*_conditions(table, query))
        wanted = wanted.group_by(at, key) if query.by is not None else wanted.group_by(at)
        with self._database.reading() as connection:
            found = connection.execute(wanted.order_by("at", "key")).all()
        return tuple(
            TrendRow(int(row.at), row.key, *(int(row[place]) for place in range(2, 10))) for row in found
        )

    def capacity(
        self, since: Time, until: Time, step: int, model: str | None = None
    ) -> tuple[CapacityRow, ...]:
        at = _step(capacity.c.hour, step)
        wanted = select(at.label("at"), capacity.c.model, _sum(capacity.c.total).label("total")).where(
            capacity.c.hour >= since, capacity.c.hour < until
        )
        if model is not None:
            wanted = wanted.where(capacity.c.model == model)
        with self._database.reading() as connection:
            found = connection.execute(wanted.group_by(at, capacity.c.model).order_by("at", "model")).all()
        return tuple(CapacityRow(int(row.at), row.model, int(row.total)) for row in found)

    def spent(self, user: str, priority: str, since: Time) -> int:
        with self._database.reading() as connection:
            params = {"person": user, "priority": priority, "since": since}
            return int(connection.execute(_SPENT, params).scalar_one())


def _step(column: Any, step: int, kept: int = HOUR) -> Any:
    """The start of the step that contains an hour; rows that are stored by this step are used as they are."""
    return column if step == kept else column - (column + literal(_MONDAY)) % literal(step)


def _sum(column: Any) -> Any:
    """Sums as floats: a week of large numbers overflows integers, and SQLite would raise an error."""
    return func.sum(cast(column, Float))


def _summed(rows: Sequence[HourRow], table: Table) -> list[dict[str, Any]]:
    """Values for a table: one row per hour (or day) and key."""
    keys = [column.name for column in table.primary_key if column.name != "hour"]
    step = DAY if table in (days, project_days) else HOUR
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        hour, sort = row.hour - row.hour % step, [getattr(row, key) for key in keys]
        known = found.setdefault((hour, *sort), {"hour": hour, **dict(zip(keys, sort, strict=True))})
        for name in _SUMS:
            known[name] = known.get(name, 0) + getattr(row, name)
    return list(found.values())


def _conditions(table: Table, query: HourlyQuery) -> list[Any]:
    column = table.c
    wanted: list[Any] = [column.hour >= query.since, column.hour < query.until]
    if query.projects is not None:
        wanted.append(column.project.in_(list(query.projects)))
    if query.users is not None:
        wanted.append(column.user.in_(list(query.users)))
    if query.model is not None:
        wanted.append(column.model == query.model)
    if query.by is not None and query.keys is not None:
        wanted.append(column[query.by].in_(list(query.keys)))
    if query.gpus:
        wanted.append(column.model != CPU)
    if query.job_class is not None:
        wanted.append(column.job_class == query.job_class)
    return wanted
