"""Staff start, restart and reset other people's jobs: in the owner's name, and told in the audit log."""

from __future__ import annotations

import time
from itertools import count

import pytest

from danlu.domain.job import JobState
from danlu.domain.people import UserRole
from danlu.domain.rules import PriorityClass, Project, Quota
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, PASSWORD, VIEWER, job_file

OPERATOR = "olga-of-staff"
_numbers = count()


@pytest.fixture(scope="module")
def operator(here):
    here.people.make_user(OPERATOR, UserRole.OPERATOR, "Olga", PASSWORD)
    return OPERATOR


@pytest.fixture
def theirs(ask, here):
    """A job of an engineer's that was not started."""
    made = ask(ENGINEER, "POST", "jobs", json=job_file(f"theirs-{next(_numbers)}"))
    assert made.status_code == 201, made.text
    yield made.json()["id"]
    for quota in here.registry.quotas():
        here.registry.remove(here.caller(ADMINISTRATOR), Quota, quota)
    ask(ENGINEER, "POST", f"jobs/{made.json()['id']}/stop")


def told(ask, job):
    entries = ask(ADMINISTRATOR, "GET", "audit", params={"limit": 50}).json()["items"]
    return [one["act"] for one in entries if one["subject"] == f"job:{ENGINEER}:{job['name']}#{job['run']}"]


def test_an_administrator_starts_and_restarts_a_job_in_its_owners_name(ask, theirs):
    started = ask(ADMINISTRATOR, "POST", f"jobs/{theirs}/start")
    assert started.status_code == 200, started.text
    job = started.json()
    assert (job["owner"], job["state"]) == (ENGINEER, "queued")
    assert ask(ADMINISTRATOR, "POST", f"jobs/{theirs}/restart").status_code == 200
    assert told(ask, job) == ["restarted", "started"]


@pytest.mark.parametrize("who", [OTHER, VIEWER, OPERATOR])
def test_nobody_else_does(ask, operator, theirs, who):
    assert ask(who, "POST", f"jobs/{theirs}/start").status_code in (403, 404)


def test_the_owners_quota_counts_and_never_the_administrators(ask, here, theirs):
    none = {"amounts": {"all": {"jobs": 0}}}
    assert ask(ADMINISTRATOR, "PUT", f"quotas/user:{ADMINISTRATOR}", json=none).status_code == 200
    assert ask(ADMINISTRATOR, "POST", f"jobs/{theirs}/start").status_code == 200
    assert ask(ADMINISTRATOR, "POST", f"jobs/{theirs}/stop").status_code == 200
    assert ask(ADMINISTRATOR, "DELETE", f"quotas/user:{ADMINISTRATOR}").status_code == 204
    assert ask(ADMINISTRATOR, "PUT", f"quotas/user:{ENGINEER}", json=none).status_code == 200
    refused = ask(ADMINISTRATOR, "POST", f"jobs/{theirs}/start")
    assert (refused.status_code, refused.json()["type"]) == (409, "insufficient_quota")


def test_the_owners_projects_and_priorities_count_and_never_the_administrators(ask, here):
    admin = here.caller(ADMINISTRATOR)
    here.registry.add(admin, Project("staffed", 1))
    here.registry.add(admin, PriorityClass("leads-only", 50))
    member = f"projects/staffed/members/{ENGINEER}"
    assert ask(ADMINISTRATOR, "PUT", member, json={"role": "member"}).status_code == 200
    made = ask(
        ENGINEER, "POST", "jobs", json=job_file("in-staffed", project="staffed", priority="leads-only")
    )
    assert made.status_code == 201, made.text
    where = f"jobs/{made.json()['id']}/start"
    here.registry.edit(admin, PriorityClass, "leads-only", {"groups": ("leads",)})
    (error,) = ask(ADMINISTRATOR, "POST", where).json()["errors"]
    assert error["code"] == "priority_not_allowed"
    here.registry.edit(admin, PriorityClass, "leads-only", {"groups": ()})
    assert ask(ADMINISTRATOR, "DELETE", member).status_code == 204
    (error,) = ask(ADMINISTRATOR, "POST", where).json()["errors"]
    assert error["code"] == "not_a_member", "though an administrator may queue anywhere"


def test_a_scoped_token_starts_its_owners_jobs_and_nobody_elses(here):
    eve, admin = here.caller(ENGINEER), here.caller(ADMINISTRATOR)
    may_write = frozenset({"job:write", "job:read"})
    assert type(eve)(eve.user, may_write).may("job:start", ENGINEER)
    assert not type(admin)(admin.user, may_write).may("job:start", ENGINEER)


def test_a_failed_job_is_revived_by_an_operators_reset(fresh):
    fresh.people.make_user(OPERATOR, UserRole.OPERATOR, "Olga", PASSWORD)
    eve, olga = fresh.caller(ENGINEER), fresh.caller(OPERATOR)
    file = job_file("fails-once", env={"SIMULATED_EXIT_CODE": "1", "SIMULATED_RUN_FOR": "1ms"})
    job = fresh.jobs.create(eve, file, start=True)
    until = time.monotonic() + 60
    while fresh.jobs.get(eve, job.id).state is not JobState.FAILED and time.monotonic() < until:
        fresh.controller.step()
    failed = fresh.jobs.get(eve, job.id)
    assert failed.state is JobState.FAILED
    assert "reset" in fresh.jobs.actions(olga, failed)
    revived = fresh.jobs.act(olga, job.id, "reset")
    assert (revived.state, revived.ended_at, revived.attempts) == (JobState.CREATED, None, failed.attempts)
    assert fresh.jobs.act(eve, job.id, "start").state is JobState.QUEUED
