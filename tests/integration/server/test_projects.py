"""Who belongs to a project, who says so, and what belonging is good for, with the real application."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from danlu.domain.members import MemberRole
from danlu.domain.rules import Project
from danlu.ports.governance import AuditQuery
from danlu.server.people import models as people
from danlu.server.projects import models as wire
from danlu.server.rules import models as ruled
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file


@pytest.fixture
def project(here, ask, request):
    """A project that the engineer has made, with a name of the test's own."""
    name = request.node.name.removeprefix("test_")[:40].rstrip("_[]-")
    made = ask(ENGINEER, "POST", "projects", json={"name": name})
    assert made.status_code == 201, made.text
    return name


def roles(ask, project):
    found = ask(ADMINISTRATOR, "GET", f"projects/{project}/members").json()["items"]
    return {one["user"]: one["role"] for one in found}


def put(ask, who, project, user, role="member"):
    return ask(who, "PUT", f"projects/{project}/members/{user}", json={"role": role})


def enlist(ask, who, project, **body):
    return ask(who, "POST", f"projects/{project}/members", json=body)


def submit(ask, who, project, name):
    return ask(who, "POST", "jobs", json=job_file(name, project=project))


# ── members ──────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_makes_a_project_is_its_creator_and_may_queue_at_once(ask, project):
    shown = ask(ENGINEER, "GET", f"projects/{project}").json()
    ruled.Project.model_validate(shown)
    assert (shown["my_role"], shown["members"], shown["open"]) == ("creator", 1, False)
    assert ask(OTHER, "GET", f"projects/{project}").json()["my_role"] is None
    assert submit(ask, ENGINEER, project, "first-in-it").status_code == 201


def test_members_are_added_changed_listed_and_removed(ask, project):
    added = put(ask, ENGINEER, project, OTHER)
    assert added.status_code == 200, added.text
    wire.Member.model_validate(added.json())
    assert (added.json()["role"], added.json()["display_name"]) == ("member", "Otto")
    listed = ask(OTHER, "GET", f"projects/{project}/members")
    wire.MemberList.model_validate(listed.json())
    assert [one["user"] for one in listed.json()["items"]] == [ENGINEER, OTHER]

    changed = put(ask, ENGINEER, project, OTHER, "viewer").json()
    assert (changed["role"], changed["since"]) == ("viewer", added.json()["since"])
    assert ask(ENGINEER, "DELETE", f"projects/{project}/members/{OTHER}").status_code == 204
    assert roles(ask, project) == {ENGINEER: "creator"}
    assert ask(ENGINEER, "DELETE", f"projects/{project}/members/{OTHER}").status_code == 404


def test_a_job_of_a_stranger_is_refused_with_the_way_in_and_of_a_member_taken(ask, project):
    refused = submit(ask, OTHER, project, "stranger")
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert (error["loc"], error["code"]) == (["project"], "not_a_member")
    assert error["hint"] == f"ask to join: danlu project join {project}"
    checked = ask(OTHER, "POST", "jobs/check", json=job_file("stranger", project=project)).json()
    assert [one["code"] for one in checked["errors"]] == ["not_a_member"]
    assert submit(ask, ADMINISTRATOR, project, "governor").status_code == 201

    put(ask, ENGINEER, project, OTHER, "viewer")
    assert submit(ask, OTHER, project, "looker").status_code == 422
    put(ask, ENGINEER, project, OTHER)
    assert submit(ask, OTHER, project, "member").status_code == 201


def test_what_a_former_member_made_is_not_started_any_more(ask, project):
    put(ask, ENGINEER, project, OTHER)
    job = submit(ask, OTHER, project, "left-behind").json()["id"]
    ask(ENGINEER, "DELETE", f"projects/{project}/members/{OTHER}")
    refused = ask(OTHER, "POST", f"jobs/{job}/start")
    assert [error["code"] for error in refused.json()["errors"]] == ["not_a_member"]
    ask(ADMINISTRATOR, "PATCH", f"projects/{project}", json={"open": True})
    assert ask(OTHER, "POST", f"jobs/{job}/start").status_code == 200
    ask(OTHER, "POST", f"jobs/{job}/stop")


