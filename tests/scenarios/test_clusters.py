"""Several clusters under one queue: a gang is in one of them, beside what others than Danlu hold there."""

from __future__ import annotations

import pytest

from danlu.domain.node import Node
from danlu.domain.reasons import (
    HeldBack,
    HeldByOthers,
    NoSuchNode,
    NotEnoughGpus,
    NotInOneCluster,
    NotTogether,
    ReservedFor,
)
from danlu.domain.rules import KUBERNETES, Project
from danlu.scheduler import could_ever_start
from danlu.scheduler.ask import Ask
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.whatif import what_would_help
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
    others,
    places,
    role,
    run,
    started,
    total,
    wait,
)


def two(east: str, west: str, gpus: int = 8) -> list[Node]:
    return [*nodes(east, gpus, cluster="east"), *nodes(west, gpus, cluster="west")]


# ── a gang is in one cluster ─────────────────────────────────────────────────────────────────────────

GANGS = {
    "goes where all of it fits": (two("e1", "w1 w2"), ask(8, tasks=2), ["w1", "w2"]),
    "takes the tightest cluster": (two("e1 e2 e3", "w1 w2"), ask(8, tasks=2), ["w1", "w2"]),
    "of two roles is in one cluster": (
        two("e1", "w1 w2"), gang(role("chief", 1, 8), role("worker", 1, 8)), ["w1", "w2"],
    ),
    "that may grow goes where it can": (two("e1", "w1 w2"), ask(8, tasks=2, least=1), ["w1", "w2"]),
    "may be divided in one cluster only": (two("e1 e2 e3", "w1 w2", 4), total(12), ["e1", "e2", "e3"]),
    "prefers a rack of one cluster": (
        [*nodes("e1 e2", cluster="east", rack="r1"), *nodes("w1", cluster="west", rack="r2"),
         *nodes("w2 w3", cluster="west", rack="r3")], ask(8, tasks=3, prefer="rack"), ["w1", "w2", "w3"],
    ),
    "finds no rack that only seems the same": ([
        node("e1", cluster="east", rack="r1"), node("w1", cluster="west", rack="r1"),
        node("w2", cluster="west", rack="r2"), node("w3", cluster="west", rack="r2")],
        ask(8, tasks=2, same="rack"), ["w2", "w3"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("machines", "of", "expected"), GANGS.values(), ids=GANGS.keys())
def test_a_gang(machines: list[Node], of: Ask, expected: list[str]) -> None:
    plan = State(machines, [wait("g", of=of)]).decide()
    assert sorted({task.split(":")[0] for task in places(plan, "g")}) == expected


def test_a_gang_that_only_all_clusters_together_could_hold_takes_nothing() -> None:
    plan = State(two("e1 e2", "w1 w2"), [run("r", "e1"), run("s", "w1"), wait("g", 8, tasks=2)]).decide()
    assert plan.starts == ()
    assert plan.waiting == {"g": NotInOneCluster(2, 1)}


def test_what_no_cluster_could_hold_when_idle_holds_up_nobody() -> None:
    plan = State(
        two("e1", "w1"), [wait("g", 8, tasks=2), wait("next", 8, tasks=1, kind="distributed")]
    ).decide()
    assert started(plan) == ["next"]
    assert isinstance(plan.waiting["g"], NoSuchNode)


def test_a_rack_of_the_same_name_in_another_cluster_is_another_rack() -> None:
    machines = [node("e1", cluster="east", rack="r"), *nodes("w1 w2", cluster="west", rack="r")]
    plan = State(machines, [run("r", "w1"), wait("g", 8, tasks=2, same="rack")]).decide()
    assert plan.waiting == {"g": NotInOneCluster(2, 1)}
    machines = [*nodes("e1 e2", cluster="east", rack="r"), node("e3", cluster="east", rack="s"), node("w1", cluster="west", rack="r")]  # fmt: skip
    plan = State(machines, [run("r", "e1"), wait("g", 8, tasks=2, same="rack")]).decide()
    assert plan.waiting == {"g": NotTogether("rack", 2, 1)}


def test_an_elastic_gang_grows_in_its_own_cluster_only() -> None:
    machines = two("e1", "w1 w2", 1)
    grown = State(machines, [run("g", "w1", tasks=3, least=1)]).decide().growths
    assert [task.node for growth in grown for task in growth.tasks] == ["w2"]


def test_an_elastic_gang_does_not_grow_where_nobody_knows_where_it_is() -> None:
    assert State(two("e1", "w1"), [run("g", "gone", tasks=3, least=1)]).decide().growths == ()
    assert State(nodes("n1"), [run("g", "gone", tasks=3, least=1)]).decide().growths == ()


def test_the_head_of_a_lane_reserves_nodes_of_one_cluster_and_others_pass_in_the_other() -> None:
    jobs = [
        run("e", "e1", 8, max_time=9 * HOUR),
        run("w", "w1", 8, max_time=2 * HOUR),
        wait("head", 8, tasks=2),
        wait("long", 8, tasks=1, kind="distributed"),
    ]
    plan = State(two("e1 e2", "w1 w2"), jobs).decide()
    assert places(plan, "long") == ["e2:0,1,2,3,4,5,6,7"]
    short = wait("short", 8, tasks=1, kind="distributed")
    plan = State(two("e1 e2", "w1 w2"), [*jobs, short]).decide()
    assert isinstance(plan.waiting["short"], ReservedFor)


def test_room_for_a_gang_is_made_in_one_cluster() -> None:
    jobs = [
        run("e1r", "e1", 8, priority="low"), run("w1r", "w1", 8, priority="low"), run("w2r", "w2", 8, since=2 * HOUR, priority="low"),
        wait("g", 8, tasks=2, priority="high"),
    ]  # fmt: skip
    plan = State(two("e1", "w1 w2"), jobs).decide()
    assert evicted(plan) == {"w1r": "g", "w2r": "g"}
    assert {task.split(":")[0] for task in places(plan, "g")} == {"w1", "w2"}


def test_many_candidates_are_weighed_cluster_by_cluster() -> None:
    names = [f"{side}{at}" for side in "ew" for at in range(5)]
    jobs = [
        run(f"r{name}{card}", name, 1, cards=[card], priority="low") for name in names for card in range(4)
    ]
    machines = two(" ".join(names[:5]), " ".join(names[5:]), 4)
    plan = State(machines, [*jobs, wait("g", 4, tasks=3, priority="high")]).decide()
    assert len({job[1] for job in evicted(plan)}) == 1
    assert len({task[0] for task in places(plan, "g")}) == 1


def test_whether_it_could_ever_start_is_asked_of_each_cluster() -> None:
    cluster = AllNodes(two("e1 e2", "w1 w2 w3"), {})
    assert could_ever_start(cluster, ask(8, tasks=3))
    assert not could_ever_start(cluster, ask(8, tasks=4))
    assert not could_ever_start(cluster, gang(role("a", 2, 8), role("b", 2, 8)))


# ── what others hold ─────────────────────────────────────────────────────────────────────────────────


def test_nobody_is_placed_on_what_others_hold() -> None:
    plan = State([node("n1", 8, foreign=others(gpus=6))], [wait("a"), wait("b"), wait("c")]).decide()
    assert (places(plan, "a"), places(plan, "b")) == (["n1:0"], ["n1:1"])
    assert plan.waiting == {"c": NotEnoughGpus(1000, "A100", 1, 0)}
    machine = node("n1", 0, cpus=8, memory=8, foreign=others(cpus=5, memory=6))
    jobs = [wait("a", 0, cpus=4), wait("b", 0, memory=3), wait("c", 0, cpus=3, memory=2)]
    assert started(State([machine], jobs).decide()) == ["c"]


def test_others_have_cards_that_no_task_of_ours_holds() -> None:
    machine = node("n1", 4, foreign=others(gpus=2))
    plan = State([machine], [run("r", "n1", cards=[3]), wait("a"), wait("b")]).decide()
    assert places(plan, "a") == ["n1:0"]
    assert "b" in plan.waiting


def test_more_than_is_left_for_others_to_hold_counts_as_nothing_free() -> None:
    machine = node("n1", 4, cpus=4, foreign=others(gpus=9, cpus=9, memory=1000))
    plan = State([machine], [run("r", "n1", 2), wait("w", 0, cpus=1), wait("v")]).decide()
    assert plan.starts == ()


def test_who_leaves_makes_room_beside_others() -> None:
    machine = node("n1", 4, foreign=others(gpus=2))
    plan = State([machine], [run("r", "n1", 2, priority="low"), wait("w", 2, priority="high")]).decide()
    assert (evicted(plan), places(plan, "w")) == ({"r": "w"}, ["n1:0,1"])


def test_what_only_others_keep_from_starting_says_so_and_holds_up_nobody() -> None:
    machine = node("n1", 8, foreign=others(gpus=4))
    plan = State([machine], [wait("large", 8), wait("small", 4)]).decide()
    assert started(plan) == ["small"]
    assert plan.waiting == {"large": HeldByOthers("1 × (8 A100, 1 CPU, 1GiB)")}


def test_projects_share_what_others_leave() -> None:
    state = State(
        [node("n1", 8, foreign=others(gpus=4))],
        [wait("a", 8, project="gold"), wait("b", 8, project="iron")],
        projects=[Project("gold", 1), Project("iron", 1)],
    )
    assert (state.shares()["gold"]["A100"], state.shares()["iron"]["A100"]) == (2000, 2000)


# ── what only some nodes can give ────────────────────────────────────────────────────────────────────


def test_kubernetes_gives_whole_cards_only() -> None:
    here, there = node("n1", 1), node("k1", 8, cluster="east", engine=KUBERNETES)
    plan = State([here, there], [wait("half", 0.5), wait("whole", 8)]).decide()
    assert (places(plan, "half"), places(plan, "whole")[0][:2]) == (["n1:0"], "k1")
    plan = State([there], [wait("half", 0.5)]).decide()
    assert plan.waiting == {"half": NoSuchNode("1 × (0.5 A100, 1 CPU, 1GiB)")}


def test_a_label_that_follows_from_what_a_job_needs_is_not_what_it_could_do_without() -> None:
    state = State(nodes("n1"), [wait("w", engine=KUBERNETES), wait("v", zone="a", engine=KUBERNETES)])
    snapshot = state.snapshot()
    assert what_would_help(snapshot, state.pending[0], []) == []
    helped = State([node("n1", cluster="east", engine=KUBERNETES)], state.jobs).snapshot()
    assert [change.key for change in what_would_help(helped, state.pending[1], [])] == ["node_selector"]


# ── held back after a refusal ────────────────────────────────────────────────────────────────────────


def test_a_job_that_a_cluster_refused_waits_and_others_pass() -> None:
    state = State(nodes("n1"), [wait("h", 8, held=25_000, refusals=2), wait("w", 8), wait("x", 8)])
    plan = state.decide()
    assert started(plan) == ["w"]
    assert plan.waiting["h"] == HeldBack(2, 30_000)
    assert [job.job_id for job in plan.queue["A100", "single"]] == ["h", "x"]  # type: ignore[index]


def test_once_its_time_has_come_it_is_the_first_again() -> None:
    state = State(nodes("n1"), [wait("h", 8, held=25_000, refusals=2), wait("w", 8)], now=NOW + 25_000)
    assert started(state.decide()) == ["h"]


def test_nobody_makes_room_for_one_held_back_and_it_reserves_nothing() -> None:
    held = wait("h", 8, priority="high", held=MINUTE, refusals=1)
    plan = State(nodes("n1"), [run("r", "n1", 4, priority="low"), held, wait("w", 4)]).decide()
    assert (evicted(plan), started(plan)) == ({}, ["w"])
