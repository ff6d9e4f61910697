"""Across projects what was lent is taken back, from those beyond their share, by those within theirs."""

from __future__ import annotations

import functools

import pytest

from danlu.domain.reasons import Reclaimed
from danlu.domain.rules import Project
from danlu.scheduler import Running
from tests.fakes.queue import MINUTE, State, ask, evicted, node, nodes, places, run, started, wait

PAIR = [Project("gold", 1), Project("iron", 1)]
lent = functools.partial(run, project="iron")


def test_what_was_lent_is_taken_back_when_its_owner_queues() -> None:
    jobs = [
        lent("a", "n1", 4),
        lent("b", "n1", 4, cards=[4, 5, 6, 7], since=5 * MINUTE),
        wait("w", 4, project="gold"),
    ]
    plan = State([node("n1")], jobs, PAIR).decide()
    assert evicted(plan) == {"a": "w"}
    assert plan.evictions[0].reason == Reclaimed("gold", "iron", "A100", 8000, 4000)


def test_a_project_takes_no_more_than_it_deserves() -> None:
    jobs = [
        lent("a", "n1", 4),
        lent("b", "n1", 4, cards=[4, 5, 6, 7]),
        *(wait(f"w{at}", 4, project="gold") for at in "12"),
    ]
    assert list(evicted(State([node("n1")], jobs, PAIR).decide()).values()) == ["w1"]


def test_a_request_beyond_what_its_project_deserves_reclaims_nothing() -> None:
    assert (
        State([node("n1")], [lent("a", "n1", 8), wait("w", 6, project="gold")], PAIR).decide().evictions == ()
    )


def test_a_project_within_its_share_loses_nothing() -> None:
    jobs = [
        lent("a", "n1", 4),
        run("g", "n1", 4, cards=[4, 5, 6, 7], project="gold"),
        wait("w", 1, project="gold"),
    ]
    assert State([node("n1")], jobs, PAIR).decide().evictions == ()


def test_a_guarantee_is_taken_back_whatever_the_weights() -> None:
    projects = [Project("gold", 0, guarantee={"A100": 8000}), Project("iron", 1000)]
    plan = State(
        nodes("n1 n2"), [lent("a", "n1", 8), lent("b", "n2", 8), wait("w", 8, project="gold")], projects
    ).decide()
    assert evicted(plan) == {"a": "w"}


SPARED = {
    "of a project that is not reclaimable": run("r", "n1", 8, project="hard"),
    "of a project that draws on the same share": run("r", "n1", 8, project="mine"),
    "that may not be evicted": lent("r", "n1", 8, preemptible=False),
    "that is a workspace": lent("r", "n1", 8, kind="workspace"),
    "that has not run for the minimum time": lent("r", "n1", 8, since=MINUTE),
}


@pytest.mark.parametrize("job", SPARED.values(), ids=SPARED.keys())
def test_it_spares_a_job(job: Running) -> None:
    projects = [Project("hard", 1, reclaimable=False), Project("iron", 1)]
    assert State([node("n1")], [job, wait("w", 4)], projects).decide().evictions == ()


def test_priority_is_no_shield_across_projects() -> None:
    plan = State(
        [node("n1")], [lent("a", "n1", 8, priority="high"), wait("w", 4, priority="low")], PAIR
    ).decide()
    assert evicted(plan) == {"a": "w"}


def test_extras_of_an_elastic_job_are_taken_back_first() -> None:
    elastic = lent("e", "n1 n2", 4, of=ask(4, tasks=2, least=1))
    plan = State(nodes("n1 n2", 4), [elastic, wait("w", 4, project="gold")], PAIR).decide()
    (eviction,) = plan.evictions
    assert (eviction.whole, [task.node for task in eviction.tasks]) == (False, ["n2"])


def test_the_job_that_gave_way_does_not_take_its_place_back() -> None:
    state = State(
        nodes("n1 n2", 4), [lent("a", "n1", 4), lent("b", "n2", 4), wait("w", 4, project="gold")], PAIR
    )
    for _ in range(4):
        state = state.applied(state.decide()).later(60 * MINUTE)
    assert sorted(job.job_id for job in state.running) in (["a", "w"], ["b", "w"])


def test_one_failed_request_does_not_stand_for_another_projects() -> None:
    jobs = [
        lent("a", "n1", 8),
        lent("b", "n2", 8),
        wait("x", 8, project="iron", pinned=1),
        wait("y", 8, project="gold"),
    ]
    plan = State(nodes("n1 n2"), jobs, PAIR).decide()
    assert started(plan) == ["y"]


def test_only_resources_that_the_request_uses_are_compared() -> None:
    owed = Project("gold", 1, guarantee={"T4": 4000})
    jobs = [
        lent("a", "n1", 4),
        run("g", "n1", 4, cards=[4, 5, 6, 7], project="gold"),
        wait("w", 1, project="gold"),
    ]
    assert State([node("n1"), node("n2", 4, "T4")], jobs, [owed, Project("iron", 1)]).decide().evictions == ()


def test_processors_are_reclaimed_for_jobs_without_gpus() -> None:
    jobs = [lent("a", "n1", 0, cpus=64), wait("w", 0, cpus=16, project="gold")]
    assert evicted(State([node("n1", 0)], jobs, PAIR).decide()) == {"a": "w"}


def test_a_victim_that_fits_elsewhere_moves_there() -> None:
    jobs = [lent("a", "n1", 4), lent("b", "n2", 6), wait("w", 8, project="gold", zone="x")]
    projects = [Project("gold", 3), Project("iron", 1)]
    plan = State([node("n1", zone="x"), node("n2")], jobs, projects).decide()
    assert evicted(plan) == {"a": "w"}
    assert places(plan, "w") == ["n1:0,1,2,3,4,5,6,7"]
