"""The verbs on people, groups and keys."""

from __future__ import annotations

import pytest

from danlu.sdk import (
    BulkOutcome,
    Client,
    Group,
    HasActiveJobs,
    Invited,
    Me,
    MembersChanged,
    SignInAddress,
    SshKey,
    User,
    UserDetail,
)
from tests.fakes.http_server import FakeServer, Reply, problem

LIN = {"name": "lin", "role": "operator", "groups": ["nlp"], "sign_in": "password"}
PROJECTS = [{"project": "nlp", "role": "member"}]
KEY = {"id": "k1", "name": "laptop", "type": "ssh-ed25519", "fingerprint": "SHA256:x", "created_at": None}


def test_people_are_read(server: FakeServer, client: Client) -> None:
    server.on("GET", "users", {"items": [LIN], "next_cursor": None, "total": 1})
    server.on("GET", "users/lin", {**LIN, "projects": PROJECTS, "active_jobs": 2, "keys": 1, "tokens": 0})
    lin = User("lin", role="operator", groups=("nlp",), sign_in="password")
    assert client.people.list(search="li", state="active") == [lin]
    assert (server.requests[-1].one("search"), server.requests[-1].one("state")) == ("li", "active")
    assert client.people.get("lin") == UserDetail(
        **lin.__dict__, projects=tuple(PROJECTS), active_jobs=2, keys=1, tokens=0
    )


def test_one_learns_who_one_is(server: FakeServer, client: Client) -> None:
    groups = [{"name": "nlp", "permissions": ["queue:pin"]}]
    told = {"user": LIN, "permissions": ["job:read"], "everywhere": ["queue:pin"], "groups": groups}
    server.on("GET", "me", {**told, "projects": PROJECTS})
    lin = User("lin", role="operator", groups=("nlp",), sign_in="password")
    assert client.me() == Me(lin, ("job:read",), ("queue:pin",), tuple(groups), tuple(PROJECTS))


def test_links_come_with_the_person_or_alone(server: FakeServer, client: Client) -> None:
    link = {"url": "https://x/sign-in?code=c", "expires_at": "2026-01-31T12:00:00Z"}
    server.on("POST", "users/invite", Reply(201, {**link, "user": LIN}))
    server.on("POST", "users/lin/link", link)
    invited = client.people.invite("lin", "operator", life="2d")
    assert isinstance(invited, Invited)
    assert (invited.url, invited.user and invited.user.name) == (link["url"], "lin")
    assert server.requests[-1].json() == {"name": "lin", "role": "operator", "life": "2d"}
    assert client.people.reset("lin") == SignInAddress(**link)


def test_whoever_disables_somebody_says_what_becomes_of_the_jobs(server: FakeServer, client: Client) -> None:
    server.on("PATCH", "users/lin", problem(409, "has_active_jobs", "lin has 2 active job(s)"))
    with pytest.raises(HasActiveJobs, match="2 active"):
        client.people.edit("lin", disabled=True)
    server.on("POST", "users/bulk", {"items": [{"name": "lin", "ok": False, "error": "no"}]})
    assert client.people.edit_many(["lin"], "disable", jobs="stop") == [BulkOutcome("lin", False, "no")]
    assert server.requests[-1].json() == {"names": ["lin"], "act": "disable", "jobs": "stop"}


def test_groups_are_made_and_filled(server: FakeServer, client: Client) -> None:
    group = {"name": "nlp", "permissions": ["queue:pin"], "description": "", "members": 1}
    server.on("GET", "groups", {"items": [group], "next_cursor": None})
    server.on("GET", "groups/nlp", {**group, "member_names": ["lin"]})
    server.on("POST", "groups", Reply(201, group))
    server.on("PATCH", "groups/nlp", group)
    server.on("DELETE", "groups/nlp", Reply(204))
    known = Group("nlp", ("queue:pin",), "", 1)
    assert client.people.groups.list() == [known] == [client.people.groups.create("nlp", ["queue:pin"])]
    assert client.people.groups.get("nlp").member_names == ("lin",)
    assert client.people.groups.edit("nlp", description="") == known
    client.people.groups.delete("nlp")
    unknown = {"word": "wnag", "suggestion": "wang"}
    server.on("POST", "groups/nlp/members", {"changed": ["lin"], "already": [], "unknown": [unknown]})
    told = client.people.groups.set_members("nlp", "lin\nwnag", preview=True)
    assert told == MembersChanged(("lin",), (), (unknown,))
    assert server.requests[-1].json() == {"text": "lin\nwnag", "remove": False, "preview": True}
    client.people.groups.set_members("nlp", ["lin"], remove=True)
    assert server.requests[-1].json() == {"names": ["lin"], "remove": True, "preview": False}


def test_keys_are_added_and_removed(server: FakeServer, client: Client) -> None:
    server.on("GET", "me/keys", {"items": [KEY]})
    server.on("GET", "users/lin/keys", {"items": []})
    server.on("POST", "me/keys", Reply(201, KEY))
    server.on("DELETE", "me/keys/k1", Reply(204))
    expected = SshKey(**KEY)  # type: ignore[arg-type]
    assert client.people.keys.create("laptop", "ssh-ed25519 AAAA") == expected
    assert client.people.keys.list() == [expected]
    assert client.people.keys.list("lin") == []
    client.people.keys.delete("k1")
