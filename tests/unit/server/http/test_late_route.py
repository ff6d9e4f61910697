"""A route is built with its first request, and is then what FastAPI would have built at start."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute, Match

from danlu.server.http import problems
from danlu.server.http.late_route import LateRoute
from danlu.server.openapi import bare_app

BUILT: list[str] = []


@pytest.fixture
def app() -> FastAPI:
    BUILT.clear()
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    problems.install(app)
    for method, path in (
        ("GET", "/jobs"),
        ("GET", "/jobs/{job}"),
        ("PUT", "/jobs/{job}"),
        ("GET", "/jobs/{job}/logs"),
        ("WS", "/jobs/{job}/exec"),
        ("GET", "/nodes/{node}"),
    ):
        app.router.routes.append(late(method, path))
    return app


def late(method: str, path: str) -> LateRoute:
    def build() -> APIRoute | APIWebSocketRoute:
        BUILT.append(f"{method} {path}")
        router = APIRouter()
        if method == "WS":
            router.add_api_websocket_route(path, lambda: None)
        else:
            router.add_api_route(
                path, lambda job="": {"asked": f"{method} {path}", "job": job}, methods=[method]
            )
        route = router.routes[0]
        assert isinstance(route, (APIRoute, APIWebSocketRoute))
        return route

    return LateRoute(method, path, build)


def test_only_what_is_asked_is_built_and_only_once(app: FastAPI) -> None:
    for _ in range(2):
        assert ask(app, "GET", "/jobs/a").json() == {"asked": "GET /jobs/{job}", "job": "a"}
    assert BUILT == ["GET /jobs/{job}"]


@pytest.mark.parametrize(
    "path", ["/", "/jobs/", "/jobs/a/", "/jobs/a/b", "/nodes", "/nodes/a/b", "/job", "/jobs2"]
)
def test_another_address_is_none_of_them(app: FastAPI, path: str) -> None:
    assert ask(app, "GET", path).status_code == 404
    assert BUILT == []


def test_a_method_that_is_not_known_there_is_told_all_that_are(app: FastAPI) -> None:
    answer = ask(app, "DELETE", "/jobs/a")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, PUT")


def test_a_socket_and_a_request_do_not_find_each_other(app: FastAPI) -> None:
    assert ask(app, "GET", "/jobs/a/exec").status_code == 404
    socket, request = late("WS", "/jobs/{job}/exec"), late("GET", "/jobs/{job}/logs")
    scope = {"type": "websocket", "path": "/jobs/a/logs", "root_path": ""}
    assert matched(socket, scope) is matched(request, scope) is Match.NONE
    assert matched(socket, {**scope, "path": "/jobs/a/exec"}) is Match.FULL


def ask(app: FastAPI, method: str, path: str) -> httpx.Response:
    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return await client.request(method, path)

    return asyncio.run(answer())


def matched(route: BaseRoute, scope: dict[str, str]) -> Match:
    return route.matches(scope)[0]


def test_every_route_that_is_served_is_late_and_as_the_documented_one() -> None:
    served, documented = bare_app(documented=False).routes, bare_app().routes
    assert len(served) == len(documented) > 150
    for one, other in zip(served, documented, strict=True):
        assert isinstance(one, LateRoute)
        assert isinstance(other, (APIRoute, APIWebSocketRoute))
        assert (one.path, one.methods) == (other.path, getattr(other, "methods", set()))
        path = one.path.replace("{", "").replace("}", "")
        kind = "http" if isinstance(other, APIRoute) else "websocket"
        scope = {"type": kind, "path": path, "method": next(iter(one.methods), ""), "root_path": ""}
        for route in (one, other):
            match, found = route.matches(scope)
            assert match is Match.FULL
            assert found["endpoint"] is other.endpoint
            assert found["path_params"].keys() == other.param_convertors.keys()