def test_only_creators_and_administrators_say_who_belongs(ask, project):
    put(ask, ENGINEER, project, OTHER)
    for who in (OTHER, VIEWER):
        assert put(ask, who, project, VIEWER).status_code == 403
        assert enlist(ask, who, project, names=[VIEWER]).status_code == 403
        assert ask(who, "DELETE", f"projects/{project}/members/{ENGINEER}").status_code == 403
    assert ask(VIEWER, "GET", f"projects/{project}/members").status_code == 403
    assert put(ask, ADMINISTRATOR, project, VIEWER, "viewer").status_code == 200
    assert ask(VIEWER, "GET", f"projects/{project}/members").status_code == 200
    put(ask, ENGINEER, project, OTHER, "creator")
    assert put(ask, OTHER, project, VIEWER).status_code == 200


def test_who_or_what_is_not_there_is_not_found(ask, project):
    assert put(ask, ENGINEER, project, "nobody").status_code == 404
    assert put(ask, ADMINISTRATOR, "nowhere", OTHER).status_code == 404
    assert ask(ADMINISTRATOR, "GET", "projects/nowhere/members").status_code == 404
    assert put(ask, ENGINEER, project, OTHER, "owner").status_code == 422


def test_people_leave_by_themselves_but_the_last_creator_only_by_an_administrator(ask, project):
    put(ask, ENGINEER, project, VIEWER, "viewer")
    assert ask(VIEWER, "DELETE", f"projects/{project}/members/{VIEWER}").status_code == 204
    for refused in (
        ask(ENGINEER, "DELETE", f"projects/{project}/members/{ENGINEER}"),
        put(ask, ENGINEER, project, ENGINEER, "member"),
        enlist(ask, ENGINEER, project, names=[ENGINEER], remove=True),
        enlist(ask, ENGINEER, project, names=[ENGINEER], remove=True, preview=True),
    ):
        assert (refused.status_code, "no creator left" in refused.text) == (409, True)
    assert roles(ask, project) == {ENGINEER: "creator"}
    assert ask(ADMINISTRATOR, "DELETE", f"projects/{project}/members/{ENGINEER}").status_code == 204
    assert roles(ask, project) == {}


def test_of_two_creators_who_leave_at_once_one_stays(ask, project):
    put(ask, ENGINEER, project, OTHER, "creator")
    with ThreadPoolExecutor(2) as both:
        left = [
            both.submit(ask, who, "DELETE", f"projects/{project}/members/{who}") for who in (ENGINEER, OTHER)
        ]
    assert sorted(one.result().status_code for one in left) == [204, 409]
    assert list(roles(ask, project).values()) == ["creator"]


def test_many_come_at_once_from_pasted_text_and_who_is_more_already_stays_so(ask, project):
    text = f"{OTHER}, {VIEWER};\n{ENGINEER}  ottto"
    expected = {
        "changed": [OTHER, VIEWER],
        "already": [ENGINEER],
        "unknown": [{"word": "ottto", "suggestion": OTHER}],
    }
    preview = enlist(ask, ENGINEER, project, text=text, role="viewer", preview=True)
    people.MembersChanged.model_validate(preview.json())
    assert preview.json() == expected
    assert roles(ask, project) == {ENGINEER: "creator"}
    assert enlist(ask, ENGINEER, project, text=text, role="viewer").json() == expected
    assert roles(ask, project) == {ENGINEER: "creator", OTHER: "viewer", VIEWER: "viewer"}
    assert enlist(ask, ENGINEER, project, names=[OTHER, ENGINEER]).json()["changed"] == [OTHER]
    assert roles(ask, project)[OTHER] == "member"


def test_a_table_says_as_what_each_belongs(ask, project):
    table = f"name,role\n{OTHER},creator\n{VIEWER},\n{ENGINEER},creator\n"
    done = enlist(ask, ENGINEER, project, text=table, role="viewer").json()
    assert (done["changed"], done["already"], done["unknown"]) == ([OTHER, VIEWER], [ENGINEER], [])
    assert roles(ask, project) == {ENGINEER: "creator", OTHER: "creator", VIEWER: "viewer"}
    gone = enlist(ask, ENGINEER, project, names=[OTHER, VIEWER, ADMINISTRATOR], remove=True).json()
    assert (gone["changed"], gone["already"]) == ([OTHER, VIEWER], [ADMINISTRATOR])

    wrong = enlist(ask, ENGINEER, project, text=f"name,role\n{OTHER},onwer\n").json()["errors"]
    assert [(one["loc"], one["code"]) for one in wrong] == [(["text"], "no_such_role")]
    assert enlist(ask, ENGINEER, project).json()["errors"][0]["code"] == "missing"


