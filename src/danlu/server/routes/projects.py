"""Who belongs to a project, and how it stands. Projects themselves are among the rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server import render, render_people, render_projects
from danlu.server.reading import Body
from danlu.server.rosters import roster_in
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire import members as wire
from danlu.wire.people import MembersChanged

routes = Routes("projects")

_MEMBERS = f"{API}/projects/{{name}}/members"


@routes.add("GET", _MEMBERS, wire.MemberList)
def list_members(desk: AtDesk, who: Who, name: str) -> Response:
    """Who belongs to a project, creators first."""
    found = desk.services.members.of(who, name)
    return render.answer({"items": [render_projects.member(one) for one in found]})


@routes.add("POST", _MEMBERS, MembersChanged, refusals=(409, 413, 422))
def enlist_members(
    desk: AtDesk, who: Who, name: str, body: Annotated[wire.MemberRoster, Depends(Body(wire.MemberRoster))]
) -> Response:
    """Bring many people into a project, or take them out of it; a preview only tells what would change."""
    found = desk.services.members.enlist(
        who, name, roster_in(body), body.role, remove=body.remove, preview=body.preview
    )
    desk.identity.forget()
    return render.answer(render_people.enlisted(found))


@routes.add("PUT", f"{_MEMBERS}/{{user}}", wire.Member, refusals=(409, 413, 422))
def set_member(
    desk: AtDesk,
    who: Who,
    name: str,
    user: str,
    body: Annotated[wire.MemberSet, Depends(Body(wire.MemberSet))],
) -> Response:
    """Say as what somebody belongs to a project."""
    found = desk.services.members.set(who, name, user, body.role)
    desk.identity.forget(user)
    return render.answer(render_projects.member(found))


@routes.add("DELETE", f"{_MEMBERS}/{{user}}", status=204, refusals=(409,))
def remove_member(desk: AtDesk, who: Who, name: str, user: str) -> Response:
    """Take somebody out of a project; oneself: leave it."""
    desk.services.members.remove(who, name, user)
    desk.identity.forget(user)
    return Response(status_code=204)


@routes.add("GET", f"{API}/projects/{{name}}/standing", wire.Standing)
def get_standing(desk: AtDesk, who: Who, name: str) -> Response:
    """What a project holds, wants, deserves, is guaranteed and may have at most, now."""
    return render.answer(render_projects.standing(desk.services.standings.of(who, name)))
