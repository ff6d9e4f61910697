"""What MPI and Horovod give to the tasks of a gang."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from danlu.frameworks.base import Command, Gang, Seat
from danlu.frameworks.catalog import framework
from danlu.ports.engine import addressed, at


def gang(*tasks: str, command: Command = "python train.py") -> Gang:
    """Tasks of two processes each."""
    seats = []
    for rank, name in enumerate(tasks):
        role, _, index = name.rpartition("-")
        seats.append(Seat(name, role, int(index), rank, at(name), 20_000 + rank, 0, 2, command))
    return Gang("j1-1", "all-reduce", tuple(seats), len(seats), len(seats))


def words(name: str, whole: Gang, rank: int = 0) -> tuple[str, ...]:
    """What the agent of a task is told to run."""
    command = framework(name).given(whole, whole.seats[rank]).command
    assert isinstance(command, tuple)
    assert command[:2] == ("/bin/sh", "-c")
    return command[4:]


@pytest.mark.parametrize(
    ("command", "run"),
    [
        ("python train.py", ("/bin/sh", "-c", "mpirun python train.py")),
        (("python3", "train.py", "a b"), ("mpirun", "python3", "train.py", "a b")),
        ("mpirun -np 2 ./solve", ("/bin/sh", "-c", "mpirun -np 2 ./solve")),
        ("bash run.sh", ("/bin/sh", "-c", "bash run.sh")),
    ],
)
def test_the_first_task_runs_python_by_mpirun_and_all_else_as_it_is(
    command: Command, run: tuple[str, ...]
) -> None:
    assert words("mpi", gang("worker-0", "worker-1", command=command)) == run


@pytest.mark.parametrize(
    ("command", "run"),
    [
        ("horovodrun python train.py", "mpirun python train.py"),
        ("horovodrun -np 4 python train.py", "mpirun -np 4 python train.py"),
        ("horovodrun --num-proc=4 ./train", "mpirun -np 4 ./train"),
        ("horovodrun --gloo -np 4 python train.py", "horovodrun --gloo -np 4 python train.py"),
        ("python train.py", "mpirun python train.py"),
    ],
)
def test_horovod_is_run_by_mpirun_unless_it_has_options_of_its_own(command: str, run: str) -> None:
    assert words("horovod", gang("worker-0", command=command)) == ("/bin/sh", "-c", run)


def test_all_but_the_one_that_leads_run_nothing_of_their_own() -> None:
    whole = gang("worker-0", "launcher-0", "worker-1")
    assert [bool(words("mpi", whole, rank)) for rank in range(3)] == [False, True, False]


def test_a_launcher_leads_and_has_no_slots() -> None:
    whole = gang("worker-0", "launcher-0", "worker-1")
    rows: Any = framework("mpi").given(whole, whole.seats[2]).env["DANLU_SEATS"]
    addresses = {"launcher-0": "10.0.0.1", "worker-0": "10.0.0.2", "worker-1": "10.0.0.3"}
    assert json.loads(addressed(rows, addresses)) == [
        ["launcher-0", "10.0.0.1", 20_001, 0],
        ["worker-0", "10.0.0.2", 20_000, 2],
        ["worker-1", "10.0.0.3", 20_002, 2],
    ]


def run_without(tmp_path: Path, python: bool) -> subprocess.CompletedProcess[str]:
    """The launch line where there is no Python, or one without Danlu."""
    if python:
        (tmp_path / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
        (tmp_path / "python3").chmod(0o755)
    whole = gang("worker-0")
    command = framework("mpi").given(whole, whole.first).command
    return subprocess.run(
        list(command), env={"PATH": str(tmp_path)}, cwd=tmp_path, capture_output=True, text=True
    )


def test_an_image_without_python_is_told_what_it_lacks(tmp_path: Path) -> None:
    ran = run_without(tmp_path, python=False)
    assert ran.returncode == 127
    assert "needs python3 and the danlu package in the image: python3 is not there" in ran.stderr


def test_an_image_without_danlu_is_told_what_it_lacks(tmp_path: Path) -> None:
    ran = run_without(tmp_path, python=True)
    assert ran.returncode == 1
    assert "needs the danlu package in the image (pip install danlu)" in ran.stderr
