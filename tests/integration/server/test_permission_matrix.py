"""Every route × everybody × one's own, in one's project, of others: the real application does what the table says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from danlu.domain.people import UserRole
from danlu.domain.permissions import IMPLIED, Permission, Relation
from danlu.server.http.access import IN_PERSON, OPEN, TASK
from danlu.server.http.verdicts import Verdict, verdict
from danlu.server.route import Route
from danlu.server.routes import ALL
from tests.fakes.samples import SAMPLES, Sample
from tests.fakes.server import ADMINISTRATOR, World, world
from tests.fakes.shells import Shells
from tests.fakes.stage import ASKERS, Stage
from tests.live import PATIENCE

ROUTES = [route for routes in ALL for route in routes.all]
CASES = [
    (route, role, relation)
    for route in ROUTES
    for role in UserRole
    for relation in route.rule.about.relations
]
SAID = {Verdict.REFUSED: 403, Verdict.HIDDEN: 404}
PROVIDER = {"name": "lab", "issuer": "http://127.0.0.1:9", "client_id": "danlu"}
FINAL = {("DELETE", "/api/v1/users/{name}"), ("POST", "/api/v1/users/{name}/link")}
"""What leaves an account that cannot go on asking; a newcomer asks."""
_OUTSIDE = re.compile(r"volumes/\{volume\}/(check|login)$")
"""Of a volume that is attached to nothing they are a conflict, for those who may."""


def shown(value: Any) -> str | None:
    return f"{value.method} {value.path}" if isinstance(value, Route) else None


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    root = tmp_path_factory.mktemp("world")
    with world(root, Shells(), Shells(), oidc=[PROVIDER], sign_in_attempts=1000) as made:
        yield made


@pytest.fixture(scope="module")
def stage(here: World) -> Stage:
    return Stage(here)


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=PATIENCE) as made:
        yield made


class Asker:
    def __init__(self, here: World, stage: Stage, client: httpx.Client) -> None:
        self._here, self._stage, self._client = here, stage, client

    def __call__(self, route: Route, who: str, relation: Relation, headers: dict[str, str]) -> int:
        """The status of the answer, also to the handshake of a socket."""
        make = SAMPLES.get((route.method, route.path))
        if make is None:
            pytest.fail(f"{route.method} {route.path} is new: add a sample of it to tests/fakes/samples.py")
        sample = make(self._stage, who, relation)
        self._here.app.state.desk.identity.forget()  # the stage has just changed who belongs where
        path = route.path.format(**sample.names)
        return self._knock(path, headers) if route.method == "WS" else self._ask(route, path, sample, headers)

    def _ask(self, route: Route, path: str, sample: Sample, headers: dict[str, str]) -> int:
        self._client.cookies.clear()  # whoever was signed in by a request is not who asks next
        sent = {**sample.sent, "headers": {**sample.sent.get("headers", {}), **headers}}
        with self._client.stream(route.method, path, **sent) as answer:
            return answer.status_code

    def _knock(self, path: str, headers: dict[str, str]) -> int:
        try:
            with connect(
                f"ws{str(self._client.base_url)[4:]}".rstrip("/") + path, additional_headers=headers
            ):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code


@pytest.fixture(scope="module")
def ask(here: World, stage: Stage, client: httpx.Client) -> Asker:
    return Asker(here, stage, client)


@pytest.mark.parametrize(("route", "role", "relation"), CASES, ids=shown)
def test_everybody_may_what_the_table_says(ask, here, stage, route, role, relation):
    who = stage.newcomer(role) if (route.method, route.path) in FINAL else ASKERS[role]
    status = ask(route, who, relation, here.bearer(who))
    expected = verdict(route.rule, role, relation)
    if expected is Verdict.ALLOWED:
        assert status < 400 or (status == 409 and _OUTSIDE.search(route.path))
    else:
        assert status == SAID[expected]


@pytest.mark.parametrize("route", ROUTES, ids=shown)
def test_nobody_gets_in_but_where_it_is_open(ask, route):
    status = ask(route, ADMINISTRATOR, route.rule.about.relations[0], {})
    assert status < 400 if route.rule.permission is OPEN else status == 401


@pytest.mark.parametrize("route", ROUTES, ids=shown)
def test_a_token_with_every_scope_but_the_one_asked_for_is_refused(ask, here, stage, route):
    asked = route.rule.permission if isinstance(route.rule.permission, Permission) else route.rule.on_it
    scopes = tuple(one for one in Permission if one not in (asked, IMPLIED.get(asked)))
    secret, _ = here.people.make_token(here.caller(ADMINISTRATOR), stage.new("token"), scopes)
    relation = route.rule.about.relations[0]
    status = ask(route, ADMINISTRATOR, relation, {"Authorization": f"Bearer {secret}"})
    refused = asked is not None or route.rule.permission in (IN_PERSON, TASK)
    assert (
        status == 403 if refused else (status < 400 or (status == 409 and bool(_OUTSIDE.search(route.path))))
    )


def test_every_route_of_the_application_was_asked(here):
    """Also those that nobody declared as a route of ours."""
    assert {getattr(route, "path", None) for route in here.app.routes} == {route.path for route in ROUTES}
