"""SSH between the tasks of one job, with the real OpenSSH: in sandboxes of an ordinary user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import LiveServer, training

pytestmark = pytest.mark.timeout(120)

_NOBODY = 65534


class OrdinaryServer(LiveServer):
    """A Danlu that an ordinary user runs: where the tests are root's, a user that is nobody elsewhere."""

    def command(self, *args: str) -> list[str]:
        command = super().command(*args)
        if os.geteuid() != 0 or args[0] != "up":
            return command
        become = ["unshare", "--user", f"--map-user={_NOBODY}", f"--map-group={_NOBODY}", "--"]
        return [*become, *command]


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    options = ("--virtual-nodes", "2x1xT4", "--isolation", "sandbox")
    server = OrdinaryServer(tmp_path_factory.mktemp("ssh"), *options)
    try:
        server.start()
        yield server
    finally:
        server.clean_up()


def said_by(server: LiveServer, name: str, command: str) -> list[str]:
    """What the first of two tasks on two nodes says."""
    resources = {"cpus": 1, "memory": "256MiB", "gpus": 1}
    file = training(name, command, framework="mpi", nodes=2, resources=resources)
    with server.client() as client:
        job = client.wait(client.submit(file).id)
        said = [line.text for line in client.logs(job.id, task="worker-0")]
        assert job.state == "completed", said
        return said


def test_tasks_reach_each_other_without_a_password(ordinary: LiveServer) -> None:
    there = r"hostname; echo $DANLU_TASK; ssh worker-0 hostname"
    said = said_by(ordinary, "there-and-back", f"ssh worker-1 '{there}'")
    assert said == ["worker-1", "worker-1", "worker-0"]


def test_files_go_to_the_directory_of_the_other_task(ordinary: LiveServer) -> None:
    command = 'echo weights >model && scp -q model worker-1: && ssh worker-1 cat model "\\$HOME/model"'
    assert said_by(ordinary, "copies", command) == ["weights", "weights"]


def test_a_terminal_is_one_on_the_other_side_too(ordinary: LiveServer) -> None:
    said = said_by(ordinary, "terminal", "ssh -qtt worker-1 tty </dev/null")
    assert [line.strip() for line in said] == ["/dev/pts/0"]


def test_only_tasks_of_the_job_are_known_by_name(ordinary: LiveServer) -> None:
    said = said_by(ordinary, "stranger", "ssh worker-7 true 2>&1; echo ended with $?")
    assert said[-1] == "ended with 255"


def test_the_key_is_the_tasks_alone(ordinary: LiveServer) -> None:
    said = said_by(
        ordinary, "secret-key", "stat -c %a $(ssh -qG worker-1 2>/dev/null | sed -n 's/^identityfile //p')"
    )
    assert said == ["600"]


def test_an_agent_listens_to_nobody_without_the_secret(ordinary: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "stranger.py").write_text(_STRANGER)
    resources = {"cpus": 1, "memory": "256MiB", "gpus": 1}
    file = training("listens", "python3 stranger.py", framework="mpi", nodes=2, resources=resources)
    file = {**file, "command": ["sh", "-c", "python3 stranger.py"], "code": {"path": str(tmp_path)}}
    with ordinary.client() as client:
        job = client.wait(client.submit(file).id)
        said = [line.text for line in client.logs(job.id, task="worker-0")]
    assert said == ["refused: wrong secret", "refused: nothing said"]


_STRANGER = """
import json, os, socket
name, host, port, slots = json.loads(os.environ["DANLU_SEATS"])[1]

def answer_to(said):
    with socket.create_connection((host, port), 5) as connection:
        connection.recv(32)
        connection.sendall(said)
        connection.settimeout(15)
        return connection.recv(32)

print("refused: wrong secret" if answer_to(bytes(64)) == b"" else "let in", flush=True)
print("refused: nothing said" if answer_to(b"") == b"" else "let in", flush=True)
"""
