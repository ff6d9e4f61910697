"""The cluster at a glance."""

from __future__ import annotations

from starlette.responses import Response

from danlu.server import render, render_resources
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire.resources import Resources

routes = Routes("resources")


@routes.add("GET", f"{API}/resources", Resources)
def get_resources(desk: AtDesk, who: Who) -> Response:
    """What there is, what is used, free and wanted: mine and everybody's, by GPU model."""
    return render.answer(render_resources.glance(desk.services.panel.glance(who)))
