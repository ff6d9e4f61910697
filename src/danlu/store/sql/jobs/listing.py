"""Lists of jobs: an ordered index walk, and totals without counting.

`job_counts` tells beforehand how many jobs match, and of which states and kinds they are. Thus a list

    newest or oldest first   merges one walk per state and kind (an index holds each in order), or walks
                             straight on where only the owner or nothing is asked for
    by state                 is the newest first of each state in turn
    by name, by end          walks the index of names or of ends, or gathers and sorts where few match
    searched                 gathers what it finds while that is little; else goes on as above
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, TextClause, text

from danlu.domain.job import ACTIVE, ENDED
from danlu.ports.store import JobPage, JobQuery, JobRow
from danlu.store.sql.jobs.ordering import (
    LAST_ENDED,
    NEWEST,
    RowPlace,
    SqlOrder,
    just_after,
    order_of,
    rank,
    read_cursor,
    write_cursor,
)
from danlu.store.sql.jobs.walks import FEW, Params, PreparedList, equal
from danlu.store.sql.part import StorePart

_MOST_WALKS = 24
_FIELDS = tuple(one.name for one in fields(JobRow))
_COLUMNS = ", ".join((*_FIELDS, "folded"))  # by which names are ordered
_ENCODED = tuple(map(_FIELDS.index, ("reason", "waiting", "placed", "latest")))
_NUMBERED = _FIELDS.index("numbered")


class SqlListing(StorePart):
    """Implements the listing of ports.store.JobStore."""

    def page(self, query: JobQuery) -> JobPage:
        order = order_of(query.sort)
        after = read_cursor(order, query.cursor) if query.until is None else just_after(order, query.until)
        limit = max(1, query.limit)
        if order is LAST_ENDED:
            query = replace(query, states=tuple(ENDED.intersection(query.states or ENDED)))
            if not query.states:
                return JobPage((), None, 0)
        with self._database.reading() as connection:
            wanted = PreparedList(
                owners=query.owners,
                project=query.project or None,
                states=tuple(state.value for state in query.states),
                kinds=tuple(kind.value for kind in query.kinds),
                needle=query.search.lower() if query.search else None,
                order=order,
                after=after,
                cells=_count(connection, query),
                sqlite=self._database.sqlite,
            )
            total, rows = _read(connection, wanted, limit + 1)
        shown, cursor = rows[:limit], None
        if len(rows) > limit:
            last = shown[-1]
            cursor = write_cursor(order, RowPlace(getattr(last, order.column), last.id, last.state))
        return JobPage(tuple(map(_job_row, shown)), cursor, total)

    def runs(self, owner: str, name: str, limit: int, *, active: bool = False) -> tuple[JobRow, ...]:
        params: Params = {"limit": limit}
        states = [state.value for state in ACTIVE] if active else None
        where = equal(params, owner=(owner,), name=(name,), state=states)
        sql = f"SELECT {_COLUMNS} FROM jobs WHERE {where} ORDER BY run DESC LIMIT :limit"
        with self._database.reading() as connection:
            return tuple(map(_job_row, connection.execute(_statement(sql), params)))


def _read(connection: Connection, wanted: PreparedList, limit: int) -> tuple[int, Sequence[Any]]:
    if not wanted.cells:
        return 0, ()
    if wanted.needle is None:
        return wanted.matching, _rows(connection, wanted, limit)
    found = _find_few(connection, wanted, limit)
    if found and found[0].total <= FEW:
        return found[0].total, found
    if not found and wanted.after is None:
        return 0, ()
    total = _count_found(connection, wanted)
    return total, _rows(connection, wanted, limit) if total > FEW else ()


def _rows(connection: Connection, wanted: PreparedList, limit: int) -> Sequence[Any]:
    if wanted.order.column != NEWEST.column:
        return _gather(connection, wanted, limit)
    if wanted.order.sort == "state":
        return _state_by_state(connection, wanted, limit)
    return _merge(connection, wanted, limit)


def _gather(connection: Connection, wanted: PreparedList, limit: int) -> Sequence[Any]:
    params: Params = {"limit": limit}
    all_of_them = wanted.gathered(params) + wanted.beyond(params)
    sql = f"SELECT id FROM {all_of_them} ORDER BY {wanted.order.by} LIMIT :limit"
    return _fetch(connection, wanted.order, sql, params)


def _find_few(connection: Connection, wanted: PreparedList, limit: int) -> Sequence[Any]:
    """The page with its total in one search, which stops as soon as there are too many matches."""
    params: Params = {"limit": limit, "few": FEW + 1}
    columns = f"id, state, {wanted.order.column}"  # which the indexes have: the jobs are not looked at
    found = f"SELECT {columns} FROM {wanted.gathered(params)} LIMIT :few"
    counted = f"SELECT {columns}, count(*) OVER () AS total FROM ({found}) AS f"
    paged = f"SELECT id, total FROM ({counted}) AS c WHERE 1 = 1{wanted.beyond(params)}"
    ids = f"{paged} ORDER BY {wanted.order.by} LIMIT :limit"
    sql = f"SELECT {_COLUMNS}, total FROM jobs JOIN ({ids}) AS p USING (id) ORDER BY {wanted.order.by}"
    return connection.execute(_statement(sql), params).all()


def _state_by_state(connection: Connection, wanted: PreparedList, limit: int) -> Sequence[Any]:
    rows: list[Any] = []
    after = wanted.after
    for state in wanted.present:
        if len(rows) >= limit or (after and rank(state) < rank(after.state)):
            continue
        cells = {cell: number for cell, number in wanted.cells.items() if cell[0] == state}
        here = after if after and state == after.state else None
        part = replace(wanted, states=(state,), order=NEWEST, after=here, cells=cells)
        rows.extend(_merge(connection, part, limit - len(rows)))
    return rows


def _merge(connection: Connection, wanted: PreparedList, limit: int) -> Sequence[Any]:
    params: Params = {"limit": limit}
    walks = list(wanted.walks(params))
    if len(walks) > _MOST_WALKS:
        return _gather(connection, wanted, limit)
    column, by = wanted.order.column, wanted.order.by
    each = [
        f"SELECT * FROM (SELECT {column}, id FROM {walk} ORDER BY {by} LIMIT :limit) AS w" for walk in walks
    ]
    sql = f"SELECT id FROM ({' UNION ALL '.join(each)}) AS merged ORDER BY {by} LIMIT :limit"
    return _fetch(connection, wanted.order, sql, params)


def _fetch(connection: Connection, order: SqlOrder, ids: str, params: Mapping[str, Any]) -> Sequence[Any]:
    sql = f"SELECT {_COLUMNS} FROM jobs WHERE id IN ({ids}) ORDER BY {order.by}"
    return connection.execute(_statement(sql), params).all()


def _count(connection: Connection, query: JobQuery) -> dict[tuple[str, str], int]:
    """How many jobs match all but the search, of each state and kind."""
    params: Params = {}
    where = equal(
        params,
        owner=("",) if query.owners is None else query.owners,
        project=(query.project or "",),
        state=query.states or None,
        kind=query.kinds or None,
    )
    sql = f"SELECT state, kind, sum(jobs) FROM job_counts WHERE {where} GROUP BY state, kind"
    rows = connection.execute(_statement(sql), params)
    return {(state, kind): int(number) for state, kind, number in rows if number}


def _count_found(connection: Connection, wanted: PreparedList) -> int:
    params: Params = {}
    sql = f"SELECT count(*) FROM {wanted.gathered(params)}"
    return connection.execute(_statement(sql), params).scalar() or 0


def _job_row(row: Sequence[Any]) -> JobRow:
    """By position: a page has fifty of them, and by name each would cost half as much again."""
    told = list(row[: len(_FIELDS)])
    told[_NUMBERED] = bool(told[_NUMBERED])  # SQLite has no truth values
    for place in _ENCODED:
        if told[place] is not None:
            told[place] = json.loads(told[place])
    return JobRow(*told)


@lru_cache(maxsize=256)
def _statement(sql: str) -> TextClause:
    return text(sql)
