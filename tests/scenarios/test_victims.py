"""Who goes, on clusters with more candidates than can be weighed set by set; and that big jobs come to their turn."""

from __future__ import annotations

import pytest

from danlu.domain.reasons import MakingRoom
from danlu.domain.resources import GpuGrant
from danlu.domain.rules import Project
from danlu.scheduler import FOREVER, Ask, Assigned, Pending, Running
from tests.fakes.queue import (
    GIB,
    HOUR,
    MINUTE,
    State,
    ask,
    evicted,
    gang,
    node,
    nodes,
    role,
    run,
    started,
    wait,
)

PAIR = [Project("a", 1), Project("b", 1)]
THIRTY = nodes(" ".join(f"n{at:02}" for at in range(30)))


def singles(*where: str, project: str = "public") -> list[Running]:
    """A job on every card of these nodes."""
    return [
        run(f"{name}-{card}", name, cards=[card], project=project, priority="low")
        for name in where
        for card in range(8)
    ]


def low(job: str, where: str, gpus: float = 8, *, cards: tuple[int, ...] = (), since: int = HOUR) -> Running:
    return run(job, where, gpus, cards=cards, priority="low", since=since)


@pytest.mark.parametrize("machines", [2, 4])
def test_a_whole_node_is_taken_back_from_many_small_jobs(machines: int) -> None:
    names = [f"n{at}" for at in range(machines)]
    jobs = [*singles(*names, project="b"), wait("w", 8, project="a")]
    plan = State(nodes(" ".join(names)), jobs, PAIR).decide()
    assert len(plan.evictions) == 8
    assert len({task.node for eviction in plan.evictions for task in eviction.tasks}) == 1


def test_three_large_jobs_go_rather_than_eight_small_ones_that_ran_less() -> None:
    large = [
        low("a", "n1", 3, cards=(0, 1, 2), since=3 * HOUR),
        low("b", "n1", 3, cards=(3, 4, 5), since=3 * HOUR),
    ]
    large.append(low("c", "n1", 2, cards=(6, 7), since=3 * HOUR))
    assert set(evicted(State(nodes("n1 n2"), [*large, *singles("n2"), wait("w", 8)]).decide())) == {
        "a",
        "b",
        "c",
    }


def test_one_half_goes_for_a_whole_card() -> None:
    halves = [run(f"v{at:02}", f"n{at:02}", 0.5, priority="low") for at in range(30)]
    machines = [node(f"n{at:02}", 1) for at in range(30)]
    assert list(evicted(State(machines, [*halves, wait("w", 1)]).decide())) == ["v00"]


def test_two_jobs_with_the_processors_go_rather_than_eight_with_cards() -> None:
    cards = [run(f"g{card}", "n1", cards=[card], cpus=3, priority="low") for card in range(8)]
    cpus = [run(f"c{at}", "n1", 0, None, cpus=20, priority="low", since=2 * HOUR) for at in range(2)]
    others = [*singles("m1", "m2")]
    machines = [node("n1"), node("m1", cpus=8), node("m2", cpus=8)]
    assert set(evicted(State(machines, [*cards, *cpus, *others, wait("w", 0, None, cpus=40)]).decide())) == {
        "c0",
        "c1",
    }


def test_one_job_that_spans_both_nodes_goes_rather_than_two() -> None:
    many = [low(f"v{at:02}", f"n{at:02}", since=HOUR + at) for at in range(28)]
    span = run("span", ["n28", "n29"], 8, priority="low", since=2 * HOUR)
    assert list(evicted(State(THIRTY, [*many, span, wait("w", 8, tasks=2)]).decide())) == ["span"]


def test_a_minimum_in_all_is_made_room_for_as_well() -> None:
    many = [low(f"v{at:02}", f"n{at:02}") for at in range(30)]
    of = gang(role("w", 4, 8, least=0), least=4)
    assert len(evicted(State(THIRTY, [*many, wait("w", of=of)]).decide())) == 4


def test_room_made_for_one_is_not_taken_by_another_whose_own_is_not_free_yet() -> None:
    def at(name: str, *cards: int) -> tuple[Assigned, ...]:
        return (Assigned("worker", 0, name, 1000, GIB, tuple(GpuGrant(card) for card in cards), "A100"),)

    jobs = [
        run("leaves", "n1", 2, leaving=True),
        run("firm", "n1", 2, cards=[2, 3]),
        wait("a", 2, at=1, nominated=at("n1", 0, 1)),
        wait("b", 4, at=2, nominated=at("n2", 0, 1, 2, 3)),
    ]
    plan = State(nodes("n1 n2", 4), jobs).decide()
    assert started(plan) == ["b"]
    assert plan.waiting["a"] == MakingRoom(1)


BIG: dict[str, Ask] = {
    "one node": ask(8),
    "all nodes": ask(8, tasks=4),
    "two roles": gang(role("master", 1, 8), role("worker", 1, 8)),
    "roles of different size": gang(role("chief", 1, 4), role("worker", 3, 8)),
    "a role without cards": gang(role("master", 1, 0, cpus=4), role("worker", 2, 8)),
    "a minimum in all": gang(role("w", 4, 8, least=0), least=4),
}


@pytest.mark.parametrize("max_time", [FOREVER, 15 * MINUTE], ids=["unknown ends", "known ends"])
@pytest.mark.parametrize("of", BIG.values(), ids=BIG.keys())
def test_a_stream_of_small_jobs_does_not_keep_a_big_one_waiting(of: Ask, max_time: int) -> None:
    def small(number: int) -> Pending:
        return wait(f"s{number:04}", owner=f"u{number % 5}", at=number, max_time=max_time)

    state = State(nodes("n1 n2 n3 n4"), [small(number) for number in range(32)])
    state, ends = (
        state.applied(state.decide()),
        {f"s{number:04}": 5 + number * 7 % 11 for number in range(32)},
    )
    state.jobs.append(wait("big", of=of, at=32))
    for minute in range(1, 40):
        state = state.later(MINUTE).without(*(job for job, end in ends.items() if end == minute))
        state.jobs += [small(1000 * minute + number) for number in range(6)]
        plan = state.decide()
        if "big" in started(plan):
            return
        ends |= {job: minute + 5 + len(ends) % 11 for job in started(plan)}
        state = state.applied(plan)
    raise AssertionError(f"it waits for ever: {plan.waiting['big']}")
