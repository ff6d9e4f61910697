"""Nodes that may run so many tasks, however small."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.node import LowDisk, Node, NodeState
from danlu.domain.reasons import NodesLowOnDisk, NodeTaskCap, NotEnoughRoom
from tests.fakes.queue import GIB, HOUR, State, ask, node, run, started, wait


def capped(name: str, most: int | None) -> Node:
    return replace(node(name, 0, cpus=64), max_tasks=most)


def tiny(name: str, tasks: int = 1) -> object:
    return wait(name, 0, None, of=ask(0, None, tasks=tasks, cpus=0.01, memory=0.01))


def small(name: str, where: str, **more: object) -> object:
    return run(name, where, 0, None, cpus=0.01, memory=0.01, **more)  # type: ignore[arg-type]


def test_a_node_starts_no_more_than_its_cap_and_says_why_the_next_waits() -> None:
    decision = State([capped("a", 3)], [tiny(f"j{number}") for number in range(5)]).decide()
    assert started(decision) == ["j0", "j1", "j2"]
    reasons = State([capped("a", 3)], [*(small(f"r{n}", "a") for n in range(3)), tiny("j")]).decide().waiting
    assert reasons == {"j": NodeTaskCap(1, "a", 3)}
    assert reasons["j"].text().en == "1 node with room for it has as many tasks as allowed; a may run 3"


def test_a_gang_is_spread_over_nodes_by_what_their_caps_leave() -> None:
    plan = State([capped("a", 2), capped("b", 3)], [tiny("g", 5)]).decide()
    assert sorted(task.node for start in plan.starts for task in start.tasks) == ["a", "a", "b", "b", "b"]
    assert started(State([capped("a", 2), capped("b", 3)], [tiny("g", 6)]).decide()) == []


def test_a_leaving_task_makes_room_and_a_node_beyond_a_lowered_cap_takes_nothing() -> None:
    jobs = [small("r1", "a", leaving=True), small("r2", "a"), tiny("j")]
    plan = State([capped("a", 2)], jobs).decide()
    assert [start.after for start in plan.starts] == [("r1",)]
    assert started(State([capped("a", 1)], [small("r1", "a"), small("r2", "a"), tiny("j")]).decide()) == []


def test_the_next_job_may_pass_one_that_waits_for_a_cap_elsewhere() -> None:
    jobs = [small("r", "a", max_time=2 * HOUR), wait("j", 0, None, of=ask(0, None, name="a")), tiny("k")]
    nodes = [replace(capped("a", 1), labels={"name": "a"}), replace(capped("b", 1), labels={"name": "b"})]
    assert started(State(nodes, jobs).decide()) == ["k"]


def test_with_room_lacking_anyway_the_room_is_what_is_told() -> None:
    full = run("r", "a", 0, None, cpus=64, memory=1)
    assert isinstance(State([capped("a", 9)], [full, tiny("j")]).decide().waiting["j"], NotEnoughRoom)


def test_without_caps_nothing_is_counted() -> None:
    jobs = [tiny(f"j{number:03}") for number in range(600)]
    assert len(started(State([capped("a", None)], jobs).decide())) == 600


def test_a_node_short_of_disk_space_starts_nothing_and_says_so() -> None:
    low = LowDisk(GIB, 2 * GIB)
    short = replace(capped("a", None), state=NodeState.CORDONED, why="short of disk", low_disk=low)
    state = State([short], [tiny("j")])
    assert started(state.decide()) == []
    (reason,) = state.decide().waiting.values()
    assert reason == NodesLowOnDisk(1, "a", GIB, 2 * GIB)
    assert "a has 1GiB left and keeps 2GiB free" in reason.text().en
    assert "剩余 1GiB" in reason.text().zh
