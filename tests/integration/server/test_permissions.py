"""Role × own or other, over every job endpoint, with the real application."""

from __future__ import annotations

import pytest

from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file

LONG = {"SIMULATED_RUN_FOR": "1h"}
RUNNING, IDLE = "running", "idle"

ENDPOINTS = [
    ("GET", "jobs/{job}", IDLE),
    ("GET", "jobs/{job}/events", IDLE),
    ("GET", "jobs/{job}/logs", IDLE),
    ("PUT", "jobs/{job}/spec", IDLE),
    ("POST", "jobs/{job}/start", IDLE),
    ("POST", "jobs/{job}/stop", RUNNING),
    ("POST", "jobs/{job}/restart", RUNNING),
    ("POST", "jobs/{job}/reset", RUNNING),
    ("POST", "jobs/{job}/clone", IDLE),
    ("DELETE", "jobs/{job}", IDLE),
    ("PUT", "jobs/{job}/pin", RUNNING),
    ("DELETE", "jobs/{job}/pin", RUNNING),
]
READS = {"GET jobs/{job}", "GET jobs/{job}/events", "GET jobs/{job}/logs"}
MANAGES = {"POST jobs/{job}/stop", "POST jobs/{job}/reset", "DELETE jobs/{job}"}
CLONE = "POST jobs/{job}/clone"
PINS = {"PUT jobs/{job}/pin", "DELETE jobs/{job}/pin"}

# What one may not read does not exist (404); what one may not do is refused (403).
EXPECTED = {
    (ENGINEER, ENGINEER): lambda what: 403 if what in PINS else 2,
    (ADMINISTRATOR, ENGINEER): lambda what: 2 if what in READS | MANAGES | PINS | {CLONE} else 403,
    (OTHER, ENGINEER): lambda what: 403 if what in PINS else 404,
    (VIEWER, ENGINEER): lambda what: 404 if what in READS else 403,
    (None, ENGINEER): lambda what: 401,
}


@pytest.mark.parametrize(("method", "path", "state"), ENDPOINTS)
@pytest.mark.parametrize(("who", "owner"), EXPECTED)
def test_who_may_do_what_with_whose_job(ask, here, who, owner, method, path, state):
    name = f"{method}-{path.rpartition('/')[2].strip('{}')}-{who}".lower()[:60]
    job = here.jobs.create(here.caller(owner), job_file(name, env=LONG), start=state == RUNNING)
    if state == RUNNING:
        here.controller.step()
        here.controller.step()
    body = {"json": job_file(name, description="other")} if path.endswith("spec") else {}
    answer = ask(who, method, path.format(job=job.id), **body)
    expected = EXPECTED[who, owner](f"{method} {path}")
    assert answer.status_code == expected or answer.status_code // 100 == expected, answer.text
    if state == RUNNING and here.jobs.get(here.caller(owner), job.id).active:
        here.jobs.act(here.caller(owner), job.id, "reset")


def test_others_jobs_are_not_in_the_list_but_for_administrators(ask, here):
    here.jobs.create(here.caller(ENGINEER), job_file("not-for-all"))
    assert ask(OTHER, "GET", "jobs?search=not-for-all").json()["total"] == 0
    assert ask(OTHER, "GET", f"jobs?search=not-for-all&owner={ENGINEER}").json()["total"] == 0
    assert ask(ENGINEER, "GET", "jobs?search=not-for-all").json()["total"] == 1
    assert ask(ADMINISTRATOR, "GET", f"jobs?search=not-for-all&owner={ENGINEER}").json()["total"] == 1


def test_a_viewer_submits_nothing(ask):
    assert ask(VIEWER, "POST", "jobs", json=job_file("no-chance")).status_code == 403
    assert ask(VIEWER, "POST", "jobs/check", json={}).status_code == 403
    assert ask(VIEWER, "PUT", "code/" + "0" * 64, content=b"x").status_code == 403


@pytest.mark.parametrize("who", [ENGINEER, VIEWER])
@pytest.mark.parametrize("method_path", ["GET users", "POST users", "PATCH users/eve", "DELETE users/eve"])
def test_people_are_for_administrators(ask, who, method_path):
    method, path = method_path.split()
    assert ask(who, method, path, **({"json": {}} if method in ("POST", "PATCH") else {})).status_code == 403


def test_a_token_does_no_more_than_its_scopes(ask, here):
    secret, _ = here.people.make_token(here.caller(ENGINEER), "narrow", ("job:read",))
    narrow = {"headers": {"Authorization": f"Bearer {secret}"}}
    assert ask(None, "GET", "jobs", **narrow).status_code == 200
    assert ask(None, "POST", "jobs", json=job_file("beyond"), **narrow).status_code == 403
    assert ask(None, "GET", "nodes", **narrow).status_code == 403
    assert ask(None, "GET", "permissions", **narrow).json() == {"items": ["job:read"]}
