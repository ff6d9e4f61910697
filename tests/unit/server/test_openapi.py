"""The OpenAPI document tells all, and tells it shortly."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.server.http.access import OPEN
from danlu.server.openapi import bare_app, document
from danlu.server.routes import ALL

RULES = {(route.method, route.path): route.rule for routes in ALL for route in routes.all}


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return document(bare_app())


def operations(found: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, verbs in found["paths"].items():
        for method, operation in verbs.items():
            yield method.upper(), path, operation


def test_every_route_is_in_it(found):
    assert {(m, p) for m, p, _ in operations(found)} == {key for key in RULES if key[0] != "WS"}


def test_operation_names_are_short_and_unique(found):
    names = [operation["operationId"] for _, _, operation in operations(found)]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and len(name) <= 20 for name in names)


def test_refusals_are_problems(found):
    for method, path, operation in operations(found):
        for status, answer in operation["responses"].items():
            if int(status) >= 400 and method != "HEAD":
                assert list(answer["content"]) == ["application/problem+json"], (method, path, status)


PROVES = {"POST /api/v1/session", "POST /api/v1/session/link"}
"""Open to everybody, and refuses those who cannot prove who they are."""


def test_what_asks_for_a_sign_in_says_so(found):
    for method, path, operation in operations(found):
        needed = RULES[method, path].permission is not OPEN
        assert bool(operation["security"]) is needed
        assert ("401" in operation["responses"]) is (needed or f"{method} {path}" in PROVES)


def test_a_job_file_and_a_body_of_ours_are_described(found):
    submit = found["paths"]["/api/v1/jobs"]["post"]
    assert submit["requestBody"]["content"]["application/json"]["schema"]["type"] == "object"
    assert submit["x-permission"] == "job:write"
    sign_in = found["paths"]["/api/v1/session"]["post"]
    reference = {"$ref": "#/components/schemas/SignIn"}
    assert sign_in["requestBody"]["content"]["application/json"]["schema"] == reference
    assert found["components"]["schemas"]["SignIn"]["required"] == ["username", "password"]


def test_query_parameters_keep_their_bounds(found):
    parameters = {one["name"]: one for one in found["paths"]["/api/v1/jobs"]["get"]["parameters"]}
    assert parameters["limit"]["schema"] == {"type": "integer", "default": 50, "minimum": 1, "maximum": 500}
    assert parameters["state"]["schema"]["items"]["enum"][0] == "created"
    assert "anyOf" not in json.dumps(parameters)


def test_every_reference_leads_somewhere(found):
    text = json.dumps(found)
    names = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(found["components"]["schemas"])
    assert "HTTPValidationError" not in text


def test_it_is_printed_without_a_database(found):
    done = subprocess.run(
        [sys.executable, "-m", "danlu.server.openapi"], check=True, capture_output=True, text=True
    )
    assert json.loads(done.stdout) == found
