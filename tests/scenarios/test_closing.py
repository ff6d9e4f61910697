"""Nodes that will close: nothing is placed there that would not surely have ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.node import Node, NodeState
from danlu.domain.reasons import (
    ClosingSoon,
    NodesCordoned,
    NoSuchNode,
    NotEnoughGpus,
    ReservedFor,
    UnderMaintenance,
)
from danlu.domain.rules import Policy
from danlu.scheduler.model import FOREVER, Assigned
from tests.fakes.queue import (
    HOUR,
    MINUTE,
    NOW,
    State,
    ask,
    evicted,
    gang,
    node,
    nodes,
    places,
    role,
    run,
    started,
    wait,
)

NOTICE = Policy().maintenance_notice

# ── who may still start ──────────────────────────────────────────────────────────────────────────────

STARTS = {
    "ends just in time": (2 * HOUR, 2 * HOUR, True),
    "would end a moment too late": (2 * HOUR, 2 * HOUR + 1, False),
    "has no max_time and notice enough": (NOTICE, FOREVER, True),
    "has no max_time and too little notice": (NOTICE - 1, FOREVER, False),
    "takes longer than one of unknown length may": (NOTICE + HOUR, NOTICE + 2 * HOUR, False),
}


@pytest.mark.parametrize(("closes", "max_time", "starts"), STARTS.values(), ids=STARTS.keys())
def test_a_job_on_a_node_that_closes(closes: int, max_time: int, starts: bool) -> None:
    plan = State([node("a", closes=closes)], [wait("j", max_time=max_time)]).decide()
    assert started(plan) == (["j"] if starts else [])
    assert isinstance(plan.waiting.get("j"), ClosingSoon) is not starts


def test_a_long_job_goes_where_no_node_closes() -> None:
    machines = [node("a", closes=HOUR), node("b")]
    plan = State(machines, [run("r", "b"), wait("j", max_time=2 * HOUR)]).decide()
    assert [place.split(":")[0] for place in places(plan, "j")] == ["b"]


def test_the_notice_is_a_setting() -> None:
    state = State([node("a", closes=3 * HOUR)], [wait("j")], policy=Policy(maintenance_notice=2 * HOUR))
    assert started(state.decide()) == ["j"]


def test_a_gang_starts_only_if_all_of_its_nodes_stay_open_long_enough() -> None:
    machines = [node("a"), node("b", closes=HOUR), node("c")]
    long, short = wait("g", 8, tasks=3, max_time=2 * HOUR), wait("g", 8, tasks=3, max_time=HOUR)
    assert started(State(machines, [long]).decide()) == []
    assert started(State(machines, [short]).decide()) == ["g"]
    assert State(machines, [long]).decide().waiting == {"g": ClosingSoon(1, "move", HOUR)}


def test_a_running_job_grows_onto_a_closing_node_only_for_as_long_as_it_has_left() -> None:
    machines = [node("a", 1), node("b", 1, closes=HOUR)]
    elastic = ask(1, tasks=2, least=1)
    for since, grows in ((HOUR, True), (HOUR - 1, False)):
        one = run("r", "a", of=elastic, since=since, max_time=2 * HOUR)
        assert bool(State(machines, [one]).decide().growths) is grows


def test_nobody_makes_room_on_a_node_that_closes_too_soon() -> None:
    state = State(
        [node("a", 1, closes=HOUR)],
        [run("r", "a", priority="low"), wait("long", priority="high", max_time=2 * HOUR)],
    )
    assert evicted(state.decide()) == {}
    short = state.without("long").plus(wait("short", priority="high", max_time=MINUTE))
    assert evicted(short.decide()) == {"r": "short"}


def test_a_promise_on_a_node_that_will_close_is_not_kept_and_leads_elsewhere() -> None:
    place = Assigned("worker", 0, "a", 1000, 2**30, (run("r", "a").tasks[0].gpus), "A100")
    promised = wait("j", nominated=(place,), max_time=2 * HOUR)
    leaving = run("r", "a", leaving=True)
    machines = nodes("a", 1)
    assert State(machines, [leaving, promised]).decide().starts == ()  # it waits for its own
    closing = [node("a", 1, closes=HOUR), node("b", 1)]
    plan = State(closing, [leaving, promised]).decide()
    assert places(plan, "j") == ["b:0"]


# ── who passes ───────────────────────────────────────────────────────────────────────────────────────


def test_a_job_that_must_wait_for_the_end_of_a_maintenance_holds_up_nobody() -> None:
    plan = State([node("a", 1, closes=HOUR)], [wait("long"), wait("short", max_time=HOUR)]).decide()
    assert started(plan) == ["short"]
    assert plan.waiting == {"long": ClosingSoon(1, "move", HOUR)}


def test_the_same_shape_is_tried_again_for_who_is_shorter() -> None:
    jobs = [wait(f"long-{at}", max_time=3 * HOUR) for at in range(3)]
    jobs += [wait("endless"), wait("middle", max_time=2 * HOUR), wait("short", max_time=HOUR)]
    state = State([node("a", 1, closes=HOUR), node("b", 1, closes=2 * HOUR)], jobs)
    assert started(state.decide()) == ["middle", "short"]


def test_who_needs_a_node_that_stays_open_reserves_that_one_alone() -> None:
    """The head waits for `b`; `a` closes too soon for it, and is free for who is short."""
    machines = [node("a", 2, closes=HOUR), node("b", 2)]
    busy = run("r", "b", 2, max_time=2 * HOUR)
    jobs = [busy, wait("head", 2, max_time=4 * HOUR), wait("short", 1, max_time=30 * MINUTE), wait("endless")]
    plan = State(machines, jobs).decide()
    assert places(plan, "short") == ["a:0"]
    assert started(plan) == ["short"]


def test_a_head_does_not_reserve_a_node_that_is_free_only_shortly_before_it_closes() -> None:
    """Free in 1 h and closed in 2 h, `a` is of no use to a job of 90 minutes; who is short may have the rest of it."""
    machines = [node("a", 2, closes=2 * HOUR), node("b", 2)]
    jobs = [
        run("r", "a", 1, since=HOUR, max_time=2 * HOUR),
        run("s", "b", 2, since=HOUR, max_time=4 * HOUR),
        wait("head", 2, max_time=90 * MINUTE),
        wait("passing", 1, max_time=2 * HOUR),
    ]
    assert started(State(machines, jobs).decide()) == ["passing"]


def test_a_gang_reserves_nodes_that_are_open_when_the_last_of_them_is_free() -> None:
    machines = [node("a", 1, closes=2 * HOUR), node("b", 1), node("c", 1)]
    jobs = [
        run("r", "b", max_time=2 * HOUR),
        run("s", "c", max_time=4 * HOUR),
        wait("head", 1, tasks=2, max_time=90 * MINUTE),
        wait("passing", max_time=2 * HOUR),
    ]
    assert started(State(machines, jobs).decide()) == ["passing"]


# ── what they are told ───────────────────────────────────────────────────────────────────────────────

TOLD = {
    "the longest that would start now": (
        [node("a", 1, closes=3 * HOUR), node("b", 1, closes=5 * HOUR)], [], ClosingSoon(2, "move", 5 * HOUR),
    ),
    "of nodes that have room, before those that have none": (
        [node("a", 1, closes=3 * HOUR), node("b", 1, closes=5 * HOUR)], [run("r", "b")],
        ClosingSoon(2, "move", 3 * HOUR),
    ),
    "what would fit were they idle, where none has room": (
        [node("a", 1, closes=3 * HOUR)], [run("r", "a")], ClosingSoon(1, "move", 3 * HOUR),
    ),
    "in coarse steps": (
        [node("a", 1, closes=3 * HOUR + 14 * MINUTE + 59_000)], [], ClosingSoon(1, "move", 3 * HOUR),
    ),
    "that nothing worth saying would": ([node("a", 1, closes=4 * MINUTE)], [], ClosingSoon(1, "move", 0)),
    "of what is lacking where they wait for a node that stays open": (
        [node("a", 1), node("b", 8, "T4", closes=HOUR)], [run("r", "a")], NotEnoughGpus(1000, "A100", 1, 0),
    ),
    "of what is lacking where closing nodes have no room either": (
        [node("a", 1), node("b", 1, closes=HOUR)], [run("r", "a"), run("s", "b")],
        NotEnoughGpus(1000, "A100", 1, 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("machines", "running", "reason"), TOLD.values(), ids=TOLD.keys())
def test_who_waits_is_told(machines: list[Node], running: list[object], reason: object) -> None:
    state = State(machines, [*running, wait("j")])
    plan = state.decide()
    assert plan.starts == ()
    assert plan.waiting["j"] == reason


def test_who_is_kept_out_by_a_reservation_alone_is_told_so_and_not_of_a_maintenance_elsewhere() -> None:
    machines = [node("a", 8, closes=HOUR), node("b", 4, "T4")]
    jobs = [run("r", "b", 4, "T4"), wait("head", 4, "T4"), wait("hi", 0, None)]
    plan = State(machines, jobs).decide()
    assert plan.starts == ()
    assert plan.waiting["hi"] == ReservedFor("1 × (4 T4, 1 CPU, 1GiB)")


def test_a_longer_job_that_asks_the_same_is_still_told_of_the_maintenance() -> None:
    machines = [node("a", 8, closes=HOUR), node("b", 4, "T4", closes=3 * HOUR)]
    jobs = [run("r", "b", 4, "T4"), wait("head", 4, "T4", max_time=2 * HOUR)]
    jobs += [wait("longer", 0, None, max_time=4 * HOUR), wait("long", 0, None, max_time=2 * HOUR)]
    reasons = State(machines, jobs).decide().waiting
    assert isinstance(reasons["longer"], ClosingSoon)
    assert reasons["long"] == ReservedFor("1 × (4 T4, 1 CPU, 1GiB)")


def test_during_a_maintenance_jobs_that_need_its_nodes_are_told_so() -> None:
    closed = replace(node("a", 8, closes=-HOUR), state=NodeState.CORDONED)
    plan = State([closed, node("b", 1)], [wait("j", 8), wait("k", 16)]).decide()
    assert plan.waiting == {
        "j": UnderMaintenance(1, "move", "a", NOW + HOUR),
        "k": NoSuchNode("1 × (16 A100, 1 CPU, 1GiB)"),
    }
    assert " (a) is closed for maintenance move until " in plan.waiting["j"].text().en
    assert "（a）正在维护（move），" in plan.waiting["j"].text().zh


def test_jobs_that_need_a_node_which_is_cordoned_for_a_reason_are_told_it() -> None:
    aside = [replace(node(name, 8), state=NodeState.CORDONED, why=f"{name} failed") for name in ("a", "c")]
    plan = State([*aside, node("b", 1)], [wait("j", 8), wait("k", 16), wait("l", 1)]).decide()
    assert [start.job_id for start in plan.starts] == ["l"]
    assert plan.waiting == {
        "j": NodesCordoned(2, "a", "a failed", "a, c"),
        "k": NoSuchNode("1 × (16 A100, 1 CPU, 1GiB)"),
    }
    assert plan.waiting["j"].text().en == "2 nodes that could hold it (a, c) are cordoned; a: a failed"


def test_who_waits_for_gpus_in_use_is_told_of_those_on_closed_nodes() -> None:
    aside = replace(node("b", 4), state=NodeState.CORDONED, why="ECC errors")
    machines = [node("a", 4), aside, replace(node("c", 8, "T4"), state=NodeState.CORDONED)]
    reason = State(machines, [run("r", "a", 4), wait("j", 4)]).decide().waiting["j"]
    assert reason == NotEnoughGpus(4000, "A100", 1, 0, 4, "b", "ECC errors")
    told = "needs 4 × A100; room for 0 of 1 tasks now; 4 more are on b, which takes no jobs: ECC errors"
    assert reason.text().en == told
    assert reason.text().zh.endswith("；另有 4 卡在已停止调度的节点 b 上：ECC errors")


def test_gpus_that_are_held_on_a_closed_node_are_not_counted_as_more() -> None:
    machines = [node("a", 4), replace(node("b", 4), state=NodeState.CORDONED)]
    reason = State(machines, [run("r", "a", 4), run("s", "b", 4), wait("j", 4)]).decide().waiting["j"]
    assert reason == NotEnoughGpus(4000, "A100", 1, 0)


def test_a_node_that_is_cordoned_or_drained_without_a_word_is_told_too() -> None:
    drained = replace(node("a", 8, closes=HOUR), state=NodeState.CORDONED)
    reason = State([drained, node("b", 1)], [wait("j", 8)]).decide().waiting["j"]
    assert reason == NodesCordoned(1, "a", "", "a"), "its maintenance has not begun"
    assert reason.text().en == "1 node that could hold it (a) is cordoned"
    assert reason.text().zh == "能容纳该任务的 1 个节点（a）已停止调度"


def test_who_needs_nodes_that_are_closed_for_different_reasons_is_told_of_all() -> None:
    machines = [
        replace(node("a", closes=-HOUR), state=NodeState.CORDONED),
        *(replace(one, state=NodeState.CORDONED) for one in nodes("b c d")),
    ]
    state = State([*machines, node("e", 1)], [wait("j", 8, tasks=4)])
    assert state.decide().waiting["j"] == NodesCordoned(4, "a", "", "a, b, c, …")


def test_reasons_stay_the_same_while_a_minute_passes() -> None:
    state = State([node("a", 1, closes=5 * HOUR + 2 * MINUTE)], [wait("j")])
    assert state.decide().waiting == state.later(MINUTE).decide().waiting


def test_of_roles_any_node_counts_that_could_hold_a_task() -> None:
    machines = [node("a", 1, closes=HOUR), node("b", 1, "T4", closes=HOUR)]
    both = gang(role("chief", 1, 1), role("worker", 1, 1, "T4"))
    plan = State(machines, [wait("j", of=both)]).decide()
    assert plan.waiting == {"j": ClosingSoon(2, "move", HOUR)}


@pytest.mark.parametrize("closes", [None, HOUR])
def test_a_second_decision_changes_nothing(closes: int | None) -> None:
    jobs = [wait(f"j{at}", 2, max_time=(at + 1) * 30 * MINUTE) for at in range(8)]
    state = State([node("a", 4, closes=closes), node("b", 4, closes=2 * HOUR)], jobs, now=NOW)
    after = state.applied(state.decide()).decide()
    assert (after.starts, after.evictions, after.growths) == ((), (), ())
