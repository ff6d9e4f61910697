"""Which transfers fetch the inputs of jobs, begun and given up in the transactions that say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, select, update

from danlu.domain.job import Time
from danlu.domain.transfers.inputs import InputLink
from danlu.domain.transfers.transfer import Transfer, TransferState
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import job_inputs, jobs
from danlu.store.sql.transfers import add, read_transfer, transfers_in, unfinished_of, update_transfer

_THIS = and_(job_inputs.c.job_id == bindparam("job"), job_inputs.c.place == bindparam("at"))
_OPEN = select(*job_inputs.c).where(~job_inputs.c.released).order_by(job_inputs.c.job_id, job_inputs.c.place)
_OPENED = select(job_inputs.c.transfer).where(~job_inputs.c.released)
_OF_JOB = select(*job_inputs.c).where(job_inputs.c.job_id == bindparam("job")).order_by(job_inputs.c.place)
_OF_THIS = select(job_inputs.c.transfer).where(job_inputs.c.job_id == bindparam("job"))
_ONE = select(*job_inputs.c).where(_THIS)
_WANTED = select(job_inputs.c.job_id).where(
    job_inputs.c.transfer == bindparam("transfer_id"), ~job_inputs.c.released
)
_ALIVE = exists().where(jobs.c.id == job_inputs.c.job_id)


class SqlInputs(StorePart):
    """Implements ports.inputs.InputStore."""

    def open_inputs(self) -> tuple[InputLink, ...]:
        with self._database.reading() as connection:
            return _links(connection.execute(_OPEN), transfers_in(connection, _OPENED))

    def inputs_of(self, job_id: str) -> tuple[InputLink, ...]:
        with self._database.reading() as connection:
            this = {"job": job_id}
            return _links(connection.execute(_OF_JOB, this), transfers_in(connection, _OF_THIS, this))

    def begin_input(
        self, job_id: str, place: int, since: Time, made: Transfer, now: Time, most: int
    ) -> Transfer:
        with self._writing(orderly=True, telling=False) as connection:
            link = connection.execute(_ONE, {"job": job_id, "at": place}).first()
            had = read_transfer(connection, link.transfer) if link is not None else None
            if had is not None and not _same(had, made):
                had = None
            known = link is not None and link.since == since and not link.released
            if had is not None and known:
                return had
            found = _begun(connection, made, had, now, most)
            values = {"transfer": found.id, "since": since, "released": False}
            if link is None:
                connection.execute(insert(job_inputs), {"job_id": job_id, "place": place, **values})
            else:
                connection.execute(
                    update(job_inputs).where(_THIS).values(values), {"job": job_id, "at": place}
                )
                _give_up(connection, link.transfer, now)
        return found

    def release_input(self, job_id: str, place: int, now: Time) -> bool:
        with self._writing(orderly=True, telling=False) as connection:
            this = {"job": job_id, "at": place}
            link = connection.execute(_ONE, this).first()
            if link is None or link.released:
                return False
            connection.execute(update(job_inputs).where(_THIS).values(released=True), this)
            return _give_up(connection, link.transfer, now)

    def forget_inputs(self) -> int:
        with self._writing(orderly=True, telling=False) as connection:
            return connection.execute(delete(job_inputs).where(job_inputs.c.released, ~_ALIVE)).rowcount


def _begun(connection: Connection, made: Transfer, had: Transfer | None, now: Time, most: int) -> Transfer:
    if had is not None and had.unfinished and not had.cancelling:
        return had
    for one in unfinished_of(connection, made.owner):
        if _same(one, made) and not one.cancelling:
            return one
    if had is not None and had.state in (TransferState.FAILED, TransferState.CANCELLED):
        return update_transfer(connection, had.begun_again(), now)
    add(connection, made, most)
    return made


def _give_up(connection: Connection, transfer_id: str, now: Time) -> bool:
    """Cancel a transfer that nobody needs any more; one that a person began is theirs."""
    one = read_transfer(connection, transfer_id)
    if one is None or one.for_job is None or not one.unfinished or one.cancelling:
        return False
    if connection.execute(_WANTED, {"transfer_id": transfer_id}).first() is not None:
        return False
    if one.state is TransferState.RUNNING:
        update_transfer(connection, replace(one, cancelling=True), now)
    else:
        over = replace(one, state=TransferState.CANCELLED, ended_at=now, not_before=None)
        update_transfer(connection, over, now)
    return True


def _same(one: Transfer, other: Transfer) -> bool:
    return (one.owner, one.wish) == (other.owner, other.wish) and _places(one) == _places(other)


def _places(one: Transfer) -> list[tuple[str, str, bytes, bool]]:
    return [(end.kind, end.address, end.path, end.folder) for end in (one.source, one.target)]


def _links(rows: Iterable[Any], known: Mapping[str, Transfer]) -> tuple[InputLink, ...]:
    """Many jobs may wait for one transfer, which is read once."""
    return tuple(
        InputLink(row.job_id, row.place, row.since, row.transfer, known.get(row.transfer), bool(row.released))
        for row in rows
    )
