"""What the matrix of all requests does not show: lists, tokens, leaving, and rights that are lost meanwhile."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from danlu.domain.members import MemberRole
from danlu.domain.people import UserRole
from danlu.domain.rules import Project
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, world
from tests.fakes.shells import Shells
from tests.live import PATIENCE

LONG = {"SIMULATED_RUN_FOR": "1h"}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), shells=Shells()) as made:
        yield made


def test_others_jobs_are_not_in_the_list_but_for_administrators(ask, here):
    here.jobs.create(here.caller(ENGINEER), job_file("not-for-all"))
    assert ask(OTHER, "GET", "jobs?search=not-for-all").json()["total"] == 0
    assert ask(OTHER, "GET", f"jobs?search=not-for-all&owner={ENGINEER}").json()["total"] == 0
    assert ask(ENGINEER, "GET", "jobs?search=not-for-all").json()["total"] == 1
    assert ask(ADMINISTRATOR, "GET", f"jobs?search=not-for-all&owner={ENGINEER}").json()["total"] == 1


def test_what_one_may_not_know_of_is_answered_as_what_there_is_not(ask, here):
    """Nobody learns from a refusal who has an account, or what is called how."""
    here.jobs.create(here.caller(ENGINEER), job_file("secret"))
    for path in (
        "users/{}",
        "users/{}/keys",
        "users/{}/quota",
        "scores/{}",
        "scores/{}/ledger",
        "jobs/{}:secret",
    ):
        there, not_there = (ask(OTHER, "GET", path.format(name)) for name in (ENGINEER, "nobody"))
        assert there.status_code == not_there.status_code in (403, 404)
        assert there.text.replace(ENGINEER, "nobody") == not_there.text


def test_a_token_does_no_more_than_its_scopes(ask, here):
    secret, _ = here.people.make_token(here.caller(ENGINEER), "narrow", ("job:read",))
    narrow = {"headers": {"Authorization": f"Bearer {secret}"}}
    assert ask(None, "GET", "jobs", **narrow).status_code == 200
    assert ask(None, "POST", "jobs", json=job_file("beyond"), **narrow).status_code == 403
    assert ask(None, "GET", "nodes", **narrow).status_code == 403
    assert ask(None, "GET", "permissions", **narrow).json() == {"items": ["job:read"], "everywhere": []}


@pytest.mark.parametrize("who", [ADMINISTRATOR, ENGINEER, VIEWER])
def test_everybody_leaves_a_project_by_themselves(ask, here, who):
    project = in_project(here, f"left-by-{who}", who, MemberRole.VIEWER)
    assert ask(who, "DELETE", f"projects/{project}/members/{who}").status_code == 204
    assert ask(who, "GET", f"projects/{project}").json()["my_role"] is None


def test_whoever_only_looks_at_a_project_now_queues_nothing_more_in_it(ask, here):
    project = in_project(here, "looked-at", ENGINEER, MemberRole.MEMBER)
    made = {state: create(ask, f"{state}-there", project, state == "active") for state in ("idle", "active")}
    here.services.projects.members.set(here.caller(ADMINISTRATOR), project, ENGINEER, MemberRole.VIEWER)
    here.app.state.desk.identity.forget()
    for method, path, body in (
        ("POST", "jobs", job_file("another-there", project=project)),
        ("POST", f"jobs/{made['idle']}/clone", {}),
        ("PUT", f"jobs/{made['idle']}/spec", job_file("idle-there", project=project)),
        ("POST", f"jobs/{made['idle']}/start", None),
        ("POST", f"jobs/{made['active']}/restart", None),
    ):
        refused = ask(ENGINEER, method, path, json=body)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "not_a_member"), path


# ── rights that are lost ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def leaver(here) -> str:
    """Somebody with a running job, who is about to be disabled."""
    name = f"leaver-{len(here.store.users())}"
    here.people.make_user(name, UserRole.ENGINEER)
    here.jobs.create(here.caller(name), job_file("kept", env=LONG), start=True)
    here.controller.step()
    here.controller.step()
    return name


@pytest.mark.parametrize("path", ["live", "jobs/kept/exec"])
def test_a_socket_of_somebody_disabled_is_closed_at_once(ask, here, url, leaver, path):
    with connect(f"ws{url[4:]}/api/v1/{path}", additional_headers=here.bearer(leaver)) as socket:
        disable(ask, leaver)
        with contextlib.suppress(ConnectionClosed):
            while True:
                socket.recv(timeout=PATIENCE)


def test_a_stream_of_somebody_disabled_ends_at_once(ask, here, client, leaver, monkeypatch):
    monkeypatch.setattr("danlu.server.events.routes.HEARTBEAT_S", 600)  # not at the next beat
    with client.stream("GET", "/api/v1/events", headers=here.bearer(leaver)) as response:
        pieces = response.iter_raw()
        next(pieces)
        disable(ask, leaver)
        assert not [piece for piece in pieces if b"data:" in piece]


def test_not_a_line_more_of_a_log_for_somebody_disabled(ask, here, client, leaver):
    job = here.store.find(leaver, "kept")
    here.write_log(job.id, b"1700000000.000 o in time\n")
    with client.stream("GET", "/api/v1/jobs/kept/logs?follow=true", headers=here.bearer(leaver)) as response:
        pieces = response.iter_raw()
        assert any(b"in time" in piece for piece in pieces)
        disable(ask, leaver)
        here.write_log(job.id, b"1700000000.001 o too late\n")
        assert b"too late" not in b"".join(pieces)


def disable(ask, name: str) -> None:
    assert ask(ADMINISTRATOR, "PATCH", f"users/{name}", json={"disabled": True, "jobs": "keep"}).is_success


def create(ask, name: str, project: str, start: bool) -> str:
    file = job_file(name, project=project, env=LONG)
    return str(ask(ENGINEER, "POST", f"jobs?start={json.dumps(start)}", json=file).json()["id"])


def in_project(here: World, name: str, who: str, role: MemberRole) -> str:
    """A project of its own to which they belong."""
    administrator = here.caller(ADMINISTRATOR)
    here.registry.add(administrator, Project(name))
    here.services.projects.members.set(administrator, name, who, role)
    here.app.state.desk.identity.forget()
    return name
