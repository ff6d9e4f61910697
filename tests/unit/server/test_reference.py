"""The reference page is the routes'."""

from __future__ import annotations

from pathlib import Path

from danlu.server.reference import render
from danlu.server.routes import ALL

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "api.md"


def test_the_page_is_what_the_routes_say():
    assert PAGE.read_text("utf-8").endswith(render()), "run ./dev docs"


def test_every_route_is_on_it():
    page = render()
    assert all(f"`{route.method} {route.path}`" in page for routes in ALL for route in routes.all)
