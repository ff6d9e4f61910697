"""A gang in training while tasks, supervisors and the server are killed at random: it finishes, and nothing counts twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.ports import supervision
from danlu.sdk import Client, Job
from tests.effort import chance_of, rounds
from tests.live import LiveServer, eventually, live_server, training

ROUNDS = rounds(12, 50)
TASKS, NODES = 8, 4
CODE = Path(__file__).parent / "gang"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", f"{NODES}x2xA100", DANLU_NODE_FAILURES="0") as live:
        yield live


def gang() -> dict[str, object]:
    return training(
        "gang",
        "python3 train.py",
        code={"path": str(CODE)},
        nodes=TASKS,
        resources={"cpus": 0.2, "memory": "128MiB", "gpus": 1},
        on={"task_failed": "restart_job", "node_lost": "requeue"},
        restarts=1000,
        backoff={"first": "0s", "most": "0s"},
    )


def pids_of(task: Path) -> dict[str, int]:
    """The supervisor's and the command's process, as far as they have begun and live."""
    found: dict[str, int] = {}
    records, _ = supervision.read_status(str(task))
    for record in records if supervision.is_alive(str(task)) else ():
        found["supervisor"] = record.get("supervisor", found.get("supervisor", 0))
        found["pid"] = record.get("pid", found.get("pid", 0))
    return {name: pid for name, pid in found.items() if pid}


def works(client: Client, job_id: str, struck: int = 0) -> Job | None:
    """The job, once an attempt that nobody has struck has done a step."""
    job = client.get(job_id)
    if job.state != "running" or job.attempt <= struck:
        return None
    return job if client.metrics(job_id, ["total"], attempt=job.attempt).latest_step is not None else None


class Chaos:
    """What may happen to it in a round."""

    def __init__(self, server: LiveServer, chance: random.Random) -> None:
        self._server, self._chance = server, chance
        self._next: list[str] = []

    def strike(self, job: Job) -> tuple[str, bool]:
        """What was struck, and whether a part of the gang was."""
        if not self._next:  # like cards: nothing is left out for long
            self._next = ["task", "task", "supervisor", "supervisor", "server", "server and task"]
            self._chance.shuffle(self._next)
        kind = self._next.pop()
        if kind.startswith("server"):
            self._server.kill()
        hit = kind != "server" and self._kill(job, "supervisor" if kind == "supervisor" else "pid")
        if kind.startswith("server"):
            self._server.start()
        return kind, hit

    def _kill(self, job: Job, which: str) -> bool:
        folders = sorted((self._server.data / "runs").glob(f"{job.id}-{job.attempt}/*/"))
        if folders:
            victim = pids_of(self._chance.choice(folders)).get(which)
            if victim is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    return True
        return False


def left_of(job_id: str) -> list[int]:
    """Processes that carry the job's name in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if f"DANLU_JOB_ID={job_id}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
    return found


@pytest.mark.timeout(1200)
def test_a_gang_survives_strikes_and_counts_every_step_once(server: LiveServer) -> None:
    chaos, struck, last = Chaos(server, chance_of("strikes")), [], 0
    job_id = server.client().submit(gang()).id
    for _ in range(ROUNDS):
        with server.client() as client:
            job = eventually(lambda client=client, last=last: works(client, job_id, last), 60)
        kind, hit = chaos.strike(job)
        struck.append(kind)
        last = job.attempt if hit else last
    client = server.client()
    saved = server.data / "volumes" / "admin" / "checkpoints" / f"gang-{job_id}"
    eventually(lambda: works(client, job_id, last), 60)
    (saved / "enough").touch()
    ended = eventually(lambda: (job := client.get(job_id)).state in ("completed", "failed") and job, 120)
    assert ended.state == "completed", ended.reason

    assert ended.saved is not None
    steps = ended.saved.step
    state = json.loads((saved / f"{steps}.json").read_text())
    assert steps
    assert state["counted"] == list(range(steps))
    assert state["total"] == steps * sum(range(1, TASKS + 1))
    assert not (saved / "twice").exists(), "two attempts counted at the same time"
    values = [point.step for point in client.metric_values(job_id, ["total"])]
    assert values == sorted(set(values)), "the curve has every step once"

    assert len({*struck}) == 4, f"not everything was struck: {struck}"
    assert len(ended.attempts) > ROUNDS // 2, "most strikes were felt"
    eventually(lambda: not left_of(job_id), 30)
    eventually(lambda: not list((server.data / "runs").glob(f"{job_id}-*")), 30)
    assert all(node.used["gpus"] == 0 for node in client.machines.nodes.list())
