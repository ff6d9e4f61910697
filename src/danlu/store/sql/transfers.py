"""Transfers and their schedules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, or_, select, update

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.file_names import escaped_path, path_of
from danlu.domain.job import Time
from danlu.domain.terms import no_such
from danlu.domain.transfers.ends import without_secrets
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import (
    ForJob,
    OnExisting,
    Transfer,
    TransferEnd,
    TransferProgress,
    TransferSchedule,
    TransferState,
    TransferWish,
)
from danlu.domain.words import Words
from danlu.store.sql import audit_log
from danlu.store.sql.forgetting import when_person_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.transfer_tables import transfer_schedules, transfers

_THIS = transfers.c.id == bindparam("this")
_ONE = select(*transfers.c).where(_THIS)
_OPEN = transfers.c.ended_at.is_(None)
_UNFINISHED = select(*transfers.c).where(_OPEN).order_by(transfers.c.created_at, transfers.c.id)
_COUNT = select(func.count()).select_from(transfers).where(_OPEN, transfers.c.owner == bindparam("of"))
_SCHEDULE = transfer_schedules.c.id == bindparam("this")
_ONE_SCHEDULE = select(*transfer_schedules.c).where(_SCHEDULE)
_BY_AGE = (transfer_schedules.c.created_at, transfer_schedules.c.id)
_COUNT_SCHEDULES = (
    select(func.count()).select_from(transfer_schedules).where(transfer_schedules.c.owner == bindparam("of"))
)


class SqlTransfers(StorePart):
    """Implements ports.transfers.TransferStore and ScheduleStore."""

    def add_transfer(self, one: Transfer, now: Time, *, by: Entry | None, most: int | None = None) -> None:
        with self._writing(orderly=True, telling=False) as connection:
            add(connection, one, most)
            _note(connection, by, "transfer", one, now)

    def transfer(self, transfer_id: str) -> Transfer | None:
        with self._database.reading() as connection:
            return read_transfer(connection, transfer_id)

    def transfers(self, owner: str | None, after: str | None = None, limit: int = 200) -> list[Transfer]:
        wanted = select(*transfers.c).order_by(transfers.c.created_at.desc(), transfers.c.id.desc())
        if owner is not None:
            wanted = wanted.where(transfers.c.owner == owner)
        with self._database.reading() as connection:
            last = read_transfer(connection, after) if after else None
            if last is not None:
                at, of = transfers.c.created_at, transfers.c.id
                older = or_(at < last.created_at, and_(at == last.created_at, of < last.id))
                wanted = wanted.where(older)
            return [_transfer(row) for row in connection.execute(wanted.limit(limit))]

    def unfinished_transfers(self) -> list[Transfer]:
        with self._database.reading() as connection:
            return [_transfer(row) for row in connection.execute(_UNFINISHED)]

    def edit_transfer(
        self,
        transfer_id: str,
        change: Callable[[Transfer], Transfer],
        now: Time,
        *,
        by: Entry | None = None,
    ) -> Transfer:
        with self._writing(orderly=True, telling=False) as connection:
            before = read_transfer(connection, transfer_id)
            if before is None:
                raise NotFound(no_such("transfer", transfer_id))
            after = update_transfer(connection, change(before), now)
            _note(connection, by, "transfer", after, now)
        return after

    def remove_transfer(self, transfer_id: str, now: Time, *, by: Entry) -> bool:
        with self._writing(orderly=True, telling=False) as connection:
            before = read_transfer(connection, transfer_id)
            if before is None:
                return False
            if before.unfinished:
                raise Conflict(_UNFINISHED_YET)
            connection.execute(delete(transfers).where(_THIS), {"this": transfer_id})
            _note(connection, by, "transfer", before, now)
        return True

    def forget_transfers(self, before: Time) -> int:
        with self._writing(orderly=True, telling=False) as connection:
            return connection.execute(delete(transfers).where(transfers.c.ended_at < before)).rowcount

    # ── schedules ────────────────────────────────────────────────────────────────────────────────────

    def add_schedule(self, one: TransferSchedule, now: Time, *, by: Entry, most: int | None = None) -> None:
        with self._writing(orderly=True, telling=False) as connection:
            had = connection.execute(_COUNT_SCHEDULES, {"of": one.owner}).scalar_one()
            if most is not None and had >= most:
                raise Conflict(_TOO_MANY_SCHEDULES.fill(most=most))
            connection.execute(insert(transfer_schedules), _schedule_row(one))
            _note(connection, by, "schedule", one, now)

    def schedule(self, schedule_id: str) -> TransferSchedule | None:
        with self._database.reading() as connection:
            return _read_schedule(connection, schedule_id)

    def schedules(self, owner: str | None) -> list[TransferSchedule]:
        wanted = select(*transfer_schedules.c).order_by(*_BY_AGE)
        if owner is not None:
            wanted = wanted.where(transfer_schedules.c.owner == owner)
        with self._database.reading() as connection:
            return [_schedule(row) for row in connection.execute(wanted)]

    def due_schedules(self, now: Time) -> list[TransferSchedule]:
        wanted = select(*transfer_schedules.c).where(transfer_schedules.c.due_at <= now).order_by(*_BY_AGE)
        with self._database.reading() as connection:
            return [_schedule(row) for row in connection.execute(wanted)]

    def edit_schedule(
        self,
        schedule_id: str,
        change: Callable[[TransferSchedule], TransferSchedule],
        now: Time,
        *,
        by: Entry | None = None,
    ) -> TransferSchedule:
        with self._writing(orderly=True, telling=False) as connection:
            before = _read_schedule(connection, schedule_id)
            if before is None:
                raise NotFound(no_such("schedule", schedule_id))
            after = replace(change(before), changed_at=now)
            values = {**_schedule_row(after), "this": schedule_id}
            connection.execute(update(transfer_schedules).where(_SCHEDULE), values)
            _note(connection, by, "schedule", after, now)
        return after

    def remove_schedule(self, schedule_id: str, now: Time, *, by: Entry) -> bool:
        with self._writing(orderly=True, telling=False) as connection:
            before = _read_schedule(connection, schedule_id)
            if before is None:
                return False
            connection.execute(delete(transfer_schedules).where(_SCHEDULE), {"this": schedule_id})
            _note(connection, by, "schedule", before, now)
        return True


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, _by: Entry) -> None:
    """The account is gone: what it transfers is cancelled, and nothing of it is due any more."""
    connection.execute(delete(transfer_schedules).where(transfer_schedules.c.owner == user))
    theirs = and_(transfers.c.owner == user, _OPEN)
    connection.execute(update(transfers).where(theirs).values(cancelling=True, changed_at=now))


def read_transfer(connection: Connection, transfer_id: str) -> Transfer | None:
    row = connection.execute(_ONE, {"this": transfer_id}).first()
    return None if row is None else _transfer(row)


def unfinished_of(connection: Connection, owner: str) -> list[Transfer]:
    """By when they were created."""
    return [_transfer(row) for row in connection.execute(_UNFINISHED.where(transfers.c.owner == owner))]


def add(connection: Connection, one: Transfer, most: int | None) -> None:
    if most is not None and connection.execute(_COUNT, {"of": one.owner}).scalar_one() >= most:
        raise Conflict(_TOO_MANY.fill(most=most))
    connection.execute(insert(transfers), _row(one))


def update_transfer(connection: Connection, one: Transfer, now: Time) -> Transfer:
    after = replace(one, changed_at=now)
    connection.execute(update(transfers).where(_THIS), {**_row(after), "this": one.id})
    return after


def transfers_in(
    connection: Connection, ids: Select[tuple[Any]], values: Mapping[str, Any] | None = None
) -> dict[str, Transfer]:
    """Those whose ids a query finds, by id."""
    rows = connection.execute(select(*transfers.c).where(transfers.c.id.in_(ids)), values or {})
    return {row.id: _transfer(row) for row in rows}


def _read_schedule(connection: Connection, schedule_id: str) -> TransferSchedule | None:
    row = connection.execute(_ONE_SCHEDULE, {"this": schedule_id}).first()
    return None if row is None else _schedule(row)


def _row(one: Transfer) -> dict[str, Any]:
    values = {column.name: getattr(one, column.name) for column in transfers.c}
    problem = None if one.problem is None else json.dumps([one.problem.code, dict(one.problem.params)])
    progress = json.dumps(asdict(one.progress))
    for_job = None if one.for_job is None else json.dumps([one.for_job.id, one.for_job.name])
    told = {"progress": progress, "problem": problem, "for_job": for_job}
    return {**values, **_ends(one), "state": one.state.value, **told}


def _schedule_row(one: TransferSchedule) -> dict[str, Any]:
    values = {column.name: getattr(one, column.name) for column in transfer_schedules.c}
    return {**values, **_ends(one)}


def _ends(one: Transfer | TransferSchedule) -> dict[str, str]:
    ends = {"source": json.dumps(_end(one.source)), "target": json.dumps(_end(one.target))}
    return {**ends, "wish": json.dumps(asdict(one.wish))}


def _transfer(row: Any) -> Transfer:
    values = {
        **row._mapping,
        **_read_ends(row),
        "state": TransferState(row.state),
        "progress": TransferProgress(**json.loads(row.progress)),
        "problem": None if row.problem is None else Problem(*json.loads(row.problem)),
        "for_job": None if row.for_job is None else ForJob(*json.loads(row.for_job)),
    }
    return Transfer(**values)


def _schedule(row: Any) -> TransferSchedule:
    return TransferSchedule(**{**row._mapping, **_read_ends(row)})


def _read_ends(row: Any) -> dict[str, Any]:
    wish = json.loads(row.wish)
    lists = {key: tuple(wish[key]) for key in ("include", "exclude")}
    return {
        "source": _read_end(row.source),
        "target": _read_end(row.target),
        "wish": TransferWish(**{**wish, **lists, "existing": OnExisting(wish["existing"])}),
    }


def _end(end: TransferEnd) -> dict[str, Any]:
    return {**asdict(end), "path": escaped_path(end.path)}


def _read_end(text: str) -> TransferEnd:
    found = json.loads(text)
    return TransferEnd(**{**found, "path": path_of(found["path"])})


def _note(
    connection: Connection, by: Entry | None, kind: str, one: Transfer | TransferSchedule, now: Time
) -> None:
    if by is None:
        return
    told = {"source": without_secrets(one.source), "target": without_secrets(one.target)}
    subject = f"{kind}:{one.owner}:{one.id}"
    audit_log.append(connection, [replace(by, subject=subject, before=None, after=told)], now)


_TOO_MANY = Words(
    "you have {most} transfers that are not finished, which is the most; wait for some, or cancel them",
    "你有 {most} 个未结束的传输，已达上限；请等待其中一些结束，或取消",
)
_TOO_MANY_SCHEDULES = Words(
    "you have {most} schedules, which is the most; delete one first",
    "你已有 {most} 个定时传输，达到上限，请先删除一个",
)
_UNFINISHED_YET = Words(
    "the transfer is not finished; cancel it first: danlu transfer cancel",
    "传输尚未结束，请先取消：danlu transfer cancel",
)
