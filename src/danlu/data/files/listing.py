"""A page of a folder, however many entries it has: names are held in memory within bounds, and nothing else."""

from __future__ import annotations

import contextlib
import heapq
import os
import stat
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from danlu.data.files.names import FolderNames, NameCache
from danlu.ports.files import EntryKind, FileEntry, FileOrder, FilePage, ListWish, OrderKey, TooManyToSort

_MOST_LOOKED_AT = 5_000_000
_MOST_SORTED = 50_000
"""Sorting by anything but the name takes a look at every file."""
_PATIENCE_S = 20.0


def read_page(fd: int, wish: ListWish, cache: NameCache) -> FilePage:
    """`fd` is an open folder."""
    names = cache.of(fd) if wish.order is FileOrder.NAME else None
    return _searched(fd, wish) if names is None else _taken(fd, wish, names)


def _taken(fd: int, wish: ListWish, names: FolderNames) -> FilePage:
    """By name, from those that are known."""
    after = wish.after and (wish.after[0] == wish.descending, wish.after[2])
    found = names.after(after, descending=wish.descending)
    entries = tuple(_entries(fd, islice(found, wish.limit)))
    return FilePage(entries, len(names), more=next(found, None) is not None)


def _searched(fd: int, wish: ListWish) -> FilePage:
    seen = _Seen(fd, wish)
    choose = heapq.nlargest if wish.descending else heapq.nsmallest
    found = choose(wish.limit + 1, seen.keys())
    entries = _entries(fd, [name for _, _, name in found[: wish.limit]])
    return FilePage(tuple(entries), seen.count, len(found) > wish.limit, seen.whole)


def _entries(fd: int, names: Iterable[bytes]) -> Iterator[FileEntry]:
    for name in names:
        with contextlib.suppress(FileNotFoundError):  # gone meanwhile
            yield entry_of(fd, os.fsdecode(name))


def entry_of(fd: int, name: str) -> FileEntry:
    """What a name in an open folder is, without opening it."""
    found = os.stat(name, dir_fd=fd, follow_symlinks=False)
    kind = _kind(found.st_mode)
    target = None
    if kind is EntryKind.LINK:
        with contextlib.suppress(OSError):
            target = os.fsencode(os.readlink(name, dir_fd=fd))
    size = found.st_size if kind is EntryKind.FILE else 0
    executable = kind is EntryKind.FILE and bool(found.st_mode & stat.S_IXUSR)
    return FileEntry(os.fsencode(name), kind, size, found.st_mtime_ns // 1_000_000, target, executable)


class _Seen:
    """All entries of a folder after a place in the order, counted as they pass."""

    def __init__(self, fd: int, wish: ListWish) -> None:
        self._fd, self._wish = fd, wish
        self.count, self.whole = 0, True

    def keys(self) -> Iterator[OrderKey]:
        until, after = time.monotonic() + _PATIENCE_S, self._wish.after
        with os.scandir(self._fd) as entries:
            for entry in entries:
                self.count += 1
                if self.count > _MOST_LOOKED_AT or (self.count % 1024 == 0 and time.monotonic() > until):
                    self.whole = False
                    return
                key = self._key(entry)
                if key is not None and (after is None or self._is_behind(key, after)):
                    yield key

    def _is_behind(self, key: OrderKey, after: OrderKey) -> bool:
        return key < after if self._wish.descending else key > after

    def _key(self, entry: os.DirEntry[str]) -> OrderKey | None:
        is_folder, value = entry.is_dir(follow_symlinks=False), 0
        if self._wish.order is not FileOrder.NAME:
            if self.count > _MOST_SORTED:
                raise TooManyToSort(_MOST_SORTED)
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                return None
            is_size = self._wish.order is FileOrder.SIZE
            value = (
                (found.st_size if stat.S_ISREG(found.st_mode) else 0)
                if is_size
                else found.st_mtime_ns // 1_000_000
            )
        return (is_folder == self._wish.descending, value, os.fsencode(entry.name))


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return EntryKind.FILE
    if stat.S_ISDIR(mode):
        return EntryKind.FOLDER
    return EntryKind.LINK if stat.S_ISLNK(mode) else EntryKind.OTHER
