"""Where tasks go: exact cards, fractions, labels, pools, states, closeness; always the same."""

from __future__ import annotations

import pytest

from danlu.domain.job import JobClass
from danlu.domain.node import NodeState
from danlu.domain.reasons import NotEnoughRoom, NotTogether
from danlu.domain.rules import Pool
from danlu.scheduler import Pending
from tests.fakes.queue import GIB, State, gang, node, nodes, places, role, run, started, wait


def test_a_job_gets_exact_cards_that_nobody_has() -> None:
    jobs = [run("r", "n1", 1, cards=[1]), wait("a", 2)]
    assert places(State([node("n1", 4)], jobs).decide(), "a") in (["n1:0,2"], ["n1:2,3"], ["n1:0,3"])


def test_shares_fill_one_card_before_the_next() -> None:
    plan = State([node("n1", 2)], [wait(f"h{at}", 0.5) for at in range(3)]).decide()
    assert [places(plan, f"h{at}") for at in range(3)] == [["n1:0"], ["n1:0"], ["n1:1"]]


def test_thousandths_add_up_exactly() -> None:
    plan = State(
        [node("n1", 1)],
        [*(wait(f"t{at}", 0.333) for at in range(3)), wait("rest", 0.001), wait("over", 0.001)],
    ).decide()
    assert started(plan) == ["rest", "t0", "t1", "t2"]


def test_a_card_shared_by_one_is_not_whole_for_another() -> None:
    plan = State([node("n1", 2)], [run("r", "n1", 0.25), wait("a", 1), wait("b", 1)]).decide()
    assert (places(plan, "a"), started(plan)) == (["n1:1"], ["a"])


def test_a_whole_job_is_placed_where_it_breaks_least() -> None:
    plan = State(nodes("n1 n2"), [run("r", "n2", 6), wait("a", 2), wait("b", 8)]).decide()
    assert places(plan, "a") == ["n2:6,7"]
    assert started(plan) == ["a", "b"]


@pytest.mark.parametrize("state", [NodeState.UNREACHABLE, NodeState.OFF, NodeState.CORDONED])
def test_a_node_out_of_service_takes_nobody_and_evicts_nobody(state: NodeState) -> None:
    plan = State([node("n1", state=state), node("n2", 1)], [run("r", "n1"), wait("a")]).decide()
    assert (places(plan, "a"), plan.evictions) == (["n2:0"], ())


LABELLED = [
    node("n1"),
    node("n2", zone="a", disk="ssd"),
    node("n3", 8, "T4", zone="b"),
    node("n4", 0, cpus=8),
]
CHOICES: dict[str, tuple[Pending, str | None]] = {
    "a selector": (wait("w", zone="a"), "n2:0"),
    "two selectors of which one fails": (wait("w", zone="a", disk="hdd"), None),
    "a model": (wait("w", model="T4"), "n3:0"),
    "a selector and any model": (wait("w", model=None, zone="b"), "n3:0"),
    "either of two models": (wait("w", model="H100|T4"), "n3:0"),
    "an unknown model": (wait("w", model="H100"), None),
    "no GPU, and a node without": (wait("w", 0, cpus=8), "n4"),
    "no GPU, more processors than that node has": (wait("w", 0, cpus=9, zone="b"), "n3"),
    "more memory than any node has": (wait("w", 0, memory=513), None),
}


@pytest.mark.parametrize(("job", "expected"), CHOICES.values(), ids=CHOICES.keys())
def test_placed_by(job: Pending, expected: str | None) -> None:
    assert places(State(LABELLED, [job]).decide(), "w") == ([expected] if expected else [])


def test_a_pool_serves_only_its_classes() -> None:
    machines = [node("n1", pool="play"), node("n2")]
    pools = [Pool("play", (JobClass.WORKSPACE,)), Pool("default", (JobClass.SINGLE,))]
    queue = [wait("w", kind="workspace"), wait("s"), wait("g", tasks=2)]
    plan = State(machines, [*queue], pools=pools).decide()
    assert (places(plan, "w"), places(plan, "s"), places(plan, "g")) == (["n1:0"], ["n2:0"], [])