def test_every_change_of_members_is_noted_with_before_and_after(ask, here, project):
    put(ask, ENGINEER, project, OTHER)
    put(ask, ENGINEER, project, OTHER, "viewer")
    ask(OTHER, "DELETE", f"projects/{project}/members/{OTHER}")
    notes = [one.entry for one in reversed(here.store.noted(AuditQuery(subject=f"project:{project}")))]
    shown = {"member": OTHER, "role": "member"}, {"member": OTHER, "role": "viewer"}
    assert [(one.by, one.act, one.before, one.after) for one in notes[2:]] == [
        (ENGINEER, "member_set", None, shown[0]),
        (ENGINEER, "member_set", *shown),
        (OTHER, "left", shown[1], None),
    ]
    assert [one.act for one in notes[:2]] == ["added", "joined"]


def test_a_project_that_goes_is_nobodys_and_its_name_begins_anew(ask, project):
    put(ask, ENGINEER, project, VIEWER, "viewer")
    assert ask(ADMINISTRATOR, "DELETE", f"projects/{project}").status_code == 204
    made = ask(OTHER, "POST", "projects", json={"name": project}).json()
    assert (made["members"], made["my_role"]) == (1, "creator")
    assert roles(ask, project) == {OTHER: "creator"}


# ── what belongs to a project ────────────────────────────────────────────────────────────────────────


def test_defaults_are_the_creators_to_set_and_openness_the_administrators(ask, here, project):
    ask(ADMINISTRATOR, "POST", "flavors", json={"name": "cpu-2", "resources": {"cpus": 2}})
    changes = {"default_flavor": "cpu-2", "default_image": "host"}
    edited = ask(ENGINEER, "PATCH", f"projects/{project}", json=changes)
    assert edited.status_code == 200, edited.text
    assert {key: edited.json()[key] for key in changes} == changes
    made = submit(ask, ENGINEER, project, "sized").json()
    assert made["spec"]["flavor"] == "cpu-2"

    refused = ask(ENGINEER, "PATCH", f"projects/{project}", json={"open": True})
    assert (refused.status_code, "open: only administrators can set this" in refused.text) == (403, True)
    wrong = ask(
        ENGINEER, "PATCH", f"projects/{project}", json={"default_flavor": "cpu-3", "default_image": "a b"}
    )
    assert [(one["loc"], one["code"]) for one in wrong.json()["errors"]] == [(["default_image"], "bad_form")]
    wrong = ask(ENGINEER, "PATCH", f"projects/{project}", json={"default_flavor": "cpu-3"}).json()["errors"]
    assert [(one["loc"], one["code"]) for one in wrong] == [(["default_flavor"], "no_such_flavor")]
    used = ask(ADMINISTRATOR, "DELETE", "flavors/cpu-2")
    assert (used.status_code, f"used by project {project}" in used.text) == (409, True)
    assert ask(ENGINEER, "PATCH", f"projects/{project}", json={"default_flavor": ""}).status_code == 200
    assert ask(ADMINISTRATOR, "DELETE", "flavors/cpu-2").status_code == 204


def test_a_clone_is_what_it_was_whatever_its_project_gives_to_others_now(ask, here, project):
    submit(ask, ENGINEER, project, "plain-before")
    ask(ADMINISTRATOR, "POST", "flavors", json={"name": "cpu-4", "resources": {"cpus": 4}})
    ask(
        ENGINEER, "PATCH", f"projects/{project}", json={"default_flavor": "cpu-4", "default_image": "torch:2"}
    )
    clone = ask(ENGINEER, "POST", "jobs/plain-before/clone", json={}).json()
    assert (clone["spec"].get("flavor"), clone["spec"].get("image")) == (None, None)


