"""Nodes that close: what is said of them, what follows, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane.closed_nodes import closed, leaving_events
from danlu.control.plane.node_rules import apply_rules, until
from danlu.control.rules.node_checks import cordoning
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, Invalid, NotAllowed
from danlu.domain.events import Evicted
from danlu.domain.job import Attempt, JobState, Task
from danlu.domain.node import Node, NodeState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.reasons import NodeDrained, NodeMaintenance
from danlu.domain.rules import BUILT_IN, Maintenance, NodeRule, Pool, changed
from tests.fakes.builders import job
from tests.fakes.clock import START, FakeClock
from tests.fakes.rules import FakeRules

ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, 0))
ENGINEER = Caller(User("lin", UserRole.ENGINEER, 0))
HOUR = 3_600_000
A, B = (Node(name, "10.0.0.1", 64000, 2**39) for name in ("a", "b"))
BIOS = Maintenance("bios", 2 * HOUR, 4 * HOUR, ("a",), None, "new BIOS")


@pytest.fixture
def rules() -> Registry:
    return Registry(FakeRules(*BUILT_IN), FakeClock(), inventory=lambda: [A, B])


def refusals(act: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        act()
    return [(".".join(map(str, error.loc)), error.code) for error in refused.value.errors]


# ── nodes as ruled ───────────────────────────────────────────────────────────────────────────────────


def ruled(now: int, *windows: Maintenance, **said: Any) -> Node:
    rules = {"a": NodeRule("a", **said)} if said else {}
    return apply_rules((A,), rules, windows, now)[0]


@pytest.mark.parametrize(
    ("now", "state", "closes_at", "why"),
    [
        (0, NodeState.READY, 2 * HOUR, ""),
        (2 * HOUR - 1, NodeState.READY, 2 * HOUR, ""),
        (2 * HOUR, NodeState.CORDONED, 2 * HOUR, "maintenance bios: new BIOS"),
        (4 * HOUR - 1, NodeState.CORDONED, 2 * HOUR, "maintenance bios: new BIOS"),
        (4 * HOUR, NodeState.READY, None, ""),
    ],
)
def test_a_maintenance_over_time(now: int, state: NodeState, closes_at: int | None, why: str) -> None:
    node = ruled(now, BIOS)
    assert (node.state, node.closes_at, node.why) == (state, closes_at, why)
    assert node.closes_for == ("bios" if closes_at else "")
    assert apply_rules((node,), {}, (BIOS,), now) == (node,)


def test_the_first_of_several_windows_counts() -> None:
    later = replace(BIOS, name="later", start=3 * HOUR, end=9 * HOUR)
    assert ruled(0, later, BIOS).closes_for == "bios"
    assert ruled(4 * HOUR, later, BIOS).closes_for == "later"
    assert until((later, BIOS), 2 * HOUR) == 3 * HOUR
    assert until((later, BIOS), 9 * HOUR) is None


def test_a_drain_and_a_window_close_a_node_at_the_earlier_of_both() -> None:
    early, late = (
        ruled(0, BIOS, cordoned=True, drain_by=HOUR),
        ruled(0, BIOS, cordoned=True, drain_by=3 * HOUR),
    )
    assert (early.closes_at, early.closes_for) == (HOUR, "")
    assert (late.closes_at, late.closes_for) == (2 * HOUR, "bios")


def test_a_window_of_a_pool_concerns_who_was_moved_there() -> None:
    pool = replace(BIOS, nodes=(), pool="rack")
    assert ruled(0, pool).closes_at is None
    assert ruled(0, pool, pool="rack").closes_at == 2 * HOUR


def test_that_a_node_is_out_of_reach_says_more_than_that_it_is_maintained() -> None:
    far = replace(A, state=NodeState.UNREACHABLE, why="silent")
    (node,) = apply_rules((far,), {}, (BIOS,), 3 * HOUR)
    assert (node.state, node.why, node.closes_at) == (NodeState.UNREACHABLE, "silent", 2 * HOUR)


def test_who_must_leave_is_told_why() -> None:
    nodes = (ruled(2 * HOUR, BIOS), replace(B, closes_at=HOUR), replace(B, name="c", closes_at=3 * HOUR))
    assert closed(nodes, 2 * HOUR) == {"a": NodeMaintenance("a", "bios"), "b": NodeDrained("b")}
    assert list(leaving_events((), nodes, 2 * HOUR)) == []


@pytest.mark.parametrize(
    ("framework", "closing", "names"),
    [("none", "a", ("worker-0",)), ("pytorch", "b", ("worker-1",)), ("pytorch", "a", ())],
)
def test_a_job_goes_as_a_whole_where_its_workers_cannot_do_without_one(
    framework: str, closing: str, names: tuple[str, ...]
) -> None:
    spec = job(roles=[{"name": "worker", "replicas": 2, "min": 1}]).spec
    placed = Attempt(1, (Task("worker", 0, "a", "127.0.0.1"), Task("worker", 1, "b", "127.0.0.2")), 0)
    running = replace(job(), spec=replace(spec, framework=framework), state=JobState.RUNNING)
    running = replace(running, attempt=placed, attempts=1)
    nodes = tuple(replace(node, closes_at=HOUR if node.name == closing else None) for node in (A, B))
    ((_, event),) = leaving_events((running,), nodes, HOUR)
    assert event == Evicted(1, "", NodeDrained(closing), names)


def test_opening_a_node_ends_a_drain_and_its_note() -> None:
    drained = NodeRule("a", "rack", True, {"x": "y"}, HOUR, "fan")
    assert cordoning(drained, False) == NodeRule("a", "rack", False, {"x": "y"})
    assert cordoning(drained, True) == drained
    assert cordoning(drained, True, "other").note == "other"


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (None, NodeRule("a", "rack"), "moved"),
        (None, NodeRule("a", cordoned=True), "cordoned"),
        (None, NodeRule("a", cordoned=True, drain_by=1), "drained"),
        (NodeRule("a", cordoned=True), NodeRule("a", cordoned=True, drain_by=1), "drained"),
        (NodeRule("a", cordoned=True, drain_by=1), NodeRule("a"), "uncordoned"),
        (NodeRule("a", cordoned=True, drain_by=1), NodeRule("a", cordoned=True, drain_by=1, note="x"), "edited"),
        (NodeRule("a"), NodeRule("a", labels={"x": "y"}), "edited"),
        (None, Pool("rack"), None),
    ],
)  # fmt: skip
def test_what_was_done_to_a_node_has_a_word(old: Any, new: Any, word: str | None) -> None:
    assert changed(old, new) == word


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────

AHEAD: dict[str, Any] = {"start": START + HOUR, "end": START + 2 * HOUR, "nodes": ("a",)}
WRONG = {
    "ends before it begins": ({"end": START}, [("end", "contradiction")]),
    "is over already": ({"start": START - 2 * HOUR, "end": START - HOUR}, [("end", "out_of_range")]),
    "concerns nothing": ({"nodes": ()}, [("nodes", "missing")]),
    "names a node that is not there": ({"nodes": ("a", "aa")}, [("nodes.1", "no_such_node")]),
    "names a pool that is not there": ({"pool": "rack"}, [("pool", "no_such_pool")]),
}


@pytest.mark.parametrize(("said", "expected"), WRONG.values(), ids=WRONG.keys())
def test_a_maintenance_is_refused_that(
    rules: Registry, said: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    window = Maintenance("bios", **{**AHEAD, **said})
    assert refusals(lambda: rules.add(ADMIN, window)) == expected
    assert refusals(lambda: rules.check(ADMIN, window)) == expected
    assert rules.maintenance() == {}


def test_a_maintenance_that_lasts_is_changed_though_a_node_of_it_is_gone() -> None:
    there = [A, B]
    clock = FakeClock()
    rules = Registry(FakeRules(*BUILT_IN), clock, inventory=lambda: there)
    rules.add(ADMIN, Maintenance("bios", **{**AHEAD, "nodes": ("a", "b")}))
    there.remove(B)
    clock.advance(90 * 60_000)
    assert rules.edit(ADMIN, Maintenance, "bios", {"end": START + 3 * HOUR}).end == START + 3 * HOUR
    nodes = {"nodes": ("a", "b", "c")}
    assert refusals(lambda: rules.edit(ADMIN, Maintenance, "bios", nodes)) == [("nodes.2", "no_such_node")]


def test_a_pool_that_a_maintenance_names_is_not_removed(rules: Registry) -> None:
    rules.add(ADMIN, Pool("rack"))
    rules.add(ADMIN, Maintenance("bios", **{**AHEAD, "pool": "rack"}))
    with pytest.raises(Conflict, match="pool rack is used by maintenance bios"):
        rules.remove(ADMIN, Pool, "rack")


def test_several_nodes_are_ruled_together_or_not_at_all(rules: Registry) -> None:
    moving = lambda rule: replace(rule, pool="nowhere")  # noqa: E731
    wrong = refusals(lambda: rules.edit_nodes(ADMIN, ["a", "x", "b"], moving))
    assert wrong == [("nodes.1", "no_such_node"), ("pool", "no_such_pool")]
    assert rules.node_rules() == {}
    rules.edit_nodes(ADMIN, ["a", "b"], lambda rule: cordoning(rule, True, "fan"))
    assert {rule.note for rule in rules.node_rules().values()} == {"fan"}
    with pytest.raises(NotAllowed):
        rules.edit_nodes(ENGINEER, ["a"], lambda rule: rule)
    with pytest.raises(NotAllowed):
        rules.check(ENGINEER, BIOS)
