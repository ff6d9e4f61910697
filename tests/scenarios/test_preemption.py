"""Inside a project the higher priority makes room: fewest victims, lowest priority, least time run."""

from __future__ import annotations

import functools

import pytest

from danlu.domain.reasons import MakingRoom, Preempted
from danlu.domain.rules import Policy, PriorityClass
from danlu.scheduler import Running
from tests.fakes.queue import (
    HOUR,
    MINUTE,
    State,
    ask,
    evicted,
    node,
    nodes,
    places,
    run,
    started,
    total,
    wait,
)

LATE = 5 * HOUR


def test_a_higher_priority_makes_room_in_its_project() -> None:
    plan = State([node("n1", 2)], [run("low", "n1", 2, priority="low"), wait("w", 2)]).decide()
    assert evicted(plan) == {"low": "w"}
    assert [start.after for start in plan.starts] == [("low",)]
    assert plan.evictions[0].reason == Preempted("public", "normal", "low")
    assert plan.waiting["w"] == MakingRoom(1)


low = functools.partial(run, priority="low")
VICTIMS = {
    "one large rather than two small": ([low("a", "n1"), low("b", "n1", cards=[1]), low("c", "n2", 2)], 2, ["c"]),
    "the lowest priority": ([run("a", "n1", 2), low("b", "n2", 2, since=LATE)], 2, ["b"]),
    "the one with the least time run": ([low("a", "n1", 2, since=LATE), low("b", "n2", 2)], 2, ["b"]),
    "the first by name, all else being equal": ([low("b", "n1", 2), low("a", "n2", 2)], 2, ["a"]),
    "two where one is not enough": ([low("a", "n1"), low("b", "n1", cards=[1]), run("c", "n2", 2, preemptible=False)], 2, ["a", "b"]),
    "one of a higher priority rather than two of a lower": (
        [low("a", "n1"), low("b", "n1", cards=[1]), run("c", "n2", 2)], 2, ["c"]),
}  # fmt: skip


@pytest.mark.parametrize(("jobs", "gpus", "expected"), VICTIMS.values(), ids=VICTIMS.keys())
def test_it_evicts(jobs: list[Running], gpus: int, expected: list[str]) -> None:
    meek = PriorityClass("normal", 200)
    plan = State(nodes("n1 n2", 2), [*jobs, wait("w", gpus, priority="high")], priorities=[meek]).decide()
    assert sorted(evicted(plan)) == expected


def test_with_very_many_candidates_the_choice_is_the_same() -> None:
    others = [run(f"r{at}", f"n{at}") for at in range(30)]
    shared = [
        run("big", "m", 4),
        low("small", "m", 1, cards=[4]),
        run("rest", "m", 3, cards=[5, 6, 7], preemptible=False),
    ]
    state = State(
        [*(node(f"n{at}", 1) for at in range(30)), node("m")],
        [*others, *shared, wait("w", 1, priority="high")],
    )
    assert evicted(state.decide()) == {"small": "w"}


SPARED = {
    "of equal priority": run("r", "n1", 2),
    "of a higher one": run("r", "n1", 2, priority="high"),
    "of another project": run("r", "n1", 2, priority="low", project="other"),
    "that may not be evicted": run("r", "n1", 2, priority="low", preemptible=False),
    "whose class may not be preempted": run("r", "n1", 2, priority="solid"),
    "that has not run for the minimum time": run("r", "n1", 2, priority="low", since=9 * MINUTE),
    "that is a workspace": run("r", "n1", 2, priority="low", kind="workspace"),
}
SOLID = PriorityClass("solid", 1, may_be_preempted=False)


@pytest.mark.parametrize("job", SPARED.values(), ids=SPARED.keys())
def test_it_spares_a_job(job: Running) -> None:
    plan = State([node("n1", 2)], [job, wait("w", 2)], priorities=[SOLID]).decide()
    assert (plan.evictions, plan.starts) == ((), ())


def test_a_class_that_may_not_preempt_waits() -> None:
    meek = PriorityClass("meek", 900)
    plan = State(
        [node("n1", 1)], [run("r", "n1", priority="low"), wait("w", priority="meek")], priorities=[meek]
    ).decide()
    assert plan.evictions == ()


def test_workspaces_make_room_where_the_policy_says_so() -> None:
    jobs = [run("r", "n1", priority="low", kind="workspace"), wait("w")]
    assert evicted(State([node("n1", 1)], jobs, policy=Policy(evict_workspaces=True)).decide()) == {"r": "w"}


def test_a_job_may_be_a_victim_once_its_minimum_time_is_over() -> None:
    jobs = [run("r", "n1", priority="low", since=10 * MINUTE), wait("w")]
    assert evicted(State([node("n1", 1)], jobs).decide()) == {"r": "w"}


def test_nobody_is_evicted_where_there_is_room() -> None:
    plan = State(nodes("n1 n2", 1), [run("r", "n1", priority="low"), wait("w")]).decide()
    assert (plan.evictions, places(plan, "w")) == ((), ["n2:0"])


