"""Whose turn it is: pin, priority, project share, score, own order, creation."""

from __future__ import annotations

import pytest

from danlu.domain.rules import Project
from danlu.scheduler import Pending
from tests.fakes.queue import HOUR, State, node, nodes, run, started, wait

PAIR = [Project("gold", 1), Project("iron", 1)]
ANN, BOB = ("ann", "A100"), ("bob", "A100")

FIRST = {
    "a pin goes before a higher priority": [wait("b", priority="high"), wait("a", priority="low", pinned=1)],
    "the latest pin goes first": [wait("b", pinned=5), wait("a", pinned=6)],
    "a pin goes before the project's share": [wait("b", project="iron"), wait("a", project="gold", pinned=1)],
    "a higher priority goes before an older job": [wait("b", at=1), wait("a", at=2, priority="high")],
    "the older job goes first": [wait("b", at=2), wait("a", at=1)],
    "an owner's slot goes before creation": [wait("b", at=1, slot=9), wait("a", at=2, slot=3)],
    "of two born together the one with the lower name goes first": [wait("b", at=1), wait("a", at=1)],
}


@pytest.mark.parametrize("queue", FIRST.values(), ids=FIRST.keys())
def test_with_room_for_one(queue: list[Pending]) -> None:
    held = run("r", "n2", project="gold", owner="eve", preemptible=False)
    assert started(State(nodes("n1 n2", 1), [held, *queue], PAIR).decide()) == ["a"]


SCORES = {
    "the lower score goes first": (3.0, 2.0, "b"),
    "scores alike to a hundredth are equal": (1.004, 0.996, "a"),
    "scores a hundredth apart are not": (1.014, 1.004, "b"),
}


@pytest.mark.parametrize(("ann", "bob", "first"), SCORES.values(), ids=SCORES.keys())
def test_by_score(ann: float, bob: float, first: str) -> None:
    queue = [wait("a", owner="ann"), wait("b", owner="bob")]
    assert started(State([node("n1", 1)], [*queue], scores={ANN: ann, BOB: bob}).decide()) == [first]


def test_a_score_counts_in_the_lane_of_its_model_only() -> None:
    queue = [wait("a", owner="ann"), wait("b", owner="bob")]
    assert started(State([node("n1", 1)], [*queue], scores={("ann", "T4"): 9.0}).decide()) == ["a"]


def test_at_an_equal_score_who_holds_fewer_gpus_goes_first() -> None:
    jobs = [run("r", "n1", owner="ann"), wait("a", owner="ann"), wait("b", owner="bob")]
    assert started(State([node("n1", 2)], jobs).decide()) == ["b"]


def test_what_starts_in_the_same_cycle_counts_as_held() -> None:
    queue = [
        wait("a1", owner="ann"),
        wait("a2", owner="ann"),
        wait("b1", owner="bob"),
        wait("b2", owner="bob"),
    ]
    assert started(State([node("n1", 2)], [*queue]).decide()) == ["a1", "b1"]


def test_a_score_goes_before_what_one_holds() -> None:
    jobs = [run("r", "n1", owner="ann"), wait("a", owner="ann"), wait("b", owner="bob")]
    assert started(State([node("n1", 2)], jobs, scores={BOB: 1.0}).decide()) == ["a"]


def test_a_project_with_less_of_its_share_goes_first() -> None:
    jobs = [run("r", "n1", project="gold"), wait("a", project="gold"), wait("b", project="iron")]
    assert started(State([node("n1", 2)], jobs, PAIR).decide()) == ["b"]


def test_a_project_below_its_guarantee_goes_first() -> None:
    owed = Project("iron", 1, guarantee={"A100": 3000})
    jobs = [run("r", "n1", 2, project="iron"), wait("a", project="gold"), wait("b", project="iron")]
    assert started(State([node("n1", 3)], jobs, [Project("gold", 1), owed]).decide()) == ["b"]


def test_projects_alike_in_share_go_by_score() -> None:
    queue = [wait("a", project="gold", owner="ann"), wait("b", project="iron", owner="bob")]
    assert started(State([node("n1", 1)], [*queue], PAIR, scores={ANN: 5.0}).decide()) == ["b"]


def test_an_owner_orders_only_their_own_jobs() -> None:
    queue = [
        wait("a", owner="ann", at=1, slot=8),
        wait("c", owner="ann", at=8, slot=1),
        wait("b", owner="bob", at=5),
    ]
    assert started(State([node("n1", 1)], [*queue]).decide()) == ["c"]
    assert started(State([node("n1", 2)], [*queue]).decide()) == ["b", "c"]


def test_the_queue_is_shown_in_the_order_of_service() -> None:
    queue = [wait("d"), wait("c", priority="high"), wait("b", pinned=1), wait("a", pinned=2)]
    (line,) = State([node("n1", 1)], [run("r", "n1", preemptible=False), *queue]).decide().queue.values()
    assert [job.job_id for job in line] == ["a", "b", "c", "d"]


def test_lanes_of_different_models_do_not_hold_each_other_up() -> None:
    jobs = [run("r", "n1"), wait("a", 2), wait("b", 2, "T4")]
    assert started(State([node("n1", 2), node("n2", 2, "T4")], jobs).decide()) == ["b"]


def test_single_and_distributed_jobs_stand_in_lanes_of_their_own() -> None:
    plan = State([node("n1", 1)], [run("r", "n1"), wait("a"), wait("b", tasks=2)]).decide()
    assert {lane: [job.job_id for job in line] for lane, line in plan.queue.items()} == {
        ("A100", "single"): ["a"],
        ("A100", "distributed"): ["b"],
    }


def test_a_job_that_takes_several_models_stands_in_the_lane_of_each() -> None:
    jobs = [run("r1", "n1"), run("r2", "n2", model="T4"), wait("a", model="A100|T4")]
    plan = State([node("n1", 1), node("n2", 1, "T4")], jobs).decide()
    assert sorted(model for model, _ in plan.queue) == ["A100", "T4"]
    assert list(plan.waiting) == ["a"]


def test_a_pin_and_a_slot_survive_an_eviction() -> None:
    queued = wait("a", priority="low", pinned=7, slot=3)
    state = State([node("n1", 1)], [queued])
    state = state.applied(state.decide()).plus(wait("b", priority="high")).later(HOUR)
    (evicted,) = state.applied(state.decide()).pending
    assert (evicted.job_id, evicted.pinned_at, evicted.slot) == ("a", 7, queued.slot)
