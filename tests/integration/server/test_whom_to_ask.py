"""Refusals and reasons name administrators to whom one can turn, and to nobody else."""

from __future__ import annotations

from danlu.server.http.models import Problem
from danlu.server.queue.models import Why
from tests.fakes.server import ADMINISTRATOR, ENGINEER, job_file

LARGE = {"gpus": 8, "gpu": "A100", "cpus": 1}


def test_a_missing_permission_names_administrators_by_name_alone(ask, here):
    refused = ask(ENGINEER, "PUT", "quotas/default", json={})
    assert refused.status_code == 403
    body = refused.json()
    Problem.model_validate(body)
    assert [one["name"] for one in body["administrators"]] == [ADMINISTRATOR]
    assert all(one.keys() == {"name", "display_name"} for one in body["administrators"])
    assert ADMINISTRATOR in body["ask"]["en"]
    assert body["ask"]["en"].startswith("ask an administrator: ")
    assert body["ask"]["zh"].startswith("请联系管理员：")


def test_a_quota_and_a_priority_do_too(ask):
    ask(ADMINISTRATOR, "PUT", "quotas/default", json={"amounts": {"all": {"gpus": 1}}})
    ask(ADMINISTRATOR, "POST", "priorities", json={"name": "theirs", "value": 500, "groups": ["none"]})
    try:
        large = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("large", resources=LARGE))
        assert (large.status_code, large.json()["type"]) == (409, "insufficient_quota")
        urgent = ask(ENGINEER, "POST", "jobs", json=job_file("urgent", priority="theirs"))
        assert [one["code"] for one in urgent.json()["errors"]] == ["priority_not_allowed"]
        assert {large.json()["ask"]["en"], urgent.json()["ask"]["en"]} == {urgent.json()["ask"]["en"]}
        wrong = ask(ENGINEER, "POST", "jobs", json=job_file("wrong", kind="nothing"))
        assert "ask" not in wrong.json(), "nobody need help with a mistake"
    finally:
        ask(ADMINISTRATOR, "DELETE", "quotas/default")
        ask(ADMINISTRATOR, "DELETE", "priorities/theirs")


def test_who_is_not_signed_in_learns_no_names_and_an_administrator_needs_none(ask, here, client):
    for headers in ({}, {"Authorization": "Bearer danlu_wrong"}):
        answer = client.get("/api/v1/users", headers=headers)
        assert answer.status_code == 401
        assert ADMINISTRATOR not in answer.text
    refused = ask(ADMINISTRATOR, "DELETE", f"users/{ADMINISTRATOR}")
    assert refused.status_code >= 400
    assert "administrators" not in refused.json()


def test_why_a_job_waits_names_them_where_they_can_help(ask, here):
    assert ask(ADMINISTRATOR, "POST", "projects", json={"name": "shut", "open": True}).status_code == 201
    job = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("waits", project="shut")).json()
    try:
        ask(ADMINISTRATOR, "PATCH", "projects/shut", json={"closed": True})
        found = ask(ENGINEER, "GET", f"jobs/{job['id']}/why").json()
        Why.model_validate(found)
        assert (found["reason"]["code"], found["ask"]["en"]) == ("project_closed", found["ask"]["en"])
        assert [one["name"] for one in found["administrators"]] == [ADMINISTRATOR]
    finally:
        ask(ENGINEER, "POST", f"jobs/{job['id']}/stop")
        ask(ENGINEER, "DELETE", f"jobs/{job['id']}")
        ask(ADMINISTRATOR, "DELETE", "projects/shut")
