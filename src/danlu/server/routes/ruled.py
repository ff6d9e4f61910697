"""Projects, priority classes, pools, flavors and limits: five subjects of one shape."""

# Annotations are not postponed here: FastAPI could not look up the models that each subject brings along.

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import Depends
from pydantic import BaseModel
from starlette.responses import Response

from danlu.domain import rules as domain
from danlu.domain.permissions import Caller
from danlu.domain.rules import Project, Rule
from danlu.files.rulings import Ruling
from danlu.server import render
from danlu.server.desk import Desk
from danlu.server.paging import page_of
from danlu.server.reading import Body, Query
from danlu.server.render_projects import project as rendered_project
from danlu.server.render_rules import rule as rendered
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire import rules as wire
from danlu.wire.requests import ListQuery

_Page = Annotated[ListQuery, Depends(Query(ListQuery))]
_Shown = Callable[[Desk, Caller, Sequence[Any]], list[render.Json]]


def _plainly(_: Desk, __: Caller, rules: Sequence[Rule]) -> list[render.Json]:
    return [rendered(rule) for rule in rules]


def _with_members(desk: Desk, who: Caller, projects: Sequence[Project]) -> list[render.Json]:
    counts, mine = desk.services.members.counts(), desk.services.members.mine(who)
    return [rendered_project(one, counts.get(one.name, 0), mine.get(one.name)) for one in projects]


def _subject(
    kind: type[Rule],
    several: str,
    words: str,
    create: type[Ruling],
    edit: type[Ruling],
    answer: type[BaseModel],
    answers: type[BaseModel],
    shown: _Shown = _plainly,
) -> Routes:
    """The routes of one kind of rule: `/projects` and `/projects/{name}`."""
    routes, single = Routes(several), kind.kind
    path, each = f"{API}/{several}", f"{API}/{several}/{{name}}"

    def list_(desk: AtDesk, who: Who, query: _Page) -> Response:
        rules, more = page_of(desk.services.registry.all(who, kind), lambda rule: rule.name, query)
        return render.answer({"items": shown(desk, who, rules), "next_cursor": more})

    def create_(desk: AtDesk, who: Who, body: Annotated[Any, Depends(Body(create))]) -> Response:
        made = desk.services.registry.add(who, kind(**body.values()))
        desk.identity.forget(who.name)  # whoever makes a project belongs to it
        (one,) = shown(desk, who, [made])
        return render.answer(one, 201, {"Location": f"{path}/{made.name}"})

    def get(desk: AtDesk, who: Who, name: str) -> Response:
        (one,) = shown(desk, who, [desk.services.registry.one(who, kind, name)])
        return render.answer(one)

    def edit_(desk: AtDesk, who: Who, name: str, body: Annotated[Any, Depends(Body(edit))]) -> Response:
        (one,) = shown(desk, who, [desk.services.registry.edit(who, kind, name, body.values())])
        return render.answer(one)

    def delete(desk: AtDesk, who: Who, name: str) -> Response:
        desk.services.registry.remove(who, kind, name)
        return Response(status_code=204)

    def named(endpoint: Callable[..., Response], name: str, sentence: str) -> Callable[..., Response]:
        endpoint.__name__, endpoint.__doc__ = name, sentence
        return endpoint

    listed = named(list_, f"list_{several}", f"All {words}, by name.")
    routes.add("GET", path, answers, refusals=(422,))(listed)
    created = named(create_, f"create_{single}", f"Make one of the {words}.")
    routes.add("POST", path, answer, status=201, refusals=(409, 413, 422))(created)
    routes.add("GET", each, answer)(named(get, f"get_{single}", f"One of the {words}."))
    edited = named(edit_, f"edit_{single}", f"Change one of the {words}; what is left out stays.")
    routes.add("PATCH", each, answer, refusals=(409, 413, 422))(edited)
    removed = named(delete, f"delete_{single}", f"Remove one of the {words} that nothing uses.")
    routes.add("DELETE", each, status=204, refusals=(409,))(removed)
    return routes


projects = _subject(
    domain.Project, "projects", "projects",
    wire.ProjectCreate, wire.ProjectEdit, wire.Project, wire.ProjectList, _with_members,
)  # fmt: skip
priorities = _subject(
    domain.PriorityClass, "priorities", "priority classes",
    wire.PriorityCreate, wire.PriorityEdit, wire.Priority, wire.PriorityList,
)  # fmt: skip
pools = _subject(
    domain.Pool, "pools", "pools", wire.PoolCreate, wire.PoolEdit, wire.Pool, wire.PoolList
)  # fmt: skip
flavors = _subject(
    domain.Flavor, "flavors", "flavors",
    wire.FlavorCreate, wire.FlavorEdit, wire.Flavor, wire.FlavorList,
)  # fmt: skip
limits = _subject(
    domain.Limit, "limits", "limits", wire.LimitCreate, wire.LimitEdit, wire.Limit, wire.LimitList
)  # fmt: skip

subjects = (projects, priorities, pools, flavors, limits)
