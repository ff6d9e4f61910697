"""Quotas of people, groups and everybody; temporary raises; and current use."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server.http.access import API, COMMON, GROUP, USER, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.quotas import models
from danlu.server.quotas.render import standing
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("quotas")
QUOTAS = f"{API}/quotas"


@routes.add("GET", QUOTAS, AccessRule(P.QUOTA_WRITE, COMMON), models.QuotaList, refusals=(422,))
def list_quotas(
    desk: AtDesk, who: Who, query: Annotated[models.QuotaQuery, Depends(Query(models.QuotaQuery))]
) -> Response:
    """List all quotas by name."""
    word = (query.search or "").lower()
    found = [
        one
        for one in desk.services.quotas.quotas.all(who)
        if word in one.name.lower() or word in one.description.lower()
    ]
    page, more = page_of(found, lambda one: one.name, query)
    return answer(
        {"items": [models.Quota.render(one) for one in page], "next_cursor": more, "total": len(found)}
    )


@routes.add(
    "POST", f"{QUOTAS}/bulk", AccessRule(P.QUOTA_WRITE, COMMON), models.QuotaList, refusals=(409, 413, 422)
)
def set_quotas(
    desk: AtDesk, who: Who, body: Annotated[models.QuotaBulk, Depends(Body(models.QuotaBulk))]
) -> Response:
    """Set many quotas at once, all or none; fields that are left out stay as they are."""
    made = desk.services.quotas.quotas.put_many(who, body.names, body.values())
    return answer(
        {"items": [models.Quota.render(one) for one in made], "next_cursor": None, "total": len(made)}
    )


@routes.add("GET", f"{QUOTAS}/{{name}}", AccessRule(P.QUOTA_WRITE, COMMON), models.Quota)
def get_quota(desk: AtDesk, who: Who, name: str) -> Response:
    """Get a quota: `default`, `user:NAME` or `group:NAME`."""
    return answer(models.Quota.render(desk.services.quotas.quotas.one(who, name)))


@routes.add(
    "PUT", f"{QUOTAS}/{{name}}", AccessRule(P.QUOTA_WRITE, COMMON), models.Quota, refusals=(409, 413, 422)
)
def put_quota(
    desk: AtDesk, who: Who, name: str, body: Annotated[models.QuotaEdit, Depends(Body(models.QuotaEdit))]
) -> Response:
    """Create or replace a quota; raises stay. Jobs that already run beyond it continue."""
    return answer(models.Quota.render(desk.services.quotas.quotas.put(who, name, body.values())))


@routes.add(
    "PATCH", f"{QUOTAS}/{{name}}", AccessRule(P.QUOTA_WRITE, COMMON), models.Quota, refusals=(409, 413, 422)
)
def edit_quota(
    desk: AtDesk, who: Who, name: str, body: Annotated[models.QuotaEdit, Depends(Body(models.QuotaEdit))]
) -> Response:
    """Change a quota; fields that are left out stay as they are."""
    return answer(models.Quota.render(desk.services.quotas.quotas.edit(who, name, body.values())))


@routes.add("DELETE", f"{QUOTAS}/{{name}}", AccessRule(P.QUOTA_WRITE, COMMON), status=204, refusals=(409,))
def delete_quota(desk: AtDesk, who: Who, name: str) -> Response:
    """Remove a quota with its raises; the default applies then."""
    desk.services.quotas.quotas.remove(who, name)
    return Response(status_code=204)


@routes.add(
    "POST",
    f"{QUOTAS}/{{name}}/raises",
    AccessRule(P.QUOTA_WRITE, COMMON),
    models.Quota,
    status=201,
    refusals=(409, 413, 422),
)
def raise_quota(
    desk: AtDesk, who: Who, name: str, body: Annotated[models.RaiseCreate, Depends(Body(models.RaiseCreate))]
) -> Response:
    """Raise a quota temporarily; the raise expires automatically."""
    amounts = models.plain_amounts(body.amounts)
    raised = desk.services.quotas.quotas.raise_for(who, name, amounts, body.life, body.reason)
    return answer(models.Quota.render(raised), 201)


@routes.add(
    "DELETE",
    f"{QUOTAS}/{{name}}/raises",
    AccessRule(P.QUOTA_WRITE, COMMON),
    models.Quota,
    refusals=(409, 422),
)
def end_raises(desk: AtDesk, who: Who, name: str) -> Response:
    """End all temporary raises of a quota; jobs that already run beyond it continue."""
    return answer(models.Quota.render(desk.services.quotas.quotas.end_raises(who, name)))


@routes.add("GET", f"{API}/users/{{name}}/quota", AccessRule(P.QUOTA_READ, USER), models.QuotaStanding)
def get_user_quota(desk: AtDesk, who: Who, name: str) -> Response:
    """Get what bounds a person: quotas with those of their groups, budgets, limits and caps, and their use."""
    rooms = desk.services.quotas
    found = rooms.quotas.of_user(who, name)
    user = desk.services.ports.store.user(name)
    return answer(standing(found, rooms.budgets.of(user) if user else (), rooms.bounds.of(name)))


@routes.add("GET", f"{API}/groups/{{name}}/quota", AccessRule(P.QUOTA_READ, GROUP), models.QuotaStanding)
def get_group_quota(desk: AtDesk, who: Who, name: str) -> Response:
    """Get the quota of all members of a group together, and its use."""
    return answer(standing(desk.services.quotas.quotas.of_group(who, name)))
