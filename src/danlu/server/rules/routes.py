"""Priority classes, pools, flavors and limits, which share the same routes, like projects."""

# No postponed annotations here: FastAPI could not resolve the models that each kind of rule passes in.

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from pydantic import BaseModel
from starlette.responses import Response

from danlu.domain import rules as domain
from danlu.domain.permissions import Caller, Permission
from danlu.files.rulings import Ruling
from danlu.server.desk import Desk
from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import Json, answer
from danlu.server.http.models import Answer, ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import models

_Page = Annotated[ListQuery, Depends(Query(ListQuery))]
ShowRules = Callable[[Desk, Caller, Sequence[Any]], list[Json]]


@dataclass(frozen=True, slots=True)
class CrudAccess:
    """Who may list, create, read, change and remove them."""

    list: AccessRule
    create: AccessRule
    get: AccessRule
    edit: AccessRule
    delete: AccessRule


def common(read: Permission, write: Permission) -> CrudAccess:
    """For rules that belong to no single person: one permission to read them, one to write them."""
    reads, writes = AccessRule(read, COMMON), AccessRule(write, COMMON)
    return CrudAccess(reads, writes, reads, writes, writes)


def subject(
    kind: type[domain.Rule],
    several: str,
    words: str,
    access: CrudAccess,
    create: type[Ruling],
    edit: type[Ruling],
    found: type[Answer],
    listing: type[BaseModel],
    show: ShowRules | None = None,
) -> Routes:
    """The routes of one kind of rule: `/projects` and `/projects/{name}`. `show` renders answers that need more than
    the rule."""
    routes, single = Routes(several), kind.kind
    path, each = f"{API}/{several}", f"{API}/{several}/{{name}}"

    def shown(desk: Desk, who: Caller, rules: Sequence[domain.Rule]) -> list[Json]:
        return show(desk, who, rules) if show else [found.render(rule) for rule in rules]

    def list_(desk: AtDesk, who: Who, query: _Page) -> Response:
        rules, more = page_of(desk.services.registry.all(who, kind), lambda rule: rule.name, query)
        return answer({"items": shown(desk, who, rules), "next_cursor": more})

    def create_(desk: AtDesk, who: Who, body: Annotated[Any, Depends(Body(create))]) -> Response:
        made = desk.services.registry.add(who, kind(**body.values()))
        desk.identity.forget(who.name)  # the creator of a project becomes a member
        (one,) = shown(desk, who, [made])
        return answer(one, 201, {"Location": f"{path}/{made.name}"})

    def get(desk: AtDesk, who: Who, name: str) -> Response:
        (one,) = shown(desk, who, [desk.services.registry.one(who, kind, name)])
        return answer(one)

    def edit_(desk: AtDesk, who: Who, name: str, body: Annotated[Any, Depends(Body(edit))]) -> Response:
        (one,) = shown(desk, who, [desk.services.registry.edit(who, kind, name, body.values())])
        return answer(one)

    def delete(desk: AtDesk, who: Who, name: str) -> Response:
        desk.services.registry.remove(who, kind, name)
        return Response(status_code=204)

    def named(endpoint: Callable[..., Response], name: str, sentence: str) -> Callable[..., Response]:
        endpoint.__name__, endpoint.__doc__ = name, sentence
        return endpoint

    listed = named(list_, f"list_{several}", f"All {words}, by name.")
    routes.add("GET", path, access.list, listing, refusals=(422,))(listed)
    created = named(create_, f"create_{single}", f"Create one of the {words}.")
    routes.add("POST", path, access.create, found, status=201, refusals=(409, 413, 422))(created)
    routes.add("GET", each, access.get, found)(named(get, f"get_{single}", f"One of the {words}."))
    edited = named(
        edit_, f"edit_{single}", f"Change one of the {words}; fields that are left out stay as they are."
    )
    routes.add("PATCH", each, access.edit, found, refusals=(409, 413, 422))(edited)
    removed = named(delete, f"delete_{single}", f"Remove one of the {words}, if nothing uses it.")
    routes.add("DELETE", each, access.delete, status=204, refusals=(409,))(removed)
    return routes


priorities = subject(
    domain.PriorityClass, "priorities", "priority classes", common(P.PRIORITY_READ, P.PRIORITY_WRITE),
    models.PriorityCreate, models.PriorityEdit, models.Priority, models.PriorityList,
)  # fmt: skip
pools = subject(
    domain.Pool, "pools", "pools", common(P.POOL_READ, P.POOL_WRITE),
    models.PoolCreate, models.PoolEdit, models.Pool, models.PoolList,
)  # fmt: skip
flavors = subject(
    domain.Flavor, "flavors", "flavors", common(P.FLAVOR_READ, P.FLAVOR_WRITE),
    models.FlavorCreate, models.FlavorEdit, models.Flavor, models.FlavorList,
)  # fmt: skip
limits = subject(
    domain.Limit, "limits", "limits", common(P.LIMIT_READ, P.LIMIT_WRITE),
    models.LimitCreate, models.LimitEdit, models.Limit, models.LimitList,
)  # fmt: skip

subjects = (priorities, pools, flavors, limits)
