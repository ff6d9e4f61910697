"""Projects, their members, and their current use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.permissions import Caller
from danlu.domain.quota import left
from danlu.domain.rules import Project
from danlu.server.desk import Desk
from danlu.server.http.access import API, COMMON, ONESELF, PROJECT, SIGNED_IN, AccessRule, P
from danlu.server.http.answering import Json, answer
from danlu.server.http.reading import Body
from danlu.server.people.models import MembersChanged
from danlu.server.people.rosters import roster_in
from danlu.server.projects import models
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import models as rules
from danlu.server.rules.routes import CrudAccess, subject

routes = Routes("projects")

_MEMBERS = f"{API}/projects/{{name}}/members"


def _with_members(desk: Desk, who: Caller, projects: Sequence[Project]) -> list[Json]:
    counts, mine = desk.services.projects.members.counts(), desk.services.projects.members.mine(who)
    return [
        rules.Project.render(one, members=counts.get(one.name, 0), my_role=mine.get(one.name))
        for one in projects
    ]


_access = CrudAccess(
    list=AccessRule(P.PROJECT_READ, COMMON),
    create=AccessRule(P.PROJECT_CREATE, ONESELF),
    get=AccessRule(P.PROJECT_READ, PROJECT),
    edit=AccessRule(P.PROJECT_CREATE, PROJECT),
    delete=AccessRule(P.PROJECT_WRITE, PROJECT),
)
themselves = subject(
    Project, "projects", "projects", _access,
    rules.ProjectCreate, rules.ProjectEdit, rules.Project, rules.ProjectList, _with_members,
)  # fmt: skip


@routes.add("GET", f"{API}/me/projects", AccessRule(P.QUOTA_READ, ONESELF), models.UsableProjects)
def list_usable_projects(desk: AtDesk, who: Who) -> Response:
    """List the projects in which the caller may queue jobs, and what is left of their quotas."""
    usable = desk.services.projects.members.usable(who)
    bounds = desk.services.quotas.quotas.bounds_of(who)
    return answer(
        {
            "items": [
                models.UsableProject.render(one, my_role=who.projects.get(one.project.name)) for one in usable
            ],
            "left": [models.QuotaLeft.render(one) for one in left(bounds)],
        }
    )


@routes.add("GET", _MEMBERS, AccessRule(P.MEMBER_READ, PROJECT), models.MemberList)
def list_members(desk: AtDesk, who: Who, name: str) -> Response:
    """List the members of a project, creators first."""
    found = desk.services.projects.members.of(who, name)
    return answer({"items": [models.Member.render(one) for one in found]})


@routes.add("POST", _MEMBERS, AccessRule(P.MEMBER_WRITE, PROJECT), MembersChanged, refusals=(409, 413, 422))
def enlist_members(
    desk: AtDesk,
    who: Who,
    name: str,
    body: Annotated[models.MemberRoster, Depends(Body(models.MemberRoster))],
) -> Response:
    """Add many people to a project, or remove them; a preview only shows what would change."""
    found = desk.services.projects.members.enlist(
        who, name, roster_in(body), body.role, remove=body.remove, preview=body.preview
    )
    desk.identity.forget()
    return answer(MembersChanged.render(found))


@routes.add(
    "PUT",
    f"{_MEMBERS}/{{user}}",
    AccessRule(P.MEMBER_WRITE, PROJECT),
    models.Member,
    refusals=(409, 413, 422),
)
def set_member(
    desk: AtDesk,
    who: Who,
    name: str,
    user: str,
    body: Annotated[models.MemberSet, Depends(Body(models.MemberSet))],
) -> Response:
    """Add a member to a project, or change their role."""
    found = desk.services.projects.members.set(who, name, user, body.role)
    desk.identity.forget(user)
    return answer(models.Member.render(found))


@routes.add(
    "DELETE",
    f"{_MEMBERS}/{{user}}",
    AccessRule(SIGNED_IN, PROJECT, P.MEMBER_WRITE),
    status=204,
    refusals=(409,),
)
def remove_member(desk: AtDesk, who: Who, name: str, user: str) -> Response:
    """Remove a member from a project, or leave it oneself."""
    desk.services.projects.members.remove(who, name, user)
    desk.identity.forget(user)
    return Response(status_code=204)


@routes.add("GET", f"{API}/projects/{{name}}/standing", AccessRule(P.PROJECT_READ, PROJECT), models.Standing)
def get_standing(desk: AtDesk, who: Who, name: str) -> Response:
    """Get what a project uses, waits for and deserves now, with its guarantee and cap."""
    return answer(models.Standing.render(desk.services.queue.standings.of(who, name)))
