"""The agents of a gang as bare processes: what they do when one of them is missing or goes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import PATIENCE

pytestmark = pytest.mark.timeout(60)

RUN = """
import sys
from danlu.runtime.gang import following
from danlu.runtime.gang import leading
leading.LONGEST_WAIT = following.LONGEST_WAIT = float(sys.argv[1])
from danlu.runtime.mpi import main
from tests.live import PATIENCE
sys.exit(main(sys.argv[2:]))
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Starter:
    """Starts one of two tasks; `wait` is how long it waits for the other."""

    def __init__(self, folder: Path) -> None:
        self.ports = {f"worker-{index}": free_port() for index in range(2)}
        self.started: list[subprocess.Popen[str]] = []
        self._folder = folder

    def __call__(self, task: str, *command: str, wait: float = 30) -> subprocess.Popen[str]:
        env = {
            **os.environ,
            "DANLU_TASK": task,
            "DANLU_TASK_TOKEN": "danlu_task_j1-1_test",
            "DANLU_SEATS": json.dumps([[name, "127.0.0.1", port, 1] for name, port in self.ports.items()]),
            "TMPDIR": str(self._folder),
        }
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(wait), *command], env=env, stderr=subprocess.PIPE, text=True
        )
        self.started.append(process)
        return process


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    starter = Starter(tmp_path)
    yield starter
    for process in starter.started:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said.strip()


def test_the_others_end_well_when_the_command_has(start: Starter, tmp_path: Path) -> None:
    follower, lead = start("worker-1"), start("worker-0", "true")
    assert (ended(lead), ended(follower)) == ((0, ""), (0, ""))
    assert not list(tmp_path.iterdir()), "their folders are gone"


def test_the_command_decides_how_the_first_task_ends(start: Starter) -> None:
    follower, lead = start("worker-1"), start("worker-0", "sh", "-c", "exit 7")
    assert (ended(lead)[0], ended(follower)[0]) == (7, 0)


def test_a_task_that_does_not_come_up_is_named(start: Starter) -> None:
    code, said = ended(start("worker-0", "true", wait=0.3))
    assert code == 1
    assert said.startswith("danlu: the agent of worker-1 did not answer within")


def test_an_agent_that_nobody_leads_does_not_wait_for_ever(start: Starter) -> None:
    code, said = ended(start("worker-1", wait=0.3))
    assert code == 1
    assert said.startswith("danlu: worker-0, which leads the run, did not connect within")


def test_a_task_that_goes_away_ends_the_run(start: Starter, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    follower = start("worker-1")
    lead = start("worker-0", "sh", "-c", f"echo >{begun}; sleep 60")
    begun.read_text()
    follower.kill()
    assert ended(lead) == (1, "danlu: worker-1 is gone; the run ends")


def test_a_port_that_is_taken_is_named(start: Starter) -> None:
    with socket.create_server(("127.0.0.1", start.ports["worker-1"])):
        code, said = ended(start("worker-1"))
    assert code == 1
    assert (
        said
        == f"danlu: the agent cannot listen at 127.0.0.1:{start.ports['worker-1']}: Address already in use"
    )
