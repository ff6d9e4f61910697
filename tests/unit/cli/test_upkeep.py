"""What the commands that move and close nodes ask of the server, and whom they ask first."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from danlu.cli.machines import upkeep
from danlu.cli.shared import asking
from danlu.cli.shared.moments import moment, sent, span
from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
OWN = {"job_id": "j1", "name": "train", "owner": "ann", "class": "single"}
OTHERS = {"job_id": None, "name": None, "owner": "bob", "class": "distributed"}
MOVE = {
    "nodes": [{"name": "a", "from": "default", "to": "big"}],
    "running": [{**OWN, "served": False}],
    "waiting": [OTHERS],
    "flavors_lost": ["a100-8"],
    "flavors_gained": [],
}
DRAIN = {
    "nodes": ["a", "b"],
    "jobs": [{**OWN, "ends_by_itself": True}, {**OTHERS, "ends_by_itself": False}],
    "drain_by": "2026-03-01T12:30:00.000Z",
}
WINDOW = {
    "name": "bios",
    "start": "2026-03-01T12:00:00.000Z",
    "end": "2026-03-01T16:00:00.000Z",
    "nodes": ["a"],
    "pool": None,
    "description": "BIOS",
    "state": "planned",
}


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits at the terminal."""
    for module in (upkeep, asking):
        monkeypatch.setattr(module, "can_ask", lambda: True)


@pytest.mark.parametrize("command", [("move",), ("pool", "move")], ids=" ".join)
def test_nodes_are_moved_at_once_where_nobody_can_be_asked(danlu: Danlu, server: FakeServer, command):
    server.on("POST", "nodes/move", MOVE)
    result = danlu(*command, "a", "b", "--to", "big")
    assert (result.code, result.err) == (0, "Moved a to pool big.\n")
    (asked,) = server.asked("POST", "nodes/move")
    assert asked.json() == {"nodes": ["a", "b"], "pool": "big"}


def test_a_person_sees_whom_a_move_concerns_and_is_asked(danlu: Danlu, server: FakeServer, person):
    server.on("POST", "nodes/move", MOVE)
    refused = danlu("move", "a", "--to", "big", stdin="n\n")
    assert refused.code != 0
    assert [one.json()["preview"] for one in server.requests] == [True]
    assert "1 of a class that the pool does not serve" in refused.err
    assert "could no longer start" in refused.err
    assert "(not yours)  bob    distributed" in refused.out
    assert "Flavors that no longer fit anywhere: a100-8." in refused.err
    agreed = danlu("move", "a", "--to", "big", stdin="y\n")
    assert agreed.code == 0
    assert "preview" not in server.requests[-1].json()
    assert danlu("move", "a", "--to", "big", "--yes").code == 0
    assert len(server.requests) == 4


def test_a_preview_moves_and_drains_nothing(danlu: Danlu, server: FakeServer):
    server.on("POST", "nodes/move", MOVE)
    server.on("POST", "nodes/drain", DRAIN)
    assert json.loads(danlu("move", "a", "--to", "big", "--preview", "--json").out) == MOVE
    assert json.loads(danlu("drain", "a", "b", "--preview", "--json").out) == DRAIN
    assert "a     default  big" in danlu("move", "a", "--to", "big", "--preview").out
    shown = danlu("drain", "a", "b", "--preview")
    assert "2 jobs on 2 nodes; 1 may be evicted at" in shown.err
    assert "train        ann    single       ends before" in shown.out
    assert all(one.json()["preview"] for one in server.requests)


def test_a_drain_has_a_deadline_and_a_note(danlu: Danlu, server: FakeServer):
    server.on("POST", "nodes/drain", DRAIN)
    result = danlu("drain", "a", "b", "--within", "1h", "--note", "new fans", "-y")
    assert result.code == 0
    assert result.err.startswith("Draining a, b: empty by ")
    assert server.requests[0].json() == {"nodes": ["a", "b"], "deadline": "1h", "note": "new fans"}


def test_a_person_is_asked_before_a_drain(danlu: Danlu, server: FakeServer, person):
    server.on("POST", "nodes/drain", DRAIN)
    assert danlu("drain", "a", "b", stdin="n\n").code != 0
    assert danlu("drain", "a", "b", "--yes").code == 0
    assert [one.json().get("preview") for one in server.requests] == [True, None]


@pytest.mark.parametrize(("command", "cordoned"), [("cordon", True), ("uncordon", False)])
def test_nodes_are_cordoned_together_and_one_that_fails_is_told(
    danlu: Danlu, server: FakeServer, command, cordoned
):
    items = [{"name": "a", "ok": True, "error": None}, {"name": "b", "ok": False, "error": "there is no node 'b'"}]  # fmt: skip
    server.on("POST", "nodes/cordon", {"items": items})
    result = danlu(command, "a", "b")
    assert result.code == 4
    assert "ordoned a" in result.err
    assert "there is no node 'b'" in result.err
    assert server.requests[0].json() == {"nodes": ["a", "b"], "cordoned": cordoned}
    server.on("POST", "nodes/cordon", {"items": items[:1]})
    assert json.loads(danlu(command, "a", "--json").out) == {"items": items[:1]}


