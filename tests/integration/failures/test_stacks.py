"""Where the programs of real tasks are, told from outside them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.domain.errors import Unavailable
from danlu.domain.job import Task
from danlu.engines.local.stacks import find_py_spy
from danlu.engines.local.ways import LocalWays
from danlu.runtime.stacks import MOST_PROCESSES, told
from danlu.sdk import Client, WrongState
from tests.integration.failures.programs import STOPS_ITSELF, WAITS_FOR_A_PEER
from tests.live import LiveServer, eventually, live_server, training

SMALL = {"cpus": 1, "memory": "256MiB"}


@pytest.fixture(scope="module", params=["process", "auto"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    if request.param == "auto":
        yield request.getfixturevalue("shared")
        return
    with live_server(tmp_path_factory.mktemp("live"), "--isolation", request.param) as made:
        yield made


def runs(client: Client, name: str, program: str) -> None:
    client.submit(training(name, ["python", "-c", program], resources=SMALL))
    eventually(lambda: [line.text for line in client.logs(name)] == ["began"])
    eventually(lambda: client.get(name).state == "running")  # what it prints may be there before its state is


@pytest.mark.timeout(120)
def test_the_stacks_of_a_waiting_python_program_name_the_function_it_waits_in(server: LiveServer) -> None:
    client = server.client()
    runs(client, "waits", WAITS_FOR_A_PEER)
    (taken,) = client.take_stacks("waits")
    assert (taken.task, taken.attempt, taken.cause) == ("worker-0", 1, "asked")
    assert "waits_for_a_peer (<string>:4)" in taken.text
    assert "sleep 1000\nsleeping" in taken.text, "processes that are not Python are told of too"
    assert "bwrap" not in taken.text
    printed = server.cli("stacks", "waits")
    assert printed.returncode == 0, printed.stderr
    assert "── worker-0, attempt 1, on request" in printed.stdout
    assert "waits_for_a_peer" in printed.stdout
    client.stop("waits")
    eventually(lambda: client.get("waits").state == "stopped")
    with pytest.raises(WrongState):
        client.take_stacks("waits")
    kept = server.cli("stacks", "waits", "--json")
    assert kept.stdout.count("waits_for_a_peer (") == 2, "what was taken is still to be read"


@pytest.mark.timeout(120)
def test_a_stopped_program_is_seen_as_such_with_its_stack_and_stays_stopped(server: LiveServer) -> None:
    client = server.client()
    runs(client, "stops", STOPS_ITSELF)
    for _ in range(2):
        (taken,) = client.take_stacks("stops")
        assert "\nstopped" in taken.text
        assert "is_stopped (<string>:4)" in taken.text
    client.stop("stops")


@pytest.mark.timeout(120)
def test_a_process_without_an_engine_looks_into_tasks_of_this_machine_too(server: LiveServer) -> None:
    client = server.client()
    runs(client, "seen-by-others", WAITS_FOR_A_PEER)
    job = client.get("seen-by-others")
    ways = LocalWays(server.data / "runs", None)
    task = Task("worker", 0, "n", "127.0.0.1")
    assert "waits_for_a_peer (" in ways.stacks(f"{job.id}-1", task)
    with pytest.raises(Unavailable, match="worker-0: the task is not running"):
        ways.stacks(f"{job.id}-2", task)
    client.stop("seen-by-others")


# ── by itself ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", WAITS_FOR_A_PEER], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"began\n"
        yield process.pid
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            os.kill(int(child), 9)
        process.kill()


def test_without_py_spy_the_state_is_told_and_that_there_could_be_more(sleeper: int) -> None:
    one, more = eventually(lambda: "\nsleeping" in (found := list(told([sleeper], None)))[0] and found)
    assert f"process {sleeper}: " in one
    assert "s of CPU time in" in one
    assert "waits_for_a_peer (" not in one
    assert more.startswith("Install py-spy in the task's")


def test_a_py_spy_that_fails_or_is_gone_says_why(sleeper: int, tmp_path: Path) -> None:
    broken = tmp_path / "py-spy"
    broken.write_text("#!/bin/sh\necho 'Error: it is broken' >&2\nexit 1\n")
    broken.chmod(0o755)
    assert "(py-spy: Error: it is broken)" in next(told([sleeper], str(broken)))
    assert "(py-spy cannot be run: No such file" in next(told([sleeper], str(tmp_path / "none")))


def test_processes_that_are_gone_are_passed_over_and_many_are_counted(sleeper: int) -> None:
    assert list(told([2**22 + 1], None)) == []
    parts = list(told([sleeper] * (MOST_PROCESSES + 3), None))
    assert parts[MOST_PROCESSES] == "and 3 more processes"


def test_py_spy_is_found_in_the_environment_of_tasks_first(tmp_path: Path) -> None:
    own = tmp_path / "py-spy"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert find_py_spy(str(tmp_path)) == str(own)
    assert find_py_spy(str(tmp_path / "elsewhere")) != str(own)
