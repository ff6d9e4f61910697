"""Templates with the real application: kept, shared, used, refused."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.control.templates import MOST_BYTES, MOST_TEMPLATES, build
from danlu.domain.errors import Conflict
from danlu.domain.members import MemberRole
from danlu.domain.rules import Project
from danlu.server.templates import models
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file

JOB = {"kind": "training", "command": "python train.py", "env": {"LR": "0.1"}}


@pytest.fixture(scope="module", autouse=True)
def a_project(here: World) -> None:
    administrator = here.caller(ADMINISTRATOR)
    for name in ("team", "far"):
        here.registry.add(administrator, Project(name))
    for who in (ENGINEER, VIEWER):
        here.services.projects.members.set(administrator, "team", who, MemberRole.MEMBER)


@pytest.fixture
def make(ask):
    """Keep a template, and delete it when the test is over."""
    made: list[tuple[str, str]] = []

    def kept(name: str, who: str = ENGINEER, /, **more: Any) -> dict[str, Any]:
        answer = ask(who, "POST", "templates", json={"name": name, "job": JOB, **more})
        assert answer.status_code == 201, answer.text
        models.Template.model_validate(answer.json())
        assert answer.headers["Location"] == f"/api/v1/templates/{answer.json()['id']}"
        found: dict[str, Any] = answer.json()
        made.append((who, found["id"]))
        return found

    yield kept
    for who, template in made:
        ask(who, "DELETE", f"templates/{template}")


def names(ask, who: str, **query: str) -> list[str]:
    answer = ask(who, "GET", "templates", params=query)
    assert answer.status_code == 200, answer.text
    models.TemplateList.model_validate(answer.json())
    return [f"{one['owner']}:{one['name']}" for one in answer.json()["items"]]


def test_a_template_is_found_by_id_name_and_owner(ask, make):
    made = make("bert", description="pre-training")
    assert (made["owner"], made["kind"], made["project"], made["can_edit"]) == (
        ENGINEER,
        "training",
        None,
        True,
    )
    assert made["job"] == JOB
    for ref in (made["id"], "bert", f"{ENGINEER}:bert"):
        assert ask(ENGINEER, "GET", f"templates/{ref}").json() == made
    assert names(ask, ENGINEER) == [f"{ENGINEER}:bert"]


def test_a_template_makes_jobs(ask, make):
    made = make("runs")
    answer = ask(ENGINEER, "POST", "jobs", json={**made["job"], "name": "of-a-template"})
    assert answer.status_code == 201, answer.text
    assert answer.json()["spec"]["env"] == {"LR": "0.1"}


def test_what_is_nobody_elses_does_not_exist_for_others(ask, make):
    made = make("alone")
    for who in (OTHER, VIEWER):
        assert names(ask, who) == []
        for ref in (made["id"], f"{ENGINEER}:alone"):
            assert ask(who, "GET", f"templates/{ref}").status_code == 404
    assert ask(OTHER, "DELETE", f"templates/{made['id']}").status_code == 404
    assert ask(ENGINEER, "GET", "templates/alone").status_code == 200


def test_the_people_of_a_project_read_what_is_shared_with_it_and_only_the_owner_changes_it(ask, make):
    made = make("shared", project="team")
    assert names(ask, VIEWER) == [f"{ENGINEER}:shared"]
    seen = ask(VIEWER, "GET", f"templates/{ENGINEER}:shared").json()
    assert (seen["job"], seen["can_edit"]) == (JOB, False)
    assert ask(VIEWER, "PATCH", f"templates/{made['id']}", json={"description": "x"}).status_code == 403
    assert names(ask, OTHER) == []
    private = ask(ENGINEER, "PATCH", "templates/shared", json={"project": None})
    assert private.json()["project"] is None
    assert names(ask, VIEWER) == []


def test_what_is_shared_with_an_open_project_is_everybodys_to_use(ask, make):
    make("for-all", project="public")
    assert names(ask, OTHER) == [f"{ENGINEER}:for-all"]
    assert ask(OTHER, "GET", f"templates/{ENGINEER}:for-all").json()["can_edit"] is False
    assert ask(OTHER, "DELETE", f"templates/{ENGINEER}:for-all").status_code == 403


def test_lists_are_narrowed_by_owner_and_project_and_read_page_by_page(ask, make):
    make("mine")
    make("ours", project="public")
    make("theirs", OTHER, project="public")
    assert names(ask, ENGINEER, owner="me") == [f"{ENGINEER}:mine", f"{ENGINEER}:ours"]
    assert names(ask, ENGINEER, owner=OTHER) == [f"{OTHER}:theirs"]
    assert names(ask, ENGINEER, project="public") == [f"{ENGINEER}:ours", f"{OTHER}:theirs"]
    assert names(ask, OTHER, owner=ENGINEER) == [f"{ENGINEER}:ours"]
    assert names(ask, ADMINISTRATOR, owner=ENGINEER) == [f"{ENGINEER}:mine", f"{ENGINEER}:ours"]
    first = ask(ENGINEER, "GET", "templates", params={"limit": 2}).json()
    rest = ask(ENGINEER, "GET", "templates", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [one["name"] for one in (*first["items"], *rest["items"])] == ["mine", "ours", "theirs"]
    assert rest["next_cursor"] is None


def test_mistakes_of_the_job_file_are_told_at_their_places_and_nothing_is_kept(ask):
    wrong = {"kind": "training", "nodes": "many", "comand": "python train.py"}
    answer = ask(ENGINEER, "POST", "templates", json={"name": "wrong", "job": wrong})
    assert answer.status_code == 422
    found = {tuple(one["loc"]): one.get("suggestion") for one in answer.json()["errors"]}
    assert found[("job", "comand")] == "command"
    assert ("job", "nodes") in found
    assert ("job", "name") not in found  # the only thing that may be missing
    assert names(ask, ENGINEER) == []


@pytest.mark.parametrize(
    ("body", "loc", "code"),
    [
        ({"name": "a b"}, ["name"], "bad_form"),
        ({"name": "x", "project": "nowhere"}, ["project"], "no_such_project"),
        ({"name": "x", "project": "far"}, ["project"], "not_a_member"),
        ({"name": "x", "job": {**JOB, "env": {"A": "x" * MOST_BYTES}}}, ["job"], "too_large"),
        ({"name": "x", "job": []}, ["job"], "wrong_type"),
        ({"name": "x", "owner": OTHER}, ["owner"], "unknown_key"),
    ],
)
def test_what_cannot_be_kept_is_refused(ask, body, loc, code):
    answer = ask(ENGINEER, "POST", "templates", json={"job": JOB, **body})
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(loc, code)]
    assert all(one["text"]["zh"] for one in answer.json()["errors"])


def test_a_name_is_taken_once_and_a_template_can_be_renamed_and_changed(ask, make):
    make("one")
    make("two")
    taken = ask(ENGINEER, "POST", "templates", json={"name": "one", "job": JOB})
    assert (taken.status_code, taken.json()["type"]) == (409, "name_taken")
    assert ask(ENGINEER, "PATCH", "templates/two", json={"name": "one"}).status_code == 409
    service = {"kind": "workspace"}
    changed = ask(ENGINEER, "PATCH", "templates/two", json={"name": "three", "job": service}).json()
    assert (changed["name"], changed["kind"], changed["job"]) == ("three", "workspace", service)
    assert ask(ENGINEER, "GET", "templates/two").status_code == 404


def test_administrators_remove_what_is_somebody_elses_and_it_is_noted(ask, make):
    make("stale", project="team")
    assert ask(ADMINISTRATOR, "DELETE", f"templates/{ENGINEER}:stale").status_code == 204
    noted = ask(ADMINISTRATOR, "GET", "audit", params={"subject": f"template:{ENGINEER}:stale"}).json()[
        "items"
    ]
    assert [(one["by"], one["act"]) for one in noted] == [(ADMINISTRATOR, "deleted"), (ENGINEER, "created")]
    assert noted[0]["text"]["en"] == f"{ADMINISTRATOR} deleted template {ENGINEER}:stale"


def test_a_person_keeps_no_more_than_so_many(fresh: World):
    room, caller = fresh.services.rooms(build), fresh.caller(ENGINEER)
    for at in range(MOST_TEMPLATES):
        room.create(caller, f"t{at}", JOB)
    with pytest.raises(Conflict, match=f"{MOST_TEMPLATES} templates"):
        room.create(caller, "one-more", JOB)
    assert len(room.all(caller)) == MOST_TEMPLATES


def test_a_task_reaches_no_template(ask, here: World, make):
    make("hidden", project="public")
    job = here.jobs.create(here.caller(ENGINEER), job_file("a-task"), start=True)
    here.controller.step()
    started = here.store.get(job.id)
    assert started is not None
    token = here.tasks.token(started.attempt_id)
    answer = ask(None, "GET", "templates", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403
