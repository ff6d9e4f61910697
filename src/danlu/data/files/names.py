"""The sorted names of large folders, kept as long as the folders do not change."""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

_MOST_NAMES, _MOST_BYTES = 2_000_000, 64 << 20
"""Of one folder; others are read anew for each page."""
_ALL_BYTES = 128 << 20
_WORTH_IT = 5_000
_SETTLED_NS = 100_000_000
"""A clock tick may hide a change: only what was left alone for a moment is kept."""
_PATIENCE_S = 20.0
_SORTED_AT_ONCE = 20_000

Stamp = tuple[int, int, int, int]


class Names:
    """Names in order, in a fraction of the space that a list takes."""

    def __init__(self, names: Sequence[bytes]) -> None:
        self._ends, text = array("I", [0]), bytearray()
        for name in _sorted(names):
            text += name
            self._ends.append(len(text))
        self._text = bytes(text)

    @property
    def space(self) -> int:
        return len(self._text) + 4 * len(self._ends)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: int) -> bytes:
        return self._text[self._ends[at] : self._ends[at + 1]]

    def after(self, name: bytes | None, *, descending: bool) -> Iterator[bytes]:
        """In order, from behind a name on."""
        if descending:
            yield from (
                self[at] for at in range((self._place(name) if name is not None else len(self)) - 1, -1, -1)
            )
            return
        begin = 0 if name is None else self._place(name)
        if name is not None and begin < len(self) and self[begin] == name:
            begin += 1
        yield from (self[at] for at in range(begin, len(self)))

    def _place(self, name: bytes) -> int:
        """Where it is, or would be."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle] < name:
                low = middle + 1
            else:
                high = middle
        return low


class FolderNames:
    """The folders and the other entries of a folder."""

    def __init__(self, folders: list[bytes], others: list[bytes]) -> None:
        self.folders, self.others = Names(folders), Names(others)
        self.space = self.folders.space + self.others.space

    def __len__(self) -> int:
        return len(self.folders) + len(self.others)

    def after(self, place: tuple[bool, bytes] | None, *, descending: bool) -> Iterator[bytes]:
        """Folders first, from behind a place on: whether that is a folder, and its name."""
        if place is None or place[0]:
            yield from self.folders.after(place[1] if place else None, descending=descending)
        name = place[1] if place and not place[0] else None
        yield from self.others.after(name, descending=descending)


class NameCache:
    """Any thread. One folder is read at a time, so that memory is bounded."""

    def __init__(self, most_bytes: int = _ALL_BYTES) -> None:
        self._most, self._kept = most_bytes, OrderedDict[Stamp, FolderNames]()
        self._lock, self._reading = threading.Lock(), threading.Lock()

    def of(self, fd: int) -> FolderNames | None:
        """None for a folder with too many names to hold, or too slow to be read."""
        with self._lock:
            stamp = _stamp(fd)
            if stamp in self._kept:
                self._kept.move_to_end(stamp)
                return self._kept[stamp]
        with self._reading:
            return self._read(fd)

    def _read(self, fd: int) -> FolderNames | None:
        stamp = _stamp(fd)
        with self._lock:
            if stamp in self._kept:  # somebody else was faster
                return self._kept[stamp]
        names = _names(fd)
        settled = time.time_ns() - max(stamp[2:]) > _SETTLED_NS
        if names is not None and len(names) >= _WORTH_IT and settled and _stamp(fd) == stamp:
            self._keep(stamp, names)
        return names

    def _keep(self, stamp: Stamp, names: FolderNames) -> None:
        with self._lock:
            for old in [one for one in self._kept if one[:2] == stamp[:2]]:
                del self._kept[old]
            self._kept[stamp] = names
            while sum(one.space for one in self._kept.values()) > self._most:
                self._kept.popitem(last=False)


def _sorted(names: Sequence[bytes]) -> Iterable[bytes]:
    """A long list is sorted in parts: no other thread runs while one is."""
    return merge(*(sorted(names[at : at + _SORTED_AT_ONCE]) for at in range(0, len(names), _SORTED_AT_ONCE)))


def _names(fd: int) -> FolderNames | None:
    until, size = time.monotonic() + _PATIENCE_S, 0
    folders: list[bytes] = []
    others: list[bytes] = []
    with os.scandir(fd) as entries:
        for count, entry in enumerate(entries):
            name = os.fsencode(entry.name)
            size += len(name)
            if count >= _MOST_NAMES or size > _MOST_BYTES:
                return None
            if count % 1024 == 0 and time.monotonic() > until:
                return None
            (folders if entry.is_dir(follow_symlinks=False) else others).append(name)
    return FolderNames(folders, others)


def _stamp(fd: int) -> Stamp:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns
