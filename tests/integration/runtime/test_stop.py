"""Stopping: SIGTERM, the grace, SIGKILL, and nobody left."""

import select
import signal
import subprocess
import sys
import time

import pytest

from danlu.runtime.isolation import tree

from .conftest import PROMPTLY, until
from .test_survival import everyone_in, start_family

STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"no\\n"))
os.write(1, b"ready\\n")
while True:
    time.sleep(1)
"""

SAVES = """
import signal, sys, time
def save(*_):
    time.sleep(0.4)
    print("saved", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, save)
with open("ready", "w") as ready:  # left to its finalizer, closing it would swallow an exit
    ready.write("yes\\n")
while True:
    time.sleep(1)
"""


def test_sigterm_reaches_the_task_and_is_its_end(runs, isolation):
    task = runs.start(command="exec sleep 1000", isolation=isolation)
    task.wait_for("running")
    task.stop(PROMPTLY)
    ended = task.exited()
    assert (ended["signal"], ended["reason"], ended["stopped"]) == (signal.SIGTERM, "signal", True)
    assert task.find("stopping")["reason"] == "test"


def test_a_task_that_ignores_sigterm_is_killed_after_its_grace(runs, isolation):
    task = runs.python(STUBBORN, isolation=isolation)
    until(lambda: task.log.exists() and b"ready" in task.output(), "readiness")
    began = time.monotonic()
    task.stop(300)
    ended = task.exited()
    assert 0.3 <= time.monotonic() - began < 10, "before the usual grace was over"
    assert ended["signal"] == signal.SIGKILL
    assert task.output() == b"ready\nno\n"


def test_a_shorter_grace_given_later_counts(runs, isolation):
    task = runs.python(STUBBORN, isolation=isolation)
    until(lambda: task.log.exists() and b"ready" in task.output(), "readiness")
    task.stop(PROMPTLY)
    task.wait_for("stopping")
    task.stop(0)
    assert task.exited()["signal"] == signal.SIGKILL


@pytest.mark.smoke
def test_a_longer_grace_given_later_does_not(runs, isolation):
    """A control plane that was started again asks again: nobody lives on for that."""
    task = runs.python(STUBBORN, isolation=isolation)
    until(lambda: task.log.exists() and b"ready" in task.output(), "readiness")
    task.stop(1000)
    task.wait_for("stopping")
    task.stop(PROMPTLY)
    assert task.exited()["signal"] == signal.SIGKILL


def test_daemons_end_when_the_task_is_stopped(runs, isolation):
    task = start_family(runs, isolation=isolation)
    task.stop(PROMPTLY)
    task.exited()
    assert everyone_in(task) == []


def test_daemons_end_when_the_task_ends_by_itself(runs, isolation):
    task = runs.start(command="setsid -f sleep 1000; sleep 1000 & exit 6", isolation=isolation)
    assert task.exited()["code"] == 6
    assert everyone_in(task) == []


@pytest.mark.smoke
def test_what_a_script_started_has_its_grace_though_the_shell_dies_at_once(runs, isolation):
    task = runs.task(command=f"{sys.executable} save.py; echo never", isolation=isolation)
    task.work.mkdir()
    (task.work / "save.py").write_text(SAVES)
    runs.ask({"start": task.name})
    task.file("ready")
    task.stop(PROMPTLY)
    ended = task.exited()
    assert ended["signal"] == signal.SIGTERM
    assert task.output() == b"saved\n"


INIT = """
import os, subprocess, sys
from danlu.runtime.isolation import linux
linux.become_subreaper()
for _ in range(30):
    parent = subprocess.Popen(["sh", "-c", "sleep 1000; true"])
    while not (child := open(f"/proc/{parent.pid}/task/{parent.pid}/children").read()):
        pass
    print("up", flush=True)
    parent.terminate()
    parent.wait()
    print("orphaned", flush=True)
    sys.stdin.readline()
    os.kill(int(child), 9)
    os.wait()
"""


def test_somebody_is_left_all_the_while_that_a_parent_dies_and_its_child_moves_up():
    """Or a sandbox would be ended in that moment, with those in it who save their work."""
    words = [sys.executable, "-c", INIT]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as init:
        assert init.stdout is not None
        assert init.stdin is not None
        for _ in range(30):
            assert init.stdout.readline() == b"up\n"
            while not select.select([init.stdout], [], [], 0)[0]:
                assert tree.has_children(init.pid)
            assert init.stdout.readline() == b"orphaned\n"
            assert tree.has_children(init.pid)
            init.stdin.write(b"go on\n")


def test_an_exit_code_given_on_sigterm_is_kept(runs, isolation):
    task = runs.start(
        command="trap 'exit 7' TERM; touch ready; while :; do sleep 0.02; done", isolation=isolation
    )
    until(lambda: (task.work / "ready").exists(), "readiness")
    task.stop(PROMPTLY)
    ended = task.exited()
    assert (ended["code"], ended["stopped"]) == (7, True)


@pytest.mark.parametrize("moment", [0.0, 0.002, 0.005, 0.01, 0.02])
def test_a_stop_at_any_moment_of_the_start_is_obeyed(runs, isolation, moment):
    task = runs.start(command="exec sleep 1000", isolation=isolation)
    time.sleep(moment)
    task.stop(PROMPTLY)
    ended = task.exited()
    assert ended["stopped"]
    assert everyone_in(task) == []
