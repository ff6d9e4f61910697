"""Groups and their members."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.rules import Group
from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.people import models
from danlu.server.people.rosters import roster_in
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("groups")


@routes.add("GET", f"{API}/groups", AccessRule(P.GROUP_READ, COMMON), models.GroupList, refusals=(422,))
def list_groups(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """List all groups by name."""
    groups, more = page_of(desk.services.people.groups.all(who), lambda one: one.group.name, query)
    return answer({"items": [models.Group.render(one) for one in groups], "next_cursor": more})


@routes.add(
    "POST",
    f"{API}/groups",
    AccessRule(P.GROUP_WRITE, COMMON),
    models.GroupDetail,
    status=201,
    refusals=(409, 413, 422),
)
def create_group(
    desk: AtDesk, who: Who, body: Annotated[models.GroupCreate, Depends(Body(models.GroupCreate))]
) -> Response:
    """Create a group; nobody can give it permissions that they do not have themselves."""
    made = desk.services.people.groups.add(who, Group(**body.values()))
    desk.identity.forget()
    location = f"{API}/groups/{made.group.name}"
    return answer(models.GroupDetail.render(made), 201, {"Location": location})


@routes.add("GET", f"{API}/groups/{{name}}", AccessRule(P.GROUP_READ, COMMON), models.GroupDetail)
def get_group(desk: AtDesk, who: Who, name: str) -> Response:
    """Get a group and its members."""
    return answer(models.GroupDetail.render(desk.services.people.groups.one(who, name)))


@routes.add(
    "PATCH",
    f"{API}/groups/{{name}}",
    AccessRule(P.GROUP_WRITE, COMMON),
    models.GroupDetail,
    refusals=(409, 413, 422),
)
def edit_group(
    desk: AtDesk, who: Who, name: str, body: Annotated[models.GroupEdit, Depends(Body(models.GroupEdit))]
) -> Response:
    """Change a group; fields that are left out stay as they are."""
    edited = desk.services.people.groups.edit(who, name, body.values())
    desk.identity.forget()
    return answer(models.GroupDetail.render(edited))


@routes.add(
    "DELETE", f"{API}/groups/{{name}}", AccessRule(P.GROUP_WRITE, COMMON), status=204, refusals=(409,)
)
def delete_group(desk: AtDesk, who: Who, name: str) -> Response:
    """Remove a group that no priority class and no quota uses."""
    desk.services.people.groups.remove(who, name)
    desk.identity.forget()
    return Response(status_code=204)


@routes.add(
    "POST",
    f"{API}/groups/{{name}}/members",
    AccessRule(P.GROUP_WRITE, COMMON),
    models.MembersChanged,
    refusals=(413, 422),
)
def set_group_members(
    desk: AtDesk, who: Who, name: str, body: Annotated[models.RosterPart, Depends(Body(models.RosterPart))]
) -> Response:
    """Add people to a group or remove them, from a list of names or pasted text; a preview changes nothing."""
    change = desk.services.people.groups.set_members(
        who, name, roster_in(body), remove=body.remove, preview=body.preview
    )
    if not body.preview:
        desk.identity.forget()
    return answer(models.MembersChanged.render(change))
