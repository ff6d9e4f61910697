"""Rules that meet: caps and preemption, pins and preemption, reservations and growth, reclaim and gangs, lanes."""

from __future__ import annotations

from danlu.domain.reasons import ProjectCap
from danlu.domain.rules import Limit, Project
from tests.fakes.queue import HOUR, State, ask, evicted, node, nodes, places, run, started, wait

PAIR = [Project("gold", 1), Project("iron", 1)]


def test_at_its_cap_a_project_makes_room_inside_itself() -> None:
    jobs = [
        run("low", "n1", 2, project="gold", priority="low"),
        run("other", "n2", 2, priority="low"),
        wait("w", 2, project="gold"),
    ]
    plan = State(nodes("n1 n2 n3", 2), jobs, [Project("gold", 1, cap={"A100": 2000})]).decide()
    assert evicted(plan) == {"low": "w"}
    assert isinstance(plan.waiting["low"], ProjectCap)


def test_nobody_is_evicted_for_one_whom_a_cap_keeps_waiting() -> None:
    jobs = [run("low", "n1", 2, project="gold", priority="low"), wait("w", 4, project="gold")]
    assert State([node("n1", 4)], jobs, [Project("gold", 1, cap={"A100": 3000})]).decide().evictions == ()


def test_nobody_is_evicted_for_one_whom_a_limit_keeps_waiting() -> None:
    jobs = [run("low", "n1", 2, priority="low"), run("mine", "n2", 2, owner="ann"), wait("w", 2)]
    assert State(nodes("n1 n2", 2), jobs, limits=[Limit("l", gpu_milli=3000)]).decide().evictions == ()


def test_at_a_limit_ones_own_lower_job_makes_room() -> None:
    jobs = [run("low", "n1", 2, priority="low", owner="ann"), wait("w", 2)]
    assert evicted(State(nodes("n1 n2", 2), jobs, limits=[Limit("l", gpu_milli=2000)]).decide()) == {
        "low": "w"
    }


def test_a_pin_preempts_nobody() -> None:
    assert State([node("n1", 1)], [run("r", "n1"), wait("w", pinned=1)]).decide().evictions == ()


def test_a_pin_lifts_no_cap() -> None:
    plan = State(
        [node("n1")], [wait("w", 2, project="gold", pinned=1)], [Project("gold", 1, cap={"A100": 1000})]
    ).decide()
    assert plan.starts == ()


def test_a_pinned_head_is_not_passed_by_a_higher_priority_on_its_nodes() -> None:
    jobs = [run("r", "n1", 4), wait("head", 8, pinned=1, priority="low"), wait("w", 4, priority="high")]
    assert started(State([node("n1")], jobs).decide()) == []


def test_a_reclaim_evicts_a_gang_of_several_nodes_whole() -> None:
    gang = run("g", "n1 n2 n3", 4, project="iron")
    plan = State(nodes("n1 n2 n3", 4), [gang, wait("w", 4, project="gold")], PAIR).decide()
    assert [(one.whole, len(one.tasks)) for one in plan.evictions] == [(True, 3)]


def test_an_elastic_job_does_not_grow_into_what_its_project_must_give_back() -> None:
    elastic = run("e", "n1", 4, project="iron", of=ask(4, tasks=3, least=1))
    state = State(
        nodes("n1 n2 n3", 4), [elastic, wait("w", 4, project="gold"), wait("v", 4, project="gold")], PAIR
    )
    for _ in range(3):
        plan = state.decide()
        assert plan.evictions == ()
        state = state.applied(plan).later(HOUR)
    assert len(state.running) == 3


def test_a_job_that_grows_is_not_evicted_in_the_same_plan() -> None:
    elastic = run("e", "n1", 2, of=ask(2, tasks=4, least=1))
    state = State(nodes("n1 n2", 4), [elastic, wait("w", 4, tasks=2, project="gold")], PAIR)
    plan = state.decide()
    assert not {growth.job_id for growth in plan.growths} & set(evicted(plan))


def test_an_elastic_job_for_which_room_is_made_gets_all_it_can_in_one_plan() -> None:
    state = State(
        [node("n1", 2)], [run("v", "n1", 2, priority="low"), wait("e", of=ask(1, tasks=2, least=1))]
    )
    again = state.applied(state.decide()).decide()
    assert (again.starts, again.growths) == ((), ())


def test_a_job_of_several_models_starts_in_the_lane_that_has_room() -> None:
    machines = [node("n1", 1), node("n2", 1, "T4")]
    jobs = [run("r", "n1"), wait("head"), wait("w", model="A100|T4"), wait("v", model=None)]
    plan = State(machines, jobs).decide()
    assert (started(plan), places(plan, "w")) == (["w"], ["n2:0"])


def test_a_job_of_several_models_starts_once() -> None:
    plan = State([node("n1", 1), node("n2", 1, "T4")], [wait("w", model="A100|T4")]).decide()
    assert len(plan.starts) == 1


def test_processors_alone_do_not_take_a_gpu_node_from_its_own() -> None:
    plan = State([node("gpu", 8), node("plain", 0)], [wait("c", 0), wait("g", 8)]).decide()
    assert (places(plan, "c"), started(plan)) == (["plain"], ["c", "g"])


def test_single_jobs_do_not_hold_up_distributed_ones_on_other_nodes() -> None:
    jobs = [run("r", "n1", 4), wait("single", 8, zone="a"), wait("gang", 4, tasks=2)]
    assert started(State([node("n1", zone="a"), node("n2")], jobs).decide()) == ["gang"]


def test_a_start_held_back_by_the_cap_of_a_shared_account_names_whom_it_waits_for() -> None:
    jobs = [run("r", "n1", 8, project="p1", leaving=True), wait("x", 8, project="p2")]
    (start,) = State(nodes("n1 n2"), jobs, [Project("public", 1, cap={"A100": 8000})]).decide().starts
    assert start.after == ("r",)


def test_reclaim_and_preemption_in_one_plan_do_not_share_victims() -> None:
    jobs = [
        run("a", "n1", 4, project="iron", priority="low"),
        run("b", "n2", 4, project="iron", priority="low"),
    ]
    queue = [wait("g", 4, project="gold"), wait("i", 4, project="iron")]
    plan = State(nodes("n1 n2", 4), [*jobs, *queue], PAIR).decide()
    assert sorted(evicted(plan).items()) in ([("a", "g"), ("b", "i")], [("a", "i"), ("b", "g")])
