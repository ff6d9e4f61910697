"""Jobs beside each other, from Python."""

from __future__ import annotations

import math

from danlu.sdk import Client
from danlu.sdk.resources.compare import LastMetric, Parameter, parameters
from tests.fakes.http_server import FakeServer


def test_parameters_that_differ_come_first_and_the_name_is_none():
    one = {"name": "a", "command": ["python", "train.py"], "env": {"LR": "0.1", "SEED": "1"}}
    two = {"name": "b", "command": ["python", "train.py"], "env": {"LR": "0.3"}, "nodes": 2}
    assert parameters([one, two]) == (
        Parameter("env.LR", ("0.1", "0.3"), True),
        Parameter("env.SEED", ("1", None), True),
        Parameter("nodes", (None, "2"), True),
        Parameter("command", ("python train.py", "python train.py"), False),
    )


def test_jobs_are_read_with_the_last_values_of_their_metrics(server: FakeServer, client: Client):
    for name, metrics in (("a", {"loss": 0.5, "lr": 0.1}), ("b", {"loss": None})):
        names = [
            {"name": each, "tasks": ["worker-0"], "last": {"step": 2, "time": 20, "value": value}}
            for each, value in metrics.items()
        ]
        server.on("GET", f"jobs/{name}", {"id": name, "name": name, "spec": {"name": name, "nodes": 1}})
        server.on("GET", f"jobs/{name}/metrics", {"names": names, "series": []})
    found = client.compare(["a", "b"])
    assert [job.name for job in found.jobs] == ["a", "b"]
    assert found.parameters == (Parameter("nodes", ("1", "1"), False),)
    loss, rate = found.metrics
    assert rate == LastMetric("lr", (0.1, None))
    assert loss.values[0] == 0.5
    assert math.isnan(loss.values[1] or 0)
