"""`danlu compare`: what differs between jobs, and where their metrics are."""

from __future__ import annotations

import json

import pytest

from tests.fakes.http_server import FakeServer
from tests.unit.cli.conftest import Danlu


@pytest.fixture
def two(server: FakeServer) -> FakeServer:
    for name, rate, loss in (("slow", "0.1", 0.5), ("fast", "0.3", None)):
        job = {"id": f"j-{name}", "name": name, "state": "completed", "owner": "lin"}
        job["spec"] = {"name": name, "command": "python train.py", "env": {"LR": rate}}  # type: ignore[assignment]
        last = {"name": "loss", "tasks": ["worker-0"], "last": {"step": 9, "time": 5, "value": loss}}
        server.on("GET", f"jobs/{name}", job)
        server.on("GET", f"jobs/j-{name}", job)
        server.on("GET", f"jobs/j-{name}/metrics", {"names": [last], "series": []})
    return server


def test_what_differs_and_the_last_values_stand_side_by_side(danlu: Danlu, two: FakeServer):
    shown = danlu("compare", "slow", "fast")
    assert shown.code == 0
    assert [line.split() for line in shown.out.splitlines()] == [
        ["slow", "fast"], ["state", "completed", "completed"], ["env.LR", "0.1", "0.3"], ["loss", "0.5", "nan"],
    ]  # fmt: skip
    assert "1 parameters are the same" in shown.err
    assert "python train.py" in danlu("compare", "slow", "fast", "--all").out


def test_a_script_gets_the_same_as_json(danlu: Danlu, two: FakeServer):
    found = json.loads(danlu("compare", "slow", "fast", "--json").out)
    assert [job["name"] for job in found["jobs"]] == ["slow", "fast"]
    assert found["parameters"][0] == {"name": "env.LR", "values": ["0.1", "0.3"], "differs": True}
    assert found["metrics"] == [{"name": "loss", "values": [0.5, "nan"]}]


@pytest.mark.parametrize("jobs", [("slow",), ("slow", "slow"), tuple(f"job-{at}" for at in range(11))])
def test_one_job_or_too_many_are_refused_with_the_bound(danlu: Danlu, two: FakeServer, jobs: tuple[str, ...]):
    shown = danlu("compare", *jobs)
    assert shown.code == 2
    assert "two to 10 different jobs" in shown.err
