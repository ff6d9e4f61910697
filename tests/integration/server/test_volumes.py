"""Volumes with the real application: created, shared, grown, trashed, and refused to everybody else."""

from __future__ import annotations

import os
from typing import Any

import pytest

from danlu.control.people.roster import roster_of
from danlu.control.volumes.quota import MOST_VOLUMES
from danlu.domain.errors import Conflict
from danlu.domain.members import MemberRole
from danlu.domain.people import UserRole
from danlu.domain.permissions import Permission
from danlu.domain.rules import Group, Project, Quota
from danlu.domain.volumes.volume import VolumeKind
from danlu.server.volumes import models
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file

GIB = 2**30
OPERATOR = "olga"


@pytest.fixture(scope="module", autouse=True)
def people_and_projects(here: World) -> None:
    here.people.make_user(OPERATOR, UserRole.OPERATOR, "Olga", "correct horse")
    administrator = here.caller(ADMINISTRATOR)
    for name in ("team", "far"):
        here.registry.add(administrator, Project(name))
    here.services.projects.members.set(administrator, "team", ENGINEER, MemberRole.MEMBER)


@pytest.fixture
def make(ask):
    """Create a volume, and delete it for good when the test is over."""
    made: list[tuple[str, str]] = []

    def created(name: str, who: str = ENGINEER, /, **more: Any) -> dict[str, Any]:
        body = {"name": name, "kind": "filesystem", "capacity": "1GiB", **more}
        answer = ask(who, "POST", "volumes", json=body)
        assert answer.status_code == 201, answer.text
        models.Volume.model_validate(answer.json())
        assert answer.headers["Location"] == f"/api/v1/volumes/{answer.json()['id']}"
        found: dict[str, Any] = answer.json()
        made.append((who, found["id"]))
        return found

    yield created
    for who, volume in made:
        ask(who, "DELETE", f"volumes/{volume}")
        ask(who, "DELETE", f"volumes/{volume}", params={"forever": True})


@pytest.fixture
def member(here: World):
    """Somebody becomes a member of `team` for a test."""
    joined: list[str] = []
    members, administrator = here.services.projects.members, here.caller(ADMINISTRATOR)

    def leave(name: str) -> None:
        joined.remove(name)
        members.remove(administrator, "team", name)
        here.app.state.desk.identity.forget()

    def join(name: str, role: MemberRole = MemberRole.MEMBER) -> Any:
        members.set(administrator, "team", name, role)
        joined.append(name)
        here.app.state.desk.identity.forget()
        return leave

    yield join
    for name in list(joined):
        leave(name)


def names(ask, who: str, **query: Any) -> list[str]:
    answer = ask(who, "GET", "volumes", params=query)
    assert answer.status_code == 200, answer.text
    models.VolumeList.model_validate(answer.json())
    return [one["title"] for one in answer.json()["items"]]


def share(ask, volume: str, *shares: tuple[str, str, str], who: str = ENGINEER):
    body = {"shares": [{"to": to, "name": name, "mode": mode} for to, name, mode in shares]}
    return ask(who, "PUT", f"volumes/{volume}/shares", json=body)


def seen(ask, who: str, ref: str) -> tuple[int, str | None]:
    answer = ask(who, "GET", f"volumes/{ref}")
    return answer.status_code, answer.json().get("mode")


# ── one's own ────────────────────────────────────────────────────────────────────────────────────────


def test_a_volume_is_found_by_id_name_and_owner(ask, make, here: World):
    made = make("imagenet", kind="block", capacity="50GiB", description="ILSVRC 2012")
    assert (made["owner"], made["title"], made["kind"]) == (ENGINEER, f"{ENGINEER}:imagenet", "block")
    assert (made["capacity"], made["used"], made["enforced"]) == (50 * GIB, None, False)
    assert (made["mode"], made["can_edit"], made["uses"], made["shares"]) == ("rw", True, [], [])
    for ref in (made["id"], "imagenet", f"{ENGINEER}:imagenet"):
        assert ask(ENGINEER, "GET", f"volumes/{ref}").json() == made
    assert names(ask, ENGINEER) == [f"{ENGINEER}:imagenet"]
    assert (here.root / "volume-data" / made["id"] / "files").is_dir()


