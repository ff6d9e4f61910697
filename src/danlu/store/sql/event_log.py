"""The event log: appended in the transaction of what it tells of, read in the order of commits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from danlu.domain.events import Event
from danlu.domain.job import Time
from danlu.domain.words import Words
from danlu.ports.store import Change, Recorded
from danlu.store.sql.codec import dump
from danlu.store.sql.part import Part
from danlu.store.sql.schema import events

_INSERT = insert(events)
_SELECT = select(events).order_by(events.c.seq).limit(bindparam("most"))
_AFTER = _SELECT.where(events.c.seq > bindparam("after"))
_OF_JOB = _AFTER.where(events.c.job_id == bindparam("job"))
_LATEST = select(func.max(events.c.seq))


class EventLog(Part):
    """Implements ports.store.EventStore."""

    def record(self, event: Event, now: Time, *, actor: str | None, owner: str | None = None) -> None:
        with self._database.writing(orderly=True) as connection:
            record(connection, event, now, actor, owner)

    def events_after(self, seq: int, limit: int) -> tuple[Recorded, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_AFTER, {"after": seq, "most": limit})
            return tuple(map(_recorded, rows))

    def events_of(self, job_id: str, after: int, limit: int) -> tuple[Recorded, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_OF_JOB, {"job": job_id, "after": after, "most": limit})
            return tuple(map(_recorded, rows))

    def latest_seq(self) -> int:
        with self._database.reading() as connection:
            return latest(connection)


def append(connection: Connection, changes: Iterable[Change], now: Time) -> None:
    """Record what the changes tell, in their order."""
    rows = [
        _values(event, now, change.job.id, change.job.owner, change.actor)
        for change in changes
        for event in change.records
    ]
    if rows:
        connection.execute(_INSERT, rows)


def record(
    connection: Connection, event: Event, now: Time, actor: str | None, owner: str | None = None
) -> None:
    """An event that belongs to no job."""
    connection.execute(_INSERT, [_values(event, now, None, owner, actor)])


def latest(connection: Connection) -> int:
    return connection.execute(_LATEST).scalar() or 0


def _values(
    event: Event, now: Time, job_id: str | None, owner: str | None, actor: str | None
) -> dict[str, Any]:
    text = event.text()
    return {
        "time": now,
        "kind": event.kind,
        "job_id": job_id,
        "owner": owner,
        "actor": actor,
        "data": dump(event.data()),
        "text_en": _storable(text.en),
        "text_zh": _storable(text.zh),
    }


def _storable(text: str) -> str:
    """Messages from programs may hold what no database keeps as text: NUL and halves of characters."""
    if text.isprintable():
        return text
    return text.replace("\0", "�").encode("utf-8", "replace").decode()


def _recorded(row: Sequence[Any]) -> Recorded:
    seq, time, kind, job_id, owner, actor, data, english, chinese = row
    return Recorded(seq, time, kind, job_id, owner, actor, json.loads(data), Words(english, chinese))
