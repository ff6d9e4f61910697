"""The examples of `danlu sim decide` show what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from danlu.files.state_file import schema
from danlu.sdk.code.jobfile import read
from danlu.simulator.decide import decide_file

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "sim"
EXAMPLES = sorted(path.name for path in FOLDER.iterdir())


def decided(name: str) -> dict[str, Any]:
    return decide_file(read(str(FOLDER / name)).data)


def placed(plan: dict[str, Any], key: str = "starts") -> dict[str, list[str]]:
    """job → task@node:cards of each task."""
    return {
        entry["job"]: [
            f"{task['task']}@{task['node']}:{','.join(str(gpu['index']) for gpu in task['gpus'])}"
            for task in entry["tasks"]
        ]
        for entry in plan[key]
    }


def why(plan: dict[str, Any]) -> dict[str, str]:
    return {one["job"]: one["reason"]["code"] for one in plan["waiting"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_second_decision_changes_nothing(name: str):
    data = read(str(FOLDER / name)).data
    found = decide_file(data, 2)
    assert found["stable"]
    assert found["rounds"][0] == decide_file(data)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_on_the_page(name: str):
    assert f"`{name}`" in (ROOT / "docs" / "reference" / "sim-decide.md").read_text()


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_fits_the_schema(name: str):
    validator = jsonschema_rs.validator_for(schema())
    assert validator.is_valid(read(str(FOLDER / name)).data)
    assert not validator.is_valid({"nodes": [{"nam": "n1"}]})


def test_order():
    plan = decided("order.yaml")
    assert plan["queue"]["A100/single"] == [
        "pinned-late", "pinned-early", "by-priority", "own-order-first", "own-order-second", "by-score-second", "by-score-last",
    ]  # fmt: skip
    assert plan["starts"] == plan["evictions"] == []


def test_gang():
    plan = decided("gang.yaml")
    assert [task.split("@")[0] for task in placed(plan)["with-servers"]] == [
        "ps-0",
        "ps-1",
        "worker-0",
        "worker-1",
        "worker-2",
    ]
    assert why(plan) == {"four-nodes": "not_enough_gpus"}


def test_models():
    plan = decided("models.json")
    total = placed(plan)["twelve-in-all"]
    assert sum(len(task.split(":")[1].split(",")) for task in total) == 12
    assert set(placed(plan)) == {"twelve-in-all", "either", "half", "no-card"}
    assert placed(plan)["half"] == ["worker-0@h0:3"]
    assert why(plan) == {"no-such": "no_such_node"}


def test_shares():
    plan = decided("shares.yaml")
    assert [(one["job"], one["made_for"], one["reason"]["code"]) for one in plan["evictions"]] == [
        ("lent-long", "returns", "reclaimed")
    ]
    assert plan["starts"][0]["after"] == ["lent-long"]
    assert why(plan)["never"] == "project_closed"


def test_preemption():
    plan = decided("preemption.yaml")
    assert [(one["job"], one["reason"]["code"]) for one in plan["evictions"]] == [("low-young", "preempted")]
    assert placed(plan)["emergency"] == ["worker-0@n0:1"]


def test_elastic():
    plan = decided("elastic.yaml")
    assert placed(plan, "growths") == {"growing": ["worker-1@h1:0,1,2,3"]}
    assert [(one["job"], one["whole"]) for one in plan["evictions"]] == [("stretched", False)]
    assert placed(plan)["wants-one"] == ["worker-0@n2:0,1,2,3"]


def test_backfill():
    plan = decided("backfill.yaml")
    assert {job: task[0].split("@")[1][:2] for job, task in placed(plan).items()} == {
        "short": "n0",
        "elsewhere": "n1",
    }
    assert why(plan) == {"head": "not_enough_gpus", "too-long": "reserved_for"}


def test_topology():
    plan = decided("topology.yaml")
    racks = {job: {task.split("@")[1][0] for task in tasks} for job, tasks in placed(plan).items()}
    assert racks == {"one-rack": {"b"}, "close-if-possible": {"a"}}
    assert why(plan) == {"impossible": "no_such_node"}


def test_limits():
    plan = decided("limits.json")
    assert set(placed(plan)) == {"just-right", "lesson0", "lesson1", "a-day"}
    assert why(plan) == {"too-many": "over_limit", "lesson2": "project_cap", "endless": "run_time_limit"}


def test_clusters():
    plan = decided("clusters.yaml")
    clusters = {job: {task.split("@")[1][:4] for task in tasks} for job, tasks in placed(plan).items()}
    assert clusters == {"in-one-cluster": {"west"}, "beside-others": {"east"}, "whole-node": {"west"}}
    assert why(plan) == {"more-than-one-has": "no_such_node", "refused-twice": "held_back"}


def test_volumes():
    plan = decided("volumes.yaml")
    assert list(placed(plan)) == ["other"]
    assert why(plan) == {"second": "volume_busy", "reader": "volume_busy"}
    told = {one["job"]: one["reason"]["text"]["en"] for one in plan["waiting"]}
    assert told["second"] == "volume disk is written by job first until about 2026-03-01 11:00 UTC"
    assert told["reader"] == "volume disk is written by a job of lin until about 2026-03-01 11:00 UTC"
