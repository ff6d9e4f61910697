"""Projects, priority classes, pools, flavors, limits and what holds for nodes, with the real application."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.errors import Conflict
from danlu.domain.rules import PriorityClass, Project
from danlu.server.rules import models as wire
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file

BODIES: dict[str, Any] = {
    "projects": ({"name": "nlp", "weight": 2, "guarantee": {"A100": 8, "memory": "1TiB"}, "cap": {"gpus": 16.5}}, {"closed": True}),
    "priorities": (
        {"name": "urgent", "value": 400, "groups": ["leads"], "projects": ["public"], "needs_reason": True, "budget": 40},
        {"may_preempt": True, "budget": None},
    ),
    "pools": ({"name": "big", "classes": ["distributed"]}, {"classes": []}),
    "flavors": ({"name": "a100-8", "resources": {"cpus": 8, "memory": "64GiB", "gpus": 8, "gpu": "A100"}}, {"description": "A node"}),
    "limits": ({"name": "each", "gpus": 8, "class": "workspace"}, {"user": None, "gpus": None, "max_time": "12h"}),
}  # fmt: skip
ANSWERS: dict[str, Any] = {
    "projects": {"weight": 2, "guarantee": {"memory": 2**40, "A100": 8}, "cap": {"gpus": 16.5}, "closed": True, "creator": "admin"},
    "priorities": {"value": 400, "may_preempt": True, "may_be_preempted": True, "groups": ["leads"], "projects": ["public"],
        "needs_reason": True, "budget": None},
    "pools": {"classes": [], "description": ""},
    "flavors": {"description": "A node", "resources": {"cpus": 8, "memory": "64GiB", "gpus": 8, "gpu": "A100", "shm": "0B", "rdma": False}},
    "limits": {"user": None, "project": None, "class": "workspace", "gpus": None, "max_time": "12h"},
}  # fmt: skip
MODELS: dict[str, Any] = {
    "projects": wire.Project,
    "priorities": wire.Priority,
    "pools": wire.Pool,
    "flavors": wire.Flavor,
    "limits": wire.Limit,
}


@pytest.mark.parametrize("subject", BODIES)
def test_a_rule_is_made_shown_changed_and_removed(ask, subject):
    body, change = BODIES[subject]
    made = ask(ADMINISTRATOR, "POST", subject, json=body)
    assert made.status_code == 201, made.text
    assert made.headers["location"] == f"/api/v1/{subject}/{body['name']}"
    assert ask(ADMINISTRATOR, "POST", subject, json=body).json()["type"] == "name_taken"

    edited = ask(ADMINISTRATOR, "PATCH", f"{subject}/{body['name']}", json=change)
    assert edited.status_code == 200, edited.text
    assert {key: edited.json()[key] for key in ANSWERS[subject]} == ANSWERS[subject]
    MODELS[subject].model_validate(edited.json())
    for who in (ADMINISTRATOR, ENGINEER, VIEWER):
        seen = edited.json()
        if subject == "projects":
            seen["my_role"] = "creator" if who == ADMINISTRATOR else None
        assert ask(who, "GET", f"{subject}/{body['name']}").json() == seen
        assert seen in ask(who, "GET", subject).json()["items"]

    assert ask(ADMINISTRATOR, "DELETE", f"{subject}/{body['name']}").status_code == 204
    gone = ask(ADMINISTRATOR, "GET", f"{subject}/{body['name']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "not_found")


# What each role gets for GET list, POST, GET one, PATCH and DELETE; nothing is there but what is built in.
WRITES = {ADMINISTRATOR: (200, 422, 200, 200, 409), ENGINEER: (200, 403, 200, 403, 403), VIEWER: (200, 403, 200, 403, 403), None: (401,) * 5}  # fmt: skip
FIRST = {"projects": "public", "priorities": "normal", "pools": "default"}


@pytest.mark.parametrize("subject", FIRST)
@pytest.mark.parametrize("who", WRITES)
def test_who_may_do_what_with_rules(ask, subject, who):
    name = FIRST[subject]
    made = [
        ask(who, "GET", subject),
        ask(who, "POST", subject, json={"weight": "heavy"}),
        ask(who, "GET", f"{subject}/{name}"),
        ask(who, "PATCH", f"{subject}/{name}", json={}),
        ask(who, "DELETE", f"{subject}/{name}"),
    ]
    expected = list(WRITES[who])
    if (subject, who) == ("projects", ENGINEER):
        expected[1] = 422  # they may make projects, but not of this
    assert [answer.status_code for answer in made] == expected


def test_an_engineer_makes_a_project_describes_it_and_governs_nothing_of_it(ask):
    assert ask(ENGINEER, "POST", "projects", json={"name": "evening", "weight": 5}).status_code == 403
    made = ask(ENGINEER, "POST", "projects", json={"name": "evening", "description": "After work"})
    assert (made.status_code, made.json()["creator"], made.json()["weight"]) == (201, ENGINEER, None)
    assert ask(ENGINEER, "PATCH", "projects/evening", json={"description": "Late"}).status_code == 200
    refused = ask(ENGINEER, "PATCH", "projects/evening", json={"cap": {"gpus": 99}})
    assert (refused.status_code, "cap: only administrators can set this" in refused.text) == (403, True)
    assert ask(OTHER, "PATCH", "projects/evening", json={"description": "Mine"}).status_code == 403
    assert ask(ENGINEER, "DELETE", "projects/evening").status_code == 403


def test_every_mistake_is_told_at_its_field(ask):
    body = {"name": "a b", "guarantee": {"A100": -1, "cpus": "many"}, "wieght": 1}
    errors = ask(ADMINISTRATOR, "POST", "projects", json=body).json()["errors"]
    assert {(*error["loc"],): error["code"] for error in errors} == {
        ("name",): "bad_form",
        ("guarantee", "A100"): "out_of_range",
        ("guarantee", "cpus"): "bad_value",
        ("wieght",): "unknown_key",
    }
    body = {"name": "ab", "guarantee": {"A100": 2, "gpu": 2}, "priorities": ["nromal"]}
    errors = ask(ADMINISTRATOR, "POST", "projects", json=body).json()["errors"]
    assert [(error["loc"], error.get("hint")) for error in errors] == [
        (["guarantee"], "give the project a weight, such as 1"),
        (["guarantee", "gpu"], "did you mean 'gpus'?"),
        (["priorities", 0], "did you mean 'normal'?"),
    ]


def test_a_weight_is_taken_away_with_null(ask):
    ask(ADMINISTRATOR, "POST", "projects", json={"name": "heavy", "weight": 3})
    assert ask(ADMINISTRATOR, "PATCH", "projects/heavy", json={"description": "x"}).json()["weight"] == 3
    assert ask(ADMINISTRATOR, "PATCH", "projects/heavy", json={"weight": None}).json()["weight"] is None


def test_lists_come_page_by_page(ask):
    first = ask(ENGINEER, "GET", "priorities?limit=2").json()
    assert [one["name"] for one in first["items"]] == ["high", "low"]
    rest = ask(ENGINEER, "GET", f"priorities?limit=2&cursor={first['next_cursor']}").json()
    assert ([one["name"] for one in rest["items"]], rest["next_cursor"]) == (["normal"], None)


def test_a_node_is_moved_cordoned_and_labelled(ask):
    ask(ADMINISTRATOR, "POST", "pools", json={"name": "lab"})
    body = {"pool": "lab", "cordoned": True, "labels": {"rack": "r1", "org": "nlp"}}
    ruled = ask(ADMINISTRATOR, "PATCH", "nodes/a100-0", json=body)
    assert ruled.status_code == 200, ruled.text
    shown = ask(VIEWER, "GET", "nodes/a100-0").json()
    assert shown == ruled.json()
    assert (shown["pool"], shown["state"], shown["labels"]["rack"]) == ("lab", "cordoned", "r1")
    assert shown["given_labels"] == {"rack": "r1", "org": "nlp"}
    assert (
        ask(ADMINISTRATOR, "DELETE", "pools/lab")
        .json()["detail"]
        .startswith("pool lab is used by node a100-0")
    )

    back = {"pool": "default", "cordoned": False, "labels": {"rack": None}}
    free = ask(ADMINISTRATOR, "PATCH", "nodes/a100-0", json=back).json()
    assert (free["pool"], free["state"], free["labels"].get("rack")) == ("default", "ready", None)
    assert free["labels"]["org"] == "nlp"
    assert ask(ADMINISTRATOR, "DELETE", "pools/lab").status_code == 204


def test_nodes_are_ruled_by_administrators_and_must_be_there(ask):
    assert ask(ENGINEER, "PATCH", "nodes/a100-0", json={"cordoned": True}).status_code == 403
    missing = ask(ADMINISTRATOR, "PATCH", "nodes/a100-9", json={"cordoned": True})
    assert (missing.status_code, "did you mean 'a100-" in missing.text) == (404, True)
    wrong = ask(ADMINISTRATOR, "PATCH", "nodes/a100-0", json={"pool": "defualt", "labels": {"gpu": None}})
    assert [error["code"] for error in wrong.json()["errors"]] == ["not_removable", "no_such_pool"]


def test_people_have_groups(ask):
    assert ask(ADMINISTRATOR, "POST", "groups", json={"name": "nlp"}).status_code == 201
    made = ask(
        ADMINISTRATOR, "POST", "users", json={"name": "gus", "role": "engineer", "groups": ["nlp", "nlp"]}
    )
    assert made.json()["groups"] == ["nlp"]
    assert ask(ADMINISTRATOR, "PATCH", "users/gus", json={"display_name": "G"}).json()["groups"] == ["nlp"]
    assert ask(ADMINISTRATOR, "PATCH", "users/gus", json={"groups": []}).json()["groups"] == []
    refused = ask(ADMINISTRATOR, "PATCH", "users/gus", json={"groups": ["viewer"]}).json()
    assert (refused["errors"][0]["loc"], refused["errors"][0]["code"]) == (["groups", 0], "reserved")


def test_a_job_lives_by_the_rules_and_keeps_what_it_uses(fresh):
    admin, eve = fresh.caller(ADMINISTRATOR), fresh.caller(ENGINEER)
    fresh.registry.add(admin, Project("nlp", 1, open=True))
    fresh.registry.add(admin, PriorityClass("soon", 250))
    file = job_file("user-of-both", project="nlp", priority="soon", env={"SIMULATED_RUN_FOR": "1h"})
    job = fresh.jobs.create(eve, file, start=True)
    for _ in range(3):
        fresh.controller.step()
    for kind, name in ((Project, "nlp"), (PriorityClass, "soon")):
        with pytest.raises(Conflict, match="is used by job user-of-both of eve: change or end those first"):
            fresh.registry.remove(admin, kind, name)
    fresh.jobs.act(eve, job.id, "reset")
    for _ in range(3):
        fresh.controller.step()
    fresh.registry.remove(admin, Project, "nlp")


def test_every_change_is_recorded_with_who_made_it(fresh):
    fresh.registry.edit_node(fresh.caller(ADMINISTRATOR), "a100-1", cordoned=True)
    told = [event.text.en for event in fresh.store.events_after(0, 500) if event.kind == "rule_changed"]
    assert told[0] == "pool default added by danlu"
    assert told[-1] == "node a100-1 cordoned by admin"
