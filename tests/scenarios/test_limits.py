"""Limits: GPUs in use and run time, per user, project and class."""

from __future__ import annotations

import pytest

from danlu.domain.job import JobClass
from danlu.domain.reasons import OverLimit, RunTimeLimit
from danlu.domain.rules import Limit, Project
from danlu.scheduler.whatif import Alternative, what_would_help
from tests.fakes.queue import HOUR, State, node, nodes, run, started, wait

ALL = ["a", "b", "c"]
LIMITS: dict[str, tuple[Limit, list[str]]] = {
    "each user": (Limit("l", gpu_milli=2000), ["a", "c"]),
    "one user": (Limit("l", user="ann", gpu_milli=2000), ["a", "c"]),
    "another user": (Limit("l", user="eve", gpu_milli=0), ALL),
    "everybody together": (Limit("l", user=None, gpu_milli=4000), ["a", "c"]),
    "each project": (Limit("l", user=None, project="*", gpu_milli=2000), ["a", "c"]),
    "one project": (Limit("l", user=None, project="public", gpu_milli=2000), ["a", "c"]),
    "each user in each project": (Limit("l", user="*", project="*", gpu_milli=2000), ["a", "c"]),
    "one class": (Limit("l", user=None, job_class=JobClass.SINGLE, gpu_milli=2000), ["a"]),
    "another class": (Limit("l", user=None, job_class=JobClass.DISTRIBUTED, gpu_milli=0), ALL),
}


@pytest.mark.parametrize(("limit", "expected"), LIMITS.values(), ids=LIMITS.keys())
def test_a_limit_on(limit: Limit, expected: list[str]) -> None:
    queue = [wait("a", 2), wait("b", 2), wait("c", 2, owner="cho", project="gold", at=10**6)]
    assert started(State(nodes("n1 n2"), [*queue], [Project("gold", 1)], limits=[limit]).decide()) == expected


def test_a_limit_on_a_project_holds_for_those_that_draw_on_its_share() -> None:
    queue = [wait("a", 2), wait("b", 2, owner="cho", project="own")]
    limit = Limit("l", user=None, project="public", gpu_milli=2000)
    assert started(State(nodes("n1"), [*queue], [Project("own")], limits=[limit]).decide()) == ["a"]


def test_the_reason_has_the_numbers() -> None:
    jobs = [run("r", "n1", 3, owner="ann"), wait("a", 2)]
    plan = State([node("n1")], jobs, limits=[Limit("four", gpu_milli=4000)]).decide()
    assert plan.waiting == {"a": OverLimit("four", 2000, 3000, 4000)}


def test_the_strictest_of_several_limits_holds() -> None:
    limits = [Limit("wide", gpu_milli=8000), Limit("tight", gpu_milli=1000)]
    assert State([node("n1")], [wait("a", 2)], limits=limits).decide().waiting == {
        "a": OverLimit("tight", 2000, 0, 1000)
    }


def test_a_limit_on_run_time_keeps_longer_jobs_waiting() -> None:
    queue = [wait("a"), wait("b", max_time=2 * HOUR), wait("c", max_time=HOUR)]
    plan = State([node("n1")], [*queue], limits=[Limit("short", max_time=HOUR)]).decide()
    assert started(plan) == ["c"]
    assert plan.waiting == {"a": RunTimeLimit("short", "", HOUR), "b": RunTimeLimit("short", "2h", HOUR)}


def test_a_limit_bounds_growth() -> None:
    one = run("e", "n1", tasks=8, least=1, owner="ann")
    (growth,) = State([node("n1")], [one], limits=[Limit("l", gpu_milli=3000)]).decide().growths
    assert len(growth.tasks) == 2


def test_a_limit_on_gpus_does_not_concern_jobs_without() -> None:
    assert started(State([node("n1")], [wait("a", 0)], limits=[Limit("l", gpu_milli=0)]).decide()) == ["a"]


def test_what_is_leaving_counts_until_it_has_left() -> None:
    jobs = [run("r", "n1", 2, owner="ann", leaving=True), wait("a", 2)]
    state = State(nodes("n1 n2"), jobs, limits=[Limit("l", gpu_milli=2000)])
    plan = state.decide()
    assert [start.after for start in plan.starts] == [("r",)]
    assert [start.after for start in state.told(plan).without("r").decide().starts] == [()]


def test_a_limit_on_everybody_waits_for_whoever_leaves() -> None:
    jobs = [run("r", "n1", 2, owner="eve", project="gold", leaving=True), wait("a", 2)]
    plan = State(nodes("n1 n2"), jobs, limits=[Limit("l", user=None, gpu_milli=2000)]).decide()
    assert [start.after for start in plan.starts] == [("r",)]


def test_the_bound_on_run_time_is_what_would_start_a_longer_job() -> None:
    state = State([node("n1")], [wait("a")], limits=[Limit("short", max_time=HOUR)])
    reason = RunTimeLimit("short", "", HOUR)
    assert what_would_help(state.snapshot(), state.pending[0], [], reason) == [Alternative("max_time", "1h")]
    full = State([node("n1")], [run("r", "n1", 8), wait("a")], limits=[Limit("short", max_time=HOUR)])
    assert what_would_help(full.snapshot(), full.pending[0], [], reason) == [], "there is no room either"