def test_lists_are_narrowed_by_owner_kind_and_trash_and_read_page_by_page(ask, make):
    make("a-block", kind="block")
    make("b-files")
    make("theirs", OTHER, public=True)
    assert names(ask, ENGINEER, owner="me") == [f"{ENGINEER}:a-block", f"{ENGINEER}:b-files"]
    assert names(ask, ENGINEER, kind="block") == [f"{ENGINEER}:a-block"]
    assert names(ask, ENGINEER, owner=OTHER) == [f"{OTHER}:theirs"]
    assert names(ask, OTHER, owner=ENGINEER) == []
    assert names(ask, ENGINEER, trashed=True) == []
    first = ask(ENGINEER, "GET", "volumes", params={"limit": 2}).json()
    rest = ask(ENGINEER, "GET", "volumes", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [one["name"] for one in (*first["items"], *rest["items"])] == ["a-block", "b-files", "theirs"]
    assert rest["next_cursor"] is None


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "Upper",
        "..",
        ".",
        "-rf",
        "a/b",
        "../x",
        "a\nb",
        "ab\n",
        "名",
        "a:b",
        "x" * 64,
        "",
        "a_b",
        "\x00",
        "a%2fb",
    ],
)
def test_names_that_could_mean_something_else_are_refused(ask, name):
    answer = ask(ENGINEER, "POST", "volumes", json={"name": name, "capacity": "1GiB"})
    assert answer.status_code == 422, answer.text
    assert [one["loc"] for one in answer.json()["errors"]] == [["name"]]


@pytest.mark.parametrize(
    ("body", "loc", "code"),
    [
        ({"name": "personal"}, ["name"], "reserved"),
        ({"name": "archive"}, ["name"], "reserved"),
        ({"name": "0123456789abc"}, ["name"], "reserved"),
        ({"kind": "local"}, ["kind"], "not_one_of"),
        ({"capacity": "1KiB"}, ["capacity"], "out_of_range"),
        ({"capacity": -1}, ["capacity"], "out_of_range"),
        ({"capacity": "much"}, ["capacity"], "bad_value"),
        ({"cluster": "lab"}, ["cluster"], "not_one_of"),
        ({"owner": OTHER}, ["owner"], "unknown_key"),
        ({"public": "yes"}, ["public"], "wrong_type"),
    ],
)
def test_what_cannot_be_created_is_refused_at_its_place(ask, body, loc, code):
    answer = ask(ENGINEER, "POST", "volumes", json={"name": "fine", "capacity": "1GiB", **body})
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(loc, code)]
    assert all(one["text"]["zh"] for one in answer.json()["errors"])
    assert names(ask, ENGINEER) == []


def test_a_volume_is_renamed_and_grows_but_never_shrinks(ask, make):
    make("one")
    make("two")
    assert (
        ask(ENGINEER, "POST", "volumes", json={"name": "one", "capacity": GIB}).json()["type"] == "name_taken"
    )
    assert ask(ENGINEER, "PATCH", "volumes/two", json={"name": "one"}).status_code == 409
    grown = ask(ENGINEER, "PATCH", "volumes/two", json={"name": "three", "capacity": "2GiB"}).json()
    assert (grown["name"], grown["capacity"]) == ("three", 2 * GIB)
    shrunk = ask(ENGINEER, "PATCH", "volumes/three", json={"capacity": "1GiB"})
    assert shrunk.status_code == 422
    assert [(one["loc"], one["code"]) for one in shrunk.json()["errors"]] == [(["capacity"], "shrinks")]


