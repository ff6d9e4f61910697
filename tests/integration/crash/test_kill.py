"""Real `kill -9` against real processes: jobs go on, logs stay complete, nothing starts twice."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk.http.errors import DanluError
from tests.effort import chance_of, rounds
from tests.live import LiveServer, eventually, live_server, training

ROUNDS = rounds(12, 50)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--virtual-nodes", "2x8xA100") as live:
        yield live


def counting(lines: int) -> str:
    mark = 'echo started >> "$DANLU_PERSONAL_DIR/$DANLU_JOB_NAME"'
    return f"{mark}; for n in $(seq 1 {lines}); do echo line $n; sleep 0.05; done"


def starts(server: LiveServer, name: str) -> int:
    return len((server.data / "volumes" / "admin" / name).read_text().splitlines())


@pytest.mark.timeout(900)
def test_kills_lose_and_double_nothing(server: LiveServer) -> None:
    chance = chance_of("kills")
    lines: dict[str, int] = {}
    for number in range(ROUNDS):
        client = server.client()
        for part in range(chance.randint(1, 3)):
            name = f"round-{number:02d}-{part}"
            lines[name] = chance.randint(0, 30)
            submit_surely(server, name, lines[name])
        client.close()
        time.sleep(chance.random() * 0.4)
        server.kill()
        server.start()
    client = server.client()
    eventually(lambda: not list(client.jobs(state=["queued", "starting", "running", "stopping"])), 90)
    for name, count in lines.items():
        job = client.get(name)
        assert job.state == "completed", f"{name} is {job.state}: {job.reason}"
        assert starts(server, name) == 1, f"{name} was started more than once"
        assert [line.text for line in client.logs(name)] == [f"line {n}" for n in range(1, count + 1)]
    eventually(lambda: not list((server.data / "runs").glob("*-1")))


def supervisor_of(status: Path) -> int:
    return int(re.search(r'"supervisor":(\d+)', status.read_text())[1])  # type: ignore[index]


def submit_surely(server: LiveServer, name: str, lines: int) -> None:
    with server.client() as client:
        client.submit(training(name, counting(lines), resources={"cpus": 0.1, "memory": "64MiB"}), key=name)


@pytest.mark.smoke
def test_jobs_run_on_while_the_server_is_down_and_their_end_is_reported(server: LiveServer) -> None:
    client = server.client()
    personal = server.data / "volumes" / "admin"
    waits = "cd $DANLU_PERSONAL_DIR; until [ -e go ]; do sleep 0.05; done; touch gone; exit 5"
    client.submit(training("short", waits))
    endless = "n=0; until [ -e $DANLU_PERSONAL_DIR/enough ]; do n=$((n+1)); echo line $n; sleep 0.05; done"
    client.submit(training("long-one", endless))
    eventually(lambda: client.get("short").state == "running" and client.get("long-one").state == "running")
    server.kill()
    (personal / "go").touch()
    eventually((personal / "gone").exists)
    server.start()
    client = server.client()
    ended = eventually(lambda: (job := client.get("short")).state == "failed" and job)
    assert ended.reason.code == "exit_code"
    assert client.get("long-one").state == "running"
    (personal / "enough").touch()
    client.wait("long-one")
    lines = [line.text for line in client.logs("long-one")]
    assert lines == [f"line {n}" for n in range(1, len(lines) + 1)]


def test_who_follows_a_job_goes_on_after_a_restart(server: LiveServer) -> None:
    with server.client() as client:
        client.submit(training("followed", counting(120)))
        eventually(lambda: client.get("followed").state == "running")
        followed: list[str] = []
        reader = threading.Thread(
            target=lambda: followed.extend(line.text for line in client.logs("followed", follow=True))
        )
        reader.start()
        server.kill()
        server.start()
        reader.join(timeout=60)
    assert followed == [f"line {n}" for n in range(1, 121)]


def test_a_lost_supervisor_makes_its_job_fail_as_lost(server: LiveServer) -> None:
    client = server.client()
    job = client.submit(training("victim", "sleep 600"))
    eventually(lambda: client.get("victim").state == "running")
    (status,) = (server.data / "runs").glob(f"{job.id}-1/worker-0/status.jsonl")
    supervisor = supervisor_of(status)
    os.kill(supervisor, signal.SIGKILL)
    lost = eventually(lambda: (job := client.get("victim")).state == "failed" and job)
    assert lost.reason.code == "node_lost"


def test_supervisors_gone_while_the_server_was_down_are_reported_lost(server: LiveServer) -> None:
    client = server.client()
    job = client.submit(training("victim", "sleep 600"))
    eventually(lambda: client.get("victim").state == "running")
    (status,) = (server.data / "runs").glob(f"{job.id}-1/worker-0/status.jsonl")
    server.kill()
    supervisor = supervisor_of(status)
    os.kill(supervisor, signal.SIGKILL)
    server.start()
    client = server.client()
    lost = eventually(lambda: (job := client.get("victim")).state == "failed" and job)
    assert lost.reason.code == "node_lost"


def test_ctrl_c_leaves_cleanly_and_jobs_run_on(server: LiveServer) -> None:
    client = server.client()
    client.submit(training("long-one", counting(60)))
    eventually(lambda: client.get("long-one").state == "running")
    assert server.interrupt() == 0
    said = (server.root / "up.log").read_text()
    assert said.endswith("Danlu stopped. Running jobs continue.\n")
    assert "Traceback" not in said
    server.start()
    client = server.client()
    client.wait("long-one")
    assert [line.text for line in client.logs("long-one")] == [f"line {n}" for n in range(1, 61)]


def test_a_second_server_on_the_same_data_is_refused_and_told_who_holds_it(server: LiveServer) -> None:
    refused = server.cli("up", "--data", str(server.data), "--port", "0")
    assert refused.returncode != 0
    assert f"process {server.pid}" in refused.stderr
    assert server.url in refused.stderr


def test_a_request_cut_off_by_a_kill_is_made_once_with_its_key(server: LiveServer) -> None:
    client = server.client()
    first = client.submit(training("once-only", "true"), key="the-key")
    server.kill()
    server.start()
    again = server.client().submit(training("once-only", "true"), key="the-key")
    assert again.id == first.id
    with pytest.raises(DanluError, match="idempotency key"):
        server.client().submit(training("another", "true"), key="the-key")
