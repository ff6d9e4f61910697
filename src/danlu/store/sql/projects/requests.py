"""Requests and their decisions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, false, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.events import RequestChanged
from danlu.domain.job import Time
from danlu.domain.members import Membership
from danlu.domain.requests import Request, RequestKind, RequestState
from danlu.domain.words import Words, say
from danlu.ports.governance import RequestPage, RequestQuery
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.codec import dump
from danlu.store.sql.forgetting import when_person_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.projects import members
from danlu.store.sql.schema import requests

_ALL = select(*requests.c)
_ONE = _ALL.where(requests.c.id == bindparam("request"))
_INSERT = insert(requests)
_UPDATE = update(requests).where(requests.c.id == bindparam("request"))
_WITHDRAW = (
    update(requests)
    .where(requests.c.user == bindparam("person"), requests.c.state == RequestState.OPEN.value)
    .values(state=RequestState.WITHDRAWN.value, decided_at=bindparam("at"))
)


class SqlRequests(StorePart):
    """Implements ports.governance.RequestStore."""

    def add_request(self, request: Request) -> None:
        with _asked_once(), self._database.writing(orderly=True) as connection:
            connection.execute(_INSERT, [_values(request)])
            event_log.record(connection, _event(request), request.created_at, request.user, request.user)

    def request(self, request_id: str) -> Request | None:
        with self._database.reading() as connection:
            row = connection.execute(_ONE, {"request": request_id}).first()
        return None if row is None else _request(row)

    def requests(self, query: RequestQuery) -> RequestPage:
        wanted = _conditions(query)
        listed = _ALL.where(*wanted).order_by(requests.c.id.desc()).limit(query.limit + 1)
        if query.cursor is not None:
            listed = listed.where(requests.c.id < query.cursor)
        with self._database.reading() as connection:
            found = [_request(row) for row in connection.execute(listed)]
            total = connection.execute(select(func.count()).select_from(requests).where(*wanted)).scalar_one()
        rows = tuple(found[: query.limit])
        return RequestPage(rows, rows[-1].id if len(found) > query.limit else None, total)

    def edit_request(
        self,
        request_id: str,
        change: Callable[[Request], Request],
        now: Time,
        *,
        by: Entry | None = None,
        joining: Membership | None = None,
    ) -> Request:
        with _asked_once(), self._database.writing(orderly=True) as connection:
            row = connection.execute(_ONE, {"request": request_id}).first()
            if row is None:
                raise NotFound(
                    say(
                        "there is no request '{request_id}'",
                        "没有编号为“{request_id}”的申请",
                        request_id=request_id,
                    )
                )
            before = _request(row)
            edited = change(before)
            connection.execute(_UPDATE, {**_values(edited), "request": request_id})
            event_log.record(connection, _event(edited), now, edited.decided_by or edited.user, edited.user)
            if by is not None:
                audit_log.append(connection, [_entry(by, before, edited)], now)
            if by is not None and joining is not None:
                members.join(connection, joining, now, by)
        return edited


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, _by: Entry) -> None:
    """Withdraw the open requests of a deleted account."""
    connection.execute(_WITHDRAW, {"person": user, "at": now})


@contextmanager
def _asked_once() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise Conflict(
            Words("the same request is already open and waits for a decision", "已提交过相同的申请，尚待审批")
        ) from error


def _conditions(query: RequestQuery) -> list[Any]:
    wanted: list[Any] = []
    either = [
        requests.c.user.in_(query.users) if query.users is not None else None,
        requests.c.subject.in_(query.subjects) if query.subjects is not None else None,
        requests.c.kind.in_([kind.value for kind in query.entire]) if query.entire is not None else None,
    ]
    if said := [one for one in either if one is not None]:
        wanted.append(or_(false(), *said))
    if query.kinds:
        wanted.append(requests.c.kind.in_([kind.value for kind in query.kinds]))
    if query.states:
        wanted.append(requests.c.state.in_([state.value for state in query.states]))
    return wanted


def _entry(by: Entry, before: Request, after: Request) -> Entry:
    return replace(by, subject=f"request:{after.id}", before=_shown(before), after=_shown(after))


def _shown(request: Request) -> dict[str, Any]:
    """What of a request tells a decision."""
    about = {"kind": request.kind.value, "user": request.user, "subject": request.subject}
    return {**about, "state": request.state.value, "asked": dict(request.asked), "answer": request.answer}


def _event(request: Request) -> RequestChanged:
    by = request.decided_by or request.user
    return RequestChanged(
        by, request.id, request.kind.value, request.user, request.subject, request.state.value
    )


def _values(request: Request) -> dict[str, Any]:
    return {
        "id": request.id,
        "kind": request.kind.value,
        "user": request.user,
        "subject": request.subject,
        "state": request.state.value,
        "created_at": request.created_at,
        "note": request.note,
        "asked": dump(request.asked),
        "decided_by": request.decided_by,
        "decided_at": request.decided_at,
        "answer": request.answer,
    }


def _request(row: Any) -> Request:
    return Request(
        id=row.id,
        kind=RequestKind(row.kind),
        user=row.user,
        subject=row.subject,
        created_at=row.created_at,
        note=row.note,
        asked=json.loads(row.asked),
        state=RequestState(row.state),
        decided_by=row.decided_by,
        decided_at=row.decided_at,
        answer=row.answer,
    )
