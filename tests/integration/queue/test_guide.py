"""The guide to the queue does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import PATIENCE, live_server

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "the-queue.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.timeout(300)
def test_the_commands_of_the_guide_work_and_say_what_it_promises(tmp_path: Path) -> None:
    options = ("--engine", "simulated", "--virtual-nodes", "2x8xA100")
    with live_server(tmp_path, *options) as server:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        said = ""
        for block in BLOCK.findall(GUIDE.read_text()):
            result = subprocess.run(
                ["bash", "-e", "-c", block], cwd=tmp_path, env={**server.env(), "PATH": path}, capture_output=True,
                text=True, timeout=PATIENCE,
            )  # fmt: skip
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
            said += result.stdout
        assert "third is queued: needs 8 × A100; room for 0 of 1 tasks now" in said
        assert "fourth is queued: behind 1 job waiting for the same nodes" in said
        assert "Ahead of it for A100, single:" in said

        client = server.client()
        assert [one.name for one in client.queue(job_class="single", owner="me")] == ["fourth", "third"]
        (score,) = client.scores()
        rows = list(client.ledger(score.user, model="A100"))
        assert [row.job_name for row in rows if row.ended is None] == ["second#1", "first#1"]
        assert [(lane.job_class, lane.waiting) for lane in client.lanes()] == [
            ("distributed", 2),
            ("single", 2),
        ]
