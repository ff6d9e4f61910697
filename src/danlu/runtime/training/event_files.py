"""Finds the TensorBoard files that a task writes, and turns what is new in them into points."""

from __future__ import annotations

import os
from typing import Iterable, Iterator, Sequence

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

    def look(self, limit: int) -> list[ReportedPoint]:
        """What is new, as far as about `limit` bytes tell; the rest waits for the next look."""
        self._find()
        points: list[ReportedPoint] = []
        for file in self._files.values():
            while limit > 0 and not file.over and _is_here(file.path):
                found, took = file.read(limit)
                limit -= took
                points += found
                if not took:
                    break
        return points

    def _find(self) -> None:
        for path in _below(self._folders):
            if len(self._files) >= _MOST_FILES:
                return
            if path in self._files or not _changed_since(path, self._since):
                continue
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


def _below(folders: Sequence[str]) -> Iterator[str]:
    """Event files in the folders and below, in the order of their names, the upper ones first."""
    entries = 0
    waiting = [(folder, 0) for folder in folders if _is_here(folder)]
    while waiting:
        folder, depth = waiting.pop(0)
        deeper = []
        for entry in _entries(folder):
            entries += 1
            if entries > _MOST_ENTRIES:
                return
            if NAME in entry.name and entry.is_file(follow_symlinks=False):
                yield entry.path
            elif depth < _DEEPEST and entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                deeper.append((entry.path, depth + 1))
        waiting += deeper


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_here(path: str) -> bool:
    """Whether no part of a path is a link."""
    return os.path.realpath(path) == path


def _changed_since(path: str, moment: float) -> bool:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime >= moment
    except OSError:
        return False
