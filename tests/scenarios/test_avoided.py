"""Nodes a job had trouble on: others are tried first, and nobody waits for want of what they merely avoid."""

from __future__ import annotations

from danlu.domain.rules import Project
from tests.fakes.queue import HOUR, MINUTE, State, evicted, node, nodes, places, run, started, wait

PAIR = nodes("n1 n2")


def test_a_job_starts_on_another_node_than_the_one_it_avoids() -> None:
    for avoided, other in (("n1", "n2"), ("n2", "n1")):
        (place,) = places(State(PAIR, [wait("j", avoids=avoided)]).decide(), "j")
        assert place.startswith(other)


def test_a_job_that_fits_only_where_it_had_trouble_starts_there() -> None:
    full = run("other", "n2", 8)
    assert places(State(PAIR, [full, wait("j", 8, avoids="n1")]).decide(), "j") == ["n1:0,1,2,3,4,5,6,7"]


def test_a_job_that_avoids_nodes_which_are_gone_starts_as_any_other() -> None:
    assert started(State(PAIR, [wait("j", avoids="n8 n9")]).decide()) == ["j"]


def test_a_gang_avoids_a_node_for_all_of_its_tasks_if_the_others_hold_them() -> None:
    machines = nodes("n1 n2 n3")
    placed = places(State(machines, [wait("g", 4, tasks=4, avoids="n2")]).decide(), "g")
    assert {place[:2] for place in placed} == {"n1", "n3"}
    assert len(places(State(machines, [wait("g", 4, tasks=6, avoids="n2")]).decide(), "g")) == 6


def test_a_job_with_a_long_past_delays_nobody_who_asks_the_same() -> None:
    jobs = [run("r", "n1", 8), wait("bad", 8, avoids="n1 n2", at=1), wait("good", 8, at=2)]
    assert started(State(PAIR, jobs).decide()) == ["bad"]


def test_room_is_made_where_the_job_had_no_trouble_if_that_will_do() -> None:
    projects = [Project("a", 1), Project("b", 1)]
    holders = [run("x", "n1", 8, project="b"), run("y", "n2", 8, project="b", since=2 * HOUR)]
    plan = State(PAIR, [*holders, wait("w", 8, project="a")], projects).decide()
    assert evicted(plan) == {"x": "w"}
    again = State(PAIR, [*holders, wait("w", 8, project="a", avoids="n1")], projects).decide()
    assert len(again.evictions) == 1, "who goes is chosen by what they lose, not by what the job avoids"


def test_an_elastic_job_grows_onto_nodes_it_does_not_avoid_first() -> None:
    machines = [node("n1", 2), node("n2", 1), node("n3", 1)]
    one = run("e", "n1", 1, tasks=2, least=1, avoids="n1 n2")
    (growth,) = State(machines, [one]).decide().growths
    assert [task.node for task in growth.tasks] == ["n3"]
    elsewhere = run("f", "n3", 1)
    (growth,) = State(machines, [one, elsewhere]).decide().growths
    assert [task.node for task in growth.tasks] != ["n3"]


def test_an_evicted_job_still_avoids_what_it_avoided() -> None:
    assert run("r", "n1", avoids="n2").requeued("w").avoids == {"n2"}


# ── what is lost ─────────────────────────────────────────────────────────────────────────────────────


def test_who_saved_lately_goes_before_who_began_lately() -> None:
    saved = run("saved", "n1", 8, priority="low", since=5 * HOUR, saved=MINUTE)
    fresh = run("fresh", "n2", 8, priority="low", since=30 * MINUTE)
    assert set(evicted(State(PAIR, [saved, fresh, wait("w", 8)]).decide())) == {"saved"}


def test_who_never_saved_loses_all_since_its_attempt_began() -> None:
    long = run("long", "n1", 8, priority="low", since=5 * HOUR)
    fresh = run("fresh", "n2", 8, priority="low", since=30 * MINUTE)
    assert set(evicted(State(PAIR, [long, fresh, wait("w", 8)]).decide())) == {"fresh"}


def test_a_checkpoint_gives_nobody_a_shorter_life() -> None:
    saved = run("saved", "n1", 8, since=HOUR, max_time=2 * HOUR, saved=MINUTE)
    assert saved.ends - saved.began == 2 * HOUR


def test_among_many_the_one_that_saved_last_goes() -> None:
    machines = nodes(" ".join(f"n{at:02}" for at in range(30)))
    jobs = [run(f"r{at:02}", f"n{at:02}", 8, priority="low", since=2 * HOUR, saved=HOUR - at * MINUTE)
            for at in range(30)]  # fmt: skip
    assert set(evicted(State(machines, [*jobs, wait("w", 8)]).decide())) == {"r29"}
