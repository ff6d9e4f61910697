"""Plans as plain data, and the states they lead to."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.scheduler import Running, decide
from danlu.simulator.decide import decide_file
from danlu.simulator.reading import read_state

NODES = [{"name": "n{}", "count": 2, "gpus": 2, "gpu": "A100"}]


def plan(**parts: Any) -> dict[str, Any]:
    return decide_file({"nodes": NODES, **parts})


def rounds(count: int, **parts: Any) -> dict[str, Any]:
    return decide_file({"nodes": NODES, **parts}, count)


def waits(id_: str, gpus: float = 1, **more: Any) -> dict[str, Any]:
    return {"id": id_, "resources": {"gpus": gpus, "gpu": "A100"}, **more}


def runs(id_: str, node: str, gpus: float = 1, **more: Any) -> dict[str, Any]:
    return {**waits(id_, gpus, **more), "tasks": [node]}


def test_a_start_names_task_node_and_cards():
    assert plan(pending=[waits("j", 0.5)])["starts"] == [
        {
            "job": "j",
            "tasks": [
                {
                    "task": "worker-0",
                    "role": "worker",
                    "index": 0,
                    "node": "n0",
                    "gpus": [{"index": 0, "share": 0.5}],
                }
            ],
            "after": [],
        }
    ]


def test_a_waiting_job_has_its_reason_its_place_and_those_ahead():
    found = plan(
        running=[runs("r", "n0", 2)], pending=[waits("first", 2, nodes=2), waits("second", 2, nodes=2)]
    )
    assert found["starts"] == []
    first, second = found["waiting"]
    assert (first["job"], first["position"], first["ahead"]) == ("first", 1, [])
    assert first["reason"]["code"] == "not_enough_gpus"
    assert first["reason"]["params"] == {
        "wanted": 4000,
        "model": "A100",
        "tasks": 2,
        "fit": 1,
        "closed": 0,
        "on": "",
        "why": "",
    }
    assert set(first["reason"]["text"]) == {"en", "zh"}
    assert (second["lane"], second["position"], second["ahead"]) == ("A100/distributed", 2, ["first"])
    assert found["queue"] == {"A100/distributed": ["first", "second"]}


def test_a_node_that_closes_takes_what_ends_before():
    closing = {"nodes": [{"name": "n", "gpus": 1, "gpu": "A100", "closes_in": "2h"}]}
    found = decide_file({**closing, "pending": [waits("long", max_time="3h"), waits("short", max_time="2h")]})
    assert [start["job"] for start in found["starts"]] == ["short"]
    assert found["waiting"][0]["reason"]["params"] == {"nodes": 1, "window": "", "fits": 7_200_000}
    early = {"policy": {"maintenance_notice": "1h"}, "pending": [waits("endless")]}
    assert [start["job"] for start in decide_file({**closing, **early})["starts"]] == ["endless"]


def test_an_eviction_says_for_whom_and_why_and_the_start_says_after_whom():
    busy = [runs("low", "n0", 2, priority="low"), runs("same", "n1", 2)]
    found = plan(running=busy, pending=[waits("high", 2, priority="high")])
    (eviction,) = found["evictions"]
    assert (eviction["job"], eviction["whole"], eviction["made_for"]) == ("low", True, "high")
    assert eviction["reason"]["code"] == "preempted"
    assert [(start["job"], start["after"]) for start in found["starts"]] == [("high", ["low"])]
    assert [one["job"] for one in found["waiting"]] == ["low"]


def test_the_same_state_gives_the_same_plan():
    parts = {"pending": [waits("j{}", count=6)]}
    assert plan(**parts) == plan(**parts)


def test_a_second_round_changes_nothing():
    busy = [runs("low", "n0", 2, priority="low"), runs("same", "n1", 2)]
    found = rounds(3, running=busy, pending=[waits("high", 2, priority="high"), waits("more")])
    assert found["stable"]
    assert [len(one["starts"]) for one in found["rounds"]] == [1, 0, 0]


def test_a_job_that_may_not_be_evicted_is_not_once_it_has_started_either():
    state = read_state({"nodes": NODES, "pending": [waits("firm", preemptible=False), waits("other")]})
    after = state.applied(decide(state.snapshot()).plan)
    jobs = [job for job in after.jobs.values() if isinstance(job, Running)]
    assert {job.job_id: job.preemptible for job in jobs} == {"firm": False, "other": True}


def test_what_leaves_has_left_in_the_next_round():
    leaving = runs("ends", "n0", 2, leaving=True)
    kept = waits("kept", 2, nominated=[{"node": "n0", "gpus": [0, 1]}])
    found = rounds(2, running=[leaving, runs("r", "n1", 2)], pending=[kept])
    assert [one["reason"]["code"] for one in found["rounds"][0]["waiting"]] == ["making_room"]
    (start,) = found["rounds"][1]["starts"]
    assert (start["job"], start["tasks"][0]["node"]) == ("kept", "n0")


def test_extras_are_taken_back_alone():
    roles = [{"name": "w", "replicas": 2, "min": 1, "resources": {"gpus": 2, "gpu": "A100"}}]
    wide = {"id": "wide", "priority": "low", "roles": roles, "tasks": ["n0", "n1"]}
    found = rounds(2, running=[wide], pending=[waits("one", 2)])
    (eviction,) = found["rounds"][0]["evictions"]
    assert (eviction["whole"], [task["task"] for task in eviction["tasks"]]) == (False, ["w-1"])
    assert found["stable"]


def test_what_the_evicted_used_stays_in_their_score():
    busy = [runs("low", "n0", 2, priority="low", owner="bob"), runs("same", "n1", 2, owner="eve")]
    found = rounds(2, running=busy, pending=[waits("high", 2, priority="high")])
    before, after = (one["scores"]["bob"]["A100"] for one in found["rounds"])
    assert before == pytest.approx(after)
    assert before > 0


def test_an_empty_cluster_keeps_everybody_waiting():
    found = decide_file({"nodes": [], "pending": [waits("j")]})
    assert [one["reason"]["code"] for one in found["waiting"]] == ["no_such_node"]
