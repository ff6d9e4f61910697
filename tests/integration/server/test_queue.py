"""The queue, its order and its scores, with the real application and two people in each other's way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.domain.rules import Project
from danlu.server.jobs.models import JobDetail, JobRow
from danlu.server.queue import models as wire
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, served, world

LONG = {"SIMULATED_RUN_FOR": "1h"}
WHOLE_NODE = {"gpus": 8, "gpu": "A100"}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    """Everything is taken by two jobs of the other person."""
    with world(tmp_path) as made:
        for name in ("first", "second"):
            submit(made, OTHER, name)
        made.controller.step()
        yield made


@pytest.fixture
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


def submit(here: World, owner: str, name: str, **more: Any) -> str:
    file = job_file(name, env=LONG, **{"resources": WHOLE_NODE, **more})
    return here.jobs.create(here.caller(owner), file, start=True).id


def waiting(ask: Any, who: str, query: str = "") -> list[dict[str, Any]]:
    answer = ask(who, "GET", f"queue{query}")
    assert answer.status_code == 200, answer.text
    wire.QueuePage.model_validate(answer.json())
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


# ── looking ──────────────────────────────────────────────────────────────────────────────────────────


def test_of_others_one_sees_who_waits_for_how_much_and_not_which_job(ask, here):
    mine = submit(here, ENGINEER, "mine")
    submit(here, OTHER, "theirs")
    here.controller.step()
    first, second = waiting(ask, ENGINEER)
    assert (first["position"], first["job_id"], first["name"], first["mine"]) == (1, mine, "mine", True)
    assert first["reason"]["code"] == "not_enough_gpus"
    assert (second["owner"], second["gpus"], second["gpu_model"], second["mine"]) == (OTHER, 8, "A100", False)
    assert (second["job_id"], second["name"], second["reason"]) == (None, None, None)
    assert "theirs" not in ask(ENGINEER, "GET", "queue").text

    seen = waiting(ask, ADMINISTRATOR)
    assert [(one["name"], one["mine"]) for one in seen] == [("mine", False), ("theirs", False)]
    assert all(one["name"] is None for one in waiting(ask, VIEWER))


def test_another_engineer_who_asks_for_everybodys_jobs_in_every_way_learns_no_name(ask, here):
    secret = {"command": "echo secret", "description": "secret"}
    running = submit(here, OTHER, "secret-cpus", resources={"cpus": 1}, command="echo secret")
    unstarted = job_file("secret-new", env={"KEY": "secret"}, **secret)
    created = here.jobs.create(here.caller(OTHER), unstarted, start=False).id
    stopped = submit(here, OTHER, "secret-gone")
    here.jobs.act(here.caller(OTHER), stopped, "stop")
    mine = submit(here, ENGINEER, "mine")
    here.controller.step()

    whole = ask(ENGINEER, "GET", "queue/jobs")
    wire.AnybodysJobPage.model_validate(whole.json())
    assert whole.json()["total"] == len(whole.json()["items"]) == 6
    assert {one["state"] for one in whole.json()["items"]} >= {"created", "queued", "stopped"}
    texts, cursor = [whole.text], ""
    while cursor is not None:
        page = ask(ENGINEER, "GET", f"queue/jobs?limit=1{cursor and '&cursor=' + cursor}")
        texts.append(page.text)
        cursor = page.json()["next_cursor"]
    assert len(texts) == 7
    for query in (f"owner={OTHER}", "state=stopped&state=created", "kind=training", "project=public"):
        answer = ask(ENGINEER, "GET", f"queue/jobs?{query}")
        assert answer.status_code == 200
        texts.append(answer.text)
    for hidden in ("secret", "first", "second", running, created, stopped):
        assert not any(hidden in text for text in texts)
    (own,) = (one for one in whole.json()["items"] if one["mine"])
    assert (own["job_id"], own["name"]) == (mine, "mine")
    # Neither a search nor an order by name tells of names, and a cursor that was made up tells nothing either.
    for query in ("search=secret", "sort=name", "cursor=x", "cursor=1.99999", "limit=501", "state=none"):
        assert ask(ENGINEER, "GET", f"queue/jobs?{query}").status_code == 422, query
    assert ask(ENGINEER, "GET", "queue/jobs?cursor=9999999999999.0").json()["total"] == 6

    seen = {one["name"] for one in ask(ADMINISTRATOR, "GET", "queue/jobs").json()["items"]}
    assert seen == {"first", "second", "secret-cpus", "secret-new", "secret-gone", "mine"}
    assert all(one["name"] is None for one in ask(VIEWER, "GET", "queue/jobs").json()["items"])


def test_a_job_that_waits_is_numbered_as_soon_as_its_name_has_another_run(ask, here):
    waits = submit(here, ENGINEER, "same")
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER)] == ["same"]
    again = here.jobs.create(here.caller(ENGINEER), job_file("same"), start=False)
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER)] == ["same#1"]
    rows = ask(ENGINEER, "GET", "jobs?owner=me").json()["items"]
    assert [(one["id"], one["run"], one["numbered"]) for one in rows] == [
        (again.id, 2, True),
        (waits, 1, True),
    ]
    assert ask(ENGINEER, "GET", "jobs/same").json()["id"] == again.id
    assert ask(ENGINEER, "GET", "jobs/same%231").json()["id"] == waits


def test_the_queue_is_filtered_and_says_what_waits_in_each_lane(ask, here):
    submit(here, ENGINEER, "mine")
    submit(here, OTHER, "pair", nodes=2)
    (cpus, *_) = (node["cpus"] for node in ask(OTHER, "GET", "nodes").json()["items"])
    submit(here, OTHER, "cpus-only", resources={"cpus": cpus})
    here.registry.add(here.caller(ENGINEER), Project("nlp"))
    submit(here, ENGINEER, "words", project="nlp")
    here.controller.step()
    assert [one["class"] for one in waiting(ask, OTHER, "?class=distributed")] == ["distributed"]
    assert [one["lane"]["gpu_model"] for one in waiting(ask, OTHER, "?lane=cpu")] == ["cpu"]
    assert [one["owner"] for one in waiting(ask, OTHER, "?lane=A100&owner=me")] == [OTHER]
    assert [one["project"] for one in waiting(ask, OTHER, "?project=nlp")] == ["nlp"]
    lanes = ask(OTHER, "GET", "queue?lane=none-such").json()["lanes"]
    assert [(one["gpu_model"], one["class"], one["waiting"]) for one in lanes] == [
        ("A100", "distributed", 1),
        ("A100", "single", 2),
        ("cpu", "single", 1),
    ]
    assert ask(OTHER, "GET", "queue?class=huge").status_code == 422
    decided = ask(OTHER, "GET", "queue").json()["decided_at"]
    here.controller.step()
    assert ask(OTHER, "GET", "queue").json()["decided_at"] > decided


def test_a_long_queue_comes_page_by_page_whole_and_in_order(ask, here):
    for number in range(9):
        submit(here, ENGINEER, f"job-{number}", nodes=1 + number % 2)
    here.controller.step()
    found, cursor = [], ""
    while True:
        page = ask(ENGINEER, "GET", f"queue?limit=2{cursor}").json()
        assert len(page["items"]) <= 2
        found += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == waiting(ask, ENGINEER)
    assert [(one["class"], one["position"]) for one in found] == [
        *[("distributed", place) for place in range(1, 5)],
        *[("single", place) for place in range(1, 6)],
    ]
    for wrong in ("9", "1.single", "x.single.A100", "1.huge.A100"):
        assert ask(ENGINEER, "GET", f"queue?cursor={wrong}").json()["errors"][0]["code"] == "bad_cursor"


def test_why_names_who_is_ahead_and_what_would_start_the_job_now(ask, here):
    job = submit(here, ENGINEER, "mine", nodes=2)
    submit(here, OTHER, "third", resources={"gpus": 4, "gpu": "A100"})
    here.controller.step()
    here.jobs.act(here.caller(OTHER), "first", "stop")
    for _ in range(2):
        here.controller.step()
    answer = ask(ENGINEER, "GET", f"jobs/{job}/why")
    why = wire.Why.model_validate(answer.json())
    assert why.reason is not None
    assert why.reason.code == "not_enough_gpus"
    assert [(one.lane.gpu_model, one.lane.job_class, one.position) for one in why.places] == [
        ("A100", "distributed", 1)
    ]
    helps = {one.change: one for one in why.helps}
    assert (helps["tasks"].value, helps["gpus"].value) == ("1", "4")
    assert helps["gpus"].text.en == "with 4 GPUs per task it would start now"
    assert "4 卡" in helps["gpus"].text.zh

    last = submit(here, OTHER, "last", nodes=2)
    here.controller.step()
    behind = ask(OTHER, "GET", f"jobs/{last}/why").json()
    assert behind["ahead_total"] == 1
    assert [(one["owner"], one["name"], one["position"]) for one in behind["ahead"]] == [(ENGINEER, None, 1)]


def test_of_a_crowd_ahead_only_the_first_are_named(ask, here):
    for number in range(52):
        submit(here, ENGINEER, f"job-{number:02}")
    here.controller.step()
    why = ask(ENGINEER, "GET", "jobs/job-51/why").json()
    assert (why["ahead_total"], len(why["ahead"])) == (51, 50)
    assert [one["position"] for one in why["ahead"]] == list(range(1, 51))


def test_every_job_has_a_why_for_its_readers_alone(ask, here):
    job = submit(here, ENGINEER, "mine")
    assert ask(OTHER, "GET", f"jobs/{job}/why").status_code == 404
    assert ask(ADMINISTRATOR, "GET", f"jobs/{job}/why").status_code == 200
    runs = ask(OTHER, "GET", "jobs/first/why").json()
    assert runs["state"] in ("starting", "running")
    assert (runs["reason"], runs["places"]) == (None, [])
    here.jobs.act(here.caller(OTHER), "first", "stop")
    here.controller.step()
    here.controller.step()
    over = ask(OTHER, "GET", "jobs/first/why").json()
    assert (over["state"], over["reason"]["code"]) == ("stopped", "stopped_by")
    assert over["reason"]["advice"]["zh"]


# ── moving ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_pin_is_the_administrators_and_the_latest_goes_first(ask, here):
    jobs = [submit(here, ENGINEER, name) for name in ("alpha", "beta", "gamma")]
    for who, status in ((ENGINEER, 403), (VIEWER, 403), (None, 401), (ADMINISTRATOR, 200)):
        assert ask(who, "PUT", f"jobs/{jobs[2]}/pin").status_code == status
    pinned = ask(ADMINISTRATOR, "PUT", f"jobs/{jobs[1]}/pin").json()
    JobDetail.model_validate(pinned)
    assert pinned["pinned_at"] is not None
    assert {"pin", "unpin"} <= set(pinned["actions"])
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER)] == ["beta", "gamma", "alpha"]
    assert [one["pinned_at"] is None for one in waiting(ask, OTHER)] == [False, False, True]

    assert ask(ENGINEER, "DELETE", f"jobs/{jobs[1]}/pin").status_code == 403
    unpinned = ask(ADMINISTRATOR, "DELETE", f"jobs/{jobs[1]}/pin").json()
    assert (unpinned["pinned_at"], "unpin" in unpinned["actions"]) == (None, False)
    assert ask(ADMINISTRATOR, "DELETE", f"jobs/{jobs[1]}/pin").status_code == 200
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER)] == ["gamma", "alpha", "beta"]


def test_one_moves_ones_own_jobs_and_the_next_move_need_not_wait(ask, here):
    jobs = {name: submit(here, ENGINEER, name) for name in ("alpha", "beta", "gamma")}
    theirs = submit(here, OTHER, "theirs")
    here.controller.step()
    before = [one["owner"] for one in waiting(ask, OTHER)]
    moved = ask(ENGINEER, "POST", f"jobs/{jobs['gamma']}/order", json={"before": "alpha"})
    assert moved.status_code == 200, moved.text
    assert {JobRow.model_validate(one).name for one in moved.json()["items"]} == {"alpha", "beta", "gamma"}
    ask(ENGINEER, "POST", "jobs/beta/order", json={"before": jobs["alpha"]})
    assert ask(ENGINEER, "POST", "jobs/beta/order", json={"before": "alpha"}).json() == {"items": []}
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER, "?owner=me")] == ["gamma", "beta", "alpha"]
    assert [one["owner"] for one in waiting(ask, OTHER)] == before, "nobody else is affected"

    assert len(ask(ENGINEER, "POST", "jobs/gamma/order", json={"after": "alpha"}).json()["items"]) == 3
    assert ask(ENGINEER, "POST", "jobs/gamma/order", json={"after": "alpha"}).json() == {"items": []}
    ask(ENGINEER, "POST", "jobs/beta/order", json={"after": "alpha"})
    here.controller.step()
    assert [one["name"] for one in waiting(ask, ENGINEER, "?owner=me")] == ["alpha", "beta", "gamma"]
    assert [one["owner"] for one in waiting(ask, OTHER)] == before, "nobody else is affected"

    assert "order" in ask(ENGINEER, "GET", "jobs/alpha").json()["actions"]
    assert ask(ENGINEER, "POST", "jobs/alpha/order", json={"before": theirs}).status_code == 404
    assert ask(OTHER, "POST", f"jobs/{jobs['alpha']}/order", json={"before": theirs}).status_code == 404
    assert (
        ask(ADMINISTRATOR, "POST", f"jobs/{jobs['alpha']}/order", json={"before": jobs["beta"]}).status_code
        == 403
    )
    assert ask(VIEWER, "POST", f"jobs/{jobs['alpha']}/order", json={"before": "alpha"}).status_code == 403


def test_jobs_that_do_not_stand_in_one_line_are_not_ordered(ask, here):
    for name, more in (("alpha", {}), ("pair", {"nodes": 2}), ("lowly", {"priority": "low"})):
        submit(here, ENGINEER, name, **more)
    here.controller.step()
    for other in ("pair", "lowly", "alpha"):
        wrong = ask(ENGINEER, "POST", "jobs/alpha/order", json={"before": other})
        assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (422, "not_in_line")
        wrong = ask(ENGINEER, "POST", "jobs/alpha/order", json={"after": other})
        assert wrong.json()["errors"][0]["loc"] == ["after"]
    assert ask(OTHER, "POST", "jobs/first/order", json={"before": "second"}).json()["type"] == "wrong_state"
    for neither_or_both in ({}, {"before": "pair", "after": "lowly"}):
        unclear = ask(ENGINEER, "POST", "jobs/alpha/order", json=neither_or_both)
        assert (unclear.status_code, unclear.json()["errors"][0]["code"]) == (422, "one_of")


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_rows_of_the_ledger_add_up_to_the_score(ask, here):
    here.jobs.act(here.caller(OTHER), "first", "stop")
    for _ in range(3):
        here.controller.step()
    whole = wire.LedgerPage.model_validate(ask(OTHER, "GET", f"scores/{OTHER}/ledger").json())
    score = wire.Score.model_validate(ask(OTHER, "GET", f"scores/{OTHER}").json())
    assert [(row.job_name, row.ended is None, row.amount) for row in whole.items] == [
        ("second#1", True, 8),
        ("first#1", False, 8),
    ]
    (each,) = score.scores
    assert (score.score_time, each.model, each.held) == ("6h", "A100", 8)
    assert each.score > 0
    rows = wire.LedgerPage.model_validate(ask(OTHER, "GET", f"scores/{OTHER}/ledger").json()).items
    # A moment passed between the two questions: 8 GPUs add 8 / 6 h in that time.
    assert sum(row.adds for row in rows) == pytest.approx(each.score, abs=8 * 30 / (6 * 3600))


def test_a_ledger_comes_page_by_page(ask, here):
    submit(here, OTHER, "wide", resources={"cpus": 0.5}, nodes=3)
    here.controller.step()
    here.jobs.act(here.caller(OTHER), "first", "stop")
    for _ in range(3):
        here.controller.step()
    whole = ask(OTHER, "GET", f"scores/{OTHER}/ledger").json()
    assert len(whole["items"]) == 5
    assert whole["next_cursor"] is None
    for size in (1, 2, 3, 4, 5):
        found, cursor = [], ""
        while True:
            page = ask(OTHER, "GET", f"scores/{OTHER}/ledger?limit={size}{cursor}").json()
            assert len(page["items"]) <= size
            found += page["items"]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert [(row["job_name"], row["task"]) for row in found] == [
            (row["job_name"], row["task"]) for row in whole["items"]
        ]
    assert len(ask(OTHER, "GET", f"scores/{OTHER}/ledger?model=cpu").json()["items"]) == 3
    wrong = ask(OTHER, "GET", f"scores/{OTHER}/ledger?cursor=soon").json()["errors"][0]
    assert (wrong["loc"], wrong["code"]) == (["query", "cursor"], "bad_cursor")


def test_scores_are_ones_own_and_administrators_see_everybodys(ask, here):
    submit(here, ENGINEER, "small", resources={"cpus": 1})
    here.controller.step()
    everybody = wire.ScorePage.model_validate(ask(ADMINISTRATOR, "GET", "scores").json())
    assert [one.user for one in everybody.items] == [ENGINEER, OTHER]
    assert [one["user"] for one in ask(ENGINEER, "GET", "scores").json()["items"]] == [ENGINEER]
    assert ask(VIEWER, "GET", "scores").json() == {"items": [], "next_cursor": None}
    assert ask(VIEWER, "GET", f"scores/{VIEWER}").json()["scores"] == []
    for path in (f"scores/{OTHER}", f"scores/{OTHER}/ledger"):
        assert ask(ENGINEER, "GET", path).status_code == 404
        assert ask(ADMINISTRATOR, "GET", path).status_code == 200
        assert ask(None, "GET", path).status_code == 401
    assert ask(ADMINISTRATOR, "GET", "scores/nobody").status_code == 404


def test_a_check_says_what_a_job_would_wait_for(ask, here):
    file = job_file("mine", resources=WHOLE_NODE)
    would = ask(ENGINEER, "POST", "jobs/check", json=file).json()["would"]
    assert (would["starts_now"], would["reason"]["code"], would["ahead"]) == (False, "not_enough_gpus", 0)
    small = job_file("mine", resources={"cpus": 1})
    would = {"starts_now": True, "reason": None, "ahead": 0}
    assert ask(ENGINEER, "POST", "jobs/check", json=small).json()["would"] == would


def test_a_check_says_how_many_would_go_first_and_what_the_job_costs(ask, here):
    for name in ("mine-1", "mine-2"):
        submit(here, ENGINEER, name)
    submit(here, OTHER, "theirs")
    here.controller.step()
    checked = ask(ENGINEER, "POST", "jobs/check", json=job_file("mine", nodes=1, resources=WHOLE_NODE)).json()
    # The other person holds everything, so that their job stands behind; one's own are served in order.
    assert checked["would"]["ahead"] == 2
    whole = {**WHOLE_NODE, "cpus": 4, "memory": "8GiB"}
    pair = ask(ENGINEER, "POST", "jobs/check", json=job_file("pair", nodes=2, resources=whole)).json()
    assert pair["size"] == {"tasks": 2, "gpus": 16.0, "gpu_model": "A100", "cpus": 8.0, "memory": 2**34}
