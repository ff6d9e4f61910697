"""Every route has a rule, and no request gets past it."""

from __future__ import annotations

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute

from danlu.domain.permissions import Permission
from danlu.server.http.access import OPEN
from danlu.server.http.models import Problem
from danlu.server.openapi import bare_app
from danlu.server.route import Guard, Routes
from danlu.server.routes import ALL

DECLARED = [route for routes in ALL for route in routes.all]
RULES = {(route.method, route.path): route.rule for route in DECLARED}


def served() -> dict[tuple[str, str], APIRoute | APIWebSocketRoute]:
    found: dict[tuple[str, str], APIRoute | APIWebSocketRoute] = {}
    for route in bare_app().routes:
        if isinstance(route, APIRoute):
            found.update({(method, route.path): route for method in route.methods or ()})
        elif isinstance(route, APIWebSocketRoute):
            found["WS", route.path] = route
    return found


def test_what_is_declared_is_served_and_nothing_else():
    assert set(served()) == set(RULES)


def test_nothing_is_declared_twice():
    assert len(RULES) == len(DECLARED)


@pytest.mark.parametrize("instead", [(), (None,), (Problem,)])
def test_a_route_without_a_rule_cannot_be_declared(instead):
    routes = Routes("new")
    with pytest.raises(TypeError, match="rule"):
        routes.add("GET", "/api/v1/new", *instead)(lambda: None)
    assert routes.all == []


def test_every_route_is_guarded_by_its_own_rule_before_anything_else():
    for key, route in served().items():
        first = route.dependant.dependencies[0].call
        assert isinstance(first, Guard), key
        assert first.rule is RULES[key], key


def test_only_what_must_be_open_is():
    assert {f"{method} {path}" for (method, path), rule in RULES.items() if rule.permission is OPEN} == {
        "POST /api/v1/session",
        "POST /api/v1/session/link",
        "GET /api/v1/session/providers",
        "GET /api/v1/session/oidc/{provider}",
        "GET /api/v1/session/oidc/{provider}/callback",
        "GET /api/v1/schema/job",
        "GET /api/v1/version",
        "GET /api/v1/openapi.json",
        "GET /healthz",
        "GET /readyz",
        "GET /metrics",
        "GET /client/{file}",
    }


def test_tasks_get_in_where_their_own_job_is_and_nowhere_else():
    assert {f"{route.method} {route.path}" for route in DECLARED if route.for_tasks} == {
        "GET /api/v1/jobs/{job}",
        "GET /api/v1/jobs/{job}/events",
        "GET /api/v1/jobs/{job}/logs",
        "GET /api/v1/jobs/{job}/files",
        "GET /api/v1/jobs/{job}/files/content",
        "GET /api/v1/code/{digest}",
        "POST /api/v1/task/reports",
        "GET /api/v1/task/mounts/{mount}/manifest",
        "POST /api/v1/task/mounts/{mount}/contents",
    }


def test_every_permission_opens_something():
    # Open no route of their own: what token:write makes may last longer, what volume:read shows may be sensitive, and
    # what volume:write attaches may be shared.
    more = {Permission.TOKEN_EXTEND, Permission.VOLUME_SENSITIVE, Permission.VOLUME_ATTACH}
    assert set(Permission) - more <= {rule.permission for rule in RULES.values()}


def test_every_route_says_what_it_does():
    assert all(route.summary.endswith(".") for route in DECLARED)
