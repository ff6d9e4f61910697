"""Jobs over HTTP: made, listed, acted upon; refusals name their place."""

from __future__ import annotations

import pytest

from danlu.server.jobs.models import JobDetail, JobPage
from danlu.server.live.models import EventPage, LogPage
from danlu.server.machines.models import Node, NodeList
from danlu.server.people.models import PermissionList, Session, TokenList
from danlu.server.system.models import Health, Readiness, Version
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, job_file

LONG = {"SIMULATED_RUN_FOR": "1h"}


def test_a_job_is_made_once_per_key(ask):
    key = {"Idempotency-Key": "k-1"}
    first = ask(ENGINEER, "POST", "jobs", json=job_file("once-only"), headers=key)
    again = ask(ENGINEER, "POST", "jobs", json=job_file("once-only"), headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert first.headers["location"] == f"/api/v1/jobs/{first.json()['id']}"
    other = ask(ENGINEER, "POST", "jobs", json=job_file("another"), headers=key)
    assert (other.status_code, other.json()["type"]) == (409, "key_reused")


def test_a_job_lives_through_its_verbs(ask, here):
    made = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("a-life", env=LONG)).json()
    assert (made["state"], made["actions"]) == (
        "queued",
        ["stop", "restart", "reset", "edit", "clone", "order"],
    )
    here.controller.step()
    here.controller.step()
    running = ask(ENGINEER, "GET", "jobs/a-life").json()
    assert running["state"] == "running"
    assert running["tasks"][0]["name"] == "worker-0"
    assert running["attempts"] == [
        {
            "number": 1,
            "state": "running",
            "reason": None,
            "started_at": running["started_at"],
            "ended_at": None,
            "story": None,
            "resumed": None,
            "saved": None,
            "lost": 0,
            "then": None,
        }
    ]
    assert ask(ENGINEER, "DELETE", "jobs/a-life").json()["type"] == "wrong_state"
    stopping = ask(ENGINEER, "POST", "jobs/a-life/stop").json()
    assert stopping["reason"]["text"]["en"] == "stopped by eve"
    here.controller.step()
    here.controller.step()
    stopped = ask(ENGINEER, "GET", f"jobs/{made['id']}").json()
    assert (stopped["state"], stopped["attempts"][0]["state"]) == ("stopped", "stopped")
    edited = ask(ENGINEER, "PUT", "jobs/a-life/spec", json=job_file("a-life", description="better"))
    assert edited.json()["description"] == "better"
    clone = ask(ENGINEER, "POST", "jobs/a-life/clone")
    assert (clone.status_code, clone.json()["name"], clone.json()["run"]) == (201, "a-life", 2)
    here.write_log(made["id"], b"")
    assert ask(ENGINEER, "DELETE", "jobs/a-life%231").status_code == 204
    assert not (here.root / "logs" / made["id"]).exists()
    assert ask(ENGINEER, "GET", f"jobs/{made['id']}").status_code == 404
    assert ask(ENGINEER, "GET", "jobs/a-life").json()["id"] == clone.json()["id"]


def test_a_name_used_again_makes_the_next_run_and_may_replace_the_earlier_ones(ask, here):
    first = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("repeated", env=LONG)).json()
    assert ask(ENGINEER, "POST", "jobs/check", json=job_file("repeated")).json()["run"] == 2
    waits = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("repeated", env=LONG)).json()
    others = ask(OTHER, "POST", "jobs?start=true", json=job_file("repeated", env=LONG)).json()
    assert [one["run"] for one in (first, waits, others)] == [1, 2, 1]
    third = ask(ENGINEER, "POST", "jobs?start=true&replace=true", json=job_file("repeated", env=LONG)).json()
    runs = ask(ENGINEER, "GET", "jobs/repeated/runs").json()["items"]
    assert [(one["run"], one["state"]) for one in runs] == [(3, "queued"), (2, "stopped"), (1, "stopped")]
    assert ask(ENGINEER, "GET", "jobs/repeated").json()["id"] == third["id"]
    assert ask(ENGINEER, "GET", "jobs/repeated%232").json()["id"] == waits["id"]
    assert ask(ENGINEER, "GET", "jobs/repeated%234").status_code == 404
    assert ask(OTHER, "GET", f"jobs/{others['id']}").json()["state"] == "queued"
    acts = ask(ADMINISTRATOR, "GET", "audit?act=replaced").json()["items"]
    assert sorted(one["subject"] for one in acts) == ["job:eve:repeated#1", "job:eve:repeated#2"]
    assert ask(OTHER, "POST", f"jobs/{others['id']}/stop").json()["state"] == "stopped"


