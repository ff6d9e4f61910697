"""Who waits for inputs holds nothing, keeps its place, and others go past it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.reasons import BehindOthers, InputsPending, NotEnoughGpus
from danlu.domain.rules import Project
from danlu.scheduler import Pending
from danlu.scheduler.decide import decide
from danlu.scheduler.whatif import fate_and_place, what_would_help
from tests.fakes.queue import State, node, nodes, run, started, wait

WAITS = InputsPending(1, 2, "https://example.org/set.tar.gz")


def fetching(job: str, gpus: float = 1, **keys: Any) -> Pending:
    return replace(wait(job, gpus, **keys), fetching=WAITS)


QUEUES: dict[str, tuple[list[Any], list[str]]] = {
    "it does not start though there is room": ([fetching("a")], []),
    "a pinned one waits too": ([fetching("a", pinned=1), wait("b")], ["b"]),
    "equal asks go past it": ([fetching("a", 8), wait("b", 8)], ["b"]),
    "larger ones go past it": ([fetching("a", 1), wait("b", 8)], ["b"]),
    "it reserves no nodes": ([run("r", "n1", 4), fetching("big", 8), wait("s", 4)], ["s"]),
    "its own later job goes past it": ([fetching("a", owner="ann"), wait("b", owner="ann")], ["b"]),
}


@pytest.mark.parametrize(("jobs", "starts"), QUEUES.values(), ids=QUEUES.keys())
def test_within_one_decision(jobs: list[Any], starts: list[str]) -> None:
    plan = State(nodes("n1"), jobs).decide()
    assert started(plan) == starts
    assert [reason for reason in plan.waiting.values() if isinstance(reason, InputsPending)] == [WAITS]


def test_who_waits_for_inputs_evicts_nobody() -> None:
    jobs = [run("r", "n1", 8, project="b"), fetching("a", 8, project="a")]
    plan = State(nodes("n1"), jobs, [Project("a", weight=9), Project("b", weight=1)]).decide()
    assert not plan.evictions


def test_room_that_was_promised_before_its_inputs_were_wanted_again_starts_nothing() -> None:
    promised = fetching("a", 1)
    tasks = decide(State(nodes("n1"), [wait("a")]).snapshot()).plan.starts[0].tasks
    plan = State(nodes("n1"), [replace(promised, nominated=tasks)]).decide()
    assert not plan.starts


def test_how_far_they_are_is_told_where_it_is_known() -> None:
    further = replace(WAITS, state=InputsPending.FETCHING, percent=40)
    snapshot = replace(State(nodes("n1"), [fetching("a"), fetching("b")]).snapshot(), fetching={"a": further})
    assert decide(snapshot).waiting == {"a": further, "b": WAITS}


def test_who_waits_for_inputs_is_not_counted_as_ahead() -> None:
    jobs = [run("r", "n1", 8), fetching("a", 8), wait("b", 8), wait("c", 8)]
    waiting = State(nodes("n1"), jobs).decide().waiting
    assert isinstance(waiting["b"], NotEnoughGpus)
    assert waiting["c"] == BehindOthers(1)


def test_nothing_that_it_could_ask_for_would_help() -> None:
    snapshot = State([node("n1")], [fetching("a", 4)]).snapshot()
    job = fetching("a", 4)
    assert fate_and_place(snapshot, job)[0] == WAITS
    assert what_would_help(snapshot, job, []) == []
