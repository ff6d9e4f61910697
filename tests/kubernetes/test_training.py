"""Distributed training in real pods: a gang over MPI, a restart from a checkpoint, and one pod started again alone."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from danlu.sdk import Client
from danlu.sdk.models import Job
from tests.kubernetes.beside import DanluBeside
from tests.kubernetes.places import Place
from tools.dev.places import ROOT

pytestmark = [pytest.mark.own_cluster, pytest.mark.timeout(300)]
SMALL = {"cpus": 0.1, "memory": "96MiB"}
AT_ONCE = {"first": "0s", "most": "0s"}

RANKS = """\
from mpi4py import MPI
world = MPI.COMM_WORLD
places = world.gather((world.rank, MPI.Get_processor_name()))
total = world.allreduce(world.rank + 1)
if world.rank == 0:
    print("ranks", [place for _, place in sorted(places)], "sum", total, flush=True)
"""
GOES_ON = """\
import danlu, sys
start = danlu.resume_from()
danlu.log(4 if start else 3, loss=0.5)
if start is None:
    danlu.checkpoint("/checkpoints/three", step=3)
    sys.exit(7)
print("goes on from", start.path, "at", start.step)
"""
EVENTS = ROOT / "tests/unit/runtime/training/tensorboard/torch.tfevents"
WRITES_EVENTS = f"""\
import base64, os
os.makedirs(os.environ["DANLU_CHECKPOINT_DIR"])
os.chdir(os.environ["DANLU_CHECKPOINT_DIR"])
with open("events.out.tfevents.1.here", "wb") as file:
    file.write(base64.b64decode("{base64.b64encode(EVENTS.read_bytes()).decode()}"))
"""
COMES_BACK = """\
import os, socket, sys, time
if os.environ["DANLU_RUN"] == "worker-1":
    print("first try")
    sys.exit(3)
if os.environ["DANLU_RUN"] == "worker-1-r1":
    with socket.create_server(("", 7000)) as server:
        server.accept()[0].sendall(b"second try of " + socket.gethostname().encode())
    sys.exit()
while True:
    try:
        with socket.create_connection(("worker-1", 7000), 1) as peer:
            print("heard", peer.recv(100).decode(), flush=True)
            break
    except OSError:
        time.sleep(0.2)
"""


def run(client: Client, name: str, program: str, *launcher: str, **file: Any) -> Job:
    """The job once it is over; its command is a Python program."""
    command = [*launcher, "python3", "-c", program]
    client.submit({"kind": "training", "name": name, "command": command, **file})
    return client.wait(name, timeout=180)


def log(client: Client, name: str, **which: Any) -> str:
    return "\n".join(line.text for line in client.logs(name, **which))


@pytest.mark.cards
def test_an_mpi_job_runs_its_ranks_over_two_pods(danlu: DanluBeside, place: Place) -> None:
    # Two whole nodes' worth of cards put the tasks on different machines.
    role = {"name": "worker", "replicas": 2, "processes": 2, "resources": {**SMALL, "gpus": 8}}
    with danlu.client() as client:
        job = run(client, "ranks", RANKS, "mpirun", framework="mpi", image=place.mpi, roles=[role])
        said = log(client, "ranks")
        assert job.state == "completed", (job.reason, said, log(client, "ranks", task="worker-1"))
    assert "ranks ['worker-0', 'worker-0', 'worker-1', 'worker-1'] sum 10" in said


def test_a_job_that_failed_goes_on_from_its_checkpoint(danlu: DanluBeside, place: Place) -> None:
    again = {"on": {"task_failed": "restart_job"}, "restarts": 1, "backoff": AT_ONCE}
    with danlu.client() as client:
        job = run(client, "goes-on", GOES_ON, image=place.python, resources=SMALL, **again)
        said = log(client, "goes-on")
        assert (job.state, len(job.attempts)) == ("completed", 2), (job.reason, said)
        told = danlu.cli("show", "goes-on").stdout
    assert "goes on from /checkpoints/three at 3" in said
    assert "/checkpoints/three" in told


def test_what_a_task_writes_for_tensorboard_is_among_its_metrics(danlu: DanluBeside, place: Place) -> None:
    with danlu.client() as client:
        job = run(
            client,
            "tensorboard",
            WRITES_EVENTS,
            image=place.python,
            resources=SMALL,
            checkpoint={"path": "/kept"},
        )
        assert job.state == "completed", (job.reason, log(client, "tensorboard"))
        (metric,) = client.metrics("tensorboard").names
    assert metric.name == "loss/train"


def test_one_pod_of_a_gang_is_started_again_and_found_by_the_others(danlu: DanluBeside, place: Place) -> None:
    again = {"on": {"task_failed": "restart_task"}, "restarts": 1, "backoff": AT_ONCE}
    with danlu.client() as client:
        job = run(client, "comes-back", COMES_BACK, image=place.python, nodes=2, resources=SMALL, **again)
        said = log(client, "comes-back")
        assert job.state == "completed", (job.reason, said)
        assert "heard second try of worker-1" in said
        assert log(client, "comes-back", task="worker-1", try_=0) == "first try"
        assert len(job.attempts) == 1
