"""The event hub: each event is read once, everybody gets theirs, nobody makes it grow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.words import Words
from danlu.ports.store import Recorded
from danlu.server.live import hub as module
from danlu.server.live.hub import EventHub, show

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("loop_time")]


class Table:
    """An event table in memory that counts how often it is read."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []
        self.reads = 0

    def add(self, kind: str = "state_changed", job_id: str | None = "j1", owner: str | None = "eve") -> None:
        seq = len(self.events) + 1
        self.events.append(Recorded(seq, seq, kind, job_id, owner, None, {}, Words("en", "zh")))

    def record(self, *_: object, **__: object) -> None:
        raise NotImplementedError

    def events_after(self, seq: int, limit: int) -> tuple[Recorded, ...]:
        self.reads += 1
        return tuple(self.events[seq : seq + limit])

    def events_of(self, job_id: str, after: int, limit: int) -> tuple[Recorded, ...]:
        raise NotImplementedError

    def events_about(self, *_: object) -> tuple[Recorded, ...]:
        raise NotImplementedError

    def latest_seq(self) -> int:
        return len(self.events)


def person(name: str, role: UserRole = UserRole.ENGINEER) -> Caller:
    return Caller(User(name, role, 0))


@asynccontextmanager
async def running(hub: EventHub) -> AsyncIterator[None]:
    task = asyncio.create_task(hub.run())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@contextmanager
def never_polling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "_POLL_S", 3600)
    yield


async def test_a_listener_hears_what_happens_from_now_on():
    table = Table()
    table.add("old")
    hub = EventHub(table)
    async with running(hub), hub.listen() as listener:
        table.add("new")
        hub.wake()
        assert [one.kind for one in await listener.take(5)] == ["new"]


async def test_a_listener_goes_on_after_an_event_it_has_seen():
    table = Table()
    for _ in range(5):
        table.add()
    hub = EventHub(table)
    async with running(hub), hub.listen(after=3) as listener:
        assert [one.seq for one in await listener.take(5)] == [4, 5]


async def test_a_listener_far_behind_reads_the_table_and_misses_nothing():
    table = Table()
    for _ in range(1_300):
        table.add()
    hub = EventHub(table)
    seen: list[int] = []
    async with running(hub), hub.listen(after=0) as listener:
        while len(seen) < 1_300:
            seen += [one.seq for one in await listener.take(5)]
    assert seen == list(range(1, 1_301))


async def test_many_listeners_cost_one_read(monkeypatch):
    with never_polling(monkeypatch):
        table = Table()
        hub = EventHub(table)
        async with running(hub), hub.listen() as one, hub.listen() as two, hub.listen() as three:
            await asyncio.sleep(1)
            before = table.reads
            table.add()
            hub.wake()
            takes = await asyncio.gather(*(each.take(5) for each in (one, two, three)))
        assert [len(events) for events in takes] == [1, 1, 1]
        assert table.reads - before == 1


async def test_what_nobody_reads_is_not_kept():
    table = Table()
    hub = EventHub(table)
    async with running(hub), hub.listen():
        for _ in range(5_000):
            table.add()
        await hub.look()
        assert len(hub._recent) == module._KEEP


async def test_a_listener_that_leaves_is_forgotten():
    hub = EventHub(Table())
    async with hub.listen():
        with hub.watch("j1", lambda: None):
            assert hub.listeners == 2
    assert hub.listeners == 0


async def test_a_watcher_is_told_of_its_job_alone():
    table, told = Table(), []
    hub = EventHub(table)
    with hub.watch("j1", lambda: told.append("j1")):
        table.add(job_id="j2")
        await hub.look()
        assert told == []
        table.add(job_id="j1")
        await hub.look()
        assert told == ["j1"]


async def test_trouble_with_the_table_is_waited_out(monkeypatch):
    table, calls = Table(), []

    def broken(*_: object) -> tuple[Recorded, ...]:
        calls.append(1)
        raise OSError("no such table")

    monkeypatch.setattr(table, "events_after", broken)
    hub = EventHub(table)
    async with running(hub):
        with hub.watch("j1", lambda: None):
            async with asyncio.timeout(5):
                while len(calls) < 3:
                    await asyncio.sleep(0.1)


