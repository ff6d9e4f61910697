"""Nodes are moved, cordoned, drained and maintained, with the real application."""

from __future__ import annotations

import time

import httpx
import pytest

from danlu.domain.audit import Noted
from danlu.server.http.answering import instant
from danlu.server.machines import models as wire
from danlu.server.machines.models import Node
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, served

A, B = "a100-0", "a100-1"
HOUR = 3_600_000
WHOLE = {"gpus": 8, "gpu": "A100"}


def soon(hours: float) -> str:
    return instant(int(time.time() * 1000 + hours * HOUR))


def acts(here: World, subject: str) -> list[Noted]:
    return [one for one in here.store.chain(0, 100_000) if one.entry.subject == subject]


@pytest.fixture
def quiet(here: World, ask):
    """Nodes as at the beginning, once the test is over."""
    yield
    for window in ask(ADMINISTRATOR, "GET", "maintenance").json()["items"]:
        ask(ADMINISTRATOR, "DELETE", f"maintenance/{window['name']}")
    ask(ADMINISTRATOR, "POST", "nodes/cordon", json={"nodes": [A, B], "cordoned": False})
    ask(ADMINISTRATOR, "POST", "nodes/move", json={"nodes": [A, B], "pool": "default"})
    for job in here.controller.view.live():
        here.jobs.act(here.caller(ADMINISTRATOR), job.id, "stop")
    here.controller.step()
    here.controller.step()


def run(here: World, ask, name: str, who: str = ENGINEER, **more: object) -> str:
    made = ask(who, "POST", "jobs?start=true", json=job_file(name, resources=WHOLE, env={"SIMULATED_RUN_FOR": "1h"}, **more))  # fmt: skip
    assert made.status_code == 201, made.text
    for _ in range(3):
        here.controller.step()
    found = ask(who, "GET", f"jobs/{made.json()['id']}").json()
    assert found["state"] in ("starting", "running")
    return str(made.json()["id"])


@pytest.mark.parametrize("act", ["move", "cordon", "drain"])
@pytest.mark.parametrize("who", [ENGINEER, VIEWER])
def test_nodes_are_the_administrators_to_close(ask, who, act):
    said = (
        {"pool": "default"}
        if act == "move"
        else {"cordoned": True}
        if act == "cordon"
        else {"deadline": "1h"}
    )
    refused = ask(who, "POST", f"nodes/{act}", json={"nodes": [A], **said})
    assert (refused.status_code, refused.json()["type"]) == (403, "not_allowed")


def test_a_move_is_previewed_done_and_noted(here: World, ask, quiet):
    ask(ADMINISTRATOR, "POST", "pools", json={"name": "services", "classes": ["service"]})
    job = run(here, ask, "moving-on")
    body = {"nodes": [A, B], "pool": "services"}
    seen = ask(ADMINISTRATOR, "POST", "nodes/move", json={**body, "preview": True})
    assert seen.status_code == 200, seen.text
    wire.NodeMoved.model_validate(seen.json())
    assert seen.json()["running"] == [
        {"job_id": job, "name": "moving-on", "owner": ENGINEER, "class": "single", "served": False}
    ]
    assert ask(ADMINISTRATOR, "GET", f"nodes/{A}").json()["pool"] == "default"
    assert ask(ADMINISTRATOR, "POST", "nodes/move", json=body).json() == seen.json()
    assert ask(ADMINISTRATOR, "GET", f"nodes/{A}").json()["pool"] == "services"
    last = acts(here, f"node:{A}")[-1].entry
    assert (last.by, last.act, last.after and last.after["pool"]) == (ADMINISTRATOR, "moved", "services")
    assert ask(ENGINEER, "GET", f"jobs/{job}").json()["state"] in ("starting", "running")


def test_every_mistake_of_a_move_is_told_and_nothing_moves(ask):
    wrong = ask(ADMINISTRATOR, "POST", "nodes/move", json={"nodes": [A, "a100-9"], "pool": "bug"})
    assert wrong.status_code == 422
    assert [(one["loc"], one["code"]) for one in wrong.json()["errors"]] == [
        (["nodes", 1], "no_such_node"),
        (["pool"], "no_such_pool"),
    ]


