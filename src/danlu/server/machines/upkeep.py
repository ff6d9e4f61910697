"""Moving, cordoning, draining and uncordoning nodes, and maintenance."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.rules import Maintenance as Window
from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.machines.models import (
    Maintenance,
    MaintenanceCreate,
    MaintenanceEdit,
    MaintenanceList,
    MaintenancePreview,
    NodeCordon,
    NodeDrain,
    NodeMove,
    NodeMoved,
    NodesCordoned,
    NodesDrained,
)
from danlu.server.machines.render import closure, maintenance, move, outcome
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("nodes")
windows = Routes("maintenance")


@routes.add("POST", f"{API}/nodes/move", AccessRule(P.NODE_WRITE, COMMON), NodeMoved, refusals=(413, 422))
def move_nodes(desk: AtDesk, who: Who, body: Annotated[NodeMove, Depends(Body(NodeMove))]) -> Response:
    """Move nodes to a pool, all or none, or preview the effects; running jobs continue."""
    names = list(dict.fromkeys(body.nodes))
    return answer(move(desk.services.machines.moves.move(who, names, body.pool, preview=body.preview), who))


@routes.add(
    "POST", f"{API}/nodes/cordon", AccessRule(P.NODE_WRITE, COMMON), NodesCordoned, refusals=(413, 422)
)
def cordon_nodes(desk: AtDesk, who: Who, body: Annotated[NodeCordon, Depends(Body(NodeCordon))]) -> Response:
    """Cordon nodes, or uncordon them, which also ends a drain; running jobs continue."""
    names = list(dict.fromkeys(body.nodes))
    done = desk.services.machines.upkeep.cordon(who, names, body.cordoned, body.note)
    return answer({"items": [outcome(name, error) for name, error in done]})


@routes.add("POST", f"{API}/nodes/drain", AccessRule(P.NODE_WRITE, COMMON), NodesDrained, refusals=(413, 422))
def drain_nodes(desk: AtDesk, who: Who, body: Annotated[NodeDrain, Depends(Body(NodeDrain))]) -> Response:
    """Drain nodes, all or none: cordon them, and evict and requeue jobs that still run there after the deadline."""
    names = list(dict.fromkeys(body.nodes))
    done = desk.services.machines.upkeep.drain(who, names, body.deadline, body.note, preview=body.preview)
    return answer(closure(done, who))


# ── maintenance ──────────────────────────────────────────────────────────────────────────────────────


@windows.add("GET", f"{API}/maintenance", AccessRule(P.NODE_READ, COMMON), MaintenanceList, refusals=(422,))
def list_maintenance(
    desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]
) -> Response:
    """List all maintenance windows by name."""
    found, more = page_of(desk.services.registry.all(who, Window), lambda one: one.name, query)
    now = desk.services.ports.clock.now()
    return answer({"items": [maintenance(one, now) for one in found], "next_cursor": more})


@windows.add(
    "POST",
    f"{API}/maintenance",
    AccessRule(P.NODE_WRITE, COMMON),
    Maintenance,
    status=201,
    refusals=(409, 413, 422),
)
def create_maintenance(
    desk: AtDesk, who: Who, body: Annotated[MaintenanceCreate, Depends(Body(MaintenanceCreate))]
) -> Response:
    """Plan a maintenance: jobs that still run on its nodes when it begins are evicted and requeued.

    Jobs that would not end before it are not started there. The nodes reopen automatically afterwards."""
    made = desk.services.registry.add(who, Window(**body.values()))
    shown = maintenance(made, desk.services.ports.clock.now())
    return answer(shown, 201, {"Location": f"{API}/maintenance/{made.name}"})


@windows.add(
    "POST", f"{API}/maintenance/preview", AccessRule(P.NODE_WRITE, COMMON), NodesDrained, refusals=(413, 422)
)
def preview_maintenance(
    desk: AtDesk, who: Who, body: Annotated[MaintenancePreview, Depends(Body(MaintenancePreview))]
) -> Response:
    """Preview a maintenance: the nodes it would close, and the jobs that run there now."""
    return answer(closure(desk.services.machines.upkeep.preview(who, body.window()), who))


@windows.add("GET", f"{API}/maintenance/{{name}}", AccessRule(P.NODE_READ, COMMON), Maintenance)
def get_maintenance(desk: AtDesk, who: Who, name: str) -> Response:
    """Get a maintenance."""
    found = desk.services.registry.one(who, Window, name)
    return answer(maintenance(found, desk.services.ports.clock.now()))


@windows.add(
    "PATCH",
    f"{API}/maintenance/{{name}}",
    AccessRule(P.NODE_WRITE, COMMON),
    Maintenance,
    refusals=(409, 413, 422),
)
def edit_maintenance(
    desk: AtDesk, who: Who, name: str, body: Annotated[MaintenanceEdit, Depends(Body(MaintenanceEdit))]
) -> Response:
    """Change a maintenance, even while it lasts; fields that are left out stay as they are."""
    newer = desk.services.registry.edit(who, Window, name, body.values())
    return answer(maintenance(newer, desk.services.ports.clock.now()))


@windows.add("DELETE", f"{API}/maintenance/{{name}}", AccessRule(P.NODE_WRITE, COMMON), status=204)
def delete_maintenance(desk: AtDesk, who: Who, name: str) -> Response:
    """Cancel a maintenance, or end it early; jobs that were evicted for it stay in the queue."""
    desk.services.registry.remove(who, Window, name)
    return Response(status_code=204)
