"""The audit log: entries are appended and sealed in the transaction of the act itself, and never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, insert, or_, select

from danlu.domain.audit import FIRST_SEAL, Entry, Noted, SealKey, sealed
from danlu.domain.job import Time
from danlu.ports.governance import AuditQuery
from danlu.store.sql.codec import dump
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import audit

_INSERT = insert(audit)
_ALL = select(*audit.c)
_LAST = _ALL.order_by(audit.c.seq.desc()).limit(1)
_LAST_SEAL = select(audit.c.seq, audit.c.seal).order_by(audit.c.seq.desc()).limit(1)
_CHAIN = _ALL.where(audit.c.seq > bindparam("after")).order_by(audit.c.seq).limit(bindparam("most"))


class SqlAuditLog(StorePart):
    """Implements ports.governance.AuditStore."""

    def note(self, entries: Sequence[Entry], now: Time) -> None:
        if entries:
            with self._database.writing(orderly=True, telling=False) as connection:
                append(connection, entries, now)

    def noted(self, query: AuditQuery) -> tuple[Noted, ...]:
        order = audit.c.seq if query.oldest_first else audit.c.seq.desc()
        wanted = _ALL.where(*_conditions(query)).order_by(order).limit(query.limit)
        with self._database.reading() as connection:
            return tuple(map(_noted, connection.execute(wanted)))

    def chain(self, after: int, limit: int) -> tuple[Noted, ...]:
        with self._database.reading() as connection:
            return tuple(map(_noted, connection.execute(_CHAIN, {"after": after, "most": limit})))

    def sign_with(self, key: SealKey) -> None:
        """Sign what is noted from now on."""
        self._database.configure(seal_key=key)

    def last_noted(self) -> Noted | None:
        with self._database.reading() as connection:
            row = connection.execute(_LAST).first()
        return None if row is None else _noted(row)


def append(connection: Connection, entries: Sequence[Entry], now: Time) -> None:
    """Append entries, in an `orderly` transaction: only one at a time may read the last seal."""
    if not entries:
        return
    last = connection.execute(_LAST_SEAL).first()
    seq, seal = (last.seq, last.seal) if last else (0, FIRST_SEAL)
    key: SealKey | None = connection.get_execution_options().get("seal_key")
    rows = []
    for entry in map(_storable, entries):
        seq += 1
        seal = sealed(seal, seq, now, entry)
        rows.append({**_values(seq, now, entry, seal), "signature": None if key is None else key.sign(seal)})
    connection.execute(_INSERT, rows)


def _storable(entry: Entry) -> Entry:
    """The entry as the database will return it, since that is what gets sealed."""
    return Entry(
        _text(entry.by),
        entry.act,
        _text(entry.subject),
        _data(entry.before),
        _data(entry.after),
        _text(entry.reason),
        _text(entry.address),
        _text(entry.means),
    )


def _data(data: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if data is None else json.loads(dump(data).replace("\\u0000", "\\ufffd"))


def _text(text: str) -> str:
    return text.replace("\0", "�").encode("utf-8", "replace").decode()


def _values(seq: int, now: Time, entry: Entry, seal: str) -> dict[str, Any]:
    return {
        "seq": seq,
        "time": now,
        "by": entry.by,
        "act": entry.act,
        "subject": entry.subject,
        "before": None if entry.before is None else dump(entry.before),
        "after": None if entry.after is None else dump(entry.after),
        "reason": entry.reason,
        "address": entry.address,
        "means": entry.means,
        "seal": seal,
    }


def _noted(row: Any) -> Noted:
    before = None if row.before is None else json.loads(row.before)
    after = None if row.after is None else json.loads(row.after)
    entry = Entry(row.by, row.act, row.subject, before, after, row.reason, row.address, row.means)
    return Noted(row.seq, row.time, entry, row.seal, row.signature)


def _conditions(query: AuditQuery) -> list[Any]:
    wanted: list[Any] = []
    if query.by is not None:
        wanted.append(audit.c.by == query.by)
    if query.act is not None:
        wanted.append(audit.c.act == query.act)
    if query.subject is not None:
        several = query.subject.endswith(":")
        beyond = query.subject[:-1] + ";"  # the character after the colon
        wanted.append(
            and_(audit.c.subject >= query.subject, audit.c.subject < beyond)
            if several
            else audit.c.subject == query.subject
        )
    if query.search:
        part = query.search.lower()
        columns = (audit.c.subject, audit.c.act, audit.c.by, audit.c.reason)
        wanted.append(or_(*(func.lower(column).contains(part, autoescape=True) for column in columns)))
    if query.since is not None:
        wanted.append(audit.c.time >= query.since)
    if query.until is not None:
        wanted.append(audit.c.time < query.until)
    if query.before is not None:
        wanted.append(audit.c.seq < query.before)
    if query.after is not None:
        wanted.append(audit.c.seq > query.after)
    return wanted