def test_a_file_without_a_name_gets_one_and_an_invalid_one_is_answered_with_the_nearest(ask):
    unnamed = {key: value for key, value in job_file("any-name").items() if key != "name"}
    made = ask(ENGINEER, "POST", "jobs", json={**unnamed, "command": "python src/train_bert.py"}).json()
    assert (made["name"], made["spec"]["name"]) == ("train_bert", "train_bert")
    kept = ask(ENGINEER, "PUT", f"jobs/{made['id']}/spec", json={**unnamed, "command": "python other.py"})
    assert (kept.json()["name"], kept.json()["run"]) == ("train_bert", 1)
    (error,) = ask(ENGINEER, "POST", "jobs", json=job_file("sweep-lr-0.1")).json()["errors"]
    assert (error["loc"], error["suggestion"]) == (["name"], "sweep-lr-0-1")


def test_every_mistake_of_a_job_file_is_told_at_its_place(ask):
    wrong = job_file("x", resources={"gpus": 9}, comand="true")
    answer = ask(ENGINEER, "POST", "jobs", json=wrong)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["type"], problem["status"]) == (422, "invalid", 422)
    assert {tuple(error["loc"]) for error in problem["errors"]} == {
        ("name",),
        ("comand",),
        ("resources", "gpus"),
    }


def test_an_edit_of_what_somebody_else_changed_meanwhile_is_refused(ask):
    made = ask(ENGINEER, "POST", "jobs", json=job_file("edited-twice")).json()
    address = f"jobs/{made['id']}/spec?version={made['version']}"
    assert (
        ask(ENGINEER, "PUT", address, json=job_file("edited-twice", description="first")).status_code == 200
    )
    second = ask(ENGINEER, "PUT", address, json=job_file("edited-twice", description="second"))
    assert (second.status_code, "changed in the meantime" in second.json()["detail"]) == (409, True)
    assert ask(ENGINEER, "GET", f"jobs/{made['id']}").json()["description"] == "first"
    plain = ask(
        ENGINEER, "PUT", f"jobs/{made['id']}/spec", json=job_file("edited-twice", description="third")
    )
    assert plain.json()["description"] == "third"


def test_a_job_that_asks_for_a_total_has_no_number_of_tasks(ask):
    total = job_file("in-all", nodes="auto", resources={"gpus": 16, "gpu": "A100"})
    assert ask(ENGINEER, "POST", "jobs/check", json=total).json()["size"]["tasks"] == 0
    assert ask(ENGINEER, "POST", "jobs", json=total).json()["nodes"] == 0
    (row,) = ask(ENGINEER, "GET", "jobs?search=in-all").json()["items"]
    assert (row["nodes"], row["gpus"]) == (0, 16)


def test_a_check_stores_nothing_and_tells_what_would_be(ask):
    good = ask(ENGINEER, "POST", "jobs/check", json=job_file("only-asked")).json()
    size = {"tasks": 1, "gpus": 0.0, "gpu_model": None, "cpus": 1.0, "memory": 2**31}
    would = {"starts_now": True, "reason": None, "ahead": 0}
    seen = {"given": [], "run": 1}
    assert good == {"valid": True, "errors": [], "advice": [], "size": size, "would": would, **seen}
    bad = ask(ENGINEER, "POST", "jobs/check", json=job_file("only-asked", knd=1)).json()
    assert (bad["valid"], bad["errors"][0]["hint"]) == (False, "did you mean 'kind'?")
    assert ask(ENGINEER, "GET", "jobs/only-asked").status_code == 404