def test_several_nodes_are_cordoned_with_a_note_and_the_unknown_are_named(here: World, ask, quiet):
    body = {"nodes": [A, "a100-x", A], "cordoned": True, "note": "a broken fan"}
    done = ask(ADMINISTRATOR, "POST", "nodes/cordon", json=body).json()["items"]
    assert [(one["name"], one["ok"]) for one in done] == [(A, True), ("a100-x", False)]
    assert "there is no node 'a100-x'" in done[1]["error"]
    assert done[1]["text"]["en"] == done[1]["error"] != done[1]["text"]["zh"]
    assert done[0]["text"] is None
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    assert (node["state"], node["note"]) == ("cordoned", "a broken fan")
    assert acts(here, f"node:{A}")[-1].entry.act == "cordoned"
    ask(ADMINISTRATOR, "POST", "nodes/cordon", json={"nodes": [A], "cordoned": False})
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    assert (node["state"], node["note"]) == ("ready", "")
    assert acts(here, f"node:{A}")[-1].entry.act == "uncordoned"


def test_a_drain_is_previewed_done_and_cancelled(here: World, ask, quiet):
    job = run(here, ask, "draining", max_time="30m")
    body = {"nodes": [A, B], "deadline": "1h", "note": "new cables"}
    seen = ask(ADMINISTRATOR, "POST", "nodes/drain", json={**body, "preview": True}).json()
    wire.NodesDrained.model_validate(seen)
    assert [(one["job_id"], one["ends_by_itself"]) for one in seen["jobs"]] == [(job, True)]
    shorter = ask(ADMINISTRATOR, "POST", "nodes/drain", json={**body, "deadline": "1m", "preview": True}).json()  # fmt: skip
    assert [one["ends_by_itself"] for one in shorter["jobs"]] == [False]
    assert ask(VIEWER, "GET", f"nodes/{A}").json()["drain_by"] is None

    done = ask(ADMINISTRATOR, "POST", "nodes/drain", json=body).json()
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    Node.model_validate(node)
    assert (node["state"], node["note"], node["drain_by"]) == ("cordoned", "new cables", done["drain_by"])
    assert (node["closes_at"], node["maintenance"]) == (done["drain_by"], None)
    assert acts(here, f"node:{A}")[-1].entry.act == "drained"
    ask(ADMINISTRATOR, "PATCH", f"nodes/{A}", json={"cordoned": False})
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    assert (node["state"], node["drain_by"], node["closes_at"]) == ("ready", None, None)


@pytest.mark.parametrize("deadline", ["soon", "31d", 30])
def test_a_deadline_that_cannot_be_meant_is_refused_at_its_field(ask, deadline):
    wrong = ask(ADMINISTRATOR, "POST", "nodes/drain", json={"nodes": [A], "deadline": deadline})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["loc"] == ["deadline"]


def test_at_the_deadline_a_job_gives_way_and_its_owner_reads_why(fresh: World):
    with served(fresh.app) as url, httpx.Client(base_url=f"{url}/api/v1/") as client:
        file = job_file("leaving", resources=WHOLE, env={"SIMULATED_RUN_FOR": "1h"})
        made = client.post("jobs?start=true", json=file, headers=fresh.bearer(ENGINEER)).json()
        for _ in range(3):
            fresh.controller.step()
        drain = {"nodes": [A, B], "deadline": "0s"}
        client.post("nodes/drain", json=drain, headers=fresh.bearer(ADMINISTRATOR)).raise_for_status()
        for _ in range(4):
            fresh.controller.step()
        job = client.get(f"jobs/{made['id']}", headers=fresh.bearer(ENGINEER)).json()
        assert job["state"] == "queued"
        attempt = job["attempts"][-1]
        assert attempt["reason"]["code"] == "node_drained"
        found = client.get(f"jobs/{made['id']}/events", headers=fresh.bearer(ENGINEER)).json()["items"]
        texts = [one["text"]["en"] for one in found if one["kind"] == "evicted"]
        assert texts == [f"must leave: node {attempt['reason']['params']['node']} was drained"]


