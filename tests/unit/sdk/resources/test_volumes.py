"""The verbs on volumes."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.sdk import Client, Volume, VolumeRow
from danlu.sdk.models import VolumeMount, VolumeShare
from tests.fakes.http_server import FakeServer, Reply

WANG = {"to": "user", "name": "wang", "mode": "ro"}
ROW: dict[str, Any] = {"id": "v1", "owner": "lin", "name": "imagenet", "title": "lin:imagenet"}
ROW.update(kind="block", capacity=2**30, used=None, mode="rw", can_edit=True, shares=[WANG])
WHOLE: dict[str, Any] = {**ROW, "uses": [{"id": "j1", "job": "train", "owner": "lin", "read_only": True}]}


def test_volumes_are_listed_read_grown_and_deleted(server: FakeServer, client: Client) -> None:
    server.on(
        "GET", "volumes", {"items": [{**ROW, "mounts": 9, "mounted_by": ["train"]}], "next_cursor": None}
    )
    server.on("GET", "volumes/lin:imagenet", WHOLE)
    server.on("PATCH", "volumes/imagenet", {**WHOLE, "capacity": 2**31})
    server.on("DELETE", "volumes/imagenet", Reply(204))
    server.on("POST", "volumes/imagenet/restore", WHOLE)
    row = VolumeRow(**{**ROW, "shares": (VolumeShare(**WANG),)}, mounts=9, mounted_by=("train",))
    assert client.volumes.list(owner="me", trashed=True) == [row]
    assert (server.requests[-1].one("owner"), server.requests[-1].one("trashed")) == ("me", "true")
    found = client.volumes.get("lin:imagenet")
    assert isinstance(found, Volume)
    assert found.uses == (VolumeMount("j1", "train", "lin", read_only=True),)
    assert client.volumes.grow("imagenet", "2GiB").capacity == 2**31
    assert server.requests[-1].json() == {"capacity": "2GiB"}
    client.volumes.delete("imagenet")
    assert server.requests[-1].query == {}
    client.volumes.delete("imagenet", forever=True)
    assert server.requests[-1].one("forever") == "true"
    assert client.volumes.restore("imagenet").name == "imagenet"


def test_a_volume_is_created_with_what_it_is_for(server: FakeServer, client: Client) -> None:
    server.on("POST", "volumes", Reply(201, WHOLE))
    client.volumes.create("imagenet", "1GiB", kind="block", sensitive=True)
    sent = {"name": "imagenet", "kind": "block", "capacity": "1GiB", "description": ""}
    assert server.requests[-1].json() == {**sent, "public": False, "sensitive": True}


def test_sharing_adds_replaces_and_takes_away(server: FakeServer, client: Client) -> None:
    server.on("GET", "volumes/imagenet", WHOLE)
    server.on("PUT", "volumes/imagenet/shares", WHOLE)
    client.volumes.share("imagenet", project="nlp", mode="rw")
    assert server.requests[-1].json() == {"shares": [WANG, {"to": "project", "name": "nlp", "mode": "rw"}]}
    client.volumes.share("imagenet", user="wang", mode="rw")
    assert server.requests[-1].json() == {"shares": [{**WANG, "mode": "rw"}]}
    client.volumes.unshare("imagenet", user="wang")
    assert server.requests[-1].json() == {"shares": []}
    with pytest.raises(TypeError, match="either user or project"):
        client.volumes.share("imagenet")
