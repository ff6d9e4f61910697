"""The cluster at a glance."""

from __future__ import annotations

from starlette.responses import Response

from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.usage import panel_render
from danlu.server.usage.panel_models import Resources

routes = Routes("resources")


@routes.add("GET", f"{API}/resources", AccessRule(P.NODE_READ, COMMON), Resources)
def get_resources(desk: AtDesk, who: Who) -> Response:
    """Get total, used, free and requested resources by GPU model: everybody's and the caller's own."""
    return answer(panel_render.glance(desk.services.usage.panel.glance(who)))
