"""A further command inside a running task."""

import os
import signal
import subprocess
import sys

import pytest

from tests.live import PATIENCE

from .conftest import PROMPTLY, until


@pytest.fixture
def task(runs, isolation):
    task = runs.start(
        command="test -e /boot || echo $$ > /tmp/private-mark; echo yes > ready; exec sleep 1000",
        isolation=isolation,
        env={"COLOUR": "red"},
        limits={"memory": 1 << 28},
    )
    task.file("ready")
    yield task
    task.stop(0)
    task.exited()


def enter(task, *argv, **options):
    command = [sys.executable, "-m", "danlu.runtime.enter", task.dir, "--", *argv]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)


def test_the_command_has_the_directory_and_environment_of_the_task(task):
    done = enter(task, "sh", "-c", "pwd; echo $COLOUR; exit 5")
    assert (done.returncode, done.stdout) == (5, f"{task.work}\nred\n")


def test_the_command_sees_what_the_task_sees(task, isolation):
    script = "test -e /boot && echo machine; cat /tmp/private-mark; grep CapEff /proc/self/status"
    done = enter(task, "sh", "-c", script)
    if isolation["bubblewrap"]:
        assert done.stdout.split() == ["2", "CapEff:", "0000000000000000"]
    else:
        assert done.stdout.startswith("machine\n")


def test_whoever_comes_before_the_sandbox_is_made_waits_for_it(runs):
    """Its number is told when there is nothing yet between it and the machine; many mounts make that a long moment."""
    many = [["/usr", f"/many/{number}", "ro"] for number in range(400)]
    task = runs.start(command="exec sleep 1000", binds=many)
    task.wait_for("running")
    done = enter(task, "sh", "-c", "test -e /boot && echo machine; ls /many | wc -l")
    assert (done.stdout, done.stderr) == ("400\n", "")
    task.stop(0)
    task.exited()


def test_the_command_ends_with_the_task(task):
    command = [
        sys.executable,
        "-m",
        "danlu.runtime.enter",
        task.dir,
        "--",
        "sh",
        "-c",
        "echo ready; sleep 1000",
    ]
    inside = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert inside.stdout is not None
    assert inside.stdout.readline() == b"ready\n"
    task.stop(0)
    task.exited()
    if task.find("running")["isolation"]["level"] == "process":
        inside.terminate()  # nothing holds it to the task but its caller
    assert inside.wait(PATIENCE) != 0
    inside.stdout.close()


def test_a_visitor_that_ignores_sigterm_does_not_delay_the_end(task):
    command = [sys.executable, "-m", "danlu.runtime.enter", task.dir, "--"]
    script = "trap '' TERM; echo ready; while :; do sleep 0.02; done"
    inside = subprocess.Popen([*command, "sh", "-c", script], stdout=subprocess.PIPE)
    assert inside.stdout is not None
    assert inside.stdout.readline() == b"ready\n"
    task.stop(PROMPTLY)
    assert task.exited()["signal"] == signal.SIGTERM
    if task.find("running")["isolation"]["level"] == "process":
        inside.kill()
    assert inside.wait(PATIENCE) != 0
    inside.stdout.close()


def test_signals_are_passed_on(task):
    command = [sys.executable, "-m", "danlu.runtime.enter", task.dir, "--"]
    script = "trap 'exit 9' TERM; echo ready; while :; do sleep 0.02; done"
    inside = subprocess.Popen([*command, "sh", "-c", script], stdout=subprocess.PIPE)
    assert inside.stdout is not None
    assert inside.stdout.readline() == b"ready\n"
    os.kill(inside.pid, signal.SIGTERM)
    assert inside.wait(PATIENCE) == 9
    inside.stdout.close()


def test_a_missing_command_is_exit_code_127(task):
    done = enter(task, "tocuh")
    assert (done.returncode, done.stderr) == (127, "tocuh: No such file or directory\n")


def test_a_task_that_has_ended_cannot_be_entered(runs):
    task = runs.start(command="true")
    task.exited()
    done = enter(task, "true")
    assert (done.returncode, done.stderr) == (126, "the task has ended\n")


def test_a_task_that_never_was_cannot_be_entered(runs):
    task = runs.task(command="true")
    until(lambda: os.path.isdir(task.dir), "the directory")
    assert enter(task, "true").returncode == 126
