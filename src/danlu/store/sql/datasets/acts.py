"""Snapshots and verifications: what was asked for, how far it is, and how it ended."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import OPEN_ACTS, Act, ActKind, ActState
from danlu.domain.errors import NotFound
from danlu.domain.job import Time
from danlu.domain.terms import no_such
from danlu.store.sql import audit_log
from danlu.store.sql.codec import dump, load_act_progress, load_wish
from danlu.store.sql.datasets.datasets import read_dataset
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import dataset_acts

_A = dataset_acts.c
_BY_ID = select(*_A).where(_A.id == bindparam("this"))
_OF = select(*_A).where(_A.dataset == bindparam("of")).order_by(_A.id.desc())
_OPEN_STATES = sorted(state.value for state in OPEN_ACTS)
_OPEN = select(*_A).where(_A.state.in_(_OPEN_STATES)).order_by(_A.id)


class SqlDatasetActs(StorePart):
    """Implements the acts of ports.datasets.records.DatasetStore."""

    def add_act(self, act: Act, now: Time, *, by: Entry) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            one = read_dataset(connection, act.dataset)
            if one is None or one.trashed_at is not None:
                raise NotFound(no_such("dataset", act.dataset))
            connection.execute(insert(dataset_acts), _values(act))
            entry = replace(by, subject=f"dataset:{one.title}", after={"place": act.wish.source.place})
            audit_log.append(connection, [entry], now)

    def act(self, act_id: str) -> Act | None:
        with self._database.reading() as connection:
            return load_act(connection, act_id)

    def acts(self, dataset_id: str, limit: int = 50) -> tuple[Act, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_OF.limit(limit), {"of": dataset_id}).mappings()
            return tuple(map(_act, rows))

    def open_acts(self) -> tuple[Act, ...]:
        with self._database.reading() as connection:
            return tuple(map(_act, connection.execute(_OPEN).mappings()))

    def save_act(self, act: Act) -> bool:
        with self._database.writing(orderly=True, telling=False) as connection:
            return write_act(connection, act)


def load_act(connection: Connection, act_id: str) -> Act | None:
    row = connection.execute(_BY_ID, {"this": act_id}).mappings().first()
    return None if row is None else _act(row)


def write_act(connection: Connection, act: Act) -> bool:
    """What is over stays as it is."""
    statement = update(dataset_acts).where(_A.id == act.id, _A.state.in_(_OPEN_STATES))
    return bool(connection.execute(statement.values(**_values(act))).rowcount)


def _values(act: Act) -> dict[str, Any]:
    told = {column.name: getattr(act, column.name) for column in _A}
    return {
        **told,
        "kind": act.kind.value,
        "state": act.state.value,
        "wish": dump(act.wish),
        "progress": dump(act.progress),
        "error": None if act.error is None else dump(act.error),
        "found": dump(act.found),
    }


def _act(row: Any) -> Act:
    return Act(
        **{
            **row,
            "kind": ActKind(row["kind"]),
            "state": ActState(row["state"]),
            "wish": load_wish(row["wish"]),
            "progress": load_act_progress(row["progress"]),
            "error": None if row["error"] is None else tuple(json.loads(row["error"])),
            "found": tuple(json.loads(row["found"])),
        }
    )