def test_nobody_is_evicted_for_one_who_would_not_fit_even_then() -> None:
    jobs = [run("r", "n1", priority="low"), run("s", "n1", cards=[1]), wait("w", 2)]
    assert State([node("n1", 2)], jobs).decide().evictions == ()


def test_a_gang_is_evicted_whole() -> None:
    plan = State(nodes("n1 n2", 2), [run("g", "n1 n2", 2, priority="low"), wait("w", 1)]).decide()
    (eviction,) = plan.evictions
    assert (eviction.whole, len(eviction.tasks)) == (True, 2)


def test_extras_of_an_elastic_job_go_before_anybody_whole() -> None:
    elastic = run("e", "n1 n2", 2, priority="low", of=ask(2, tasks=2, least=1), since=LATE)
    plan = State(nodes("n1 n2 n3", 2), [elastic, run("v", "n3", 2, priority="low"), wait("w", 2)]).decide()
    (eviction,) = plan.evictions
    assert (eviction.job_id, eviction.whole, [task.index for task in eviction.tasks]) == ("e", False, [1])


def test_an_elastic_job_is_never_cut_below_its_minimum() -> None:
    elastic = run("e", "n1 n2", 2, priority="low", of=ask(2, tasks=3, least=2))
    (eviction,) = State(nodes("n1 n2", 2), [elastic, wait("w", 2)]).decide().evictions
    assert (eviction.whole, len(eviction.tasks)) == (True, 2)


def test_a_victim_that_fits_elsewhere_moves_there() -> None:
    jobs = [run("v", "n1", 2, priority="low"), wait("w", 4, zone="a")]
    plan = State([node("n1", 4, zone="a"), node("n2", 2)], jobs).decide()
    assert evicted(plan) == {"v": "w"}
    assert places(plan, "v") == ["n2:0,1"]
    assert [start.after for start in plan.starts if start.job_id == "v"] == [("v",)]


def test_the_room_that_was_made_is_kept_while_victims_leave() -> None:
    state = State([node("n1", 2)], [run("v", "n1", 2, priority="low"), wait("w", 2)])
    state = state.told(state.decide())
    for _ in range(3):
        state = state.plus(wait("x", 1, priority="high", owner="eve")) if len(state.jobs) == 2 else state
        plan = state.decide()
        assert (plan.starts, plan.evictions, plan.waiting["w"]) == ((), (), MakingRoom(1))
        state = state.told(plan).later(HOUR)
    plan = state.left().decide()
    assert places(plan, "w") == ["n1:0,1"]


def test_room_made_by_two_is_kept_until_both_have_left() -> None:
    jobs = [run("u", "n1", priority="low"), run("v", "n1", priority="low", cards=[1]), wait("w", 2)]
    state = State([node("n1", 2)], jobs)
    state = state.told(state.decide()).left("u")
    assert state.decide().starts == ()
    assert started(state.told(state.decide()).left("v").decide()) == ["w"]


def test_the_room_of_one_who_gives_up_goes_to_others() -> None:
    state = State([node("n1", 2)], [run("v", "n1", 2, priority="low"), wait("w", 2)])
    state = state.told(state.decide()).without("w").left()
    assert started(state.decide()) == ["v"]


def test_one_for_whom_room_is_made_takes_other_room_that_comes_free() -> None:
    state = State(nodes("n1 n2", 2), [run("v", "n1", 2, priority="low"), run("u", "n2", 2), wait("w", 2)])
    state = state.told(state.decide()).without("u")
    assert places(state.decide(), "w") == ["n2:0,1"]


def test_room_promised_on_a_node_that_is_lost_is_looked_for_anew() -> None:
    state = State(
        nodes("n1 n2", 2),
        [run("v", "n1", 2, priority="low"), run("u", "n2", 2, priority="low"), wait("w", 2)],
    )
    state = state.told(state.decide())
    (start,) = state.pending
    gone = start.nominated[0].node
    state.nodes = [one for one in state.nodes if one.name != gone]
    assert started(state.decide()) == ["w"]


def test_a_nomination_of_a_total_is_kept() -> None:
    state = State(nodes("n1 n2"), [run("v", "n1 n2", 8, priority="low"), wait("t", of=total(16))])
    state = state.told(state.decide()).plus(wait("x", 1, owner="eve"))
    assert state.decide().waiting["t"] == MakingRoom(1)
    assert started(state.told(state.decide()).left().decide()) == ["t"]


def test_a_job_does_not_evict_one_that_it_gave_way_to() -> None:
    jobs = [run("r", "n1", priority="low"), wait("w", gave_way_to=["r"])]
    assert State([node("n1", 1)], jobs).decide().evictions == ()


def test_an_elastic_job_that_gives_up_a_task_has_it_elsewhere_only_once_it_is_gone() -> None:
    elastic = run("e", "n2 n1", 4, priority="low", of=ask(4, tasks=2, least=1))
    high = wait("w", of=ask(4, zone="a"), priority="high")
    plan = State([node("n1", 4, zone="a"), node("n2", 4), node("n3", 4)], [elastic, high]).decide()
    assert [(one.job_id, [task.index for task in one.tasks]) for one in plan.evictions] == [("e", [1])]
    assert [(one.job_id, one.after) for one in plan.growths] == [("e", ("e",))]
