"""Every framework's example for real, as a user runs it: one command, two tasks, a loss that falls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live import live_server
from tools.dev.environments import environment

EXAMPLES = {
    "pytorch": "torch",
    "pytorch-elastic": "torch",
    "mpi": "torch",
    "deepspeed": "deepspeed",
    "tensorflow-workers": "tensorflow",
    "tensorflow-ps": "tensorflow",
    "jax": "jax",
    "paddle": "paddle",
    "plain-resume": "torch",
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_with_one_command(example: str, tmp_path: Path) -> None:
    python = environment(EXAMPLES[example])
    with live_server(tmp_path, "--virtual-nodes", "2x2xA100", "--python", str(python)) as server:
        ran = server.cli("example", "run", example, timeout=500)
        print(ran.stdout)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        client = server.client()
        (job,) = client.jobs()
        losses = [point.value for point in client.metric_values(job.id, ["loss"])]
        assert len(losses) >= 20
        assert losses[-1] < losses[0] / 2
        assert client.get(job.id).state == "completed"
