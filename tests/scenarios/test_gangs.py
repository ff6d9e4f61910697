"""Gangs: the minimum per role and in all, or nothing; more where there is room; totals in any shape."""

from __future__ import annotations

import pytest

from danlu.domain.job import Kind
from danlu.domain.reasons import NotEnoughGpus
from danlu.scheduler import ask_of
from danlu.scheduler.ask import Ask
from tests.fakes.builders import spec
from tests.fakes.queue import State, ask, gang, node, nodes, places, role, run, started, total, wait


def test_a_gang_that_lacks_one_worker_takes_nothing() -> None:
    plan = State(nodes("n1 n2"), [run("r", "n2"), wait("g", 8, tasks=2)]).decide()
    assert plan.starts == ()
    assert plan.waiting == {"g": NotEnoughGpus(16000, "A100", 2, 1)}


GANGS = {
    "starts with its minimum where there is no more": (ask(4, tasks=3, least=2), 1, 2),
    "starts with more than its minimum where there is room": (ask(4, tasks=3, least=1), 1, 2),
    "starts whole where all fits": (ask(4, tasks=3, least=1), 2, 3),
    "needs the minimum of each role": (gang(role("a", 2, 4), role("b", 1, 4)), 1, 0),
    "counts its roles together": (gang(role("a", 1, 4), role("b", 3, 4, least=1)), 1, 2),
    "needs its minimum in all": (gang(role("a", 2, 4, least=1), role("b", 2, 4, least=1), least=3), 1, 0),
    "reaches its minimum in all with tasks of any role": (gang(role("a", 1, 4), role("b", 3, 4, least=0), least=3), 2, 4),
    "of several tasks may share a node": (ask(2, tasks=4), 1, 4),
}  # fmt: skip


@pytest.mark.parametrize(("of", "machines", "tasks"), GANGS.values(), ids=GANGS.keys())
def test_a_gang(of: Ask, machines: int, tasks: int) -> None:
    plan = State([node(f"n{at}") for at in range(machines)], [wait("g", of=of)]).decide()
    assert len(places(plan, "g")) == tasks


def test_a_gang_grows_when_room_appears_with_the_indices_it_lacks() -> None:
    plan = State([node("n1", 4)], [run("g", "n1", tasks=3, least=1)]).decide()
    assert [(task.index, task.gpus[0].index) for task in plan.growths[0].tasks] == [(1, 1), (2, 2)]


def test_a_gang_grows_only_with_what_nobody_waits_for() -> None:
    plan = State([node("n1", 2)], [run("g", "n1", tasks=2, least=1), wait("w")]).decide()
    assert started(plan) == ["w"]
    assert plan.growths == ()


def test_a_growing_gang_does_not_take_what_the_head_of_a_lane_waits_for() -> None:
    plan = State([node("n1", 4)], [run("g", "n1", tasks=4, least=1, owner="ann"), wait("head", 4)]).decide()
    assert (plan.starts, plan.growths) == ((), ())


def test_a_whole_gang_does_not_grow() -> None:
    assert State([node("n1", 4)], [run("g", "n1 n1", tasks=2)]).decide().growths == ()


def test_a_task_that_is_leaving_keeps_its_number_until_it_has_ended() -> None:
    of = ask(1, tasks=3, least=1)
    jobs = [run("e", "n1 n2", of=of, priority="low"), wait("h", 2, priority="high", owner="cho")]
    state = State(nodes("n1 n2", 2), jobs)
    state = state.told(state.decide())
    assert [task.index for task in state.running[0].leaving] == [1]
    assert 1 not in [task.index for growth in state.decide().growths for task in growth.tasks]


TOTALS = {
    "fits one node whole": ([8], 8, ["n0:0,1,2,3,4,5,6,7"]),
    "is divided over nodes that each hold half": ([4, 4], 8, ["n0:0,1,2,3", "n1:0,1,2,3"]),
    "has the fewest tasks that fit": ([8, 4], 4, ["n1:0,1,2,3"]),
    "is divided into equal parts only": ([4, 2], 6, ["n0:0,1", "n0:2,3", "n1:0,1"]),
}


@pytest.mark.parametrize(("cards", "wanted", "expected"), TOTALS.values(), ids=TOTALS.keys())
def test_a_total(cards: list[int], wanted: int, expected: list[str]) -> None:
    plan = State(
        [node(f"n{at}", count) for at, count in enumerate(cards)], [wait("t", of=total(wanted))]
    ).decide()
    assert sorted(places(plan, "t")) == expected


def test_a_specification_that_asks_for_a_total_is_divided_the_same_way() -> None:
    one = spec("total", gpus=16, gpu="A100")
    of = ask_of(type(one)(Kind.TRAINING, "total", one.roles, total=True))
    assert [shape[0].replicas for shape in of.gangs] == [1, 2, 4, 8, 16]
    assert [shape[0].size.gpu_milli for shape in of.gangs] == [16000, 8000, 4000, 2000, 1000]
    assert len(places(State(nodes("n1 n2"), [wait("t", of=of)]).decide(), "t")) == 2


def test_equal_demands_are_one_object() -> None:
    assert ask_of(spec("job1", gpus=2)) is ask_of(spec("job2", gpus=2))
