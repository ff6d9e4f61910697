"""The guide to projects and priorities does what it says, and what was ruled outlives the server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from danlu.sdk import Client, NotAllowed
from tests.live import PATIENCE, LiveServer, live_server

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "projects-and-priorities.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run(server: LiveServer, folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env={**server.env(), "PATH": path}, capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.timeout(300)
def test_the_commands_of_the_guide_work_and_what_they_ruled_outlives_the_server(tmp_path: Path) -> None:
    blocks = BLOCK.findall(GUIDE.read_text())
    options = ("--engine", "simulated", "--virtual-nodes", "2x8xA100")
    with live_server(tmp_path, *options, DANLU_PROJECTS="public,vision") as server:
        for block in blocks:
            result = run(server, tmp_path, block)
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
        told = ruled(server)
        assert told == {
            "projects": [("nlp", 2.0), ("public", 1.0), ("vision", None)],
            "priorities": ["high", "low", "normal", "urgent"],
            "pools": ["default"],
            "flavors": ["a100-1"],
            "limits": ["workspaces"],
            "quotas": ["default", "user:mei"],
            "urgent": (True, 40),
            "labels": {"rack": "r1"},
        }
        server.kill()
        server.start()
        assert ruled(server) == told
        with Client(url=server.url, token=engineer(server)) as client:
            assert client.projects.create("mine").creator == "mei"
            with pytest.raises(NotAllowed, match="weight: only administrators can set this"):
                client.projects.edit("mine", weight=9)


def ruled(server: LiveServer) -> dict[str, object]:
    client = server.client()
    (labels,) = (node.labels for node in client.machines.nodes.list() if node.name == "a100-0")
    return {
        "projects": [(one.name, one.weight) for one in client.projects.list()],
        "priorities": [one.name for one in client.rules.priorities.list()],
        "pools": [one.name for one in client.rules.pools.list()],
        "flavors": [one.name for one in client.flavors.list()],
        "limits": [one.name for one in client.rules.limits.list()],
        "quotas": [one.name for one in client.quotas.list()],
        "urgent": next(
            (one.needs_reason, one.budget) for one in client.rules.priorities.list() if one.name == "urgent"
        ),
        "labels": {key: value for key, value in labels.items() if key in ("rack", "org")},
    }


def engineer(server: LiveServer) -> str:
    """A token of the person the guide made."""
    server.client().people.edit("mei", password="correct horse")
    with httpx.Client(base_url=f"{server.url}/api/v1") as client:
        signed = client.post("/session", json={"username": "mei", "password": "correct horse"}).json()
        assert signed["user"]["groups"] == ["leads"]
        made = client.post("/tokens", json={"name": "test"}, headers={"X-CSRF-Token": signed["csrf"]})
        return str(made.json()["secret"])
