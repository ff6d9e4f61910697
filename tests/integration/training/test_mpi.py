"""MPI for real: mpirun, mpi4py and Danlu's launch agents on two virtual nodes, as a person would use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.runtime.isolation import tree
from danlu.sdk import Client
from danlu.sdk.models import Job
from tests.live import PATIENCE, LiveServer, eventually, live_server, training
from tools.dev.environments import torch_environment

pytestmark = pytest.mark.timeout(180)

SUMS = """
import os, socket
from mpi4py import MPI

world = MPI.COMM_WORLD
neighbours = world.Split_type(MPI.COMM_TYPE_SHARED).size
total = world.allreduce(world.rank + 1)
place = (os.environ["DANLU_TASK"], socket.gethostname(), os.path.basename(os.path.dirname(os.getcwd())))
for line in world.gather(f"{world.rank} of {world.size}: {' '.join(place)} sum {total} with {neighbours}") or ():
    print(line, flush=True)
"""

FAILS = """
from mpi4py import MPI

world = MPI.COMM_WORLD
world.barrier()
if world.rank == 3:
    raise ValueError("no luck today")
world.barrier()
"""

SAVES = """
import signal, time
from mpi4py import MPI

asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(True))
world = MPI.COMM_WORLD
world.barrier()
if world.rank == 0:
    print("begun", flush=True)
while not world.allreduce(len(asked)):
    time.sleep(0.02)
time.sleep(1.5)
for line in world.gather(f"rank {world.rank} saved") or ():
    print(line, flush=True)
"""


@pytest.fixture(scope="module", params=["sandbox", "process"])
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    options = ("--virtual-nodes", "2x2xA100", "--python", str(torch_environment()))
    with live_server(tmp_path_factory.mktemp("mpi"), *options, "--isolation", request.param) as live:
        yield live


def submitted(client: Client, folder: Path, program: str, command: Any, **keys: Any) -> Job:
    """Two tasks of two ranks each, which do not fit on one node together."""
    (folder / "train.py").write_text(program)
    resources = {"cpus": 1, "memory": "512MiB", "gpus": 2}
    name = folder.name.replace("_", "-").strip("-")[-40:]
    file = training(name, command, framework="mpi", nodes=2, code={"path": str(folder)})
    return client.submit({"resources": resources, **file, **keys})


# On a busy machine Open MPI says so when what it started was quicker than itself; nothing is wrong then.
HARMLESS = re.compile(r"\[.*\] plm:rsh: Warning: setpgid\(.*\) failed in parent")


def lines(client: Client, job: Job, task: str | None = None) -> list[str]:
    said = [line.text for line in client.logs(job.id, task=task)]
    return [line for line in said if not HARMLESS.match(line)]


def nothing_is_left(job: Job) -> bool:
    return not tree.carrying(f"DANLU_JOB_ID={job.id}".encode())


@pytest.mark.parametrize("command", ["python train.py", "mpirun python train.py", ["python", "train.py"]])
def test_four_ranks_on_two_nodes_each_run_in_their_own_task(
    server: LiveServer, tmp_path: Path, command: Any
) -> None:
    with server.client() as client:
        job = client.wait(submitted(client, tmp_path, SUMS, command).id)
        assert job.state == "completed", lines(client, job)
        expected = [
            f"{rank} of 4: {task} {task} {task} sum 10 with 2"
            for rank, task in enumerate(("worker-0", "worker-0", "worker-1", "worker-1"))
        ]
        assert lines(client, job, "worker-0") == expected
        assert len({task.node for task in client.get(job.id).tasks}) == 2
        assert eventually(lambda: nothing_is_left(job))


def test_the_host_file_names_every_task_with_its_slots(server: LiveServer, tmp_path: Path) -> None:
    with server.client() as client:
        job = client.wait(submitted(client, tmp_path, "", 'cat "$DANLU_HOSTFILE"').id)
        assert (job.state, lines(client, job)) == (
            "completed",
            ["worker-0 slots=2", "worker-1 slots=2"],
        )


def test_a_launcher_runs_no_ranks(server: LiveServer, tmp_path: Path) -> None:
    small = {"cpus": 1, "memory": "256MiB"}
    roles = [
        {"name": "launcher", "resources": small},
        {"name": "worker", "replicas": 2, "processes": 1, "resources": small},
    ]
    (tmp_path / "train.py").write_text(SUMS)
    file = training("launched", "python train.py", framework="mpi", roles=roles, code={"path": str(tmp_path)})
    with server.client() as client:
        job = client.wait(client.submit(file).id)
        assert job.state == "completed", lines(client, job)
        # Open MPI itself may have something to say of process groups.
        ranks = [line for line in lines(client, job, "launcher-0") if " sum " in line]
        assert [line.split(" sum ")[0] for line in ranks] == [
            "0 of 2: worker-0 worker-0 worker-0",
            "1 of 2: worker-1 worker-1 worker-1",
        ]


def test_a_rank_that_fails_ends_the_job_and_its_task_is_named(server: LiveServer, tmp_path: Path) -> None:
    with server.client() as client:
        job = submitted(client, tmp_path, FAILS, "python -m mpi4py train.py")
        job = client.wait(job.id)
        assert job.state == "failed"
        assert job.attempts[-1].story is not None
        assert "worker-1 ended with exit code 1" in job.attempts[-1].story["en"]
        assert "ValueError: no luck today" in lines(client, job, "worker-0")
        assert lines(client, job, "worker-1")[-1] == (
            "danlu: rank 3 ended with exit code 1; what it printed is in the log of worker-0"
        )
        assert eventually(lambda: nothing_is_left(job))


def test_an_agent_ends_when_the_one_that_led_it_vanishes(server: LiveServer, tmp_path: Path) -> None:
    with server.client() as client:
        job = client.wait(submitted(client, tmp_path, "", "kill -KILL $PPID").id)
        assert job.state == "failed"
        assert lines(client, job, "worker-1") == ["danlu: worker-0, which led the run, is gone"]
        assert eventually(lambda: nothing_is_left(job))


def test_ranks_are_asked_to_save_and_nothing_is_left_of_a_stopped_job(
    server: LiveServer, tmp_path: Path
) -> None:
    with server.client() as client:
        job = submitted(client, tmp_path, SAVES, "python train.py", checkpoint={"grace": "1h"})
        eventually(lambda: "begun" in lines(client, job))
        client.stop(job.id)
        job = client.wait(
            job.id, timeout=PATIENCE
        )  # they leave by themselves, long before their grace is over
        assert job.state == "stopped"
        assert [line for line in lines(client, job) if "saved" in line] == [
            f"rank {rank} saved" for rank in range(4)
        ]
        assert eventually(lambda: nothing_is_left(job))
