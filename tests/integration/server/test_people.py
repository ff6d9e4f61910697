"""People, groups and keys over HTTP: invited, found, changed one by one and in bulk, shut out at once."""

from __future__ import annotations

import itertools
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import pytest

from danlu.domain.people import UserRole
from danlu.server.people import models as wire
from danlu.server.people.models import UserList
from tests.fakes.server import ADMINISTRATOR, ENGINEER, PASSWORD, VIEWER, job_file, world
from tests.live import PATIENCE
from tests.unit.control.people.test_ssh_keys import ED25519

OPERATOR = "olga"
LONG = {"SIMULATED_RUN_FOR": "1h"}
_numbers = itertools.count()


@pytest.fixture
def name() -> str:
    """Somebody's who is not there yet."""
    return f"new-{next(_numbers)}"


@pytest.fixture(scope="module", autouse=True)
def operator(here):
    here.people.make_user(OPERATOR, UserRole.OPERATOR, "Olga", PASSWORD)


def code_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["code"][0]


def browser(url: str, answer: httpx.Response) -> httpx.Client:
    """A browser that was let in by this answer."""
    made = httpx.Client(base_url=f"{url}/api/v1/", timeout=PATIENCE, cookies=answer.cookies)
    made.headers["X-CSRF-Token"] = answer.json()["csrf"]
    return made


# ── looking ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_list_of_people_is_searched_filtered_and_counted(ask, here):
    here.people.make_user("finder-a", UserRole.ENGINEER, "Ann Finder", PASSWORD)
    here.people.make_user("finder-b", UserRole.VIEWER, email="b@finder.example")
    first = ask(ADMINISTRATOR, "GET", "users", params={"search": "FINDER", "limit": 1}).json()
    UserList.model_validate(first)
    assert ([one["name"] for one in first["items"]], first["total"]) == (["finder-a"], 2)
    query = {"search": "finder", "limit": 1, "cursor": first["next_cursor"]}
    second = ask(ADMINISTRATOR, "GET", "users", params=query).json()
    assert ([one["name"] for one in second["items"]], second["next_cursor"]) == (["finder-b"], None)
    assert second["items"][0]["sign_in"] == "invited"
    for query, wanted in (({"role": "viewer"}, ["finder-b"]), ({"state": "active"}, ["finder-a"])):
        found = ask(OPERATOR, "GET", "users", params={"search": "finder", **query}).json()
        assert [one["name"] for one in found["items"]] == wanted
    assert ask(ADMINISTRATOR, "GET", "users", params={"state": "asleep"}).status_code == 422


@pytest.mark.parametrize(
    ("who", "whose", "status"),
    [
        (ADMINISTRATOR, ENGINEER, 200),
        (OPERATOR, ENGINEER, 200),
        (ENGINEER, ENGINEER, 200),
        (VIEWER, ENGINEER, 403),
        (VIEWER, "nobody", 403),
        (ADMINISTRATOR, "nobody", 404),
    ],
)
def test_a_person_is_seen_by_themselves_and_those_who_help(ask, who, whose, status):
    answer = ask(who, "GET", f"users/{whose}")
    assert answer.status_code == status
    if status == 200:
        wire.UserDetail.model_validate(answer.json())


def test_one_knows_who_one_is_and_what_one_may(ask, here, name):
    ask(ADMINISTRATOR, "POST", "groups", json={"name": "pinners", "permissions": ["queue:pin"]})
    here.people.make_user(name, UserRole.ENGINEER, groups=("pinners",))
    me = ask(name, "GET", "me").json()
    wire.Me.model_validate(me)
    assert me["user"]["name"] == name
    assert me["groups"] == [{"name": "pinners", "permissions": ["queue:pin"]}]
    assert "job:write" in me["permissions"]
    assert "job:write" not in me["everywhere"]
    assert "queue:pin" in me["everywhere"]
    assert "user:read" not in me["everywhere"]


# ── coming and going ─────────────────────────────────────────────────────────────────────────────────


def test_an_invited_person_comes_by_the_link_and_chooses_a_password(ask, url, client, name):
    body = {"name": name, "role": "viewer", "email": "n@lab.example", "life": "1h"}
    answer = ask(ADMINISTRATOR, "POST", "users/invite", json=body)
    assert answer.status_code == 201
    made = wire.Invited.model_validate(answer.json())
    assert made.url.startswith(f"{url}/sign-in?code=")
    assert (made.user.sign_in, made.user.email) == ("invited", "n@lab.example")
    code = {"code": code_of(made.url)}
    let_in = client.post("/api/v1/session/link", json=code)
    assert let_in.json()["must_set_password"] is True
    with browser(url, let_in) as signed_in:
        assert signed_in.put("me/password", json={"new": PASSWORD}).status_code == 204
        assert signed_in.get("me").json()["user"]["sign_in"] == "password"
    assert client.post("/api/v1/session/link", json=code).status_code == 401


