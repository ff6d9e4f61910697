"""Quotas over HTTP: set, raised, run into, and looked at by those who may."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.rules import Quota
from danlu.server.http.models import Problem
from danlu.server.projects.models import UsableProjects
from danlu.server.quotas import models as wire
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file

CAP = {"quota": "user:eve", "class": "all", "resource": "tasks", "limit": 10_000, "used": 1, "source": "default", "until": None}  # fmt: skip
"""What holds for everybody without a quota."""
ONE_GPU = {"gpus": 1, "gpu": "A100", "cpus": 1}


@pytest.fixture(autouse=True)
def no_quotas(here):
    yield
    for name in here.registry.quotas():
        here.registry.remove(here.caller(ADMINISTRATOR), Quota, name)
    for row in here.store.holdings(None):
        for name in [name for _, name in here.store.holders([row.owner], None, "jobs", 100)]:
            here.jobs.act(here.caller(ADMINISTRATOR), f"{row.owner}:{name}", "stop")


def test_a_quota_is_put_changed_raised_and_removed(ask):
    body: dict[str, Any] = {
        "amounts": {
            "workspace": {"gpus": 2.5, "memory": "64GiB", "jobs": 3},
            "all": {"A100": 8, "cpus": None},
        },
        "storage": {"block": "1TiB", "bucket": None},
        "description": "words",
    }
    shown = {
        "name": "user:eve",
        "amounts": {
            "workspace": {"gpus": 2.5, "memory": 64 * 2**30, "jobs": 3},
            "all": {"cpus": None, "A100": 8},
        },
        "storage": {"block": 2**40, "bucket": None},
        "raises": [],
        "description": "words",
    }
    made = ask(ADMINISTRATOR, "PUT", "quotas/user:eve", json=body)
    assert (made.status_code, made.json()) == (200, shown)
    assert ask(ADMINISTRATOR, "GET", "quotas/user:eve").json() == shown
    raised = ask(
        ADMINISTRATOR,
        "POST",
        "quotas/user:eve/raises",
        json={"amounts": {"all": {"A100": 16}}, "life": "7d", "reason": "why"},
    )
    assert raised.status_code == 201
    wire.Quota.model_validate(raised.json())
    (more,) = raised.json()["raises"]
    assert (more["amounts"], more["by"], more["reason"]) == ({"all": {"A100": 16}}, "admin", "why")
    edited = ask(ADMINISTRATOR, "PATCH", "quotas/user:eve", json={"description": "other words"})
    assert (edited.json()["amounts"], edited.json()["raises"]) == (shown["amounts"], [more])
    put = ask(ADMINISTRATOR, "PUT", "quotas/user:eve", json={}).json()
    assert (put["amounts"], put["storage"], put["description"], put["raises"]) == ({}, {}, "", [more])
    assert ask(ADMINISTRATOR, "DELETE", "quotas/user:eve/raises").json()["raises"] == []
    assert ask(ADMINISTRATOR, "DELETE", "quotas/user:eve").status_code == 204
    for method in ("GET", "DELETE"):
        assert ask(ADMINISTRATOR, method, "quotas/user:eve").status_code == 404
    assert ask(ADMINISTRATOR, "PATCH", "quotas/user:eve", json={}).status_code == 404


def test_many_are_set_alike_or_none_and_found_again(ask):
    alike = {"names": ["user:eve", "user:otto", "default"], "amounts": {"all": {"gpus": 4}}}
    made = ask(ADMINISTRATOR, "POST", "quotas/bulk", json=alike).json()
    assert [one["name"] for one in made["items"]] == alike["names"]
    page = ask(ADMINISTRATOR, "GET", "quotas", params={"search": "USER:", "limit": 1}).json()
    wire.QuotaList.model_validate(page)
    assert ([one["name"] for one in page["items"]], page["total"]) == (["user:eve"], 2)
    later = ask(ADMINISTRATOR, "GET", "quotas", params={"search": "user:", "cursor": page["next_cursor"]})
    assert [one["name"] for one in later.json()["items"]] == ["user:otto"]

    wrong = {"names": ["user:eve", "user:oto", "group:none"], "amounts": {"all": {"gpus": 1}}}
    refused = ask(ADMINISTRATOR, "POST", "quotas/bulk", json=wrong)
    assert refused.status_code == 422
    assert [(error["loc"], error["code"]) for error in refused.json()["errors"]] == [
        (["names", 1], "no_such_user"),
        (["names", 2], "no_such_group"),
    ]
    assert ask(ADMINISTRATOR, "GET", "quotas/user:eve").json()["amounts"] == {"all": {"gpus": 4}}


@pytest.mark.parametrize(
    ("body", "loc", "hint"),
    [
        ({"amounts": {"workspac": {"gpus": 1}}}, ["amounts", "workspac"], "did you mean 'workspace'?"),
        ({"amounts": {"all": {"gpus": -1}}}, ["amounts", "all", "gpus"], None),
        ({"amounts": {"all": {"jobs": 1.5}}}, ["amounts", "all", "jobs"], None),
        ({"amounts": {"all": {"A10": 1}}}, ["amounts", "all", "A10"], "did you mean 'A100'?"),
        ({"amounts": {"all": {"gpu": 1}}}, ["amounts", "all", "gpu"], "did you mean 'gpus'?"),
        ({"storage": {"blok": "1GiB"}}, ["storage", "blok"], "did you mean 'block'?"),
        ({"raises": []}, ["raises"], None),
    ],
)
def test_a_mistake_is_told_at_its_place(ask, body, loc, hint):
    refused = ask(ADMINISTRATOR, "PUT", "quotas/default", json=body)
    assert refused.status_code == 422, refused.text
    (error,) = refused.json()["errors"]
    assert (error["loc"], error.get("hint") if hint else None) == (loc, hint)


def test_a_name_that_is_nobodys_is_refused(ask):
    for name, code in (("eve", "bad_form"), ("user:nobody", "no_such_user"), ("group:none", "no_such_group")):
        refused = ask(ADMINISTRATOR, "PUT", f"quotas/{name}", json={})
        assert [error["code"] for error in refused.json()["errors"]] == [code]
    assert (
        ask(ADMINISTRATOR, "POST", "quotas/default/raises", json={"amounts": {}, "life": "1d"}).status_code
        == 422
    )


def test_whoever_runs_into_a_quota_is_told_all_of_it(ask):
    ask(ADMINISTRATOR, "PUT", "quotas/default", json={"amounts": {"workspace": {"gpus": 1}}})
    book = job_file("notebook", kind="workspace", resources=ONE_GPU)
    assert ask(ENGINEER, "POST", "jobs?start=true", json=book).status_code == 201
    another = {**book, "name": "another"}
    refused = ask(ENGINEER, "POST", "jobs?start=true", json=another)
    assert refused.status_code == 409
    told = refused.json()
    Problem.model_validate(told)
    assert (told["type"], told["title"]) == ("insufficient_quota", "insufficient quota")
    assert told["detail"] == "insufficient quota: eve uses 1 of 1 GPUs for workspaces and requests 1 more"
    assert told["shortfalls"] == [
        {
            "quota": "user:eve",
            "class": "workspace",
            "resource": "gpus",
            "used": 1,
            "asked": 1,
            "limit": 1,
            "jobs": ["eve:notebook"],
            "text": {
                "en": "eve uses 1 of 1 GPUs for workspaces and requests 1 more",
                "zh": "eve 的工作台配额为 1 卡，已用 1，还需 1",
            },
        }
    ]
    assert [error["loc"] for error in told["errors"]] == [["resources", "gpus"]]
    checked = ask(ENGINEER, "POST", "jobs/check", json=another).json()
    assert (checked["valid"], [error["code"] for error in checked["errors"]]) == (
        False,
        ["insufficient_quota"],
    )
    assert checked["shortfalls"] == told["shortfalls"]

    standing = ask(ENGINEER, "GET", "users/eve/quota").json()
    wire.QuotaStanding.model_validate(standing)
    assert standing["items"] == [
        {"quota": "user:eve", "class": "workspace", "resource": "gpus", "limit": 1, "used": 1, "source": "default", "until": None},
        CAP,
    ]  # fmt: skip
    ask(
        ADMINISTRATOR,
        "POST",
        "quotas/user:eve/raises",
        json={"amounts": {"workspace": {"gpus": 2}}, "life": "1h"},
    )
    assert ask(ENGINEER, "POST", "jobs?start=true", json=another).status_code == 201


# Who gets what for: the list, one, a put, another's standing, one's own.
LOOKS = {ADMINISTRATOR: (200, 200, 200, 200, 200), ENGINEER: (403, 403, 403, 403, 200), VIEWER: (403, 403, 403, 403, 200), None: (401,) * 5}  # fmt: skip


@pytest.mark.parametrize("who", LOOKS)
def test_who_may_look_at_and_set_quotas(ask, who):
    ask(
        ADMINISTRATOR,
        "PUT",
        "quotas/default",
        json={"amounts": {"all": {"gpus": 8}}, "storage": {"block": "1TiB"}},
    )
    answers = [
        ask(who, "GET", "quotas"),
        ask(who, "GET", "quotas/default"),
        ask(
            who, "PUT", "quotas/default", json={"amounts": {"all": {"gpus": 8}}, "storage": {"block": "1TiB"}}
        ),
        ask(who, "GET", f"users/{OTHER}/quota"),
        ask(who, "GET", f"users/{who}/quota"),
    ]
    assert tuple(one.status_code for one in answers) == LOOKS[who]
    if who is not None:
        block, code, _datasets, filesystem, personal, results = answers[-1].json()["storage"]
        assert (block["type"], block["limit"], block["used"]) == ("block", 2**40, 0)
        assert (filesystem["type"], filesystem["limit"], filesystem["used"]) == ("filesystem", 2**40, 0)
        assert (code["type"], code["limit"], code["used"]) == ("code", 20 * 2**30, 0)
        assert personal == {"type": "local", "limit": 2**40, "used": 0, "counted_at": None}
        assert (results["type"], results["limit"], results["used"]) == ("results", 50 * 2**30, 0)


def test_a_groups_quota_is_seen_by_its_members(ask, here):
    ask(ADMINISTRATOR, "POST", "groups", json={"name": "nlp"})
    ask(ADMINISTRATOR, "POST", "groups/nlp/members", json={"names": [ENGINEER]})
    ask(ADMINISTRATOR, "PUT", "quotas/group:nlp", json={"amounts": {"all": {"gpus": 1}}})
    assert (
        ask(ENGINEER, "POST", "jobs?start=true", json=job_file("of-group", resources=ONE_GPU)).status_code
        == 201
    )
    row = {"quota": "group:nlp", "class": "all", "resource": "gpus", "limit": 1, "used": 1, "source": "group", "until": None}  # fmt: skip
    for who in (ENGINEER, ADMINISTRATOR):
        assert ask(who, "GET", "groups/nlp/quota").json()["items"] == [row]
    assert ask(OTHER, "GET", "groups/nlp/quota").status_code == 403
    assert ask(ADMINISTRATOR, "GET", "groups/none/quota").status_code == 404
    assert ask(ENGINEER, "GET", "users/eve/quota").json()["items"] == [CAP, row]


def test_a_priority_may_need_a_reason_and_have_a_budget(ask):
    made = ask(
        ADMINISTRATOR,
        "POST",
        "priorities",
        json={"name": "now", "value": 500, "needs_reason": True, "budget": 0},
    )
    assert (made.json()["needs_reason"], made.json()["budget"]) == (True, 0)
    file = job_file("hurry", resources=ONE_GPU, priority="now")
    refused = ask(ENGINEER, "POST", "jobs", json=file)
    assert [error["loc"] for error in refused.json()["errors"]] == [["justification"]]
    file["justification"] = "x" * 501
    assert [error["code"] for error in ask(ENGINEER, "POST", "jobs", json=file).json()["errors"]] == [
        "too_long"
    ]
    file["justification"] = "a demonstration"
    job = ask(ENGINEER, "POST", "jobs", json=file)
    assert (job.status_code, job.json()["spec"]["justification"]) == (201, "a demonstration")
    spent = ask(ENGINEER, "POST", f"jobs/{job.json()['id']}/start")
    assert (spent.status_code, spent.json()["type"]) == (409, "budget_spent")
    assert [error["loc"] for error in spent.json()["errors"]] == [["priority"]]
    (budget,) = ask(ENGINEER, "GET", "users/eve/quota").json()["budgets"]
    assert (budget["priority"], budget["budget"], budget["spent"]) == ("now", 0, 0)
    assert ask(ADMINISTRATOR, "PATCH", "priorities/now", json={"budget": None}).json()["budget"] is None
    assert ask(ENGINEER, "POST", f"jobs/{job.json()['id']}/start").status_code == 200
    noted = ask(ADMINISTRATOR, "GET", "audit", params={"act": "started"}).json()["items"]
    assert [(one["by"], one["subject"], one["reason"]) for one in noted] == [
        ("eve", "job:eve:hurry#1", "a demonstration")
    ]


def test_where_one_may_queue_comes_with_what_is_left_of_the_quota(ask, here):
    ask(
        ADMINISTRATOR, "PUT", "quotas/user:eve", json={"amounts": {"all": {"gpus": 3}, "single": {"jobs": 5}}}
    )
    ask(ADMINISTRATOR, "POST", "projects", json={"name": "closed-shop", "description": "not hers"})
    started = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("mine-now", resources=ONE_GPU))
    assert started.status_code == 201, started.text
    answer = ask(ENGINEER, "GET", "me/projects")
    assert answer.status_code == 200, answer.text
    UsableProjects.model_validate(answer.json())
    usable = {one["name"]: one for one in answer.json()["items"]}
    assert "public" in usable
    assert "closed-shop" not in usable, "she is no member"
    assert usable["public"]["priorities"], "and what she may use there"
    left = {(one["class"], one["resource"]): one["left"] for one in answer.json()["left"]}
    assert (left["workspace", "gpus"], left["distributed", "gpus"], left["single", "jobs"]) == (2, 2, 4)
    theirs = {one["name"] for one in ask(ADMINISTRATOR, "GET", "me/projects").json()["items"]}
    assert "closed-shop" in theirs
    assert ask(VIEWER, "GET", "me/projects").status_code == 200
    ask(ADMINISTRATOR, "DELETE", "projects/closed-shop")


# ── raises that would do nothing ─────────────────────────────────────────────────────────────────────


def raise_by(ask, amounts, name="user:eve"):
    return ask(ADMINISTRATOR, "POST", f"quotas/{name}/raises", json={"amounts": amounts, "life": "1d"})


@pytest.mark.parametrize("name", ["user:eve", "default"])
def test_a_raise_where_nothing_is_bounded_is_refused_with_what_to_do(ask, here, name):
    refused = raise_by(ask, {"all": {"gpus": 9}}, name)
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert (error["loc"], error["code"]) == (["amounts", "all", "gpus"], "nothing_to_raise")
    assert "a raise would change nothing" in error["message"]
    assert "they may use what is free; what is bounded: 10000 tasks" in error["hint"]
    assert "临时提额不起作用" in error["text"]["zh"]
    assert name not in here.registry.quotas()


def test_a_raise_to_no_more_is_refused_and_a_longer_one_is_not(ask):
    ask(ADMINISTRATOR, "PUT", "quotas/default", json={"amounts": {"single": {"gpus": 2}}})
    (error,) = raise_by(ask, {"single": {"gpus": 2}}).json()["errors"]
    assert (error["code"], error["bound"]) == ("not_more", "2")
    (error,) = raise_by(ask, {"all": {"gpus": 8}}).json()["errors"]
    assert error["hint"].endswith("what is bounded: 2 GPUs for single-task jobs, 10000 tasks")
    assert [raise_by(ask, {"single": {"gpus": 4}}).status_code for _ in range(2)] == [201, 201]


def test_the_cap_on_tasks_that_holds_without_a_quota_is_lifted_by_a_raise(ask):
    assert raise_by(ask, {"all": {"tasks": 20_000}}).status_code == 201
    (row,) = ask(ENGINEER, "GET", "users/eve/quota").json()["items"]
    assert (row["limit"], row["source"], row["until"] is not None) == (20_000, "raise", True)


# ── limits and caps ──────────────────────────────────────────────────────────────────────────────────


def test_limits_and_caps_that_apply_to_a_person_are_told_with_their_use(ask, here):
    for limit in (
        {"name": "hers", "user": ENGINEER, "gpus": 4, "class": "single"},
        {"name": "his", "user": OTHER, "gpus": 4},
        {"name": "short", "user": "*", "max_time": "2d"},
    ):
        assert ask(ADMINISTRATOR, "POST", "limits", json=limit).status_code == 201
    for name, is_open in (("capped", True), ("closed-off", False)):
        made = {"name": name, "weight": 1, "cap": {"A100": 16}, "open": is_open}
        assert ask(ADMINISTRATOR, "POST", "projects", json=made).status_code == 201
    try:
        found = ask(ENGINEER, "GET", "users/eve/quota").json()
        wire.QuotaStanding.model_validate(found)
        hers = {"name": "hers", "shared": False, "project": None, "class": "single", "gpus": 4, "used": 0, "max_time": None}  # fmt: skip
        short = {**hers, "name": "short", "class": None, "gpus": None, "max_time": "2d"}
        assert found["limits"] == [hers, short]
        assert found["caps"] == [{"project": "capped", "resource": "A100", "limit": 16, "used": 0}]
    finally:
        for path in ("limits/hers", "limits/his", "limits/short", "projects/capped", "projects/closed-off"):
            assert ask(ADMINISTRATOR, "DELETE", path).status_code == 204
