"""Every waiting job is told why, in numbers that are right."""

from __future__ import annotations

import pytest

from danlu.domain import reasons as why
from danlu.domain.rules import Limit, Project
from danlu.scheduler import Pending, Running
from tests.fakes.queue import GIB, State, gang, node, nodes, role, run, wait

FULL = run("r", "n1", 6, preemptible=False)
REASONS: dict[str, tuple[list[Pending | Running], why.Reason]] = {
    "too few cards": ([FULL, wait("w", 4)], why.NotEnoughGpus(4000, "A100", 1, 0)),
    "too few cards for all tasks": ([FULL, wait("w", 1, tasks=5)], why.NotEnoughGpus(5000, "A100", 5, 2)),
    "a share of a card": ([run("r", "n1", 8), wait("w", 0.5)], why.NotEnoughGpus(500, "A100", 1, 0)),
    "of any model": ([FULL, wait("w", 4, None)], why.NotEnoughGpus(4000, "GPU", 1, 0)),
    "too few processors": ([run("r", "n1", 0, cpus=60), wait("w", 0, cpus=8)], why.NotEnoughRoom(8000, GIB, 1, 0)),
    "no node that could": ([wait("w", 9)], why.NoSuchNode("1 × (9 A100, 1 CPU, 1GiB)")),
    "no such model": ([wait("w", model="H100")], why.NoSuchNode("1 × (1 H100, 1 CPU, 1GiB)")),
    "no such label": ([wait("w", zone="x")], why.NoSuchNode("1 × (1 A100, 1 CPU, 1GiB)")),
    "not together": ([FULL, wait("w", 1, tasks=3, same="rack")], why.NotTogether("rack", 3, 2)),
    "behind others": ([FULL, wait("v", 4, at=0), wait("w", 4)], why.BehindOthers(1)),
    "room kept": ([FULL, wait("v", 4, at=0), wait("w", 2)], why.ReservedFor("1 × (4 A100, 1 CPU, 1GiB)")),
    "closed": ([wait("w", project="shut")], why.ProjectClosed("shut")),
    "capped": ([wait("w", 3, project="few")], why.ProjectCap("few", "A100", 3000, 0, 2000)),
    "limited": ([wait("w", 3, owner="eve")], why.OverLimit("two", 3000, 0, 2000)),
}  # fmt: skip


@pytest.mark.parametrize(("jobs", "expected"), REASONS.values(), ids=REASONS.keys())
def test_a_job_waits_for(jobs: list[Pending | Running], expected: why.Reason) -> None:
    projects = [Project("shut", 1, closed=True), Project("few", 1, cap={"A100": 2000})]
    state = State(
        [node("n1", rack="a"), node("n2", 0, cpus=1)],
        jobs,
        projects,
        limits=[Limit("two", user="eve", gpu_milli=2000)],
    )
    if expected == why.NotTogether("rack", 3, 2):
        state.nodes.append(node("n3", 1, rack="b"))
    assert state.decide().waiting["w"] == expected


def test_roles_that_compete_for_the_same_room_are_counted_together() -> None:
    of = gang(role("a", 3, 1), role("b", 3, 1))
    reason = State(nodes("n1 n2", 4), [run("r", "n2", 4), wait("g", of=of)]).decide().waiting["g"]
    assert isinstance(reason, why.NotEnoughGpus)
    assert reason.fit < reason.tasks


def test_the_minimum_in_all_is_what_lacks() -> None:
    of = gang(role("a", 3, 1, least=1), role("b", 3, 1), least=5)
    reason = State(nodes("n1 n2", 4), [run("r", "n2", 4), wait("g", of=of)]).decide().waiting["g"]
    assert isinstance(reason, why.NotEnoughGpus)
    assert reason.fit < reason.tasks


def test_of_several_lanes_the_most_hopeful_is_told() -> None:
    machines = [node("n1", 1), node("n2", 1, "T4")]
    jobs = [run("r", "n1"), run("q", "n2", model="T4"), wait("a"), wait("b"), wait("w", model="A100|T4")]
    assert State(machines, jobs).decide().waiting["w"] == why.NotEnoughGpus(1000, "A100|T4", 1, 0)


def test_one_who_waits_for_other_nodes_is_not_behind() -> None:
    machines = [node("n1", zone="a"), node("n2", zone="b")]
    jobs = [run("r", "n1"), run("q", "n2"), wait("v", 8, zone="a"), wait("w", 8, zone="b")]
    assert State(machines, jobs).decide().waiting["w"] == why.NotEnoughGpus(8000, "A100", 1, 0)


def test_a_victim_is_told_why_it_waits_again() -> None:
    plan = State([node("n1", 1)], [run("v", "n1", priority="low"), wait("w")]).decide()
    assert plan.waiting == {"w": why.MakingRoom(1), "v": why.NotEnoughGpus(1000, "A100", 1, 0)}


def test_in_a_long_queue_the_number_ahead_is_rounded_down() -> None:
    plan = State([node("n1", 1)], [run("r", "n1"), *(wait(f"w{at:03}") for at in range(130))]).decide()
    assert (plan.waiting["w099"], plan.waiting["w129"]) == (why.BehindOthers(99), why.BehindOthers(120))