def test_processors_and_memory_count_too() -> None:
    plan = State([node("n1", cpus=4, memory=8)], [wait("a", 0, memory=6), wait("b", 0, memory=6)]).decide()
    assert (started(plan), plan.waiting) == (["a"], {"b": NotEnoughRoom(1000, 6 * GIB, 1, 0)})


RACKS = [node("n1", 4, rack="a"), node("n2", 4, rack="b"), node("n3", 4, rack="b"), node("n4", 4)]


def test_a_gang_that_must_be_together_is() -> None:
    assert places(State(RACKS, [wait("g", 4, tasks=2, same="rack")]).decide(), "g") == [
        "n2:0,1,2,3",
        "n3:0,1,2,3",
    ]


def test_a_gang_that_cannot_be_together_waits() -> None:
    jobs = [run("r", "n2"), wait("g", 4, tasks=2, same="rack")]
    assert State(RACKS, jobs).decide().waiting == {"g": NotTogether("rack", 2, 1)}


def test_a_gang_that_would_like_to_be_together_is_where_possible() -> None:
    assert places(State(RACKS, [wait("g", 4, tasks=2, prefer="rack")]).decide(), "g") == [
        "n2:0,1,2,3",
        "n3:0,1,2,3",
    ]


def test_a_gang_that_would_like_to_be_together_starts_apart_otherwise() -> None:
    assert (
        len(places(State(RACKS, [run("r", "n2"), wait("g", 4, tasks=2, prefer="rack")]).decide(), "g")) == 2
    )


def test_the_tightest_place_that_holds_all_is_taken() -> None:
    racks = [*(node(f"a{at}", rack="a") for at in range(3)), *(node(f"b{at}", rack="b") for at in range(2))]
    assert places(State(racks, [wait("g", 8, tasks=2, same="rack")]).decide(), "g")[0].startswith("b")


def test_a_gang_grows_where_its_others_are() -> None:
    one = run("g", "n2", 4, tasks=3, least=1, same="rack")
    (growth,) = State(RACKS, [one]).decide().growths
    assert [task.node for task in growth.tasks] == ["n3"]


def test_roles_that_must_be_together_are_even_when_only_one_is_required() -> None:
    of = gang(role("chief", 1, 0), role("worker", 2, 2, least=0), least=3, same="zone")
    machines = [node("n1", 0, zone="b"), node("n2", 4, zone="a", cpus=2)]
    assert places(State(machines, [wait("g", of=of)]).decide(), "g") == []


def test_what_runs_on_a_node_that_vanished_is_no_trouble() -> None:
    assert places(State([node("n1", 1)], [run("r", "gone"), wait("a")]).decide(), "a") == ["n1:0"]


def test_an_oversubscribed_node_takes_nobody_and_breaks_nothing() -> None:
    jobs = [run("r", "n1", 8, cpus=900), run("q", "n1", 8), wait("a"), wait("b", 0)]
    assert State([node("n1")], jobs).decide().starts == ()


def test_a_card_that_vanished_is_not_given_to_anybody() -> None:
    assert places(State([node("n1", 2)], [run("r", "n1", cards=[7]), wait("a", 2)]).decide(), "a") == [
        "n1:0,1"
    ]


def test_no_nodes_at_all_is_no_trouble() -> None:
    assert sorted(State([], [wait("a"), wait("b", 0), wait("c", model=None)]).decide().waiting) == [
        "a",
        "b",
        "c",
    ]


def test_the_order_of_nodes_and_jobs_does_not_matter() -> None:
    jobs = [wait("a", 2, at=1), wait("b", 1, at=2), wait("c", 0.5, at=3), run("r", "n2", 3)]
    plans = [
        State(list(order), list(reversed(jobs))).decide() for order in (nodes("n1 n2 n3"), nodes("n3 n2 n1"))
    ]
    assert plans[0] == plans[1] == State(nodes("n2 n1 n3"), [*jobs]).decide()
