"""The machines."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server import render
from danlu.server.reading import Body
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire.responses import Node, NodeList
from danlu.wire.rules import NodeEdit

routes = Routes("nodes")


@routes.add("GET", f"{API}/nodes", NodeList)
def list_nodes(desk: AtDesk, who: Who) -> Response:
    """Every node, what it has and what is used of it."""
    return render.answer({"items": [render.node(use, who) for use in desk.services.nodes.all(who)]})


@routes.add("GET", f"{API}/nodes/{{name}}", Node)
def get_node(desk: AtDesk, who: Who, name: str) -> Response:
    """A node with the tasks on it."""
    return render.answer(render.node(desk.services.nodes.one(who, name), who))


@routes.add("PATCH", f"{API}/nodes/{{name}}", Node, refusals=(413, 422))
def edit_node(
    desk: AtDesk, who: Who, name: str, body: Annotated[NodeEdit, Depends(Body(NodeEdit))]
) -> Response:
    """Move a node to a pool, cordon it, or label it; what runs there goes on."""
    desk.services.registry.edit_node(who, name, pool=body.pool, cordoned=body.cordoned, labels=body.labels)
    return render.answer(render.node(desk.services.nodes.one(who, name), who))
