"""The shell in front of a visitor's command, run by the shells that images have."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from danlu.engines.kubernetes.ways.visit import ending, entering, exit_code, typed
from tests.live import PATIENCE

SHELLS = [found.split() for found in ("busybox sh", "dash", "bash") if shutil.which(found.split()[0])]


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request: pytest.FixtureRequest) -> list[str]:
    found: list[str] = request.param
    return found


def ran(shell: list[str], argv: list[str], data: bytes = b"", **env: str) -> tuple[bytes, int]:
    """What the command printed, after the line that is not its own, and how it ended."""
    command = [*shell, *entering(argv, None)[1:]]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
        start_new_session=True,
    ) as process:
        sent = b"".join(typed(data, tty=False)) + b"".join(typed(b"", tty=False)) if data else b""
        out, _ = process.communicate(sent, timeout=PATIENCE)
        number, _, rest = out.partition(b"\n")
        assert int(number) == process.pid
        return rest, process.returncode


def test_both_streams_come_as_one_with_the_exit_code(shell: list[str]) -> None:
    assert ran(shell, ["sh", "-c", "echo a; echo b >&2; exit 7"]) == (b"a\nb\n", 7)
    out, code = ran(shell, ["no-such-command"])
    assert (b"not found" in out, code) == (True, 127)


def test_input_of_any_bytes_comes_through_and_ends(shell: list[str]) -> None:
    data = bytes(range(256)) * 100 + b"%s %d \\n -n . \n.\n -"
    assert ran(shell, ["cat"], data) == (data, 0)


def test_a_command_that_reads_nothing_ends_at_once(shell: list[str]) -> None:
    command = [*shell, *entering(["true"], None)[1:]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stdout.read().count(b"\n") == 1  # nothing holds on to the output either


def test_visitors_know_the_first_tasks_address_as_the_task_does(shell: list[str], tmp_path: Path) -> None:
    hosts = str(tmp_path / "hosts")
    Path(hosts).write_text("10.0.0.7 worker-0\n10.0.0.8 worker-1\n")
    show = ["sh", "-c", "echo $DANLU_MASTER_ADDR"]
    assert ran(shell, show, DANLU_HOSTS=hosts) == (b"10.0.0.7\n", 0)
    assert ran(shell, show, DANLU_HOSTS=hosts, DANLU_MASTER_ADDR="named") == (b"named\n", 0)


@pytest.mark.parametrize(("tty", "number"), [(True, signal.SIGHUP), (False, signal.SIGTERM)])
def test_ending_reaches_the_whole_group_and_takes_no_refusal(
    shell: list[str], tty: bool, number: signal.Signals
) -> None:
    for ignored, end in ((False, number), (True, signal.SIGKILL)):
        first = f"trap '' {number.name[3:]}; " if ignored else ""
        command = ["sh", "-c", f"{first}sleep 1234 & echo; wait"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            killer = [*shell, *ending(process.pid, tty=tty)[1:]]
            subprocess.run(killer, timeout=PATIENCE, check=False, stderr=subprocess.DEVNULL)
            assert process.wait(timeout=PATIENCE) == -end
            assert process.stdout.read() == b""  # the group's last holder of it is gone


def test_ending_what_is_over_is_quick_and_no_trouble(shell: list[str]) -> None:
    with subprocess.Popen(["true"], start_new_session=True) as process:
        process.wait()

    def took() -> float:
        began = time.monotonic()
        over = subprocess.run([*shell, *ending(process.pid, tty=False)[1:]], capture_output=True, check=False)
        assert over.returncode == 0
        return time.monotonic() - began

    assert any(took() < 2 for _ in range(5)), "not even once, so it waits although nobody is there"


def test_on_a_terminal_input_goes_as_it_is_and_ends_by_its_own_sign() -> None:
    assert list(typed(b"ls\n", tty=True)) == [b"ls\n"]
    assert list(typed(b"", tty=True)) == [b"\x04"]
    assert b"".join(typed(b"x" * 100_000, tty=True)) == b"x" * 100_000


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"status": "Success"}, (0, "")),
        ({"status": "Failure", "details": {"causes": [{"reason": "ExitCode", "message": "3"}]}}, (3, "")),
        ({"status": "Failure", "message": "no such container"}, (126, "no such container")),
        ({"status": "Failure", "reason": "InternalError", "details": None}, (126, "InternalError")),
        ([], (126, "[]")),
    ],
)
def test_the_clusters_last_word_tells_how_a_command_ended(status: object, expected: tuple[int, str]) -> None:
    assert exit_code(json.dumps(status).encode()) == expected


def test_a_last_word_that_is_no_json_is_passed_on() -> None:
    assert exit_code(b"command terminated") == (126, "command terminated")