def test_lists_are_paged_filtered_and_counted(ask):
    for number in range(5):
        ask(OTHER, "POST", "jobs", json=job_file(f"many-{number}"))
    first = ask(OTHER, "GET", "jobs?search=many&limit=2&sort=name").json()
    assert [row["name"] for row in first["items"]] == ["many-0", "many-1"]
    assert first["total"] == 5
    second = ask(OTHER, "GET", f"jobs?search=many&limit=2&sort=name&cursor={first['next_cursor']}").json()
    assert [row["name"] for row in second["items"]] == ["many-2", "many-3"]
    assert ask(OTHER, "GET", "jobs?state=queued&state=running&kind=training&owner=me").json()["total"] == 0
    wrong = ask(OTHER, "GET", "jobs?cursor=nonsense")
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (422, "bad_cursor")


def test_a_waiting_job_says_in_the_list_why(ask, here):
    big = {"resources": {"gpus": 8}, "env": LONG}
    for number in range(3):
        ask(ENGINEER, "POST", "jobs?start=true", json=job_file(f"big-{number}", **big))
    here.controller.step()
    here.controller.step()
    rows = ask(ENGINEER, "GET", "jobs?search=big-2").json()["items"]
    assert rows[0]["reason"]["code"] == "not_enough_gpus"
    assert rows[0]["gpus"] == 8
    assert "8 卡 GPU" in rows[0]["reason"]["text"]["zh"]
    detail = ask(ENGINEER, "GET", "jobs/big-2").json()
    assert detail["waiting"] == rows[0]["reason"]
    nodes = NodeList.model_validate(ask(ENGINEER, "GET", "nodes").json())
    assert [node.used.gpus for node in nodes.items] == [8, 8]
    node = Node.model_validate(ask(ENGINEER, "GET", "nodes/a100-0").json())
    assert list(range(8)) in [task.gpus for task in node.tasks]
    assert ask(ENGINEER, "GET", "nodes/nowhere").status_code == 404


def test_events_of_a_job_are_paged_oldest_first(ask):
    ask(ENGINEER, "POST", "jobs?start=true", json=job_file("eventful"))
    first = ask(ENGINEER, "GET", "jobs/eventful/events?limit=2").json()
    assert [event["kind"] for event in first["items"]] == ["job_created", "start_requested"]
    rest = ask(ENGINEER, "GET", f"jobs/eventful/events?cursor={first['next_cursor']}").json()
    assert [event["kind"] for event in rest["items"]] == ["state_changed"]
    assert rest["next_cursor"] is None
    assert ask(ENGINEER, "GET", "jobs/eventful/events?cursor=x").status_code == 422


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("jobs", JobPage),
        ("jobs/shown", JobDetail),
        ("jobs/shown/events", EventPage),
        ("jobs/shown/logs", LogPage),
        ("nodes", NodeList),
        ("session", Session),
        ("tokens", TokenList),
        ("permissions", PermissionList),
        ("version", Version),
        ("/healthz", Health),
        ("/readyz", Readiness),
    ],
)
def test_answers_are_as_documented(ask, here, path, model):
    if ask(ENGINEER, "GET", "jobs/shown").status_code == 404:
        ask(ENGINEER, "POST", "jobs?start=true", json=job_file("shown", env={"SIMULATED_EXIT_CODE": "3"}))
        here.controller.step()
        here.controller.step()
    answer = ask(ENGINEER, "GET", path)
    assert answer.status_code == 200
    read = model.model_validate(answer.json())
    assert read.model_dump(mode="json", by_alias=True) == answer.json()


def test_a_body_beyond_a_mebibyte_is_refused(ask):
    answer = ask(ENGINEER, "POST", "jobs", json=job_file(description="x" * (1 << 20)))
    assert (answer.status_code, answer.json()["type"]) == (413, "too_large")
