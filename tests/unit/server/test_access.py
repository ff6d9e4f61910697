"""Every route has a rule, and every rule a route."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute

from danlu.domain.permissions import Permission
from danlu.server.http.access import OPEN, RULES
from danlu.server.openapi import bare_app
from danlu.server.route import Guard, Routes, install
from danlu.server.routes import ALL


def served() -> dict[tuple[str, str], APIRoute | APIWebSocketRoute]:
    found: dict[tuple[str, str], APIRoute | APIWebSocketRoute] = {}
    for route in bare_app().routes:
        if isinstance(route, APIRoute):
            found.update({(method, route.path): route for method in route.methods or ()})
        elif isinstance(route, APIWebSocketRoute):
            found["WS", route.path] = route
    return found


def test_a_route_without_a_rule_is_not_served_and_no_rule_is_idle():
    assert set(served()) == set(RULES)


def test_an_application_with_a_route_without_a_rule_does_not_start():
    routes = Routes("new")
    routes.add("GET", "/api/v1/new")(lambda: None)
    with pytest.raises(KeyError, match="/api/v1/new"):
        install(FastAPI(), routes)


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
    }


def test_every_permission_opens_something():
    assert set(Permission) <= {rule.permission for rule in RULES.values()}


def test_every_route_says_what_it_does():
    assert all(route.summary.endswith(".") for routes in ALL for route in routes.all)