def test_links_lead_to_where_people_reach_danlu(tmp_path, name):
    with world(tmp_path, public_url="https://gpu.lab.example") as here:
        transport = httpx.ASGITransport(app=here.app)

        async def invite() -> httpx.Response:
            async with httpx.AsyncClient(transport=transport, base_url="https://gpu.lab.example") as client:
                return await client.post(
                    "/api/v1/users/invite", json={"name": name}, headers=here.bearer(ADMINISTRATOR)
                )

        made = anyio.run(invite).json()
    assert made["url"].startswith("https://gpu.lab.example/sign-in?code=")


def test_a_reset_signs_out_at_once_and_gives_a_new_link(ask, url, client, here, name):
    here.people.make_user(name, UserRole.ENGINEER, password=PASSWORD)
    signed = client.post("/api/v1/session", json={"username": name, "password": PASSWORD})
    with browser(url, signed) as open_:
        assert open_.get("me").status_code == 200
        link = ask(ADMINISTRATOR, "POST", f"users/{name}/link")
        assert open_.get("me").status_code == 401
    wire.SignInAddress.model_validate(link.json())
    assert client.post("/api/v1/session", json={"username": name, "password": PASSWORD}).status_code == 401
    assert client.post("/api/v1/session/link", json={"code": code_of(link.json()["url"])}).status_code == 200


def test_disabling_asks_about_jobs_and_stops_them_as_the_administrator(ask, here, name):
    here.people.make_user(name, UserRole.ENGINEER, password=PASSWORD)
    job = here.jobs.create(here.caller(name), job_file("still-there", env=LONG), start=True)
    assert ask(name, "GET", "me").status_code == 200
    assert ask(ADMINISTRATOR, "GET", f"users/{name}").json()["active_jobs"] == 1
    refused = ask(ADMINISTRATOR, "PATCH", f"users/{name}", json={"disabled": True})
    assert (refused.status_code, refused.json()["type"].rpartition("/")[2].rpartition(":")[2]) == (
        409,
        "has_active_jobs",
    )
    assert "1 active job(s)" in refused.json()["detail"]
    done = ask(ADMINISTRATOR, "PATCH", f"users/{name}", json={"disabled": True, "jobs": "stop"})
    assert done.json()["disabled"] is True
    assert ask(name, "GET", "me").status_code == 401
    here.controller.step()
    assert not here.jobs.get(here.caller(ADMINISTRATOR), job.id).active
    events = ask(ADMINISTRATOR, "GET", f"jobs/{job.id}/events").json()["items"]
    assert any(event["actor"] == ADMINISTRATOR for event in events)


def test_jobs_that_are_kept_go_on(ask, here, name):
    here.people.make_user(name, UserRole.ENGINEER)
    job = here.jobs.create(here.caller(name), job_file("goes-on", env=LONG), start=True)
    body = {"names": [name], "act": "disable", "jobs": "keep"}
    told = ask(ADMINISTRATOR, "POST", "users/bulk", json=body)
    wire.BulkOutcomes.model_validate(told.json())
    assert told.json()["items"] == [{"name": name, "ok": True, "error": None, "text": None}]
    assert here.jobs.get(here.caller(ADMINISTRATOR), job.id).active


def test_bulk_acts_tell_of_each_and_keep_the_last_administrator(ask, here, name):
    here.people.make_user(name, UserRole.ENGINEER)
    body = {"names": [name, "nobody", ADMINISTRATOR], "act": "set_role", "role": "viewer"}
    told = ask(ADMINISTRATOR, "POST", "users/bulk", json=body).json()["items"]
    assert [one["ok"] for one in told] == [True, False, False]
    assert "last administrator" in told[2]["error"]
    assert told[2]["text"]["en"] == told[2]["error"] != told[2]["text"]["zh"]
    assert (
        ask(ADMINISTRATOR, "POST", "users/bulk", json={"names": [name], "act": "set_role"}).status_code == 422
    )


@pytest.mark.parametrize("who", [OPERATOR, ENGINEER, VIEWER])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("users/invite", {"name": "intruder"}),
        ("users/bulk", {"names": ["admin"], "act": "disable"}),
        ("users/eve/link", None),
        ("groups", {"name": "mine"}),
        ("groups/pinners/members", {"names": ["vera"]}),
    ],
)
def test_accounts_and_groups_are_for_administrators(ask, who, path, body):
    assert ask(who, "POST", path, json=body).status_code == 403