# ── maintenance ──────────────────────────────────────────────────────────────────────────────────────


def test_a_maintenance_is_planned_shown_changed_and_called_off(here: World, ask, quiet):
    body = {"name": "bios", "start": soon(2), "end": soon(4), "nodes": [A], "description": "new BIOS"}
    made = ask(ADMINISTRATOR, "POST", "maintenance", json=body)
    assert made.status_code == 201, made.text
    assert made.headers["location"] == "/api/v1/maintenance/bios"
    assert made.json() == {**body, "pool": None, "state": "planned"}
    wire.Maintenance.model_validate(made.json())
    assert ask(ADMINISTRATOR, "POST", "maintenance", json=body).json()["type"] == "name_taken"
    assert ask(VIEWER, "GET", "maintenance").json() == {"items": [made.json()], "next_cursor": None}
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    assert (node["state"], node["closes_at"], node["maintenance"]) == ("ready", body["start"], "bios")

    now = ask(ADMINISTRATOR, "PATCH", "maintenance/bios", json={"start": soon(-1)}).json()
    assert now["state"] == "now"
    node = ask(VIEWER, "GET", f"nodes/{A}").json()
    assert (node["state"], node["why"]) == ("cordoned", "maintenance bios: new BIOS")
    assert ask(VIEWER, "GET", "maintenance/bios").json() == now

    assert ask(ENGINEER, "DELETE", "maintenance/bios").status_code == 403
    assert ask(ADMINISTRATOR, "DELETE", "maintenance/bios").status_code == 204
    assert ask(VIEWER, "GET", f"nodes/{A}").json()["state"] == "ready"
    assert ask(VIEWER, "GET", "maintenance/bios").status_code == 404
    done = [one.entry.act for one in acts(here, "maintenance:bios")]
    assert done == ["added", "edited", "removed"]


def test_a_maintenance_tells_whom_it_would_concern(here: World, ask, quiet):
    job = run(here, ask, "concerned", OTHER, max_time="1h")
    body = {"start": soon(2), "end": soon(4), "pool": "default"}
    seen = ask(ADMINISTRATOR, "POST", "maintenance/preview", json=body).json()
    assert seen["nodes"] == [A, B]
    assert [(one["job_id"], one["owner"], one["ends_by_itself"]) for one in seen["jobs"]] == [(job, OTHER, True)]  # fmt: skip
    assert seen["drain_by"] == body["start"]
    assert ask(ADMINISTRATOR, "GET", "maintenance").json()["items"] == []


@pytest.mark.parametrize(
    ("said", "loc", "code"),
    [
        ({"start": "-1h"}, ["start"], None),
        ({"start": "tomorrow"}, ["start"], None),
        ({"end": 0}, ["end"], "contradiction"),
        ({"nodes": []}, ["nodes"], "missing"),
        ({"nodes": ["a100-7"]}, ["nodes", 0], "no_such_node"),
        ({"pool": "bug"}, ["pool"], "no_such_pool"),
    ],
)
def test_a_maintenance_that_makes_no_sense_is_refused_at_its_field(ask, said, loc, code):
    body = {"name": "bios", "start": soon(2), "end": soon(4), "nodes": [A], **said}
    wrong = ask(ADMINISTRATOR, "POST", "maintenance", json=body)
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["loc"] == loc
    assert code in (None, wrong.json()["errors"][0]["code"])


def test_a_job_that_waits_for_a_maintenance_says_which_max_time_would_fit(here: World, ask, quiet):
    body = {"name": "bios", "start": soon(3), "end": soon(4), "pool": "default"}
    ask(ADMINISTRATOR, "POST", "maintenance", json=body)
    made = ask(ENGINEER, "POST", "jobs?start=true", json=job_file("waiting", resources=WHOLE)).json()
    here.controller.step()
    here.controller.step()
    waiting = ask(ENGINEER, "GET", f"jobs/{made['id']}").json()["waiting"]
    assert waiting["code"] == "closing_soon"
    assert waiting["params"] == {"nodes": 2, "window": "bios", "fits": 2 * HOUR + 45 * 60_000}
    here.jobs.act(here.caller(ENGINEER), made["id"], "stop")
