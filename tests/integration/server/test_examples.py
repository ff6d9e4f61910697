"""Examples over HTTP: what is listed can be submitted as it stands."""

from __future__ import annotations

import httpx

from danlu.sdk.code.jobfile import parse
from tests.fakes.server import ENGINEER, World


def test_a_listed_example_is_submitted_as_it_stands(here: World, client: httpx.Client):
    headers = here.bearer(ENGINEER)
    items = client.get("/api/v1/examples", headers=headers).json()["items"]
    one = next(each for each in items if each["id"] == "plain-resume")
    made = client.post("/api/v1/jobs", headers=headers, json=parse(one["file"]).data)
    assert made.status_code == 201, made.text
    found = client.get("/api/v1/examples/plain-resume", headers=headers).json()
    assert found.pop("files")["train.py"].startswith('"""Fits a line')
    assert found == one


def test_an_example_that_there_is_not_is_not_found(here: World, client: httpx.Client):
    answer = client.get("/api/v1/examples/gone", headers=here.bearer(ENGINEER))
    assert (answer.status_code, answer.json()["detail"]) == (404, "there is no example 'gone'")
