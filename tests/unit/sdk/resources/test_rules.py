"""The verbs on rules."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.sdk import Client, models
from danlu.sdk.models.reading import read
from tests.fakes.http_server import FakeServer, Reply

KINDS: dict[str, Any] = {
    "project": ("projects", models.Project, {"weight": 2, "cap": {"gpus": 8}, "priorities": ["low"]}),
    "priority": ("priorities", models.Priority, {"value": 400, "groups": ["leads"]}),
    "pool": ("pools", models.Pool, {"classes": ["single"]}),
    "flavor": ("flavors", models.Flavor, {"resources": {"gpus": 1}}),
    "limit": ("limits", models.Limit, {"class": "single", "gpus": 8}),
}


@pytest.mark.parametrize("noun", KINDS)
def test_the_verbs_go_where_they_should(server: FakeServer, client: Client, noun):
    path, model, keys = KINDS[noun]
    one = {"name": "x/y", **keys}
    server.on("GET", path, {"items": [one], "next_cursor": None})
    server.on("POST", path, Reply(201, one))
    server.on("GET", f"{path}/x/y", one)
    server.on("PATCH", f"{path}/x/y", one)
    server.on("DELETE", f"{path}/x/y", Reply(204))
    expected = read(model, one)
    room = getattr(client if noun in ("project", "flavor") else client.rules, path)

    assert room.list() == [expected]
    assert room.get("x/y") == expected
    sent = {"job_class" if key == "class" else key: value for key, value in keys.items()}
    assert room.create("x/y", **sent) == expected
    assert server.requests[-1].json() == one
    assert room.edit("x/y", description=None) == expected
    assert server.requests[-1].json() == {"description": None}
    assert room.delete("x/y") is None


def test_lists_become_tuples_and_words_of_the_language_are_renamed(server: FakeServer, client: Client):
    server.on("GET", "limits/most", {"name": "most", "user": "*", "class": "single", "gpus": 0})
    found = client.rules.limits.get("most")
    assert (found.user, found.job_class, found.gpus, found.max_time) == ("*", "single", 0, None)
    server.on("GET", "projects/nlp", {"name": "nlp", "priorities": ["low"], "closed": True})
    assert client.projects.get("nlp") == models.Project("nlp", priorities=("low",), closed=True)


def test_a_node_is_ruled(server: FakeServer, client: Client):
    server.on("PATCH", "nodes/a", {"name": "a", "state": "cordoned", "pool": "big"})
    node = client.machines.nodes.edit("a", cordoned=True, labels={"rack": None})
    assert (node.state, node.pool) == ("cordoned", "big")
    assert server.requests[-1].json() == {"cordoned": True, "labels": {"rack": None}}
