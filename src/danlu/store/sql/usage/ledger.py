"""Past usage of people: a row for each ended task, and their sum per person and GPU model."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, insert, select, tuple_

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Time
from danlu.domain.score import Charge, Settled
from danlu.domain.words import Words
from danlu.ports.store import ChargePage
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import ledger, scores
from danlu.store.sql.upsert import insert_for

_CURSOR = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_APPEND = insert(ledger)
_SETTLED = select(scores.c.user, scores.c.model, scores.c.value, scores.c.at).order_by(
    scores.c.user, scores.c.model
)
_PLACE = tuple_(ledger.c.ended, ledger.c.seq)
_CHARGES = (
    select(
        ledger.c.seq,
        ledger.c.user,
        ledger.c.model,
        ledger.c.milli,
        ledger.c.began,
        ledger.c.ended,
        ledger.c.job_id,
        ledger.c.job_name,
        ledger.c.attempt,
        ledger.c.task,
        ledger.c.project,
        ledger.c.job_class,
        ledger.c.priority,
    )
    .where(ledger.c.user == bindparam("person"), ledger.c.ended >= bindparam("since"))
    .order_by(ledger.c.ended.desc(), ledger.c.seq.desc())
    .limit(bindparam("most"))
)


@functools.cache
def _settle(dialect: str) -> Executable:
    insert_score = insert_for(dialect, scores)
    newer = {name: insert_score.excluded[name] for name in ("value", "at")}
    return insert_score.on_conflict_do_update(index_elements=["user", "model"], set_=newer)


class SqlLedger(StorePart):
    """Implements ports.store.LedgerStore."""

    def settled(self) -> tuple[Settled, ...]:
        with self._database.reading() as connection:
            return tuple(Settled(*row) for row in connection.execute(_SETTLED))

    def charges(
        self, user: str, model: str | None, since: Time, limit: int, cursor: str | None = None
    ) -> ChargePage:
        wanted, params = _CHARGES, {"person": user, "since": since, "most": limit + 1}
        if model is not None:
            wanted, params = wanted.where(ledger.c.model == bindparam("of")), {**params, "of": model}
        if cursor is not None:
            last = _read_cursor(cursor)
            wanted = wanted.where(last > _PLACE)
        with self._database.reading() as connection:
            found = connection.execute(wanted, params).all()
        rows = found[:limit]
        more = f"{rows[-1].ended}-{rows[-1].seq}" if len(found) > limit and rows else None
        return ChargePage(tuple(_charge(row) for row in rows), more)


def append(connection: Connection, charges: Sequence[Charge], settled: Sequence[Settled]) -> None:
    """Write both in the transaction that records the ends of the tasks."""
    if charges:
        connection.execute(_APPEND, [_values(charge) for charge in charges])
    if settled:
        connection.execute(_settle(connection.dialect.name), [asdict(one) for one in settled])


def _values(charge: Charge) -> dict[str, Any]:
    if charge.ended is None:
        raise ValueError(f"the charge of {charge.task} of {charge.job_id} has no end yet")
    return asdict(charge)


def _charge(row: Sequence[Any]) -> Charge:
    return Charge(*row[1:])


def _read_cursor(cursor: str) -> tuple[int, int]:
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        message = Words(
            "this cursor does not belong to a ledger; start again without a cursor",
            "该游标不属于任何明细，请去掉游标重新开始",
        )
        raise Invalid((FieldError(("cursor",), "bad_cursor", message, cursor),))
    return int(match[1]), int(match[2])
