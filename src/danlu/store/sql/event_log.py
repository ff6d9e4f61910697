"""The event log: appended in the transaction of the change itself, read in commit order."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, union_all

from danlu.domain.events import Event
from danlu.domain.job import Job, Time
from danlu.domain.subjects import subject_of
from danlu.domain.words import Words
from danlu.ports.store import JobChange, Recorded
from danlu.store.sql.codec import dump
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import events

_INSERT = insert(events)
_COLUMNS = [column for column in events.c if column is not events.c.subject]
_AFTER = (
    select(*_COLUMNS).where(events.c.seq > bindparam("after")).order_by(events.c.seq).limit(bindparam("most"))
)
_OF_JOB = _AFTER.where(events.c.job_id == bindparam("job"))
_LATEST_FIRST = (
    select(events.c.seq)
    .where(events.c.subject == bindparam("subject"), events.c.seq < bindparam("before"))
    .order_by(events.c.seq.desc())
    .limit(bindparam("most"))
)
_BY_SEQ = select(*_COLUMNS).order_by(events.c.seq.desc()).limit(bindparam("most"))
_LATEST = select(func.max(events.c.seq))
_BEYOND_ALL = 2**63 - 1


class SqlEventLog(StorePart):
    """Implements ports.store.EventStore."""

    def record(self, event: Event, now: Time, *, actor: str | None, owner: str | None = None) -> None:
        with self._writing(orderly=True) as connection:
            record(connection, event, now, actor, owner)

    def events_after(self, seq: int, limit: int) -> tuple[Recorded, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_AFTER, {"after": seq, "most": limit})
            return tuple(map(_recorded, rows))

    def events_of(self, job_id: str, after: int, limit: int) -> tuple[Recorded, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_OF_JOB, {"job": job_id, "after": after, "most": limit})
            return tuple(map(_recorded, rows))

    def events_about(
        self, subject: str, before: int | None, limit: int, owners: Collection[str] | None = None
    ) -> tuple[Recorded, ...]:
        params = {"subject": subject, "before": _BEYOND_ALL if before is None else before, "most": limit}
        with self._database.reading() as connection:
            rows = connection.execute(_BY_SEQ.where(events.c.seq.in_(_about(owners))), params)
            return tuple(map(_recorded, rows))

    def latest_seq(self) -> int:
        with self._database.reading() as connection:
            return latest(connection)


def append(connection: Connection, changes: Iterable[JobChange], now: Time) -> None:
    """Record the events of the changes, in their order."""
    rows = [
        values(event, now, change.job.owner, change.actor, change.job)
        for change in changes
        for event in change.records
    ]
    append_rows(connection, rows)


def append_rows(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Events as `values` gives them."""
    if rows:
        connection.execute(_INSERT, rows)


def record(
    connection: Connection, event: Event, now: Time, actor: str | None, owner: str | None = None
) -> None:
    """An event that belongs to no job."""
    record_all(connection, [(event, owner)], now, actor)


def record_all(
    connection: Connection, told: Sequence[tuple[Event, str | None]], now: Time, actor: str | None
) -> None:
    """Events that belong to no job, each with its owner."""
    if told:
        connection.execute(_INSERT, [values(event, now, owner, actor) for event, owner in told])


def latest(connection: Connection) -> int:
    return connection.execute(_LATEST).scalar() or 0


def _about(owners: Collection[str] | None) -> Any:
    """Numbers of events of a subject: one ordered index walk, or one for events without owner and one for each
    owner."""
    if owners is None:
        return _LATEST_FIRST
    walks = [_LATEST_FIRST.where(events.c.owner.is_(None))]
    walks += [_LATEST_FIRST.where(events.c.owner == owner) for owner in owners]
    return union_all(*(select(walk.subquery()) for walk in walks))


def values(
    event: Event, now: Time, owner: str | None, actor: str | None, job: Job | None = None
) -> dict[str, Any]:
    """An event as a row."""
    text = event.text()
    return {
        "time": now,
        "kind": event.kind,
        "job_id": None if job is None else job.id,
        "owner": owner,
        "actor": actor,
        "data": dump(event.data()),
        "text_en": _storable(text.en),
        "text_zh": _storable(text.zh),
        "subject": subject_of(event, job),
    }


def _storable(text: str) -> str:
    """Messages from programs may contain what databases cannot store as text: NUL and unpaired surrogates."""
    if text.isprintable():
        return text
    return text.replace("\0", "�").encode("utf-8", "replace").decode()


def _recorded(row: Sequence[Any]) -> Recorded:
    seq, time, kind, job_id, owner, actor, data, english, chinese = row
    return Recorded(seq, time, kind, job_id, owner, actor, json.loads(data), Words(english, chinese))
