"""Transfers: one's own, and as far as one may, others'."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.permissions import Caller, Relation
from danlu.domain.transfers import transfer as domain
from danlu.domain.transfers.ends import show_end, without_secrets
from danlu.server.http.access import API, ONESELF, AccessRule, P, RequestTarget
from danlu.server.http.answering import Json, answer
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.transfers import models

routes = Routes("transfers")

TRANSFER = RequestTarget("a transfer", (Relation.OWN, Relation.OTHER), hidden_without=P.TRANSFER_READ)
SCHEDULE = RequestTarget("a schedule", (Relation.OWN, Relation.OTHER), hidden_without=P.TRANSFER_READ)
_ALL = f"{API}/transfers"
_SCHEDULES = f"{_ALL}/schedules"
_ONE_SCHEDULE = f"{_SCHEDULES}/{{schedule}}"
_ONE = f"{_ALL}/{{transfer}}"


@routes.add("GET", _ALL, AccessRule(P.TRANSFER_READ, ONESELF), models.TransferList, refusals=(422,))
def list_transfers(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.TransferListQuery, Depends(Query(models.TransferListQuery))],
) -> Response:
    """Transfers that one may see, the latest first."""
    owner = who.name if query.owner == "me" else query.owner
    states = (query.state,) if query.state else ()
    found = desk.services.transfers.transfers.all(who, owner, states, query.cursor, query.limit + 1)
    page = found[: query.limit]
    cursor = page[-1].id if len(found) > query.limit else None
    return answer({"items": [_shown(who, one) for one in page], "next_cursor": cursor})


@routes.add(
    "POST",
    _ALL,
    AccessRule(P.TRANSFER_WRITE, ONESELF),
    models.Transfer,
    status=201,
    refusals=(404, 409, 413, 422),
)
def create_transfer(
    desk: AtDesk, who: Who, body: Annotated[models.TransferCreate, Depends(Body(models.TransferCreate))]
) -> Response:
    """Begin a transfer, which acts as its owner and survives restarts."""
    made = desk.services.transfers.transfers.create(who, body.source, body.target, body.wish(), body.secret())
    return answer(_shown(who, made), 201, {"Location": f"{_ALL}/{made.id}"})


@routes.add("GET", _SCHEDULES, AccessRule(P.TRANSFER_READ, ONESELF), models.ScheduleList, refusals=(422,))
def list_schedules(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.ScheduleListQuery, Depends(Query(models.ScheduleListQuery))],
) -> Response:
    """Schedules that one may see, by when they were created."""
    owner = who.name if query.owner == "me" else query.owner
    found = desk.services.transfers.schedules.all(who, owner)
    page, cursor = page_of(found, lambda one: one.id, query)
    return answer({"items": [_shown_schedule(who, one) for one in page], "next_cursor": cursor})


@routes.add(
    "POST",
    _SCHEDULES,
    AccessRule(P.TRANSFER_WRITE, ONESELF),
    models.TransferSchedule,
    status=201,
    refusals=(404, 409, 413, 422),
)
def create_schedule(
    desk: AtDesk, who: Who, body: Annotated[models.ScheduleCreate, Depends(Body(models.ScheduleCreate))]
) -> Response:
    """Create a transfer again at the times of a cron expression."""
    made = desk.services.transfers.schedules.create(
        who, body.source, body.target, body.wish(), body.cron, body.zone, body.secret()
    )
    return answer(_shown_schedule(who, made), 201, {"Location": f"{_SCHEDULES}/{made.id}"})


@routes.add("GET", _ONE_SCHEDULE, AccessRule(P.TRANSFER_READ, SCHEDULE), models.TransferSchedule)
def get_schedule(desk: AtDesk, who: Who, schedule: str) -> Response:
    """A schedule, and when its next transfer is due."""
    return answer(_shown_schedule(who, desk.services.transfers.schedules.get(who, schedule)))


@routes.add(
    "PATCH",
    _ONE_SCHEDULE,
    AccessRule(P.TRANSFER_WRITE, SCHEDULE),
    models.TransferSchedule,
    refusals=(413, 422),
)
def edit_schedule(
    desk: AtDesk,
    who: Who,
    schedule: str,
    body: Annotated[models.ScheduleEdit, Depends(Body(models.ScheduleEdit))],
) -> Response:
    """Change when a schedule is due, or pause it."""
    return answer(_shown_schedule(who, desk.services.transfers.schedules.edit(who, schedule, body.values())))


@routes.add("DELETE", _ONE_SCHEDULE, AccessRule(P.TRANSFER_WRITE, SCHEDULE), status=204)
def delete_schedule(desk: AtDesk, who: Who, schedule: str) -> Response:
    """Delete a schedule; a transfer that it has created goes on."""
    desk.services.transfers.schedules.delete(who, schedule)
    return Response(status_code=204)


@routes.add("GET", _ONE, AccessRule(P.TRANSFER_READ, TRANSFER), models.Transfer)
def get_transfer(desk: AtDesk, who: Who, transfer: str) -> Response:
    """A transfer, and how far it is."""
    return answer(_shown(who, desk.services.transfers.transfers.get(who, transfer)))


@routes.add("DELETE", _ONE, AccessRule(P.TRANSFER_WRITE, TRANSFER), status=204, refusals=(409,))
def delete_transfer(desk: AtDesk, who: Who, transfer: str) -> Response:
    """Delete the record of a transfer that is over; what was transferred stays."""
    desk.services.transfers.transfers.delete(who, transfer)
    return Response(status_code=204)


@routes.add(
    "POST", f"{_ONE}/cancel", AccessRule(P.TRANSFER_WRITE, TRANSFER), models.Transfer, refusals=(409,)
)
def cancel_transfer(desk: AtDesk, who: Who, transfer: str) -> Response:
    """Cancel a transfer; what is in its place stays, and it can be resumed."""
    return answer(_shown(who, desk.services.transfers.transfers.cancel(who, transfer)))


@routes.add(
    "POST",
    f"{_ONE}/resume",
    AccessRule(P.TRANSFER_WRITE, TRANSFER),
    models.Transfer,
    refusals=(409, 413, 422),
)
def resume_transfer(
    desk: AtDesk,
    who: Who,
    transfer: str,
    body: Annotated[models.TransferResume, Depends(Body(models.TransferResume))],
) -> Response:
    """Go on with a transfer that failed or was cancelled; what is there already is not transferred again."""
    login = body.login.plain() if body.login else None
    return answer(_shown(who, desk.services.transfers.transfers.resume(who, transfer, login)))


def _shown(who: Caller, one: domain.Transfer) -> Json:
    return models.Transfer.render(one, **_ends(who, one))


def _shown_schedule(who: Caller, one: domain.TransferSchedule) -> Json:
    return models.TransferSchedule.render(one, **_ends(who, one))


def _ends(who: Caller, one: domain.Transfer | domain.TransferSchedule) -> Json:
    told = show_end if who.name == one.owner else without_secrets
    can_edit = who.may(P.TRANSFER_WRITE, one.owner)
    return {"source": told(one.source), "target": told(one.target), "can_edit": can_edit}
