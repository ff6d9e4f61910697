"""What is used of limits and caps, by the sums of decisions."""

from __future__ import annotations

from danlu.domain.rules import Limit, Project
from danlu.scheduler.bounds import CapUse, LimitUse, caps_on, limits_on
from tests.fakes.queue import State, nodes, run

JOBS = [
    run("a", "n1", 3, owner="ann"),
    run("b", "n1", 2, owner="bob", project="gold"),
    run("c", "n2", 1, owner="ann", project="gold"),
]
GOLD = Project("gold", 1, cap={"gpus": 8000})


def test_a_limit_counts_what_is_in_use_under_it() -> None:
    together, each = Limit("all", user=None, gpu_milli=8000), Limit("each", gpu_milli=4000)
    of_bob = Limit("bobs", user="bob", gpu_milli=1000)
    by_project = Limit("projects", project="*", gpu_milli=4000)
    elsewhere = Limit("elsewhere", project="other", gpu_milli=0)
    limits = [together, each, of_bob, by_project, elsewhere]
    state = State(nodes("n1 n2"), [*JOBS], [GOLD], limits=limits).snapshot()
    assert list(limits_on(state, "ann", {"public", "gold"})) == [
        LimitUse(together, None, 6000),
        LimitUse(each, None, 4000),
        LimitUse(by_project, "gold", 1000),
        LimitUse(by_project, "public", 3000),
    ]
    assert LimitUse(by_project, None, 0) in limits_on(state, "cho", {"public"})


def test_a_cap_counts_all_running_jobs_of_the_project() -> None:
    state = State(nodes("n1 n2"), [*JOBS], [GOLD]).snapshot()
    assert list(caps_on(state, {"public", "gold"})) == [CapUse("gold", "gpus", 8000, 3000)]
    assert list(caps_on(state, {"public"})) == []
