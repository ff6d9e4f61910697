"""What folders take on disk, counted a little at a time; the content is not trusted, and no link is followed."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator

DEEPEST = 128
"""Levels of folders that are counted; what is nested deeper cannot be, and counts as too much."""
SMALLEST = 4096
"""What every file and folder takes at least: the disk keeps a record of it too."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TooDeep(Exception):
    """Folders are nested deeper than they can be counted."""


class DiskCount:
    """Adds up sizes as long as it may; `done` once all are. What was added so far holds at any time."""

    def __init__(self, sizes: Iterator[int]) -> None:
        self.size = self.entries = 0
        self.done = self.too_deep = False
        self._sizes = sizes

    def go_on(self, seconds: float, entries: int) -> None:
        """Look at so many entries more, for so long."""
        until = time.monotonic() + seconds
        try:
            for _ in range(entries):
                self.size += next(self._sizes)
                self.entries += 1
                if time.monotonic() >= until:
                    return
        except StopIteration:
            self.done = True
        except TooDeep:
            self.done = self.too_deep = True


def sizes_below(folder: str) -> Iterator[int]:
    """The space that each entry below a folder takes, one after the other: links themselves, not where they lead; a
    file of several names in parts; nothing of other file systems. What disappears meanwhile is left out, and what is
    unreadable counts as a folder alone."""
    levels: list[_Level] = []
    try:
        with contextlib.suppress(OSError):
            levels.append(_Level(os.open(folder, _FOLDER)))
        device = os.fstat(levels[0].fd).st_dev if levels else 0
        while levels:
            entry = levels[-1].next()
            if entry is None:
                levels.pop().close()
                continue
            with contextlib.suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                yield max(SMALLEST, found.st_blocks * 512) // max(1, _names(found))
                if stat.S_ISDIR(found.st_mode) and found.st_dev == device:
                    if len(levels) >= DEEPEST:
                        raise TooDeep
                    levels.append(_Level(os.open(entry.name, _FOLDER, dir_fd=levels[-1].fd)))
    finally:
        for level in levels:
            level.close()


class _Level:
    """An open folder, and what is left to look at in it."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        try:
            self._entries = os.scandir(fd)
        except OSError:
            os.close(fd)
            raise

    def next(self) -> os.DirEntry[str] | None:
        """The next entry; None at the end, or where the disk fails."""
        try:
            return next(self._entries, None)
        except OSError:
            return None

    def close(self) -> None:
        self._entries.close()
        os.close(self.fd)


def _names(found: os.stat_result) -> int:
    return 1 if stat.S_ISDIR(found.st_mode) else found.st_nlink
