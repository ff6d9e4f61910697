"""What projects deserve: guarantees first, then the rest by weight; caps, closed projects, borrowed shares."""

from __future__ import annotations

from fractions import Fraction

import pytest

from danlu.domain.reasons import ProjectCap, ProjectClosed
from danlu.domain.rules import Project
from danlu.scheduler.shares import portions
from tests.fakes.queue import GIB, State, ask, gang, node, nodes, role, run, started, wait

PORTIONS = {
    "equal weights get equal parts": (8, {"a": 1, "b": 1}, {"a": 9, "b": 9}, {"a": 4, "b": 4}),
    "parts follow weights": (8, {"a": 3, "b": 1}, {"a": 9, "b": 9}, {"a": 6, "b": 2}),
    "nobody gets more than they want": (8, {"a": 1, "b": 1}, {"a": 2, "b": 9}, {"a": 2, "b": 6}),
    "the largest remainder gets the odd one": (10, {"a": 1, "b": 2, "c": 4}, dict.fromkeys("abc", 9), {"a": 1, "b": 3, "c": 6}),
    "equal remainders go by name": (5, {"a": 1, "b": 1}, {"a": 9, "b": 9}, {"a": 3, "b": 2}),
    "no weight gets only what nobody else wants": (8, {"a": 0, "b": 1}, {"a": 9, "b": 5}, {"a": 3, "b": 5}),
    "all without weight share alike": (8, {"a": 0, "b": 0}, {"a": 9, "b": 9}, {"a": 4, "b": 4}),
    "a huge weight takes what it wants": (8, {"a": 1e18, "b": 1}, {"a": 7, "b": 9}, {"a": 7, "b": 1}),
    "a tiny weight breaks nothing": (8, {"a": 1e-300, "b": 1e300}, {"a": 9, "b": 6}, {"a": 2, "b": 6}),
    "nothing to divide is nothing": (0, {"a": 1}, {"a": 9}, {"a": 0}),
}  # fmt: skip


@pytest.mark.parametrize(("total", "weights", "wants", "expected"), PORTIONS.values(), ids=PORTIONS.keys())
def test_portions(
    total: int, weights: dict[str, float], wants: dict[str, int], expected: dict[str, int]
) -> None:
    assert portions(total, {name: Fraction(weight) for name, weight in weights.items()}, wants) == expected


