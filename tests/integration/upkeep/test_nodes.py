"""Nodes are drained under real processes, and the guide to nodes does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from danlu.sdk import Client, Job
from tests.live import PATIENCE, LiveServer, live_server

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "nodes.md"
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SAVES = """
trap 'echo saved >> "$PLACE"; exit 1' TERM
echo began >> "$PLACE"
while true; do sleep 0.1; done
"""


def until(found: Callable[[], Job], right: Callable[[Job], bool]) -> Job:
    deadline = time.monotonic() + PATIENCE
    while not right(job := found()):
        assert time.monotonic() < deadline, job
        time.sleep(0.05)
    return job


def nodes_of(job: Job) -> list[str]:
    return [str(task.node) for task in job.tasks if task.state == "running"]


@pytest.mark.timeout(180)
def test_a_drained_job_saves_queues_again_and_runs_elsewhere_though_the_server_dies(tmp_path: Path) -> None:
    place = tmp_path / "said"
    with live_server(tmp_path, "--virtual-nodes", "2x1xA100", "--isolation", "process") as server:
        client = server.client()
        file = {
            "kind": "training", "name": "train", "command": SAVES, "env": {"PLACE": str(place)},
            "resources": {"gpus": 1, "gpu": "A100", "cpus": 1, "memory": "64MiB"},
        }  # fmt: skip
        client.submit(file)
        first = until(lambda: client.get("train"), lambda job: bool(nodes_of(job)) and place.exists())
        (node,) = nodes_of(first)
        assert [job["name"] for job in client.machines.nodes.drain([node], "1s", preview=True).jobs] == [
            "train"
        ]
        client.machines.nodes.drain([node], "1s", note="new fans")
        server.kill()
        server.start()
        client = server.client()
        again = until(lambda: client.get("train"), lambda job: len(job.attempts) == 2 and bool(nodes_of(job)))
        assert nodes_of(again) != [node]
        until(lambda: client.get("train"), lambda _: place.read_text().split() == ["began", "saved", "began"])
        assert [str(one.reason.code) for one in again.attempts if one.reason] == ["node_drained"]
        kinds = [event.kind for event in client.events("train")]
        assert kinds.count("evicted") == 1
        shown = client.machines.nodes.get(node)
        assert (shown.state, shown.note, shown.closes_at) == ("cordoned", "new fans", shown.drain_by)
        assert [one.ok for one in client.machines.nodes.cordon([node], False)] == [True]
        assert client.machines.nodes.get(node).state == "ready"


@pytest.mark.timeout(180)
def test_the_commands_of_the_guide_work(tmp_path: Path) -> None:
    text = GUIDE.read_text()
    with live_server(tmp_path, "--engine", "simulated", "--virtual-nodes", "2x8xA100") as server:
        for block in SHELL.findall(text):
            result = run(server, tmp_path, ["bash", "-e", "-c", block])
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
        for block in PYTHON.findall(text):
            result = run(server, tmp_path, [sys.executable, "-c", block])
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
        client: Client = server.client()
        assert [(one.name, one.state) for one in client.machines.maintenance.list()] == [
            ("cooling", "planned"),
            ("disks", "planned"),
        ]
        assert {(node.pool, node.state, node.maintenance) for node in client.machines.nodes.list()} == {
            ("default", "ready", "cooling")
        }


def run(server: LiveServer, folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={**server.env(), "PATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
