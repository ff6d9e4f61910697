"""Counts now and then what the task leaves on disk where only it works, and in files in memory, and says when that is
too much."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import time
from typing import Callable, Iterator, Sequence

from danlu.ports.disk_use import DEEPEST, DiskCount, sizes_below
from danlu.runtime.watching.shared_memory import memory_of

_FIRST = 1.0
_PAUSE = 10.0
_SLICE_EVERY = 0.25
# A slice is short, for output and orders wait meanwhile; a count of millions of files takes minutes.
_SLICE = 0.01
_SLICE_ENTRIES = 4_000


class Scratch:
    """What some folders take, and files that its processes hold open without a name, which no folder shows. Shared
    memory counts too: `memory` bytes of it."""

    def __init__(self, folders: Sequence[str], limit: int, pids: Callable[[], list[int]]) -> None:
        self.limit = limit
        self.used = self.memory = 0
        self.too_deep = False
        self.next_look = time.monotonic() + _FIRST
        self._folders, self._pids = list(folders), pids
        self._count: DiskCount | None = None

    @property
    def over(self) -> bool:
        return self.too_deep or self.used + self.memory > self.limit

    def look(self, now: float) -> bool:
        """Go on counting, if it is time to; whether the bound is exceeded."""
        if now < self.next_look:
            return False
        if self._count is None:
            self._count = DiskCount(self._sizes())
            self.memory = memory_of(self._pids())
        count = self._count
        count.go_on(_SLICE, _SLICE_ENTRIES)
        self.next_look = now + (_PAUSE if count.done else _SLICE_EVERY)
        # What was counted so far may be too much already.
        if count.done or count.size > self.used:
            self.used = count.size
        if count.done:
            self.too_deep, self._count = count.too_deep, None
        return self.over

    def said(self) -> str:
        if self.too_deep:
            return f"folders are nested deeper than {DEEPEST} levels and cannot be counted"
        memory = f" and {self.memory:,} in shared memory" if self.memory else ""
        return f"{self.used:,} bytes on disk{memory}, the limit is {self.limit:,}"

    def _sizes(self) -> Iterator[int]:
        parts = (sizes_below(folder) for folder in self._folders)
        return itertools.chain(itertools.chain.from_iterable(parts), self._nameless())

    def _nameless(self) -> Iterator[int]:
        """Files that were deleted while a process has them open: their space is free only when it closes them."""
        devices = set()
        for folder in self._folders:
            with contextlib.suppress(OSError):
                devices.add(os.stat(folder).st_dev)
        seen = set()
        for pid in self._pids():
            with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as files:
                for file in files:
                    with contextlib.suppress(OSError):
                        found = os.stat(file.path)
                        key = (found.st_dev, found.st_ino)
                        new = key not in seen and found.st_dev in devices
                        if new and not found.st_nlink and stat.S_ISREG(found.st_mode):
                            seen.add(key)
                            yield found.st_blocks * 512
                        else:
                            yield 0
