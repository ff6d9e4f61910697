"""Ends a task whose supervisor does not: it was asked to stop, its time is over, and nothing happened."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Any, Callable

from danlu.ports import supervision
from danlu.ports.supervision import StatusRecord
from danlu.runtime.isolation import tree
from danlu.runtime.recording.status import Status
from danlu.runtime.sweep import PATIENCE, left_of, marks_of, sweep

_LAST_WORDS = 2.0
_MOST_PIECES = 256
_TEXT = "its supervisor did not respond, so it was ended by force"


def end_by_force(task_dir: str) -> bool:
    """Kill every process of the task; then its supervisor, unless that records the end now; record it instead.

    False when something would not end: it may still hold what it was given. For a process of its own."""
    lock = os.path.join(task_dir, supervision.LOCK_FILE)
    try:
        cookie, group = marks_of(task_dir)
    except (FileNotFoundError, NotADirectoryError):
        return True
    supervisors = holders(lock)

    def everyone_is_gone() -> bool:
        # As long as it lives, a supervisor adopts every orphan of its task: nobody can hide.
        found = {pid for one in supervisors for pid in tree.descendants(one)} | left_of(cookie, group)
        members = [pid for pid in found - supervisors if not tree.is_zombie(pid)]
        tree.signal_all(members, signal.SIGKILL)
        return not members

    def supervisor_is_gone() -> bool:
        return not supervision.is_alive(task_dir)

    if not _soon(everyone_is_gone, PATIENCE):
        return False
    if not _soon(supervisor_is_gone, _LAST_WORDS):
        tree.signal_all(holders(lock), signal.SIGKILL)
    if not _soon(supervisor_is_gone, PATIENCE) or not sweep(task_dir):
        return False
    with contextlib.suppress(OSError):  # on a full disk it is as if the supervisor had been lost
        _record_end(task_dir)
    return True


def holders(lock: str) -> set[int]:
    """The processes that hold a lock, whatever any record says of them; who merely looks at it is none."""
    try:
        wanted = os.stat(lock)
    except OSError:
        return set()
    found = set()
    for pid in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        with contextlib.suppress(OSError):  # it has gone, or is not ours
            if any(_holds(pid, fd, wanted) for fd in os.listdir(f"/proc/{pid}/fd")):
                found.add(pid)
    return found


def _holds(pid: int, fd: str, wanted: os.stat_result) -> bool:
    try:
        # Only what is called so is touched: a look at some files never ends.
        if not os.readlink(f"/proc/{pid}/fd/{fd}").endswith(f"/{supervision.LOCK_FILE}"):
            return False
        if not os.path.samestat(os.stat(f"/proc/{pid}/fd/{fd}"), wanted):
            return False
        with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii", errors="replace") as file:
            return "OFDLCK" in file.read(4096)
    except OSError:
        return False


def _soon(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _record_end(task_dir: str) -> None:
    """Say what happened in the supervisor's place, unless it has, or another one came."""
    os.chdir(task_dir)
    lock = supervision.hold(supervision.LOCK_FILE)
    records = _all_records()
    if lock is None or not records or any(record["event"] == supervision.EXITED for record in records):
        return
    now = int(time.time() * 1000)
    end: dict[str, Any] = {"code": None, "signal": int(signal.SIGKILL), "reason": "signal", "text": _TEXT}
    end.update(started=any(record["event"] == supervision.RUNNING for record in records))
    end.update(stopped=os.path.exists(supervision.STOP_FILE), stop_reason="no_response", oom=False)
    end.update(memory_peak=None, cpu_ms=0, wall_ms=now - int(records[0].get("time", now)), log_bytes=0)
    status = Status(
        supervision.name_of(task_dir), f"../../{supervision.NOTIFY_SOCKET}", after=records[-1].get("seq", 0)
    )
    status.file.write(b"\n")  # a torn line stays one by itself
    status.record(supervision.EXITED, **end)
    status.file.sync()
    status.say_last_word()


def _all_records() -> list[StatusRecord]:
    records: list[StatusRecord] = []
    offset = 0
    for _ in range(_MOST_PIECES):
        found, end = supervision.read_status(".", offset)
        if end == offset:
            break
        offset = end
        # Of many only the ends matter: how it began, and whether it ended.
        records = [*records[:8], *found] if records else found
    return records