def test_projects_of_the_settings_are_everybodys(fresh):
    fresh.registry.seed(["lab"])
    assert fresh.registry.projects()["lab"].open
    assert fresh.jobs.create(fresh.caller(OTHER), job_file("anybody", project="lab")).spec.project == "lab"


def test_only_projects_that_one_may_use_are_named_as_a_way_to_start(fresh):
    admin = fresh.caller(ADMINISTRATOR)
    fresh.registry.add(admin, Project("tight", 1, cap={"gpus": 1_000}, open=True))
    fresh.registry.add(admin, Project("theirs", 1))
    fresh.registry.edit(admin, Project, "public", {"closed": True})
    file = job_file("stuck", project="tight", resources={"gpus": 2, "gpu": "A100"})
    job = fresh.jobs.create(fresh.caller(ENGINEER), file, start=True)
    fresh.controller.step()

    def ways():
        helps = fresh.services.queue.queue.why(fresh.caller(ENGINEER), job.id).helps
        return [one.value for one in helps if one.key == "project"]

    assert ways() == []
    fresh.services.projects.members.set(admin, "theirs", ENGINEER, MemberRole.MEMBER)
    assert ways() == ["theirs"]


def test_a_project_shows_how_it_stands(fresh):
    admin = fresh.caller(ADMINISTRATOR)
    fresh.registry.add(admin, Project("nlp", 3, {"A100": 4_000}, {"gpus": 12_000}, open=True))
    fresh.registry.add(fresh.caller(OTHER), Project("side"))
    size = {"gpus": 8, "gpu": "A100"}
    for number in range(3):
        file = job_file(f"nlp-{number}", project="nlp", resources=size, env={"SIMULATED_RUN_FOR": "1h"})
        fresh.jobs.create(fresh.caller(ENGINEER), file, start=True)
    for _ in range(3):
        fresh.controller.step()
    found = fresh.services.queue.standings.of(fresh.caller(VIEWER), "nlp")
    shares = {one.resource: one for one in found.shares}
    assert (found.running, found.queued) == (1, 2)
    assert (shares["A100"].held, shares["A100"].queued, shares["A100"].guarantee) == (8_000, 16_000, 4_000)
    assert (shares["gpus"].cap, shares["gpus"].held, shares["gpus"].deserved) == (12_000, 8_000, None)
    assert shares["A100"].deserved == 16_000, "nobody else wants any"
    side = {one.resource: one for one in fresh.services.queue.standings.of(admin, "side").shares}
    assert (side["A100"].held, side["A100"].deserved) == (0, None)


def test_how_a_project_stands_is_told_in_numbers(ask):
    shown = ask(VIEWER, "GET", "projects/public/standing")
    assert shown.status_code == 200, shown.text
    wire.Standing.model_validate(shown.json())
    assert (shown.json()["account"], shown.json()["weight"]) == ("public", 1)
    assert [one["resource"] for one in shown.json()["amounts"]] == ["A100", "gpus", "cpus", "memory"]
    assert ask(VIEWER, "GET", "projects/nowhere/standing").status_code == 404


def test_a_name_is_taken_in_whatever_case(ask):
    assert ask(ADMINISTRATOR, "POST", "projects", json={"name": "Robotics"}).status_code == 201
    refused = ask(ADMINISTRATOR, "POST", "projects", json={"name": "robotics"})
    assert refused.status_code == 409, refused.text
    assert "'Robotics'" in refused.json()["detail"]
    assert ask(ADMINISTRATOR, "DELETE", "projects/Robotics").status_code == 204


def test_a_cluster_that_does_not_exist_is_refused_for_projects_and_jobs(ask):
    there = {"node_selector": {"cluster": "moon"}}
    for method, path, body in (
        ("POST", "projects", {"name": "lunar", **there}),
        ("PATCH", "projects/public", there),
        ("POST", "jobs", job_file("on-the-moon", **there)),
    ):
        refused = ask(ADMINISTRATOR, method, path, json=body)
        assert refused.status_code == 422, refused.text
        (error,) = refused.json()["errors"]
        assert (error["loc"], error["code"], error["value"]) == (
            ["node_selector", "cluster"],
            "no_such_cluster",
            "moon",
        )
