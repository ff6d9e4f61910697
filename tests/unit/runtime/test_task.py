"""task.json with its defaults, and the words when it is wrong."""

import os

import pytest

from danlu.runtime.task import CannotStart, read_task

LEAST = {"v": 1, "attempt": "a1", "task": "worker-0", "log": "/logs/x", "command": "echo hi"}


@pytest.fixture(autouse=True)
def _directories(monkeypatch):
    """Every directory exists, with number 10 on device 1."""
    monkeypatch.setattr(os, "stat", lambda _: os.stat_result((0o40700, 10, 1, 1, 0, 0, 0, 0, 0, 0)))


def test_defaults_are_filled_in():
    task = read_task(LEAST, "/runs/a1/worker-0")
    assert task.argv == ["/bin/sh", "-c", "echo hi"]
    assert task.cwd == "/runs/a1/worker-0/work"
    assert task.env["HOME"] == task.cwd
    assert task.wants_sandbox
    assert task.wants_cgroup
    assert (task.memory, task.cpu_milli, task.pids) == (0, 0, 0)


def test_the_mark_cannot_be_forged_by_the_environment():
    task = read_task({**LEAST, "env": {"DANLU_SUPERVISED": "other"}}, "/runs/a1/worker-0")
    assert task.env["DANLU_SUPERVISED"] == "a1/worker-0@1-a"


def test_a_list_is_run_without_a_shell():
    task = read_task({**LEAST, "command": None, "argv": ["python", "x.py"]}, "/r")
    assert (task.argv, task.is_shell) == (["python", "x.py"], False)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"v": 2}, "version 2"),
        ({"command": None, "argv": [1]}, "argv"),
        ({"command": "a\0b"}, "NUL"),
        ({"env": {"": "x"}}, "empty"),
        ({"limits": {"memory": "much"}}, "much"),
    ],
)
def test_what_is_wrong_is_named(change, word):
    with pytest.raises(CannotStart, match=word):
        read_task({**LEAST, **change}, "/r")


def test_a_file_that_is_no_object_is_refused():
    with pytest.raises(CannotStart, match="JSON object"):
        read_task([], "/r")
