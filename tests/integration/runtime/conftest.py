"""A launcher in a directory of its own, and tasks to give it."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from danlu.ports import supervision
from tests.live import PATIENCE

# A grace far beyond our patience: what ends nevertheless did so because it was asked to.
PROMPTLY = 600_000
SOMEBODY: dict[str, Any] = {"uid": 1_900_000_000, "gid": 1_900_000_000, "name": "alice"}
"""Whose the tasks are where the launcher is root."""
MODES = {
    "sandbox+cgroup": {"bubblewrap": True, "cgroup": True},
    "sandbox": {"bubblewrap": True, "cgroup": False},
    "cgroup": {"bubblewrap": False, "cgroup": True},
    "process": {"bubblewrap": False, "cgroup": False},
}


def until(condition, what, seconds=PATIENCE):
    """Poll until the condition gives something; what it gave."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.005)
    raise AssertionError(f"{what() if callable(what) else what} did not happen within {seconds} s")


def process_lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


class RunningTask:
    """One task directory and what can be seen of it."""

    def __init__(self, runs, name):
        self.runs, self.name = runs, name
        self.dir = str(runs.path / name)
        self.log = runs.base / "logs" / f"{name}.log"
        self.work = Path(self.dir) / supervision.WORK_DIR

    def records(self):
        return supervision.read_status(self.dir)[0]

    def find(self, event):
        return next((record for record in self.records() if record["event"] == event), None)

    def wait_for(self, event, seconds=PATIENCE):
        return until(lambda: self.find(event), lambda: f"{event} after {self.records()}", seconds)

    def exited(self, seconds=PATIENCE):
        """The last record, once the supervisor has left too."""
        record = self.wait_for(supervision.EXITED, seconds)
        until(lambda: not supervision.is_alive(self.dir), "the supervisor's leave")
        return record

    def story(self):
        """What is known of it, for the message of an assertion that fails once in a thousand runs."""
        launcher = self.runs.path / supervision.LAUNCHER_LOG
        return f"{self.records()}\nlauncher:\n{launcher.read_text(errors='replace')[-4000:]}"

    def stop(self, grace_ms=5000):
        with self.runs.acting():
            supervision.request_stop(self.dir, grace_ms, "test")

    def log_records(self):
        records = [supervision.split_record(line) for line in self.log.read_bytes().split(b"\n")[:-1]]
        assert None not in records
        return records

    def output(self, stream="o"):
        """The stream as the task wrote it."""
        return b"".join(
            r.text + (b"\n" if r.whole else b"") for r in self.log_records() if r.stream == stream
        )

    def file(self, name, seconds=PATIENCE):
        """The text of a file in the working directory, once it has a whole line."""
        path = self.work / name
        until(lambda: path.exists() and path.read_text().endswith("\n"), name, seconds)
        return path.read_text()


class Runs:
    """A runs directory with a launcher."""

    def __init__(self, base):
        self.base = Path(base)
        self.path = self.base / "runs"
        self.somebody: dict[str, Any] = SOMEBODY
        self.isolation: dict[str, bool] = {}
        self.tasks = []
        self._numbers = itertools.count()

    def acting(self):
        """As the user whose the launcher is."""
        return contextlib.nullcontext()

    def owner(self, person):
        """The user id by which the machine knows them; that of the launcher's user for None."""
        return person["uid"] if person else os.geteuid()

    def command(self):
        return [sys.executable, "-m", "danlu.runtime.launcher", str(self.path)]

    def entering(self, folder, *words):
        """The command that runs these words in a task."""
        return [sys.executable, "-m", "danlu.runtime.enter", folder, "--", *words]

    def open_launcher(self):
        subprocess.run(self.command(), check=True, timeout=PATIENCE)
        return self.ask({"ping": True})[0]["pid"]

    def ask(self, *messages):
        return supervision.ask_launcher(str(self.path), *messages)

    def task(self, **fields):
        """Write a task's file without starting it."""
        attempt = f"attempt{next(self._numbers)}"
        task = RunningTask(self, f"{attempt}/worker-0")
        content = {"v": 1, "attempt": attempt, "task": "worker-0", "log": str(task.log)}
        content["binds"] = [[prefix, prefix, "ro"] for prefix in sorted({sys.prefix, sys.base_prefix})]
        content["user"] = self.somebody if os.geteuid() == 0 else None
        if self.isolation:
            content["isolation"] = self.isolation
        with self.acting():
            os.makedirs(task.dir)
            supervision.write_json(os.path.join(task.dir, supervision.TASK_FILE), {**content, **fields})
        self.tasks.append(task)
        return task

    def start(self, **fields):
        task = self.task(**fields)
        assert self.ask({"start": task.name}) == [{"ok": True}]
        return task

    def python(self, program, *arguments, **fields):
        """Start a task that runs this Python program."""
        return self.start(argv=[sys.executable, "-c", program, *arguments], **fields)

    def close(self):
        for task in self.tasks:
            if supervision.is_alive(task.dir):
                task.stop(0)
        for task in self.tasks:
            until(lambda task=task: not supervision.is_alive(task.dir), f"the end of {task.name}")
        try:
            self.ask({"quit": True})
        except OSError:
            return
        lock = str(self.path / supervision.LAUNCHER_LOCK)
        until(lambda: not supervision.held(lock), "the launcher's leave")


@pytest.fixture(scope="session")
def shared_runs(tmp_path_factory):
    runs = Runs(tmp_path_factory.mktemp("data"))
    runs.open_launcher()
    yield runs
    runs.close()


@pytest.fixture
def runs(shared_runs):
    """A launcher shared by all tests that do it no harm."""
    return shared_runs


@pytest.fixture
def own_runs(tmp_path):
    """A launcher to do harm to."""
    runs = Runs(tmp_path / "data")
    runs.open_launcher()
    yield runs
    runs.close()


@pytest.fixture(params=MODES)
def isolation(request):
    """Every level of isolation, by wish."""
    return MODES[request.param]
