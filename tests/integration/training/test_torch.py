"""PyTorch for real: torchrun on virtual nodes, preempted, resumed, and with fewer workers than it wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.sdk import Client
from tests.live import LiveServer, eventually, live_server, training
from tools.dev.environments import torch_environment
from tools.dev.places import ROOT

EXAMPLES = ROOT / "examples"
NODES = "2x2xA100"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    options = ("--virtual-nodes", NODES, "--python", str(torch_environment()))
    with live_server(tmp_path_factory.mktemp("torch"), *options, DANLU_MINIMUM_RUN_TIME="0s") as live:
        yield live


def submitted(server: LiveServer, example: str, name: str, command: str, **keys: Any) -> str:
    """The example's code under another name and command; the job's id."""
    client = server.client()
    file = {**training(name, command, **keys), "code": {"path": str(EXAMPLES / example)}}
    return client.submit(file).id


def curve(client: Client, job: str) -> dict[int, float]:
    """Loss by step, as all attempts together tell it."""
    return {point.step: point.value for point in client.metric_values(job, ["loss"])}


def said(client: Client, job: str, text: str) -> bool:
    return any(text in line.text for line in client.logs(job))


def completes(client: Client, job: str) -> None:
    """Loading torch in every process takes minutes on a busy machine; whoever waits in vain is told where it stood."""
    eventually(lambda: client.get(job).ended_at, 240)
    found = client.get(job)
    told = [line.text for line in client.logs(job)][-20:]
    assert found.state == "completed", f"{found.reason}: {told}"


@pytest.mark.timeout(500)
def test_an_example_trains_on_two_nodes_with_two_processes_each(server: LiveServer) -> None:
    ran = server.cli("run", str(EXAMPLES / "pytorch" / "job.yaml"), timeout=400)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ranks = {
        int(rank): task for rank, task in re.findall(r"rank (\d) of 4 in (worker-\d) on cpu", ran.stdout)
    }
    assert ranks == {0: "worker-0", 1: "worker-0", 2: "worker-1", 3: "worker-1"}

    client = server.client()
    job = client.get("pytorch-ddp")
    losses = curve(client, job.id)
    assert sorted(losses) == list(range(200))
    assert losses[199] < losses[0] / 100
    assert job.saved is not None
    assert job.saved.step == 200


@pytest.mark.timeout(900)
def test_a_preempted_training_resumes_at_its_step_with_the_same_curve(server: LiveServer) -> None:
    client = server.client()
    size = {"cpus": 1, "memory": "2GiB", "gpus": 2}
    keys = {"framework": "pytorch", "nodes": 2, "processes": 1, "resources": size}
    command = "python train.py --steps 60 --pause 0.2"

    whole = submitted(server, "pytorch-elastic", "undisturbed", command.replace("0.2", "0"), **keys)
    completes(client, whole)

    job = submitted(server, "pytorch-elastic", "disturbed", command, **keys)
    eventually(lambda: len(curve(client, job)) >= 25)
    urgent = client.submit(training("urgent-one", "sleep 1", priority="high", resources=size))
    completes(client, urgent.id)
    completes(client, job)

    first, second = client.get(job).attempts
    assert first.reason is not None
    assert first.reason.code == "preempted"
    assert first.saved is not None
    assert second.resumed == first.saved
    step = first.saved.step
    assert step is not None
    assert 25 <= step < 60, "it was asked to save, and did so where it was"
    assert first.story is not None
    assert f"from checkpoint step {step}" in first.story["en"]
    assert said(client, job, f"2 workers, from step {step}")
    assert curve(client, job) == curve(client, whole), "not a number differs"


@pytest.mark.timeout(400)
def test_an_elastic_training_goes_on_with_fewer_workers_and_grows_again(server: LiveServer) -> None:
    client = server.client()
    roles = [{"name": "worker", "replicas": 3, "min": 2}]
    keys = {"framework": "pytorch", "strategy": "elastic", "roles": roles}
    job = submitted(
        server,
        "pytorch-elastic",
        "elastic",
        "python train.py --steps 150",
        resources={"cpus": 1, "memory": "2GiB"},
        **keys,
    )
    eventually(lambda: len(curve(client, job)) >= 25)
    server.cli("exec", "--task", "worker-2", "elastic", "--", "/bin/sh", "-c", "kill -9 -1")
    eventually(lambda: client.get(job).state == "completed", 240)

    told = client.get(job)
    tasks = {task.name: task.state for task in told.tasks}
    assert tasks["worker-2"] == "failed"
    assert tasks["worker-3"] == "succeeded"
    assert len(told.attempts) == 1, "one attempt: it never started over"
    assert sorted(curve(client, job)) == list(range(150))
    assert any("the job continues without it" in event.text["en"] for event in client.events(job))