# ── quotas ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_quota_of_a_kind_bounds_creation_and_growth_and_counts_the_trash(ask, make, here: World):
    administrator = here.caller(ADMINISTRATOR)
    here.services.quotas.quotas.put(administrator, f"user:{OTHER}", {"storage": {"block": 10 * GIB}})
    make("first", OTHER, kind="block", capacity="6GiB")
    make("free", OTHER, capacity="50GiB")  # of another kind
    refused = ask(OTHER, "POST", "volumes", json={"name": "more", "kind": "block", "capacity": "5GiB"})
    assert (refused.status_code, refused.json()["type"]) == (409, "insufficient_quota")
    wrong = refused.json()["errors"][0]
    assert (wrong["loc"], wrong["value"], wrong["bound"]) == (["capacity"], "5GiB", "10GiB")
    assert refused.json()["detail"] == (
        f"creating the volume failed: {OTHER} has 6GiB of 10GiB in block volumes and asks for 5GiB more"
    )
    assert "创建存储卷失败" in refused.json()["text"]["zh"]
    assert refused.json()["administrators"]
    grown = ask(OTHER, "PATCH", "volumes/first", json={"capacity": "11GiB"})
    assert (grown.status_code, grown.json()["errors"][0]["value"]) == (409, "5GiB")
    assert ask(OTHER, "PATCH", "volumes/first", json={"capacity": "7GiB"}).status_code == 200
    assert ask(OTHER, "DELETE", "volumes/first").status_code == 204
    still = ask(OTHER, "POST", "volumes", json={"name": "more", "kind": "block", "capacity": "5GiB"})
    assert "7GiB of it is in the trash" in still.json()["errors"][0]["hint"]
    storage = {one["type"]: one for one in ask(OTHER, "GET", f"users/{OTHER}/quota").json()["storage"]}
    assert (storage["block"]["used"], storage["block"]["limit"]) == (7 * GIB, 10 * GIB)
    assert storage["filesystem"]["used"] == 50 * GIB
    assert ask(OTHER, "DELETE", "volumes/first", params={"forever": True}).status_code == 204
    make("more", OTHER, kind="block", capacity="5GiB")
    here.registry.remove(administrator, Quota, f"user:{OTHER}")


def test_a_person_has_no_more_than_so_many(fresh: World):
    room, caller = fresh.services.volumes, fresh.caller(ENGINEER)
    for at in range(MOST_VOLUMES):
        room.create(caller, f"v{at}", VolumeKind.BLOCK, 2**20)
    with pytest.raises(Conflict, match=f"{MOST_VOLUMES} volumes"):
        room.create(caller, "one-more", VolumeKind.BLOCK, 2**20)
    assert len(os.listdir(fresh.root / "volume-data")) == MOST_VOLUMES


# ── sharing ──────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_nobody_elses_does_not_exist_for_others(ask, make):
    made = make("alone")
    for who in (OTHER, VIEWER, OPERATOR):
        assert names(ask, who) == []
        for ref in (made["id"], f"{ENGINEER}:alone", "alone"):
            for method, path in (
                ("GET", ""),
                ("PATCH", ""),
                ("DELETE", ""),
                ("POST", "/restore"),
                ("PUT", "/shares"),
            ):
                body = {"PATCH": {"public": True}, "PUT": {"shares": []}}.get(method)
                status = ask(who, method, f"volumes/{ref}{path}", json=body).status_code
                assert status == (403 if who == VIEWER and method != "GET" else 404)
    assert seen(ask, ENGINEER, "alone") == (200, "rw")


def test_a_share_says_who_reads_and_who_writes_and_nobody_else_changes_it(ask, make):
    made = make("ours")
    shared = share(ask, "ours", ("user", OTHER, "rw"), ("user", VIEWER, "rw"))
    assert shared.status_code == 200, shared.text
    assert [one["name"] for one in shared.json()["shares"]] == [OTHER, VIEWER]
    assert seen(ask, OTHER, made["id"]) == (200, "rw")
    assert seen(ask, VIEWER, f"{ENGINEER}:ours") == (200, "ro")  # a viewer writes nowhere
    assert ask(OTHER, "GET", f"volumes/{made['id']}").json()["can_edit"] is False
    for body, path in (({"public": True}, ""), ({"shares": []}, "/shares")):
        method = "PUT" if path else "PATCH"
        assert ask(OTHER, method, f"volumes/{made['id']}{path}", json=body).status_code == 403
    assert ask(OTHER, "DELETE", f"volumes/{made['id']}").status_code == 403
    assert share(ask, "ours", ("user", OTHER, "ro")).status_code == 200
    assert seen(ask, OTHER, made["id"]) == (200, "ro")
    assert seen(ask, VIEWER, made["id"]) == (404, None)


def test_members_of_a_project_use_what_is_shared_with_it_until_they_leave(ask, make, member):
    made = make("teams")
    assert share(ask, "teams", ("project", "team", "rw")).status_code == 200
    assert seen(ask, OTHER, made["id"]) == (404, None)
    leave = member(OTHER)
    assert seen(ask, OTHER, made["id"]) == (200, "rw")
    assert names(ask, OTHER) == [f"{ENGINEER}:teams"]
    leave(OTHER)
    assert seen(ask, OTHER, made["id"]) == (404, None)
    assert names(ask, OTHER) == []
    member(OTHER, MemberRole.VIEWER)
    assert seen(ask, OTHER, made["id"]) == (200, "ro")  # who only looks on does not write