# ── groups ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_group_lives_and_its_members_with_it(ask, here, name):
    here.people.make_user(name, UserRole.ENGINEER)
    made = ask(ADMINISTRATOR, "POST", "groups", json={"name": "speech", "description": "语音"})
    assert (made.status_code, made.headers["location"]) == (201, "/api/v1/groups/speech")
    wire.GroupDetail.model_validate(made.json())
    assert ask(ADMINISTRATOR, "POST", "groups", json={"name": "speech"}).status_code == 409
    text = {"text": f"name;mail\n{name};x\nvara;y"}
    preview = ask(ADMINISTRATOR, "POST", "groups/speech/members", json={**text, "preview": True})
    wire.MembersChanged.model_validate(preview.json())
    assert preview.json() == {
        "changed": [name],
        "already": [],
        "unknown": [{"word": "vara", "suggestion": "vera"}],
    }
    assert ask(VIEWER, "GET", "groups/speech").json()["members"] == 0
    assert ask(ADMINISTRATOR, "POST", "groups/speech/members", json=text).json() == preview.json()
    assert ask(ADMINISTRATOR, "GET", "groups/speech").json()["member_names"] == [name]
    assert ask(VIEWER, "GET", "groups/speech").json()["member_names"] == []
    edited = ask(ADMINISTRATOR, "PATCH", "groups/speech", json={"permissions": ["job:read", "job:read"]})
    assert edited.json()["permissions"] == ["job:read"]
    assert ask(name, "GET", f"users/{ENGINEER}").status_code == 403
    ask(ADMINISTRATOR, "PATCH", "groups/speech", json={"permissions": ["user:read"]})
    assert ask(name, "GET", f"users/{ENGINEER}").status_code == 200  # at once
    listed = ask(ADMINISTRATOR, "GET", "groups").json()
    wire.GroupList.model_validate(listed)
    assert {"name": "speech", "permissions": ["user:read"], "description": "语音", "members": 1} in listed[
        "items"
    ]
    assert ask(ADMINISTRATOR, "DELETE", "groups/speech").status_code == 204
    assert ask(ADMINISTRATOR, "GET", f"users/{name}").json()["groups"] == []
    assert ask(name, "GET", f"users/{ENGINEER}").status_code == 403


@pytest.mark.parametrize("body", [{}, {"text": "eve", "names": ["eve"]}, {"names": []}])
def test_a_roster_is_names_or_a_text(ask, body):
    ask(ADMINISTRATOR, "POST", "groups", json={"name": "readers"})
    assert ask(ADMINISTRATOR, "POST", "groups/readers/members", json=body).status_code == 422


def test_nobody_joins_a_group_that_is_not_there(ask):
    refused = ask(ADMINISTRATOR, "PATCH", f"users/{ENGINEER}", json={"groups": ["reders"]}).json()
    assert (refused["errors"][0]["loc"], refused["errors"][0]["code"]) == (["groups", 0], "no_such_group")


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_key_is_added_seen_and_removed(ask):
    made = ask(ENGINEER, "POST", "me/keys", json={"name": "laptop", "key": f"{ED25519} eve@laptop"})
    assert made.status_code == 201
    wire.SshKey.model_validate(made.json())
    key = made.json()
    assert (key["type"], key["name"]) == ("ssh-ed25519", "laptop")
    assert ask(ENGINEER, "GET", "me/keys").json() == {"items": [key]}
    assert ask(ADMINISTRATOR, "GET", f"users/{ENGINEER}/keys").json() == {"items": [key]}
    assert ask(VIEWER, "GET", f"users/{ENGINEER}/keys").status_code == 403
    taken = ask(VIEWER, "POST", "me/keys", json={"name": "mine", "key": ED25519})
    assert (taken.status_code, "already registered" in taken.json()["detail"]) == (409, True)
    assert ask(VIEWER, "DELETE", f"me/keys/{key['id']}").status_code == 404
    assert ask(ENGINEER, "DELETE", f"me/keys/{key['id']}").status_code == 204
    assert ask(ENGINEER, "GET", "me/keys").json() == {"items": []}


def test_a_private_key_is_refused_and_repeated_nowhere(ask):
    secret = "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----"
    refused = ask(ENGINEER, "POST", "me/keys", json={"name": "oops", "key": secret})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["code"] == "private_key"
    assert "c2VjcmV0" not in refused.text


# ── the record ───────────────────────────────────────────────────────────────────────────────────────


def test_what_was_done_is_noted_with_who_and_from_where(ask, here, client, name):
    ask(ADMINISTRATOR, "POST", "users/invite", json={"name": name})
    client.post("/api/v1/session", json={"username": name, "password": "a guess"})
    found = ask(ADMINISTRATOR, "GET", "audit", params={"subject": f"user:{name}"}).json()["items"]
    assert [(one["by"], one["act"]) for one in found] == [
        (name, "sign_in_failed"),
        (ADMINISTRATOR, "invited"),
    ]
    assert {one["address"] for one in found} == {"127.0.0.1"}
    assert found[1]["means"] == "token test"