def deserved(state: State, resource: str = "A100") -> dict[str, int]:
    shares = state.shares()
    return {name: shares.get(name, {}).get(resource, 0) // 1000 for name in ("gold", "iron", "public")}


SHARES = {
    "a guarantee comes before weights": ([Project("gold", 1, guarantee={"A100": 6000}), Project("iron", 1)], (7, 1, 0)),
    "a guarantee that nobody wants is lent": ([Project("gold", 1, guarantee={"A100": 6000}), Project("iron", 9)], (6, 2, 0)),
    "a cap bounds what one deserves": ([Project("gold", 3, cap={"A100": 2000}), Project("iron", 1)], (2, 6, 0)),
    "guarantees beyond what there is shrink in proportion": (
        [Project("gold", 1, guarantee={"A100": 12000}), Project("iron", 1, guarantee={"A100": 4000})], (6, 2, 0)),
    "a closed project's queue wants nothing": ([Project("gold", 1, closed=True), Project("iron", 1)], (0, 8, 0)),
    "projects without weight draw on public's": ([Project("gold"), Project("iron", 1)], (0, 4, 4)),
}  # fmt: skip


@pytest.mark.parametrize(("projects", "expected"), SHARES.values(), ids=SHARES.keys())
def test_shares_of_eight_where_both_want_twelve(
    projects: list[Project], expected: tuple[int, int, int]
) -> None:
    queue = [wait(f"{name}{at}", 4, project=name) for name in ("gold", "iron") for at in range(3)]
    assert tuple(deserved(State([node("n1")], [*queue], projects)).values()) == expected


def test_several_resources_are_divided_each_for_itself() -> None:
    state = State([node("n1"), node("n2", 4, "T4")], projects=[Project("gold", 1), Project("iron", 1)])
    state = state.plus(
        wait("a", 8, project="gold"), wait("b", 4, "T4", project="iron"), wait("c", 8, project="iron")
    )
    assert deserved(state) == {"gold": 4, "iron": 4, "public": 0}
    assert deserved(state, "T4") == {"gold": 0, "iron": 4, "public": 0}


def test_what_is_guaranteed_of_memory_or_of_all_gpus_is_divided_too() -> None:
    owed = Project("gold", 1, guarantee={"memory": 100 * GIB, "gpus": 8000})
    state = State([node("n1", memory=128)], projects=[owed]).plus(wait("a", 8, project="gold", memory=90))
    assert deserved(state, "memory")["gold"] == 90 * GIB // 1000
    assert deserved(state, "gpus")["gold"] == 8


def test_making_projects_gains_nobody_a_turn() -> None:
    jobs = [
        run("r1", "n1", project="mine1", owner="eve"),
        run("r2", "n1", project="mine2", owner="eve", cards=[1]),
    ]
    queue = [wait("a", project="mine3", owner="eve"), wait("b", project="gold")]
    assert started(State([node("n1", 3)], [*jobs, *queue], [Project("gold", 1)]).decide()) == ["b"]


def test_idle_capacity_is_lent() -> None:
    projects = [Project("gold", 1, guarantee={"A100": 8000}), Project("iron", 1)]
    assert started(State([node("n1")], [wait("a", 8, project="iron")], projects).decide()) == ["a"]


def test_a_cap_makes_a_job_wait_and_lets_others_pass() -> None:
    jobs = [run("r", "n1", 2, project="gold"), wait("a", 2, project="gold"), wait("b", 1, project="gold")]
    plan = State([node("n1")], jobs, [Project("gold", 1, cap={"A100": 3000})]).decide()
    assert started(plan) == ["b"]
    assert plan.waiting == {"a": ProjectCap("gold", "A100", 2000, 3000, 3000)}


CAPS = {
    "of processors": ({"cpus": 7000}, 1),
    "of memory": ({"memory": 5 * GIB}, 1),
    "of all GPUs together": ({"gpus": 4000}, 2),
    "of another model is no matter": ({"T4": 0}, 3),
    "of nothing keeps all out": ({"A100": 0}, 0),
}


@pytest.mark.parametrize(("cap", "jobs"), CAPS.values(), ids=CAPS.keys())
def test_a_cap(cap: dict[str, int], jobs: int) -> None:
    queue = [wait(f"j{at}", 2, cpus=4, memory=3, project="gold") for at in range(3)]
    assert len(State([node("n1")], [*queue], [Project("gold", 1, cap=cap)]).decide().starts) == jobs


def test_a_cap_bounds_growth_task_by_task() -> None:
    one = run("e", "n1", tasks=8, least=1, project="gold")
    (growth,) = State([node("n1")], [one], [Project("gold", 1, cap={"gpus": 3000})]).decide().growths
    assert len(growth.tasks) == 2


def test_publics_cap_bounds_all_who_draw_on_it() -> None:
    jobs = [run("r", "n1", 4, project="mine"), wait("a", 1, project="yours"), wait("b", 1, project="gold")]
    plan = State([node("n1")], jobs, [Project("public", 1, cap={"A100": 4000}), Project("gold", 1)]).decide()
    assert started(plan) == ["b"]


def test_a_project_without_weight_has_a_cap_of_its_own_too() -> None:
    jobs = [run("r", "n1", 4, project="mine"), wait("a", 1, project="mine"), wait("b", 1, project="yours")]
    plan = State([node("n1")], jobs, [Project("mine", cap={"A100": 4000})]).decide()
    assert (started(plan), plan.waiting) == (["b"], {"a": ProjectCap("mine", "A100", 1000, 4000, 4000)})


def test_a_cap_holds_for_what_is_taken_not_for_what_was_guessed() -> None:
    of = gang(role("a", 3, 1, least=1, cpus=60), role("b", 2, 2, least=0), least=2)
    plan = State(
        [node("n1")], [wait("g", of=of, project="p")], [Project("p", 1, cap={"A100": 2000})]
    ).decide()
    assert plan.starts == ()


def test_a_closed_project_starts_nothing_and_holds_nobody_up() -> None:
    queue = [wait("a", 2, project="gold"), wait("b", 2)]
    plan = State([node("n1", 2)], [*queue], [Project("gold", 9, closed=True)]).decide()
    assert (started(plan), plan.waiting) == (["b"], {"a": ProjectClosed("gold")})


def test_a_closed_projects_running_jobs_neither_grow_nor_leave() -> None:
    one = run("e", "n1", project="gold", of=ask(1, tasks=4, least=1))
    plan = State(nodes("n1", 4), [one], [Project("gold", 1, closed=True)]).decide()
    assert (plan.growths, plan.evictions) == ((), ())


def test_a_project_that_is_gone_draws_on_public() -> None:
    assert started(State([node("n1")], [wait("a", project="gone")]).decide()) == ["a"]
