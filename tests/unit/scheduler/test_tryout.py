"""What would become of many jobs, each submitted alone: as a decision with that job would have it."""

from __future__ import annotations

from danlu.domain.reasons import BehindOthers, MakingRoom, NoSuchNode, NotEnoughGpus, ProjectCap, ReservedFor
from danlu.domain.rules import Limit, Project
from danlu.scheduler.tryout import Fate, fates
from tests.fakes.queue import HOUR, State, node, run, wait


def newcomer(name: str, gpus: float = 1, model: str | None = "A100", **more):
    return wait(name, gpus, model, at=2 * HOUR, **more)


def test_each_is_tried_alone_and_takes_nothing_from_the_others():
    state = State([node("n1", 8)], [run("r", "n1", 6)])
    found = fates(state.snapshot(), [newcomer("a", 2), newcomer("b", 2), newcomer("c", 1), newcomer("d", 4)])
    assert [one.reason for one in found[:3]] == [None, None, None]
    assert found[3] == Fate(NotEnoughGpus(4000, "A100", 1, 0), 0)


def test_whoever_waits_is_told_how_many_are_ahead_in_its_lane():
    queue = [wait(f"w{n}", 8, owner=f"u{n}") for n in range(3)]
    state = State([node("n1", 8), node("t1", 4, "T4")], [run("r", "n1", 8), *queue, wait("t", 4, "T4")])
    plan = state.decide()
    found = fates(state.applied(plan).snapshot(), [newcomer("a", 1, owner="zoe"), newcomer("b", 4, "T4")])
    assert found[0] == Fate(BehindOthers(3), 3)
    assert (found[1].ahead, type(found[1].reason)) == (0, NotEnoughGpus)


def test_a_lower_score_comes_before_those_who_wait():
    queue = [wait(f"w{n}", 8, owner="old") for n in range(3)]
    scores = {("old", "A100"): 9.0, ("new", "A100"): 1.0, ("high", "A100"): 20.0}
    snapshot = State([node("n1", 8)], [run("r", "n1", 8), *queue], scores=scores).snapshot()
    assert [
        one.ahead for one in fates(snapshot, [newcomer("a", owner="new"), newcomer("b", owner="high")])
    ] == [0, 3]


def test_room_that_is_kept_for_a_job_ahead_is_not_to_be_had_unless_one_ends_in_time():
    busy = run("r", "n1", 4, max_time=4 * HOUR)
    snapshot = State([node("n1", 8)], [busy, wait("large", 8)]).snapshot()
    long, short = fates(snapshot, [newcomer("a", owner="zoe"), newcomer("b", owner="zoe", max_time=HOUR)])
    assert isinstance(long.reason, ReservedFor)
    assert short == Fate()


def test_who_may_make_others_leave_waits_for_that_alone():
    projects = [Project("gold", 1), Project("iron", 1)]
    lent = run("r", "n1", 8, project="iron", since=2 * HOUR)
    snapshot = State([node("n1", 8)], [lent, wait("w", 8, project="iron")], projects=projects).snapshot()
    (found,) = fates(snapshot, [newcomer("a", 4, project="gold")])
    assert found == Fate(MakingRoom(1), 0)


def test_caps_and_nodes_that_are_missing_are_told():
    projects = [Project("small", 1, cap={"gpus": 2000})]
    snapshot = State([node("n1", 8)], [run("r", "n1", 2, project="small")], projects=projects).snapshot()
    capped, missing = fates(snapshot, [newcomer("a", project="small"), newcomer("b", 1, "H100")])
    assert isinstance(capped.reason, ProjectCap)
    assert (type(missing.reason), missing.ahead) == (NoSuchNode, None)


def test_a_limit_on_run_time_is_told_like_any_gate():
    limits = [Limit("short", max_time=HOUR)]
    snapshot = State([node("n1", 8)], limits=limits).snapshot()
    found = fates(snapshot, [newcomer("a"), newcomer("b", max_time=HOUR)])
    assert (found[0].reason is None, found[1].reason) == (False, None)
