"""The whole walk on a real cluster: from `danlu cluster create` to the last line of a gang's log."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from danlu.sdk import Client
from tests.kubernetes.beside import DanluBeside
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tools.dev.places import ROOT

pytestmark = pytest.mark.own_cluster
SMALL = {"cpus": 0.1, "memory": "64MiB"}


def pods_of(kube: Kube, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kube.get(kube.path("pods"), labelSelector=f"danlu.io/job={job}")["items"]
    return found


@pytest.mark.cards
def test_a_gang_over_two_nodes_finds_itself_and_runs_to_the_end(danlu: DanluBeside, place: Place) -> None:
    text = (ROOT / "examples" / "kubernetes" / "two-nodes.yaml").read_text()
    # Two whole nodes' worth of cards put the tasks on different machines.
    text = text.replace("python:3.12-slim", place.python).replace("memory: 256MiB", "memory: 256MiB, gpus: 8")
    (danlu.root / "two.yaml").write_text(text)
    sent = danlu.cli("submit", "two.yaml")
    assert sent.returncode == 0, sent.stderr
    with danlu.client() as client:
        job = client.wait("two-nodes")
        assert job.state == "completed", (job.reason, danlu.cli("events", "two-nodes").stdout)
        assert "hello from worker-0" in danlu.cli("logs", "two-nodes", "--task", "worker-1").stdout
        told = danlu.cli("events", "two-nodes").stdout
    assert "a100-0.lab" in told
    assert "a100-1.lab" in told
    for word in ("worker-0", "worker-1", "running"):
        assert word in told


def test_code_that_was_uploaded_is_in_the_pod(danlu: DanluBeside, place: Place) -> None:
    folder = danlu.root / "project"
    folder.mkdir()
    (folder / "train.py").write_text("print('trained', __file__)")
    ran = danlu.cli(
        *("run", "--image", place.python, "--code", str(folder), "--memory", "64MiB", "--cpus", "0.1"),
        *("--", "python3", "train.py"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "trained" in ran.stdout


def test_a_terminal_reaches_into_a_pod(danlu: DanluBeside, place: Place) -> None:
    with danlu.client() as client:
        client.submit(
            {
                "kind": "training",
                "name": "open",
                "image": place.busybox,
                "command": "sleep 600",
                "resources": SMALL,
            }
        )
        wait_for_state(client, "open", "running")
        said = danlu.cli("exec", "open", "--", "sh", "-c", "echo in $DANLU_TASK; exit 4")
        assert "in worker-0" in said.stdout
        assert said.returncode == 4
        client.stop("open")
        assert client.wait("open").state == "stopped"


def wait_for_state(client: Client, name: str, state: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while client.get(name).state != state:
        assert time.monotonic() < deadline, (client.get(name).state, client.get(name).reason)
        time.sleep(0.1)


def test_a_danlu_that_died_finds_its_pods_again(danlu: DanluBeside, place: Place) -> None:
    command = "for n in 1 2 3 4 5 6; do echo line $n; sleep 1; done"
    with danlu.client() as client:
        client.submit(
            {
                "kind": "training",
                "name": "lasting",
                "image": place.busybox,
                "command": command,
                "resources": SMALL,
            }
        )
        wait_for_state(client, "lasting", "running")
    danlu.kill()
    danlu.start()
    with danlu.client() as client:
        job = client.wait("lasting")
        assert job.state == "completed"
        lines = danlu.cli("logs", "lasting").stdout.split("\n")
    assert [line for line in lines if line.startswith("line")] == [f"line {n}" for n in range(1, 7)]
    assert len({pod["metadata"]["uid"] for pod in pods_of(danlu.kube, job.id)}) <= 1


def test_what_the_cluster_lacks_is_said_before_it_is_added(danlu: DanluBeside) -> None:
    said = danlu.cli("cluster", "check", "lab", "--json")
    findings = json.loads(said.stdout)["findings"]
    assert all(one["level"] != "missing" for one in findings), findings
