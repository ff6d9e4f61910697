"""What the local engine gives a task for its training: `import danlu` anywhere, a folder for checkpoints, and a way to
tell of them."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from danlu.bootstrap.clock import SystemClock
from danlu.domain.events import CheckpointSaved, TaskEnded, TaskEvent
from danlu.domain.people import FIRST_UID
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.engines.local import LocalEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports import supervision
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.ports.logs import LogKey
from danlu.ports.reports import read_points, reports_folder
from danlu.telemetry.logs import log_path
from tests.live import PATIENCE

TRAINING = """
import os, danlu
assert sorted(os.listdir(os.environ["PYTHONPATH"].split(":")[-1])) == ["danlu"]
for step in range(10):
    danlu.log(step, loss=1 / (step + 1))
path = os.path.join(os.environ["DANLU_CHECKPOINT_DIR"], "model")
with open(path, "w") as file:
    file.write("weights")
danlu.checkpoint(path, step=10)
print(path)
"""
Run = Callable[..., list[TaskEvent]]


@pytest.fixture(params=["auto", "process"])
def run(request: pytest.FixtureRequest, tmp_path: Path):
    """Runs a command as the only task of a job, at each level of isolation."""
    engine = LocalEngine(
        uid_of=lambda _: FIRST_UID,
        share_user=False,
        runs=tmp_path / "runs",
        volumes=tmp_path / "volumes",
        hidden=(tmp_path,),
        log_path=lambda key: log_path(tmp_path / "logs", key),
        archive_path=lambda digest: tmp_path / digest,
        nodes=virtual_nodes("1x1xA100"),
        isolation=request.param,
        python=None,
        clock=SystemClock(),
    )

    def ran(argv: tuple[str, ...], **env: str) -> list[TaskEvent]:
        node = engine.inventory()[0].name
        size = Resources(1000, GIB)
        task = TaskOrder("worker-0", "worker", node, "127.0.0.1", (), size, argv, env, False)
        engine.start(AttemptOrder("j7-1", "j7", 1, "lin", "host", None, (task,), job_name="first-steps"))
        seen: list[TaskEvent] = []
        deadline = time.monotonic() + PATIENCE
        while not any(isinstance(event, TaskEnded) for event in seen) and time.monotonic() < deadline:
            seen += engine.events()
            time.sleep(0.02)
        return seen

    yield ran
    engine.forget("j7-1")
    engine.close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})


@pytest.mark.parametrize("python", [sys.executable, "/usr/bin/python3"])
def test_any_python_can_tell_of_its_training(run: Run, tmp_path: Path, python: str):
    python = python if Path(python).exists() else str(shutil.which("python3"))
    *_, saved, ended = run((python, "-c", TRAINING), PYTHONPATH="/mine")
    log = log_path(tmp_path / "logs", LogKey("j7", 1, "worker-0"))
    assert isinstance(ended, TaskEnded)
    assert ended.reason is None, log.read_text()
    assert isinstance(saved, CheckpointSaved)
    assert (saved.task, saved.step) == ("worker-0", 10)
    assert saved.path in log.read_text()
    assert len(read_points(reports_folder(str(log)))[0]) == 10
    kept = tmp_path / "volumes" / "lin" / "checkpoints" / "first-steps-j7" / "model"
    assert kept.read_text() == "weights"


def test_a_folder_of_ones_own_for_checkpoints_counts(run: Run, tmp_path: Path):
    run(("/bin/sh", "-c", "echo at $DANLU_CHECKPOINT_DIR"), DANLU_CHECKPOINT_DIR="/elsewhere")
    assert "at /elsewhere" in log_path(tmp_path / "logs", LogKey("j7", 1, "worker-0")).read_text()
    assert not (tmp_path / "volumes" / "lin" / "checkpoints").exists()


def test_a_link_in_the_place_of_the_folder_leads_only_the_task(run: Run, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "volumes" / "lin").mkdir(parents=True)
    (tmp_path / "volumes" / "lin" / "checkpoints").symlink_to(elsewhere)
    *_, ended = run(("/bin/true",))
    assert isinstance(ended, TaskEnded)
    assert list(elsewhere.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_keeps_nobody_from_starting(run: Run, tmp_path: Path):
    (tmp_path / "volumes" / "lin").mkdir(parents=True)
    (tmp_path / "volumes" / "lin" / "checkpoints").write_text("older than Danlu")
    *_, ended = run(("/bin/true",))
    assert isinstance(ended, TaskEnded)
    assert ended.reason is None
