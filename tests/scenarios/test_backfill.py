"""The head of a lane reserves what it waits for; others pass only where they cannot delay it."""

from __future__ import annotations

import pytest

from danlu.domain.reasons import BehindOthers, NotEnoughGpus, ReservedFor
from danlu.domain.rules import Project
from danlu.scheduler import Pending, Running
from tests.fakes.queue import HOUR, MINUTE, State, node, nodes, places, run, started, wait

UNKNOWN, KNOWN = run("r", "n1", 4), run("r", "n1", 4, max_time=3 * HOUR)

PASSES: dict[str, tuple[Running, Pending, bool]] = {
    "without a maximum nobody passes": (KNOWN, wait("s", 2, zone="a"), False),
    "one that ends in time passes": (KNOWN, wait("s", 2, zone="a", max_time=2 * HOUR), True),
    "one that ends a moment late waits": (KNOWN, wait("s", 2, zone="a", max_time=2 * HOUR + 1), False),
    "where the head's start is unknown not even a short one passes": (
        UNKNOWN,
        wait("s", 2, zone="a", max_time=1),
        False,
    ),
    "one that cannot use the node passes": (UNKNOWN, wait("s", 2, "T4"), True),
    "one that selects other nodes passes": (UNKNOWN, wait("s", 2, zone="b"), True),
    "one in another lane may not use the reserved node either": (
        UNKNOWN,
        wait("s", 1, tasks=2, zone="a"),
        False,
    ),
    "one for processors that the head needs neither": (UNKNOWN, wait("s", 0, cpus=32, zone="a"), False),
}


@pytest.mark.parametrize(("holder", "small", "passes"), PASSES.values(), ids=PASSES.keys())
def test_behind_a_head(holder: Running, small: Pending, passes: bool) -> None:
    machines = [node("n1", zone="a"), node("n2", 2, "T4"), node("n3", 2, zone="b")]
    plan = State(machines, [holder, wait("head", 8, at=0, cpus=40), small]).decide()
    assert started(plan) == (["s"] if passes else [])


def test_one_without_a_maximum_passes_on_nodes_that_nobody_reserves() -> None:
    jobs = [run("r", "n1", 4), run("q", "n2", 4), wait("head", 8), wait("s", 4)]
    assert started(State(nodes("n1 n2"), jobs).decide()) == ["s"]


def test_a_head_reserves_the_nodes_where_it_can_start_first() -> None:
    jobs = [
        run("r", "n1", 4, max_time=2 * HOUR),
        run("q", "n2", 4, max_time=5 * HOUR),
        wait("head", 8),
        wait("s", 4),
    ]
    (start,) = State(nodes("n1 n2"), jobs).decide().starts
    assert start.tasks[0].node == "n2"


def test_a_gang_reserves_as_many_nodes_as_it_needs() -> None:
    jobs = [run("r", "n1", 1), run("q", "n2", 1), wait("head", 8, tasks=2), wait("s", 4), wait("t", 4)]
    plan = State(nodes("n1 n2 n3"), jobs).decide()
    assert started(plan) == ["s"]
    assert places(plan, "s")[0].startswith(("n1", "n2"))
    assert plan.waiting["head"] == NotEnoughGpus(16000, "A100", 2, 1)


def test_a_job_nobody_could_hold_reserves_nothing() -> None:
    assert started(State([node("n1", 4)], [wait("huge", 8), wait("s", 1)]).decide()) == ["s"]


def test_a_job_before_a_cap_reserves_nothing() -> None:
    queue = [wait("capped", 8, project="gold"), wait("s", 1)]
    assert started(State([node("n1")], [*queue], [Project("gold", 1, cap={"A100": 4000})]).decide()) == ["s"]


def test_equal_jobs_behind_the_head_stay_behind() -> None:
    plan = State([node("n1")], [run("r", "n1", 4), *(wait(f"w{at}", 8) for at in range(3))]).decide()
    assert plan.waiting == {
        "w0": NotEnoughGpus(8000, "A100", 1, 0),
        "w1": BehindOthers(1),
        "w2": BehindOthers(2),
    }


def test_who_would_fit_is_told_for_whom_the_room_is_kept() -> None:
    plan = State([node("n1")], [run("r", "n1", 4), wait("head", 8), wait("s", 2)]).decide()
    assert plan.waiting["s"] == ReservedFor("1 × (8 A100, 1 CPU, 1GiB)")


def test_a_short_job_passes_where_a_long_one_of_the_same_shape_did_not() -> None:
    jobs = [KNOWN, wait("head", 8), wait("long", 2), wait("short", 2, max_time=HOUR)]
    assert started(State([node("n1")], jobs).decide()) == ["short"]


def test_the_head_starts_as_soon_as_it_fits_even_if_others_passed_it() -> None:
    state = State([node("n1")], [KNOWN, wait("head", 8), wait("s", 4, max_time=2 * HOUR)])
    state = state.applied(state.decide()).later(2 * HOUR).without("r", "s")
    assert started(state.decide()) == ["head"]


def test_each_lane_has_a_head_of_its_own() -> None:
    jobs = [run("r", "n1", 4), run("q", "n2", 1), wait("single", 8), wait("gang", 4, tasks=2), wait("s", 1)]
    assert started(State(nodes("n1 n2"), jobs).decide()) == []


def test_one_held_back_by_anothers_reservation_alone_does_not_close_it_for_the_short() -> None:
    jobs = [
        run("r", "n1", 8, max_time=90 * MINUTE),
        run("q", "n2", 4, max_time=70 * MINUTE),
        wait("gang", 8, tasks=2, owner="mei"),
        wait("long", 2, max_time=HOUR),
        wait("short", 2, max_time=5 * MINUTE),
    ]
    assert started(State(nodes("n1 n2"), jobs).decide()) == ["short"]
