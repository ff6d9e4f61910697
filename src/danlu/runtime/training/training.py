"""What a task tells of its training, seen to while it runs: checkpoints for the life cycle, and TensorBoard's numbers
for the store of metrics."""

from __future__ import annotations

import contextlib
import math
import os
import time

from danlu.ports import beneath, reports, supervision
from danlu.ports.reports import Save
from danlu.runtime.recording.status import Status
from danlu.runtime.task import SupervisedTask
from danlu.runtime.training.event_files import EventFiles

_LOOK_EVERY = 1.0
_RECORD_EVERY = 5.0
_FILES_EVERY = 5.0
_SAVES_AT_ONCE = 1 << 20
_AT_ONCE = 256 << 10
_AT_THE_END = 8 << 20
_WHOLE_END_S = 2.0
"""How long TensorBoard's files may hold up the end of a task."""


class Training:
    """Looks when it is due and once more at the end. Errors must not affect the task."""

    def __init__(self, task: SupervisedTask, directory: str, status: Status) -> None:
        self._folder = reports.reports_folder(task.log)
        self._status = status
        self._offset = 0
        self._identity: tuple[int, int] | None = None
        self._warned: set[str] = set()
        self._newest: Save | None = None
        self._next_record = self._next_files = 0.0
        # Some file systems round times down.
        self._files = EventFiles(_watched(task, directory), time.time() - 2.0)
        self.next_look = time.monotonic() + _LOOK_EVERY

    def look(self, now: float) -> None:
        """See to what is due."""
        if now < self.next_look:
            return
        self.next_look = now + _LOOK_EVERY
        with contextlib.suppress(Exception):
            self._read_saves()
            if self._newest is not None and now >= self._next_record:
                self._next_record = now + _RECORD_EVERY
                self._record()
        if now >= self._next_files:
            self._next_files = now + _FILES_EVERY
            with contextlib.suppress(Exception):
                self._warn_of_holes()
                self._copy_points(_AT_ONCE)

    def finish(self) -> None:
        """The task is over: all that is left to tell."""
        with contextlib.suppress(Exception):
            self._read_saves()
            self._record()
        with contextlib.suppress(Exception):
            self._copy_points(_AT_THE_END, _WHOLE_END_S)

    def _read_saves(self) -> None:
        """Only the newest counts, however many there are: of much that came at once, the end is looked at."""
        found = reports.look_at(self._folder, reports.CHECKPOINTS_FILE)
        if found is None:
            return
        identity = (found.st_dev, found.st_ino)
        if identity != self._identity or found.st_size < self._offset:
            self._identity, self._offset = identity, 0
        skipped = found.st_size - _SAVES_AT_ONCE - self._offset
        if skipped > 0:
            self._offset += skipped
            self._warn(reports.CHECKPOINTS_FILE, f"it grew too fast, and {skipped:,} bytes were skipped")
        saves, self._offset = reports.read_saves(self._folder, self._offset, _SAVES_AT_ONCE)
        self._newest = saves[-1] if saves else self._newest

    def _warn_of_holes(self) -> None:
        for name in (reports.METRICS_FILE, reports.CHECKPOINTS_FILE):
            found = reports.look_at(self._folder, name)
            if found is not None and beneath.is_sparse(found):
                self._warn(name, "it has holes, which are skipped")

    def _warn(self, name: str, what: str) -> None:
        if name not in self._warned:
            self._warned.add(name)
            self._status.record(supervision.WARNING, code="reports_skipped", text=f"{name}: {what}")

    def _record(self) -> None:
        if self._newest is None:
            return
        save, self._newest = self._newest, None
        # Whatever clock a task goes by, what it says must not outweigh all later checkpoints.
        at = min(save.time, int(time.time() * 1000))
        self._status.record(supervision.CHECKPOINT, path=save.path, step=save.step, at=at)

    def _copy_points(self, limit: int, seconds: float = math.inf) -> None:
        lines: list[bytes] = []
        for point in self._files.look(limit, seconds):
            with contextlib.suppress(ValueError):
                lines.append(reports.point_line(point))
            if len(lines) >= 500:
                reports.append(self._folder, reports.METRICS_FILE, b"".join(lines))
                lines = []
        if lines:
            reports.append(self._folder, reports.METRICS_FILE, b"".join(lines))


def open_training(task: SupervisedTask, directory: str, status: Status) -> Training | None:
    """None where the task was given no folder to report in."""
    if not os.path.isdir(reports.reports_folder(task.log)):
        return None
    return Training(task, directory, status)


def _watched(task: SupervisedTask, directory: str) -> list[str]:
    """Where TensorBoard's files may come: the working directory, and that for checkpoints by the machine's own path."""
    kept = task.env.get("DANLU_CHECKPOINT_DIR", "")
    if not task.wants_sandbox:
        return [directory, kept] if kept.startswith("/") else [directory]
    for source, target, _ in task.binds:
        if kept.startswith(target.rstrip("/") + "/"):
            place = os.path.realpath(source + kept[len(target.rstrip("/")) :])
            # A link there must not lead us where the task itself could not go.
            if place.startswith(os.path.realpath(source) + "/"):
                return [directory, place]
    return [directory]
