"""Flavors beyond one at a time, with the real application on virtual nodes."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from danlu.domain.rules import Flavor, Project
from danlu.ports.logs import LogKey
from danlu.ports.samples import RATED, Head, Sample, SampleFile
from danlu.server.flavors import models as wire
from danlu.server.rules.models import FlavorCreate
from danlu.telemetry.usage import task_path
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, served

LONG = {"SIMULATED_RUN_FOR": "1h"}
EVERY = 5_000


@pytest.fixture(scope="module", autouse=True)
def some_flavors(here: World) -> None:
    for name, gpus, cpus in (("one", 1, 2), ("four", 4, 8), ("all", 8, 16), ("huge", 16, 16)):
        resources = {"cpus": cpus, "memory": "4GiB", "gpus": gpus, "gpu": "A100"}
        body = wire_flavor(name, resources)
        here.registry.add(here.caller(ADMINISTRATOR), body)


def wire_flavor(name: str, resources: dict[str, Any], **more: Any) -> Flavor:
    return Flavor(**FlavorCreate.model_validate({"name": name, "resources": resources, **more}).values())


def offers(ask, who: str = ENGINEER, /, **query: Any) -> dict[str, dict[str, Any]]:
    answer = ask(who, "GET", "flavors/offers", params=query)
    assert answer.status_code == 200, answer.text
    wire.FlavorOffers.model_validate(answer.json())
    return {one["flavor"]["name"]: one for one in answer.json()["items"]}


def states(found: dict[str, dict[str, Any]]) -> dict[str, tuple[str, int | None]]:
    return {name: (one["state"], one["behind"]) for name, one in found.items()}


def test_offers_follow_what_runs_and_waits(ask, here):
    assert states(offers(ask)) == dict.fromkeys(("one", "four", "all"), ("available", None))
    (best,) = [name for name, one in offers(ask).items() if one["recommended"]]
    assert best == "one"
    caller = here.caller(OTHER)
    jobs = [
        here.jobs.create(caller, job_file(f"holder-{at}", env=LONG, flavor="all"), start=True)
        for at in range(3)
    ]
    for _ in range(3):
        here.controller.step()
    found = offers(ask, OTHER)
    assert states(found) == dict.fromkeys(("one", "four", "all"), ("waits", 1))
    assert found["all"]["text"]["en"] == "behind 1 job waiting for the same nodes"
    assert found["all"]["text"]["zh"]
    mine = offers(ask)["all"]  # who holds less comes first
    assert (mine["behind"], mine["text"]["en"]) == (0, "needs 8 × A100; room for 0 of 1 tasks now")
    here.jobs.act(caller, jobs[0].id, "stop")
    here.jobs.act(caller, jobs[2].id, "stop")
    for _ in range(3):
        here.controller.step()
    assert states(offers(ask))["all"] == ("available", None)
    here.jobs.act(caller, jobs[1].id, "stop")
    for _ in range(3):
        here.controller.step()


def test_what_could_never_start_is_told_only_when_asked_for(ask):
    found = offers(ask, all="true")
    assert found["huge"]["state"] == "never"
    assert found["huge"]["text"]["en"] == "16 GPUs is more than any such node has (8)"
    assert "huge" not in offers(ask)


def test_offers_follow_pools_classes_and_cordons_at_once(ask):
    def rule(method: str, path: str, body: Any) -> None:
        answer = ask(ADMINISTRATOR, method, path, json=body)
        assert answer.status_code in (200, 201), answer.text

    rule("POST", "pools", {"name": "gangs", "classes": ["distributed"]})
    rule("PATCH", "nodes/a100-0", {"pool": "gangs"})
    rule("PATCH", "nodes/a100-1", {"pool": "gangs"})
    assert offers(ask) == {}
    assert set(offers(ask, **{"class": "distributed", "count": 2})) == {"one", "four", "all"}
    rule("PATCH", "nodes/a100-1", {"pool": "default"})
    rule("PATCH", "nodes/a100-1", {"cordoned": True})
    waiting = offers(ask)["one"]
    assert (waiting["state"], waiting["behind"]) == ("waits", None)
    rule("PATCH", "nodes/a100-1", {"cordoned": False})
    assert offers(ask)["one"]["state"] == "available"
    rule("PATCH", "nodes/a100-0", {"pool": "default"})
    rule("PATCH", "flavors", {"names": ["one"], "classes": ["workspace"]})
    assert "one" not in offers(ask)
    assert "one" in offers(ask, **{"class": "workspace"})
    rule("PATCH", "flavors", {"names": ["one"], "classes": []})


def test_wrong_questions_are_refused_at_their_place(ask):
    for query, place in (({"project": "nope"}, "project"), ({"class": "single", "count": 2}, "count")):
        refused = ask(ENGINEER, "GET", "flavors/offers", params=query)
        assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", place])


# ── made from a node ─────────────────────────────────────────────────────────────────────────────────


def test_flavors_are_made_from_a_node_after_a_preview(ask):
    body = {"node": "a100-0", "counts": [1, 8]}
    looked = ask(ADMINISTRATOR, "POST", "flavors/generate", json={**body, "preview": True})
    assert looked.status_code == 200, looked.text
    wire.FlavorProposals.model_validate(looked.json())
    names = [one["flavor"]["name"] for one in looked.json()["items"]]
    assert names == ["a100-1", "a100-8"]
    assert ask(ADMINISTRATOR, "GET", "flavors/a100-1").status_code == 404
    made = ask(ADMINISTRATOR, "POST", "flavors/generate", json=body).json()
    assert [one["exists"] for one in made["items"]] == [False, False]
    assert ask(ADMINISTRATOR, "GET", "flavors/a100-1").json() == made["items"][0]["flavor"]
    again = ask(ADMINISTRATOR, "POST", "flavors/generate", json=body).json()
    assert [one["exists"] for one in again["items"]] == [True, True]
    assert offers(ask)["a100-8"]["state"] == "available"


def test_who_may_not_write_flavors_makes_changes_and_removes_none(ask):
    for method, path, body in (
        ("POST", "flavors/generate", {"node": "a100-0", "preview": True}),
        ("PATCH", "flavors", {"names": ["one"], "description": "x"}),
        ("POST", "flavors/delete", {"names": ["one"], "preview": True}),
    ):
        assert ask(ENGINEER, method, path, json=body).status_code == 403
    assert ask(ADMINISTRATOR, "POST", "flavors/generate", json={"node": "nowhere"}).status_code == 404


def test_a_flavor_is_not_named_like_a_question(ask):
    for name in ("offers", "recommend"):
        refused = ask(ADMINISTRATOR, "POST", "flavors", json={"name": name, "resources": {}})
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "reserved")


# ── many at once ─────────────────────────────────────────────────────────────────────────────────────


def test_many_are_changed_and_one_that_fails_leaves_the_others_changed(ask):
    body = {"names": ["one", "nope", "four"], "description": "Together"}
    done = ask(ADMINISTRATOR, "PATCH", "flavors", json=body).json()
    wire.FlavorsEdited.model_validate(done)
    assert [(one["name"], one["ok"]) for one in done["items"]] == [
        ("one", True),
        ("nope", False),
        ("four", True),
    ]
    assert "there is no flavor 'nope'" in done["items"][1]["error"]
    text = done["items"][1]["text"]
    assert text["en"] == done["items"][1]["error"] != text["zh"]
    assert ask(VIEWER, "GET", "flavors/four").json()["description"] == "Together"


def test_jobs_of_a_removed_flavor_run_on_are_shown_restarted_and_cloned(fresh):
    admin, eve = fresh.caller(ADMINISTRATOR), fresh.caller(ENGINEER)
    fresh.registry.add(admin, wire_flavor("gone", {"cpus": 2, "memory": "1GiB", "gpus": 8, "gpu": "A100"}))

    def steps() -> None:
        for _ in range(3):
            fresh.controller.step()

    jobs = [
        fresh.jobs.create(eve, job_file(f"named-{at}", env=LONG, flavor="gone"), start=True).id
        for at in range(3)
    ]
    stopped = fresh.jobs.create(eve, job_file("named-3", env=LONG, flavor="gone")).id
    steps()
    flavors = fresh.services.flavors
    assert [(one.used_by, one.ok) for one in flavors.remove_all(admin, ["gone"], preview=True)] == [(3, True)]
    assert "gone" in fresh.registry.flavors()
    assert [one.ok for one in flavors.remove_all(admin, ["gone", "gone"], preview=False)] == [True]
    assert "gone" not in fresh.registry.flavors()
    steps()
    states = [fresh.jobs.get(eve, one).state.value for one in (*jobs, stopped)]
    assert states == ["running", "running", "queued", "created"]
    with served(fresh.app) as url:
        shown = httpx.get(f"{url}/api/v1/jobs/{jobs[0]}", headers=fresh.bearer(ENGINEER)).json()
    assert (shown["gpus"], shown["spec"]["flavor"]) == (8, "gone")

    fresh.jobs.act(eve, jobs[0], "stop")
    steps()
    assert fresh.jobs.get(eve, jobs[2]).state.value == "running"  # whose turn it was
    fresh.jobs.act(eve, jobs[1], "restart")
    steps()
    steps()
    assert fresh.jobs.get(eve, jobs[1]).attempts == 2
    copy = fresh.jobs.clone(eve, jobs[0])
    role = copy.spec.roles[0]
    assert (role.flavor, role.resources.gpu_milli, role.resources.cpu_milli) == (None, 8000, 2000)
    fresh.jobs.act(eve, jobs[2], "stop")
    fresh.jobs.act(eve, stopped, "start")
    steps()
    steps()
    assert fresh.jobs.get(eve, stopped).state.value == "running"


def test_a_flavor_that_a_project_falls_back_on_is_kept_and_the_preview_says_so(fresh):
    admin = fresh.caller(ADMINISTRATOR)
    fresh.registry.add(admin, wire_flavor("usual", {"cpus": 1}))
    fresh.registry.add(admin, Project("nlp", 1, default_flavor="usual"))
    for preview in (True, False):
        (one,) = fresh.services.flavors.remove_all(admin, ["usual"], preview=preview)
        assert (one.ok, "used by project nlp" in one.error.en) == (False, True)


# ── fitted to a job ──────────────────────────────────────────────────────────────────────────────────


def measured(here: World, job_id: str, attempt: int, cores: int, gib: int, busy: tuple[int, ...]) -> None:
    now = int(time.time() * 1000)
    path = task_path(here.root / "logs", LogKey(job_id, attempt, "worker-0"))
    path.parent.mkdir(parents=True, exist_ok=True)
    file = SampleFile(str(path), Head(now - 2 * EVERY, EVERY, RATED, tuple(range(len(busy)))))
    cards = tuple((each, 5 << 30) for each in busy)
    for at in (now - EVERY, now):
        assert file.append(Sample(at, 1000 * cores, gib << 30, cards))


def test_a_job_is_recommended_what_its_runs_would_have_needed(ask, here):
    eve = here.caller(ENGINEER)
    file = job_file("greedy", env=LONG, resources={"cpus": 16, "memory": "64GiB", "gpus": 8, "gpu": "A100"})
    job = here.jobs.create(eve, file, start=True)
    for _ in range(3):
        here.controller.step()
    nothing = ask(ENGINEER, "GET", "flavors/recommend?job=greedy").json()
    wire.FlavorRecommendation.model_validate(nothing)
    assert (nothing["job"], nothing["measured"], nothing["items"]) == (job.id, None, [])
    assert nothing["text"]["en"].startswith("none of its runs was measured")

    measured(here, job.id, 1, 3, 3, (70, 20, 0, 0, 0, 0, 0, 0))
    answer = ask(ENGINEER, "GET", "flavors/recommend", params={"job": job.id}).json()
    wire.FlavorRecommendation.model_validate(answer)
    assert answer["measured"] == {
        "runs": 1,
        "cpus": 3.0,
        "memory": 3 << 30,
        "gpu_use": 0.7,
        "gpu_memory": 5 << 30,
    }
    assert answer["text"]["en"] == "its last run used at most 3 of 16 CPUs and 3 of 64 GiB and 2 of 8 GPUs"
    # `one` has too few GPUs; of the others the smallest that is to be had.
    assert [one["flavor"]["name"] for one in answer["items"]][:2] == ["four", "all"]
    assert answer["items"][0]["text"]["en"] == "available now"
    assert ask(OTHER, "GET", "flavors/recommend?job=eve:greedy").status_code == 404
    here.jobs.act(eve, job.id, "reset")
    for _ in range(3):
        here.controller.step()
