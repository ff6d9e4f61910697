"""What `danlu volume` asks of the server, prints, shares and deletes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

WANG = {"to": "user", "name": "wang", "mode": "ro"}
NLP = {"to": "project", "name": "nlp", "mode": "rw"}
ROW: dict[str, Any] = {
    "id": "0123456789abc",
    "owner": "lin",
    "name": "imagenet",
    "title": "lin:imagenet",
    "kind": "filesystem",
    "capacity": 100 * 2**30,
    "used": 3 * 2**30,
    "used_at": "2026-01-31T12:00:00.000Z",
    "entries": 12,
    "complete": True,
    "enforced": False,
    "enforcement": "ending_jobs",
    "most": 110 * 2**30,
    "description": "ILSVRC 2012",
    "cluster": "local",
    "shares": [WANG],
    "public": False,
    "sensitive": False,
    "created_at": "2026-01-31T12:00:00.000Z",
    "changed_at": "2026-01-31T12:00:00.000Z",
    "trashed_at": None,
    "gone_at": None,
    "mode": "rw",
    "can_edit": True,
}
WHOLE: dict[str, Any] = {**ROW, "uses": [{"id": "j1", "job": "train", "owner": "lin", "read_only": True}]}


def test_volumes_are_a_table_and_none_says_what_to_do(danlu: Danlu, server: FakeServer):
    server.on("GET", "volumes", {"items": [ROW], "next_cursor": None})
    head, row = danlu("volume", "ls", "--owner", "me", "--kind", "filesystem").out.splitlines()
    assert head.split()[:6] == ["NAME", "OWNER", "KIND", "CAPACITY", "USED", "ACCESS"]
    assert "100 GiB" in row
    assert "3 GiB" in row
    assert "user:wang (ro)" in row
    asked = server.requests[-1]
    assert (asked.one("owner"), asked.one("kind")) == ("me", "filesystem")
    assert json.loads(danlu("volume", "ls", "--json").out)["items"] == [ROW]
    server.on("GET", "volumes", {"items": [], "next_cursor": None})
    assert "danlu volume create NAME --capacity" in danlu("volume", "ls").err


def test_the_trash_says_what_is_in_it_and_until_when(danlu: Danlu, server: FakeServer):
    trashed = {**ROW, "trashed_at": "2026-01-31T12:00:00.000Z", "gone_at": "2999-01-31T12:00:00.000Z"}
    server.on("GET", "volumes", {"items": [trashed], "next_cursor": None})
    head, row = danlu("volume", "ls", "--trash").out.splitlines()
    assert head.endswith("GONE IN")
    assert ROW["id"] in row
    assert server.requests[-1].one("trashed") == "true"
    server.on("GET", "volumes", {"items": [], "next_cursor": None})
    assert danlu("volume", "ls", "--trash").err == "The trash is empty.\n"


def test_a_volume_says_what_is_measured_and_who_mounts_it(danlu: Danlu, server: FakeServer):
    server.on("GET", "volumes/imagenet", WHOLE)
    told = danlu("volume", "show", "imagenet").out
    assert "100 GiB, measured; jobs that go on writing beyond 110 GiB are ended" in told
    assert "lin:train" in told
    assert "3 GiB, counted" in told
    fresh = {**WHOLE, "used": None, "used_at": None, "mode": None, "sensitive": True, "uses": []}
    server.on("GET", "volumes/imagenet", fresh)
    told = danlu("volume", "show", "imagenet").out
    assert "not counted yet" in told
    assert "none: it is sensitive" in told
    assert json.loads(danlu("volume", "show", "imagenet", "--json").out) == fresh


def test_what_others_wrote_cannot_command_the_terminal(danlu: Danlu, server: FakeServer):
    server.on("GET", "volumes", {"items": [{**ROW, "description": "\x1b[2Jgone\n"}], "next_cursor": None})
    assert "\x1b" not in danlu("volume", "ls").out


def test_a_volume_is_created_changed_and_grown(danlu: Danlu, server: FakeServer):
    server.on("POST", "volumes", Reply(201, WHOLE))
    assert danlu("volume", "create", "imagenet", "--capacity", "100GiB").err == "Created volume imagenet.\n"
    sent = {"name": "imagenet", "capacity": "100GiB", "kind": "filesystem"}
    assert server.requests[-1].json() == {**sent, "public": False, "sensitive": False}
    danlu("volume", "create", "ckpt", "--capacity", "1TiB", "--kind", "block", "--sensitive")
    assert server.requests[-1].json()["kind"] == "block"
    assert server.requests[-1].json()["sensitive"] is True
    assert danlu("volume", "create", "imagenet").code == 2
    server.on("PATCH", "volumes/imagenet", WHOLE)
    danlu("volume", "edit", "imagenet", "--name", "ilsvrc", "--public")
    assert server.requests[-1].json() == {"name": "ilsvrc", "public": True}
    danlu("volume", "edit", "imagenet", "--private", "--not-sensitive")
    assert server.requests[-1].json() == {"public": False, "sensitive": False}
    assert danlu("volume", "edit", "imagenet").code == 2
    assert danlu("volume", "grow", "imagenet", "200GiB").err == "Volume imagenet holds 200GiB now.\n"
    assert server.requests[-1].json() == {"capacity": "200GiB"}


def test_a_quota_that_does_not_suffice_is_told_with_its_numbers(danlu: Danlu, server: FakeServer):
    text = "creating the volume failed: lin has 6GiB of 10GiB in block volumes and asks for 5GiB more"
    wrong = {"loc": ["capacity"], "code": "insufficient_quota", "message": text, "value": "5GiB"}
    server.on("POST", "volumes", problem(409, "insufficient_quota", text, [wrong]))
    refused = danlu("volume", "create", "more", "--capacity", "5GiB", "--kind", "block")
    assert refused.code == 1
    assert refused.err.count(text) == 1


def test_sharing_adds_to_what_is_shared_and_unsharing_takes_away(danlu: Danlu, server: FakeServer):
    server.on("GET", "volumes/imagenet", WHOLE)
    server.on("PUT", "volumes/imagenet/shares", WHOLE)
    danlu("volume", "share", "imagenet", "--project", "nlp", "--write")
    assert server.requests[-1].json() == {"shares": [WANG, NLP]}
    danlu("volume", "share", "imagenet", "--user", "wang", "--write")
    assert server.requests[-1].json() == {"shares": [{**WANG, "mode": "rw"}]}
    danlu("volume", "unshare", "imagenet", "--user", "wang")
    assert server.requests[-1].json() == {"shares": []}
    danlu("volume", "unshare", "imagenet", "--all")
    assert server.requests[-1].json() == {"shares": []}
    wrong = danlu("volume", "unshare", "imagenet", "--user", "mei")
    assert (wrong.code, "not shared with mei" in wrong.err) == (2, True)
    for verb in ("share", "unshare"):
        assert danlu("volume", verb, "imagenet").code == 2


def test_a_volume_goes_to_the_trash_and_comes_back_and_goes_for_good_only_when_asked(
    danlu: Danlu, server: FakeServer
):
    server.on("DELETE", "volumes/lin:imagenet", Reply(204))
    assert "danlu volume restore lin:imagenet" in danlu("volume", "rm", "lin:imagenet").err
    assert server.requests[-1].query == {}
    asked = danlu("volume", "rm", "lin:imagenet", "--forever")
    assert (asked.code, "-y (--yes)" in asked.err) == (2, True)
    assert danlu("volume", "rm", "lin:imagenet", "--forever", "-y").code == 0
    assert server.requests[-1].one("forever") == "true"
    server.on("POST", "volumes/imagenet/restore", WHOLE)
    assert danlu("volume", "restore", "imagenet").err == "Restored volume imagenet from the trash.\n"
    server.on("DELETE", "volumes/gone", problem(404, "not_found", "there is no volume 'gone'"))
    assert danlu("volume", "rm", "gone").code == 4


def test_everything_is_chinese_for_those_who_read_it(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DANLU_LANG", "zh")
    server.on("GET", "volumes/imagenet", WHOLE)
    assert "按统计；超过 110 GiB" in danlu("volume", "show", "imagenet").out
    server.on("DELETE", "volumes/imagenet", Reply(204))
    assert "回收站" in danlu("volume", "rm", "imagenet").err


def test_show_says_what_is_mounted_where_and_which_version(danlu: Danlu, server: FakeServer) -> None:
    mounts = [
        {"dataset": "lin:cifar@v2", "path": "/data"},
        {"volume": "checkpoints", "path": "/ckpt", "mode": "rw"},
        {"local": "10GiB", "path": "/fast"},
    ]
    server.on("GET", "jobs/train", {"id": "j1", "name": "train", "spec": {"mounts": mounts}})
    said = danlu("show", "train").out
    assert "lin:cifar@v2 → /data, checkpoints → /ckpt (rw), local disk → /fast" in said
