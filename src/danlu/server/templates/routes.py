"""Templates: one's own, and those shared with one's projects."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.templates import Templates, build
from danlu.domain.permissions import Caller, Relation
from danlu.domain.templates import Template
from danlu.server.desk import Desk
from danlu.server.http.access import API, ONESELF, AccessRule, P, RequestTarget
from danlu.server.http.answering import answer
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.templates import models

routes = Routes("templates")

TEMPLATE = RequestTarget("a template", tuple(Relation), hidden_without=P.TEMPLATE_READ)
"""In one's project if it is shared with one."""
_ALL = f"{API}/templates"
_ONE = f"{_ALL}/{{template}}"


@routes.add("GET", _ALL, AccessRule(P.TEMPLATE_READ, ONESELF), models.TemplateList, refusals=(422,))
def list_templates(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.TemplateListQuery, Depends(Query(models.TemplateListQuery))],
) -> Response:
    """One's own templates and those shared with one's projects or with everybody, by name."""
    room = _room(desk)
    owner = who.name if query.owner == "me" else query.owner
    found = room.all(who, owner, query.project)
    page, cursor = page_of(found, lambda one: f"{one.name} {one.owner}", query)
    items = [models.TemplateRow.render(one, can_edit=room.may_edit(who, one)) for one in page]
    return answer({"items": items, "next_cursor": cursor})


@routes.add(
    "POST", _ALL, AccessRule(P.TEMPLATE_WRITE, ONESELF), models.Template, status=201, refusals=(409, 413, 422)
)
def create_template(
    desk: AtDesk, who: Who, body: Annotated[models.TemplateCreate, Depends(Body(models.TemplateCreate))]
) -> Response:
    """Keep a job file as a template."""
    made = _room(desk).create(who, **body.values())
    return _whole(desk, who, made, 201)


@routes.add("GET", _ONE, AccessRule(P.TEMPLATE_READ, TEMPLATE), models.Template)
def get_template(desk: AtDesk, who: Who, template: str) -> Response:
    """A template with its job file; by id, by the name of one of one's own, or as OWNER:NAME."""
    return _whole(desk, who, _room(desk).get(who, template))


@routes.add("PATCH", _ONE, AccessRule(P.TEMPLATE_WRITE, TEMPLATE), models.Template, refusals=(409, 413, 422))
def edit_template(
    desk: AtDesk,
    who: Who,
    template: str,
    body: Annotated[models.TemplateEdit, Depends(Body(models.TemplateEdit))],
) -> Response:
    """Change a template, share it with a project or stop sharing it."""
    return _whole(desk, who, _room(desk).edit(who, template, body.values()))


@routes.add("DELETE", _ONE, AccessRule(P.TEMPLATE_WRITE, TEMPLATE), status=204)
def delete_template(desk: AtDesk, who: Who, template: str) -> Response:
    """Delete a template; jobs that were made of it stay as they are."""
    _room(desk).delete(who, template)
    return Response(status_code=204)


def _room(desk: Desk) -> Templates:
    return desk.services.rooms(build)


def _whole(desk: Desk, who: Caller, one: Template, status: int = 200) -> Response:
    shown = models.Template.render(one, can_edit=_room(desk).may_edit(who, one))
    return answer(shown, status, {"Location": f"{_ALL}/{one.id}"} if status == 201 else {})
