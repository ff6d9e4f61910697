"""What must go on, and what must end, when something is killed."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from danlu.ports import supervision
from tests.live import PATIENCE

from .conftest import process_lives, until

FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"])
daemon = subprocess.Popen(["setsid", "-f", "sh", "-c", "echo $$ > daemon; exec sleep 1000"]).wait()
print("ready", flush=True)
time.sleep(1000)
"""


def everyone_in(task):
    """Host pids of all processes that carry the task's mark."""
    mark = f"{supervision.COOKIE}={supervision.cookie(task.dir)}".encode()
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and mark in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                found.append(int(entry))
        except OSError:
            continue
    return found


def start_family(runs, **fields):
    task = runs.python(FAMILY, **fields)
    task.file("daemon")
    return task


@pytest.mark.smoke
def test_a_task_goes_on_when_the_launcher_is_killed(own_runs):
    task = own_runs.start(command="echo one; until test -e go; do sleep 0.02; done; echo two; exit 5")
    task.wait_for("running")
    pid = own_runs.ask({"ping": True})[0]["pid"]
    os.kill(pid, signal.SIGKILL)
    until(lambda: not process_lives(pid), "the launcher's death")
    assert supervision.is_alive(task.dir)
    (task.work / "go").touch()
    assert task.exited()["code"] == 5
    assert task.output() == b"one\ntwo\n"


def test_a_new_launcher_takes_the_place_of_a_killed_one(own_runs):
    first = own_runs.start(command="sleep 1000")
    first.wait_for("running")
    pid = own_runs.ask({"ping": True})[0]["pid"]
    os.kill(pid, signal.SIGKILL)
    assert own_runs.open_launcher() != pid
    own_runs.ask({"start": first.name})
    assert own_runs.start(command="exit 4").exited()["code"] == 4
    first.stop()
    assert first.exited()["signal"] == signal.SIGTERM


def test_a_second_launcher_leaves_the_first_in_its_place(own_runs):
    pid = own_runs.ask({"ping": True})[0]["pid"]
    assert own_runs.open_launcher() == pid


def test_a_launcher_that_is_asked_to_leave_makes_room_and_its_tasks_stay(own_runs):
    task = own_runs.start(command="sleep 1000")
    task.wait_for("running")
    pid = own_runs.ask({"ping": True})[0]["pid"]
    assert own_runs.ask({"quit": True}) == [{"ok": True}]
    assert own_runs.open_launcher() != pid
    assert supervision.is_alive(task.dir)


@pytest.mark.smoke
def test_nothing_outlives_a_killed_supervisor(runs, isolation):
    task = start_family(runs, isolation=isolation)
    assert len(everyone_in(task)) >= 3
    os.kill(task.records()[0]["supervisor"], signal.SIGKILL)
    until(lambda: not everyone_in(task), f"the end of {everyone_in(task)}")
    until(lambda: not supervision.is_alive(task.dir), "the lock's release")
    assert task.find("exited") is None


def test_what_a_supervisor_of_an_earlier_launcher_left_is_swept_when_asked(own_runs, isolation):
    task = start_family(own_runs, isolation=isolation)
    os.kill(own_runs.ask({"ping": True})[0]["pid"], signal.SIGKILL)
    own_runs.open_launcher()
    os.kill(task.records()[0]["supervisor"], signal.SIGKILL)
    until(lambda: not supervision.is_alive(task.dir), "the lock's release")
    assert own_runs.ask({"sweep": task.name}) == [{"ok": True}]
    assert not everyone_in(task)
    shutil.rmtree(task.dir)


def test_a_sweep_is_answered_when_it_is_over_and_holds_up_nobody_else(own_runs):
    task = own_runs.task(command="true")
    # Carries the task's mark and is nobody's child here; it is gone when the answer comes.
    mark = {**os.environ, supervision.COOKIE: supervision.cookie(task.dir)}
    left = [subprocess.Popen(["sleep", "1000"], env=mark) for _ in range(20)]
    assert own_runs.ask({"sweep": task.name}, {"sweep": task.name}, {"ping": True})[:2] == [{"ok": True}] * 2
    assert not everyone_in(task)
    assert {process.wait(PATIENCE) for process in left} == {-signal.SIGKILL}


def test_a_directory_that_is_gone_is_swept_with_success(own_runs):
    assert own_runs.ask({"sweep": "gone/worker-0"}) == [{"ok": True}]
    assert "Traceback" not in (own_runs.path / supervision.LAUNCHER_LOG).read_text()


def test_a_sweep_leaves_a_living_task_alone(runs):
    task = runs.start(command="sleep 1000")
    task.wait_for("running")
    runs.ask({"sweep": task.name})
    other = runs.start(command="true")
    other.exited()
    assert supervision.is_alive(task.dir), task.story()
    assert everyone_in(task), task.story()
    task.stop()
    task.exited()


def test_no_zombies_and_no_groups_are_left(own_runs):
    tasks = [own_runs.start(command="true", limits={"memory": 1 << 30, "cpu_milli": 1000}) for _ in range(10)]
    for task in tasks:
        task.exited()
    pid = own_runs.ask({"ping": True})[0]["pid"]
    until(lambda: own_runs.ask({"ping": True})[0]["supervisors"] == 0, "the last supervisor's leave")
    assert Path(f"/proc/{pid}/task/{pid}/children").read_text() == ""
    for task in tasks:
        assert not [directory for directory in task.find("running")["cgroup"] if os.path.exists(directory)]


def test_a_supervisor_told_to_leave_ends_its_task_and_says_so(runs):
    task = runs.start(command="sleep 1000")
    task.wait_for("running")
    os.kill(task.records()[0]["supervisor"], signal.SIGTERM)
    ended = task.exited()
    assert (ended["stopped"], ended["stop_reason"]) == (True, "supervisor_terminated")


def test_a_launcher_that_cannot_use_its_directory_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "danlu.runtime.launcher", str(tmp_path / "file" / "runs")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Not a directory" in done.stderr
    assert "Traceback" not in done.stderr