def test_a_cordon_takes_a_note(danlu: Danlu, server: FakeServer):
    server.on("POST", "nodes/cordon", {"items": [{"name": "a", "ok": True, "error": None}]})
    assert danlu("cordon", "a", "--note", "fan").code == 0
    assert server.requests[0].json()["note"] == "fan"


def test_a_node_shows_its_note_and_when_it_closes(danlu: Danlu, server: FakeServer):
    server.on("GET", "nodes/a", {"name": "a", "note": "new fans", "closes_at": WINDOW["start"], "maintenance": "bios"})  # fmt: skip
    said = danlu("nodes", "a").out
    assert "new fans" in said
    assert "(maintenance bios)" in said


# ── maintenance ──────────────────────────────────────────────────────────────────────────────────────


def test_maintenance_is_listed(danlu: Danlu, server: FakeServer):
    server.on("GET", "maintenance", {"items": [WINDOW], "next_cursor": None})
    assert "bios  planned" in danlu("maintenance", "ls").out
    assert json.loads(danlu("maintenance", "ls", "--json").out) == {"items": [WINDOW]}
    server.on("GET", "maintenance", {"items": [], "next_cursor": None})
    assert "danlu maintenance create" in danlu("maintenance", "ls").err


SENT = [
    ("add bios --start 2026-03-01T12:00:00Z --for 4h --nodes a,b",
     {"name": "bios", "start": WINDOW["start"], "end": WINDOW["end"], "nodes": ["a", "b"]}),
    ("add bios --start 2026-03-01T12:00:00Z --end 2026-03-01T16:00:00Z --pool big --description BIOS",
     {"name": "bios", "start": WINDOW["start"], "end": WINDOW["end"], "pool": "big", "description": "BIOS"}),
    ("set bios --for 6h", {"end": "2026-03-01T18:00:00.000Z"}),
    ("set bios --no-pool --nodes=", {"pool": None, "nodes": []}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "body"), SENT, ids=[line for line, _ in SENT])
def test_options_become_what_is_sent(danlu: Danlu, server: FakeServer, line, body):
    server.on("GET", "maintenance/bios", WINDOW)
    server.on("POST", "maintenance", Reply(201, WINDOW))
    server.on("PATCH", "maintenance/bios", WINDOW)
    result = danlu("maintenance", *line.split(), *(["-y"] if line.startswith("add") else []))
    assert result.code == 0, result.err
    assert server.requests[-1].json() == body


def test_a_person_sees_whom_a_maintenance_concerns(danlu: Danlu, server: FakeServer, person):
    server.on("POST", "maintenance/preview", DRAIN)
    server.on("POST", "maintenance", Reply(201, WINDOW))
    line = (
        "maintenance",
        "create",
        "bios",
        "--start",
        "+1h",
        "--for",
        "4h",
        "--nodes",
        "a",
        "--description",
        "x",
    )
    assert danlu(*line, stdin="n\n").code != 0
    assert danlu(*line, stdin="y\n").code == 0
    assert [one.path.rpartition("/")[2] for one in server.requests] == ["preview", "preview", "maintenance"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("add bios --start now", "--end or --for"),
        ("add bios --start now --end 22:00 --for 4h", "give --end or --for, not both"),
        ("add bios --start soon --for 4h", "'soon' is not a time"),
        ("add bios --start now --for ever", "'ever' is not a duration"),
        ("set bios", "nothing to change"),
    ],
)
def test_a_time_that_cannot_be_meant_is_wrong_use(danlu: Danlu, server: FakeServer, line, words):
    result = danlu("maintenance", *line.split(), *(["-y"] if line.startswith("add") else []))
    assert (result.code, server.requests) == (2, [])
    assert words in result.err


def test_a_maintenance_is_called_off(danlu: Danlu, server: FakeServer):
    server.on("DELETE", "maintenance/bios", Reply(204))
    assert danlu("maintenance", "rm", "bios", "--yes").code == 0


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_times_are_on_the_readers_clock(monkeypatch: pytest.MonkeyPatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for clock in ("08:30", "23:59", "0:00"):
            found = moment(clock, NOW)
            assert found is not None
            assert timedelta(0) < found - NOW <= timedelta(days=1)
            assert found.astimezone().strftime("%H:%M") == clock.zfill(5)
        on_the_day = moment("2026-03-05 22:00", NOW)
        assert on_the_day is not None
        assert on_the_day.astimezone().strftime("%Y-%m-%d %H:%M") == "2026-03-05 22:00"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_times_ahead_and_with_a_zone_are_understood() -> None:
    assert moment("+1h30m", NOW) == NOW + timedelta(minutes=90)
    zoned = moment("2026-03-01T20:00:00+08:00", NOW)
    assert zoned is not None
    assert sent(zoned) == "2026-03-01T12:00:00.000Z"
    assert span("1d 2h") == timedelta(hours=26)
    assert (span(""), span("3x"), moment("tomorrow", NOW)) == (None, None, None)