@pytest.mark.parametrize(
    ("caller", "job_id", "owner", "visible"),
    [
        (person("eve"), "j1", "eve", True),
        (person("otto"), "j1", "eve", False),
        (person("vera", UserRole.VIEWER), "j1", "eve", False),
        (person("admin", UserRole.ADMINISTRATOR), "j1", "eve", True),
        (person("eve"), None, None, False),
        (person("admin", UserRole.ADMINISTRATOR), None, None, True),
        (Caller(User("eve", UserRole.ENGINEER, 0), frozenset({"event:read"})), "j1", "eve", False),
    ],
)
def test_one_sees_the_events_of_jobs_one_may_read(caller, job_id, owner, visible):
    event = Recorded(1, 1, "state_changed", job_id, owner, None)
    assert show(event).visible_to(caller) is visible


def test_halves_of_characters_are_replaced():
    shown = show(Recorded(7, 1_000, "state_changed", "j1", "eve", None, {"message": "a\ud800b\udfff"}))
    assert json.loads(shown.json.encode())["data"] == {"message": "a?b?"}


def test_an_event_is_made_ready_once_with_its_topics():
    shown = show(Recorded(7, 1_000, "placed", "j1", "eve", "eve", {"a": 1}, Words("placed", "已分配")))
    assert shown.topics == ("jobs", "job:j1", "queue", "nodes")
    assert json.loads(shown.json)["text"] == {"en": "placed", "zh": "已分配"}
    assert show(Recorded(8, 1_000, "signed_in", None, None, "eve")).topics == ("users",)


@pytest.mark.parametrize(
    ("rule", "topics"),
    [("project", ("rules",)), ("node", ("rules", "nodes")), ("maintenance", ("rules", "nodes"))],
)
def test_everybody_hears_of_the_rules(rule, topics):
    one = show(Recorded(7, 0, "rule_changed", None, None, "admin", {"rule": rule}, Words("a", "b")))
    assert one.topics == topics
    assert one.visible_to(person("eve", UserRole.VIEWER))


@pytest.mark.parametrize(
    ("quota", "visible"),
    [
        ("user:eve", True),
        ("user:otto", False),
        ("group:nlp", True),
        ("group:vision", False),
        ("default", True),
    ],
)
def test_of_quotas_one_hears_where_they_hold_for_one(quota, visible):
    data = {"rule": "quota", "name": quota}
    one = show(Recorded(7, 0, "rule_changed", None, None, "admin", data, Words("a", "b")))
    assert one.visible_to(Caller(User("eve", UserRole.ENGINEER, 0, groups=("nlp",)))) is visible
    assert one.visible_to(person("olga", UserRole.OPERATOR))


JOINS = {"request": "join", "user": "eve", "subject": "nlp"}
WANTS_MORE = {"request": "quota", "user": "eve", "subject": "eve"}
BELONGS = {"project": "nlp", "user": "eve"}


@pytest.mark.parametrize(
    ("kind", "data", "heard_by"),
    [
        ("request_changed", JOINS, {"eve", "creator", "operator", "administrator"}),
        ("request_changed", WANTS_MORE, {"eve", "operator", "administrator"}),
        ("member_changed", BELONGS, {"eve", "creator", "member", "operator", "administrator"}),
        ("signed_in", {}, {"administrator"}),
    ],
)
def test_of_memberships_and_requests_those_hear_whom_they_concern(kind, data, heard_by):
    people = {role: person(role, UserRole(role)) for role in ("operator", "administrator")}
    people |= {"eve": person("eve"), "otto": person("otto")}
    for role in ("creator", "member"):
        belongs = {"nlp": MemberRole(role)}
        people[role] = Caller(User(role, UserRole.ENGINEER, 0), projects=belongs)
    one = show(Recorded(7, 0, kind, None, None, "eve", data, Words("a", "b")))
    assert {name for name, caller in people.items() if one.visible_to(caller)} == heard_by
    narrow = Caller(User("eve", UserRole.ENGINEER, 0), frozenset({"event:read"}))
    assert not one.visible_to(narrow)
