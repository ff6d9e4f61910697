"""Requests to join a project or for more quota, and their decisions."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.projects.requests import GrantTerms
from danlu.domain.permissions import Caller
from danlu.domain.requests import Request, RequestKind
from danlu.ports.governance import RequestQuery
from danlu.server.desk import Desk
from danlu.server.http.access import API, ONESELF, REQUEST, AccessRule, P
from danlu.server.http.answering import Json, answer
from danlu.server.http.reading import Body, Query
from danlu.server.projects import requests_models as models
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("requests")

_ALL = f"{API}/requests"
_ONE = f"{_ALL}/{{id}}"


@routes.add("GET", _ALL, AccessRule(P.REQUEST_READ, ONESELF), models.RequestList, refusals=(422,))
def list_requests(
    desk: AtDesk, who: Who, query: Annotated[models.RequestListQuery, Depends(Query(models.RequestListQuery))]
) -> Response:
    """List one's own requests and those that the caller may read or decide, latest first."""
    kinds = () if query.kind is None else (query.kind,)
    wanted = RequestQuery(kinds=kinds, states=tuple(query.state), limit=query.limit, cursor=query.cursor)
    page = desk.services.projects.requests.page(who, wanted, mine=query.mine)
    shown = [_shown(desk, who, one) for one in page.rows]
    return answer({"items": shown, "next_cursor": page.next_cursor, "total": page.total})


@routes.add(
    "POST",
    _ALL,
    AccessRule(P.REQUEST_WRITE, ONESELF),
    models.PersonalRequest,
    status=201,
    refusals=(409, 413, 422),
)
def create_request(
    desk: AtDesk, who: Who, body: Annotated[models.Asking, Depends(Body(models.Asking))]
) -> Response:
    """Ask to join a project, or for more quota."""
    body.must_be_whole()
    requests = desk.services.projects.requests
    if body.kind is RequestKind.JOIN:
        made = requests.ask_to_join(who, body.subject or "", body.note)
    else:
        made = requests.ask_for_quota(who, models.by_class(body.amounts) or {}, body.life, body.note)
    return answer(_shown(desk, who, made), 201, {"Location": f"{_ALL}/{made.id}"})


@routes.add("GET", _ONE, AccessRule(P.REQUEST_READ, REQUEST), models.PersonalRequest)
def get_request(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Get a request."""
    return answer(_shown(desk, who, desk.services.projects.requests.one(who, id)))


@routes.add(
    "POST",
    f"{_ONE}/approve",
    AccessRule(P.REQUEST_READ, REQUEST, P.MEMBER_WRITE),
    models.PersonalRequest,
    refusals=(409, 413, 422),
)
def approve_request(
    desk: AtDesk,
    who: Who,
    id: str,  # noqa: A002 (the address names it so)
    body: Annotated[models.Approval, Depends(Body(models.Approval))],
) -> Response:
    """Approve a request, as asked or with changes."""
    terms = GrantTerms(body.role, models.by_class(body.amounts), body.life)
    decided = desk.services.projects.requests.approve(who, id, body.answer, terms)
    desk.identity.forget()
    return answer(_shown(desk, who, decided))


@routes.add(
    "POST",
    f"{_ONE}/refuse",
    AccessRule(P.REQUEST_READ, REQUEST, P.MEMBER_WRITE),
    models.PersonalRequest,
    refusals=(409, 413, 422),
)
def refuse_request(
    desk: AtDesk,
    who: Who,
    id: str,  # noqa: A002 (the address names it so)
    body: Annotated[models.Refusal, Depends(Body(models.Refusal))],
) -> Response:
    """Refuse a request, with a reason."""
    return answer(_shown(desk, who, desk.services.projects.requests.refuse(who, id, body.answer)))


@routes.add(
    "POST", f"{_ONE}/withdraw", AccessRule(P.REQUEST_WRITE, REQUEST), models.PersonalRequest, refusals=(409,)
)
def withdraw_request(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Withdraw one's own request."""
    return answer(_shown(desk, who, desk.services.projects.requests.withdraw(who, id)))


def _shown(desk: Desk, who: Caller, one: Request) -> Json:
    return models.PersonalRequest.render(one, can_decide=desk.services.projects.requests.may_decide(who, one))