@pytest.mark.parametrize(
    ("shares", "loc", "code"),
    [
        ([("user", "nobody", "ro")], ["shares", 0, "name"], "no_such_user"),
        ([("user", ENGINEER, "ro")], ["shares", 0, "name"], "own"),
        ([("project", "nowhere", "ro")], ["shares", 0, "name"], "no_such_project"),
        ([("project", "far", "ro")], ["shares", 0, "name"], "not_a_member"),
        ([("project", "public", "rw")], ["shares", 0, "name"], "open_project"),
        ([("user", OTHER, "ro"), ("user", OTHER, "rw")], ["shares", 1, "name"], "duplicate"),
        ([("group", OTHER, "ro")], ["shares", 0, "to"], "not_one_of"),
        ([("user", OTHER, "rwx")], ["shares", 0, "mode"], "not_one_of"),
    ],
)
def test_shares_that_mean_nobody_are_refused_at_their_places(ask, make, shares, loc, code):
    make("kept")
    answer = share(ask, "kept", *shares)
    assert answer.status_code == 422, answer.text
    assert [(one["loc"], one["code"]) for one in answer.json()["errors"]] == [(loc, code)]
    assert ask(ENGINEER, "GET", "volumes/kept").json()["shares"] == []


def test_a_public_volume_is_read_by_everybody(ask, make):
    made = make("open", public=True)
    for who in (OTHER, VIEWER, OPERATOR):
        assert seen(ask, who, made["id"]) == (200, "ro")
    assert ask(ENGINEER, "PATCH", "volumes/open", json={"public": False}).json()["public"] is False
    assert seen(ask, OTHER, made["id"]) == (404, None)


def test_sensitive_data_needs_a_permission_besides(ask, make, here: World):
    made = make("patients", sensitive=True)
    assert share(ask, "patients", ("user", OTHER, "rw")).status_code == 200
    assert seen(ask, ENGINEER, made["id"]) == (200, "rw")
    assert seen(ask, OTHER, made["id"]) == (200, None)  # told that it is there, and that it is sensitive
    administrator = here.caller(ADMINISTRATOR)
    here.registry.add(administrator, Group("clinic", permissions=(Permission.VOLUME_SENSITIVE.value,)))
    here.services.people.groups.set_members(administrator, "clinic", roster_of([OTHER]))
    here.app.state.desk.identity.forget()
    assert seen(ask, OTHER, made["id"]) == (200, "rw")


def test_whoever_may_change_all_volumes_does_not_unseal_sensitive_ones(ask, make, here: World):
    made = make("sealed", sensitive=True)
    plain = make("plain")
    administrator = here.caller(ADMINISTRATOR)
    powers = (Permission.VOLUME_READ.value, Permission.VOLUME_WRITE.value)
    here.registry.add(administrator, Group("keepers", permissions=powers))
    here.services.people.groups.set_members(administrator, "keepers", roster_of([OPERATOR]))
    here.app.state.desk.identity.forget()
    assert seen(ask, OPERATOR, plain["id"]) == (200, "rw")
    assert seen(ask, OPERATOR, made["id"]) == (200, None)
    for body in ({"sensitive": False}, {"public": True}):
        assert ask(OPERATOR, "PATCH", f"volumes/{made['id']}", json=body).status_code == 403
    assert share(ask, made["id"], ("user", OTHER, "ro"), who=OPERATOR).status_code == 403
    here.services.people.groups.set_members(administrator, "keepers", roster_of([OPERATOR]), remove=True)
    here.app.state.desk.identity.forget()
    assert seen(ask, OPERATOR, plain["id"]) == (404, None)


def test_a_token_that_only_reads_does_not_write(ask, make, here: World):
    made = make("tokened")
    secret, _ = here.people.make_token(here.caller(ENGINEER), "reader", (Permission.VOLUME_READ,))
    headers = {"Authorization": f"Bearer {secret}"}
    told = ask(None, "GET", f"volumes/{made['id']}", headers=headers).json()
    assert (told["mode"], told["can_edit"]) == ("ro", False)
    assert ask(None, "DELETE", f"volumes/{made['id']}", headers=headers).status_code == 403


