"""Ends what a supervisor that died left behind."""

from __future__ import annotations

import os
import signal
import time

from danlu.ports import supervision
from danlu.runtime.isolation import tree
from danlu.runtime.isolation.cgroups import ControlGroup

PATIENCE = 5.0


def sweep(task_dir: str) -> bool:
    """Kill every process of the task, found by its control group and by the mark in its environment.

    False when some would not end. Does nothing while its supervisor lives, or when the directory is gone. For
    a process of its own."""
    if supervision.is_alive(task_dir):
        return True
    try:
        cookie, group = marks_of(task_dir)
    except (FileNotFoundError, NotADirectoryError):
        return True
    deadline = time.monotonic() + PATIENCE
    left = left_of(cookie, group)
    while left and time.monotonic() < deadline:
        tree.signal_all(left, signal.SIGKILL)
        time.sleep(0.01)
        left = left_of(cookie, group)
    group.remove()
    return not left


def marks_of(task_dir: str) -> tuple[bytes, ControlGroup]:
    """What the processes of a task are known by; FileNotFoundError when its directory is gone."""
    cookie = f"{supervision.COOKIE}={supervision.cookie(task_dir)}".encode()
    records, _ = supervision.read_status(task_dir)
    directories = [directory for record in records for directory in record.get("cgroup", [])]
    return cookie, ControlGroup([directory for directory in directories if os.path.isdir(directory)], [])


def left_of(cookie: bytes, group: ControlGroup) -> set[int]:
    """Those that are there now, this one excepted."""
    return {*tree.carrying(cookie), *(group.pids() if group.directories else [])} - {os.getpid()}
