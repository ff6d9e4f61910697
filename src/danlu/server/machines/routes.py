"""Nodes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import seq_of
from danlu.server.http.reading import Body, Query
from danlu.server.live.models import Event, EventPage
from danlu.server.machines import render
from danlu.server.machines.models import Node, NodeEdit, NodeList
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("nodes")


@routes.add("GET", f"{API}/nodes", AccessRule(P.NODE_READ, COMMON), NodeList)
def list_nodes(desk: AtDesk, who: Who) -> Response:
    """List all nodes with their resources and usage."""
    return answer({"items": [render.node(use, who) for use in desk.services.machines.nodes.all(who)]})


@routes.add("GET", f"{API}/nodes/{{name}}", AccessRule(P.NODE_READ, COMMON), Node)
def get_node(desk: AtDesk, who: Who, name: str) -> Response:
    """Get a node with its tasks."""
    return answer(render.node(desk.services.machines.nodes.one(who, name), who))


@routes.add("PATCH", f"{API}/nodes/{{name}}", AccessRule(P.NODE_WRITE, COMMON), Node, refusals=(413, 422))
def edit_node(
    desk: AtDesk, who: Who, name: str, body: Annotated[NodeEdit, Depends(Body(NodeEdit))]
) -> Response:
    """Move a node to another pool, cordon it, or label it; running jobs continue."""
    desk.services.registry.edit_node(who, name, pool=body.pool, cordoned=body.cordoned, labels=body.labels)
    return answer(render.node(desk.services.machines.nodes.one(who, name), who))


@routes.add(
    "GET", f"{API}/nodes/{{name}}/events", AccessRule(P.NODE_READ, COMMON), EventPage, refusals=(422,)
)
def list_node_events(
    desk: AtDesk, who: Who, name: str, query: Annotated[ListQuery, Depends(Query(ListQuery))]
) -> Response:
    """List the events of a node, latest first; of jobs, only those that the caller may read."""
    events = desk.services.machines.nodes.events(who, name, seq_of(query.cursor), query.limit + 1)
    shown = events[: query.limit]
    more = str(shown[-1].seq) if len(events) > query.limit else None
    return answer({"items": [Event.render(one) for one in shown], "next_cursor": more})
