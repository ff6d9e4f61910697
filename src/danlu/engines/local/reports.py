"""What a supervisor wrote down, in the words of the life cycle."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path

from danlu.domain.events import CheckpointSaved, TaskEnded, TaskEvent, TaskRunning, TaskStarting
from danlu.domain.job import Time
from danlu.domain.reasons import (
    CodeFailed,
    CommandNotFound,
    EnvironmentFailed,
    EvictedDisk,
    ExitCode,
    LeftWhenAsked,
    NeverStarted,
    NotIsolated,
    OutOfMemory,
    Reason,
    Signal,
    StartFailed,
)
from danlu.ports import supervision
from danlu.ports.reports import CHECKPOINTS_FILE, look_at, read_saves, reports_folder
from danlu.ports.supervision import StatusRecord

_RECENT = 65_536
"""The last entry of a file of checkpoints fits in this many bytes."""


def event_of(attempt_id: str, task: str, memory: int, record: StatusRecord) -> TaskEvent | None:
    """The event a status record stands for; None for one that is informational only."""
    match record["event"]:
        case supervision.STARTING:
            return TaskStarting(attempt_id, task, record.get("step", ""))
        case supervision.RUNNING:
            return TaskRunning(attempt_id, task, record["time"], _isolation(record))
        case supervision.CHECKPOINT:
            return CheckpointSaved(attempt_id, task, record["at"], record["path"], record.get("step"))
        case supervision.EXITED:
            code = record.get("code")
            return TaskEnded(attempt_id, task, record["time"], _reason(task, memory, record), code)
    return None


def _isolation(record: StatusRecord) -> str:
    isolation = record.get("isolation", {})
    memory = isolation.get("memory", "none")
    return (
        f"{isolation.get('level', '')}, memory limit {memory}" if memory != "enforced" else isolation["level"]
    )


def _reason(task: str, memory: int, record: StatusRecord) -> Reason | None:
    text = record.get("text") or ""
    match record.get("reason"):
        case None:
            return LeftWhenAsked(task) if record.get("stopped") else None
        case "never_started":
            return NeverStarted(task)
        case "out_of_memory":
            return OutOfMemory(task, memory)
        case "evicted_disk":
            used, limit = int(record.get("disk_used") or 0), int(record.get("disk_limit") or 0)
            return EvictedDisk(task, used, limit, memory=int(record.get("memory_used") or 0))
        case "command_not_found":
            return CommandNotFound(task, text or "command not found")
        case "code_failed":
            return CodeFailed(task, text)
        case "environment_failed":
            return EnvironmentFailed(task, str(record.get("problem") or ""), text)
        case "no_sandbox" | "no_cgroup":
            return NotIsolated(task, text)
        case "signal":
            return Signal(task, _signal_name(record.get("signal")))
        case "exit_code":
            return ExitCode(task, int(record.get("code") or 0))
    return StartFailed(task, text or str(record.get("reason")))


def _signal_name(number: int | None) -> str:
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return str(number)


def untold_save(attempt_id: str, task: str, folder: Path, now: Time) -> Iterator[CheckpointSaved]:
    """The last checkpoint of a task whose supervisor is gone, and may not have told of it."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        told = reports_folder(supervision.read_json(str(folder / supervision.TASK_FILE))["log"])
        found = look_at(told, CHECKPOINTS_FILE)
        saves, _ = read_saves(told, max(0, found.st_size - _RECENT)) if found is not None else ((), 0)
        if saves:
            at = min(saves[-1].time, now)
            yield CheckpointSaved(attempt_id, task, at, saves[-1].path, saves[-1].step)
