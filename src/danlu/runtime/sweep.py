"""Ends what a supervisor that died left behind."""

from __future__ import annotations

import os
import signal
import time

from danlu.ports import supervision
from danlu.runtime.isolation import tree
from danlu.runtime.isolation.cgroups import ControlGroup

_PATIENCE = 5.0


def sweep(task_dir: str) -> bool:
    """Kill every process of the task, found by its control group and by the mark in its environment.

    False when some would not end. Does nothing while its supervisor lives, or when the directory is gone. For
    a process of its own."""
    if supervision.is_alive(task_dir):
        return True
    try:
        cookie = f"{supervision.COOKIE}={supervision.cookie(task_dir)}".encode()
    except (FileNotFoundError, NotADirectoryError):
        return True
    records, _ = supervision.read_status(task_dir)
    directories = [directory for record in records for directory in record.get("cgroup", [])]
    group = ControlGroup([directory for directory in directories if os.path.isdir(directory)], [])
    deadline = time.monotonic() + _PATIENCE
    left = _left(cookie, group)
    while left and time.monotonic() < deadline:
        tree.signal_all(left, signal.SIGKILL)
        time.sleep(0.01)
        left = _left(cookie, group)
    group.remove()
    return not left


def _left(cookie: bytes, group: ControlGroup) -> set[int]:
    return {*tree.carrying(cookie), *(group.pids() if group.directories else [])} - {os.getpid()}
