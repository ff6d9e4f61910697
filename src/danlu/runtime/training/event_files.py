"""Finds the TensorBoard files that a task writes, and turns what is new in them into points."""

from __future__ import annotations

import itertools
import math
import os
import stat
import time
from typing import Iterable, Iterator, NamedTuple, Sequence

from danlu.ports import beneath
from danlu.ports.reports import ReportedPoint
from danlu.runtime.training.tensorboard import NAME, EventFile

_MOST_FILES = 64
_MOST_ENTRIES = 5_000
_DEEPEST = 6


class EventFiles:
    """Those below some folders that were changed since `since` (seconds since 1970). Links are not followed, nor is a
    folder that became one later: they are the task's to write in, and what reads them may see more than the task."""

    def __init__(self, folders: Iterable[str], since: float) -> None:
        self._folders = tuple(os.path.realpath(folder) for folder in folders)
        self._since = since
        self._files: dict[str, EventFile] = {}
        self._first = ""

    def look(self, limit: int, seconds: float = math.inf) -> list[ReportedPoint]:
        """What is new, as far as about `limit` bytes and so many seconds tell; the rest waits for the next look."""
        self._find()
        until = time.monotonic() + seconds
        points: list[ReportedPoint] = []
        for file in self._files.values():
            while limit > 0 and not file.over and time.monotonic() < until:
                found, took = file.read(limit)
                limit -= took
                points += found
                if not took:
                    break
        return points

    def _find(self) -> None:
        for path, changed in _below(self._folders):
            if len(self._files) >= _MOST_FILES:
                return
            if path not in self._files and changed >= self._since:
                self._files[path] = EventFile(path, self._prefix(os.path.dirname(path)))

    def _prefix(self, folder: str) -> str:
        """Files of one folder are one run of TensorBoard. The first run's names stay as they are; those of further
        ones are told apart by their folders, as seen from there."""
        self._first = self._first or folder
        if folder == self._first:
            return ""
        for base in (self._first, os.path.dirname(self._first), *self._folders):
            if folder.startswith(base.rstrip("/") + "/"):
                return os.path.relpath(folder, base) + "/"
        return os.path.basename(folder) + "/"


class _FolderContent(NamedTuple):
    """What matters of a folder, in the order of names: event files with the times of their change, and folders."""

    files: list[tuple[str, float]]
    folders: list[str]
    entries: int


def _below(folders: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Event files in the folders and below, the upper ones first."""
    left = _MOST_ENTRIES
    waiting = [(folder, 0) for folder in folders]
    while waiting and left > 0:
        folder, depth = waiting.pop(0)
        content = _content(folder, left)
        left -= content.entries
        for name, changed in content.files:
            yield os.path.join(folder, name), changed
        if depth < _DEEPEST:
            waiting += [(os.path.join(folder, name), depth + 1) for name in content.folders]


def _content(folder: str, most: int) -> _FolderContent:
    """Of a folder that no link leads to; empty for any other."""
    content = _FolderContent([], [], 0)
    try:
        fd = beneath.open_folder("/", folder)
    except OSError:
        return content
    try:
        with os.scandir(fd) as found:
            entries = list(itertools.islice(found, most))
        for entry in sorted(entries, key=lambda entry: entry.name):
            if NAME in entry.name:
                seen = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(seen.st_mode):
                    content.files.append((entry.name, seen.st_mtime))
                    continue
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                content.folders.append(entry.name)
        return content._replace(entries=len(entries))
    except OSError:
        return content
    finally:
        os.close(fd)
