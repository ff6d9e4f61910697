"""Moving and closing nodes through the client."""

from __future__ import annotations

from danlu.sdk import Client, Maintenance, NodeMoved, NodeOutcome, NodesDrained
from tests.fakes.http_server import FakeServer, Reply

WINDOW = {
    "name": "b/1",
    "start": "2035-01-01T00:00:00.000Z",
    "end": "2035-01-02T00:00:00.000Z",
    "nodes": ["a"],
}
READ = Maintenance("b/1", WINDOW["start"], WINDOW["end"], ("a",))  # type: ignore[arg-type]


def test_nodes_are_moved_cordoned_and_drained(server: FakeServer, client: Client) -> None:
    moved = {"nodes": [{"name": "a", "from": "x", "to": "y"}], "waiting": [{"owner": "ann"}], "unknown": 1}
    server.on("POST", "nodes/move", moved)
    assert client.machines.nodes.move(["a"], "y", preview=True) == NodeMoved(
        ({"name": "a", "from": "x", "to": "y"},), waiting=({"owner": "ann"},)
    )
    assert server.requests[-1].json() == {"nodes": ["a"], "pool": "y", "preview": True}

    server.on("POST", "nodes/cordon", {"items": [{"name": "a", "ok": False, "error": "no"}]})
    assert client.machines.nodes.cordon(["a"], note="fan") == [NodeOutcome("a", False, "no")]
    assert server.requests[-1].json() == {"nodes": ["a"], "cordoned": True, "note": "fan"}
    client.machines.nodes.cordon(["a"], False)
    assert server.requests[-1].json() == {"nodes": ["a"], "cordoned": False}

    server.on("POST", "nodes/drain", {"nodes": ["a"], "jobs": [], "drain_by": "2035-01-01T00:00:00.000Z"})
    assert client.machines.nodes.drain(["a"], "30m") == NodesDrained(("a",), (), "2035-01-01T00:00:00.000Z")
    assert server.requests[-1].json() == {"nodes": ["a"], "deadline": "30m", "note": "", "preview": False}


def test_a_maintenance_is_planned_looked_at_changed_and_called_off(
    server: FakeServer, client: Client
) -> None:
    server.on("GET", "maintenance", {"items": [WINDOW], "next_cursor": None})
    server.on("GET", "maintenance/b/1", WINDOW)
    server.on("POST", "maintenance", Reply(201, WINDOW))
    server.on("POST", "maintenance/preview", {"nodes": ["a"], "drain_by": WINDOW["start"]})
    server.on("PATCH", "maintenance/b/1", WINDOW)
    server.on("DELETE", "maintenance/b/1", Reply(204))
    assert client.machines.maintenance.list() == [READ]
    assert client.machines.maintenance.get("b/1") == READ
    assert client.machines.maintenance.create("b/1", 1, 2, nodes=["a"]) == READ
    assert server.requests[-1].json() == {"name": "b/1", "start": 1, "end": 2, "nodes": ["a"]}
    assert client.machines.maintenance.preview(1, 2, pool="x").nodes == ("a",)
    assert server.requests[-1].json() == {"start": 1, "end": 2, "pool": "x"}
    assert client.machines.maintenance.edit("b/1", pool=None) == READ
    assert server.requests[-1].json() == {"pool": None}
    client.machines.maintenance.delete("b/1")