def test_a_task_reaches_no_volume(ask, here: World, make):
    made = make("hidden", public=True)
    job = here.jobs.create(here.caller(ENGINEER), job_file("a-task"), start=True)
    here.controller.step()
    started = here.store.get(job.id)
    assert started is not None
    headers = {"Authorization": f"Bearer {here.tasks.token(started.attempt_id)}"}
    for method, path in (("GET", ""), ("GET", f"/{made['id']}"), ("DELETE", f"/{made['id']}"), ("POST", "")):
        assert ask(None, method, f"volumes{path}", headers=headers).status_code == 403


# ── the trash ────────────────────────────────────────────────────────────────────────────────────────


def test_a_deleted_volume_waits_in_the_trash_and_comes_back(ask, make, here: World):
    made = make("old")
    assert share(ask, "old", ("user", OTHER, "rw")).status_code == 200
    kept = here.root / "volume-data" / made["id"] / "files" / "data"
    kept.write_text("x")
    assert ask(ENGINEER, "DELETE", "volumes/old", params={"forever": True}).status_code == 409
    assert ask(ENGINEER, "DELETE", "volumes/old").status_code == 204
    assert names(ask, ENGINEER) == []
    assert names(ask, ENGINEER, trashed=True) == [f"{ENGINEER}:old"]
    trashed = ask(ENGINEER, "GET", "volumes/old").json()
    assert trashed["trashed_at"] < trashed["gone_at"]
    assert names(ask, OTHER, trashed=True) == []
    assert seen(ask, OTHER, made["id"]) == (404, None)
    for body in ({"name": "new"}, {"capacity": "9GiB"}):
        assert ask(ENGINEER, "PATCH", f"volumes/{made['id']}", json=body).status_code == 409
    assert share(ask, made["id"]).status_code == 409
    back = ask(ENGINEER, "POST", "volumes/old/restore").json()
    assert (back["trashed_at"], back["gone_at"], len(back["shares"])) == (None, None, 1)
    assert ask(ENGINEER, "POST", "volumes/old/restore").status_code == 409
    assert kept.read_text() == "x"


def test_a_name_in_the_trash_is_free_and_the_latest_of_that_name_comes_back(ask, make):
    first = make("twin")
    ask(ENGINEER, "DELETE", "volumes/twin")
    second = make("twin")
    assert ask(ENGINEER, "GET", "volumes/twin").json()["id"] == second["id"]
    assert ask(ENGINEER, "POST", "volumes/twin/restore").json()["type"] == "name_taken"
    ask(ENGINEER, "DELETE", "volumes/twin")
    assert ask(ENGINEER, "POST", "volumes/twin/restore").json()["id"] == second["id"]
    assert ask(ENGINEER, "DELETE", "volumes/twin", params={"forever": True}).status_code == 204
    assert ask(ENGINEER, "GET", f"volumes/{first['id']}").status_code == 404
    assert ask(ENGINEER, "GET", "volumes/twin").json()["id"] == second["id"]


def test_administrators_delete_what_is_somebody_elses_and_it_is_noted(ask, make):
    make("stale")
    ref = f"volumes/{ENGINEER}:stale"
    assert ask(ADMINISTRATOR, "DELETE", ref).status_code == 204
    assert names(ask, ADMINISTRATOR, trashed=True, owner=ENGINEER) == [f"{ENGINEER}:stale"]
    assert ask(ADMINISTRATOR, "DELETE", ref, params={"forever": True}).status_code == 204
    noted = ask(ADMINISTRATOR, "GET", "audit", params={"subject": f"volume:{ENGINEER}:stale"}).json()["items"]
    assert [(one["by"], one["act"]) for one in noted] == [
        (ADMINISTRATOR, "deleted"),
        (ADMINISTRATOR, "trashed"),
        (ENGINEER, "created"),
    ]
    assert noted[1]["text"]["en"] == f"{ADMINISTRATOR} moved volume {ENGINEER}:stale to the trash"


def test_what_cannot_be_made_on_disk_is_not_created(fresh: World):
    (fresh.root / "volume-data").rename(fresh.root / "elsewhere")
    caller = fresh.caller(ENGINEER)
    with pytest.raises(Exception, match="cannot be made"):
        fresh.services.volumes.create(caller, "nowhere", VolumeKind.BLOCK, GIB)
    assert fresh.services.volumes.all(caller) == []
    assert fresh.services.volumes.all(caller, trashed=True) == []
