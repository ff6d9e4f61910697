"""A folder as it is now, put into the store: folder by folder, on descriptors, through no link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from danlu.data.datasets.known import FileTally, KnownFolder, Row, read_rows, rows_of
from danlu.data.datasets.listing import FILE, FOLDER, LINK, PROGRAM, FolderListing, ListedEntry, written
from danlu.data.datasets.objects import SMALL, ObjectWriter
from danlu.domain.file_names import shown_name
from danlu.ports.disk_use import DEEPEST, TooDeep

_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_TRIES = 4
_TOLD, _LONGEST_TOLD = 20, 500
_RECENT_NS = 2_000_000_000
LONGEST_TARGET = 4_096


class TooMuch(Exception):
    """More would be stored than may be."""


@dataclass(slots=True)
class Findings:
    """What a walk found besides what it returns."""

    folders: dict[str, KnownFolder] = field(default_factory=dict)
    tally: FileTally = field(default_factory=FileTally)
    left_out: list[str] = field(default_factory=list)
    """Some paths, for people."""

    def leave_out(self, path: str, name: str) -> None:
        if len(self.left_out) < _TOLD:
            self.left_out.append(shown_name(os.fsencode(f"{path}/{name}" if path else name))[:_LONGEST_TOLD])


class Walk:
    """Walks a folder, given what is known of it from before (by path), and folders that others have walked meanwhile.
    `clock` tells nanoseconds; `looked` is called with how many files and bytes were looked at, and how many of these
    were read."""

    def __init__(
        self,
        session: ObjectWriter,
        known: Mapping[str, KnownFolder],
        looked: Callable[[int, int, int], None],
        clock: Callable[[], int],
        walked: Mapping[str, KnownFolder] | None = None,
    ) -> None:
        self.session, self.known, self.walked = session, known, walked or {}
        self.found = Findings()
        self._looked, self._clock = looked, clock

    def folder(self, fd: int, path: str, depth: int = 0) -> KnownFolder:
        """The open folder at `path`, which is closed."""
        try:
            if depth > DEEPEST:
                raise TooDeep(path)
            began = self._clock()
            rows = _rows(fd)
            inner: dict[str, KnownFolder] = {}
            for row in rows:
                if stat.S_ISDIR(row[1]):
                    self._inner(fd, path, row[0], depth, inner)
            return self._folder(fd, path, depth, rows, inner, began)
        finally:
            os.close(fd)

    def _inner(self, fd: int, path: str, name: str, depth: int, inner: dict[str, KnownFolder]) -> None:
        below = f"{path}/{name}" if path else name
        if below in self.walked:
            inner[name] = self.walked[below]
            return
        try:
            opened = os.open(name, _OPEN_FOLDER, dir_fd=fd)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return  # gone, or something else by now, or closed
        inner[name] = self.folder(opened, below, depth + 1)

    def _folder(
        self, fd: int, path: str, depth: int, rows: list[Row], inner: dict[str, KnownFolder], began: int
    ) -> KnownFolder:
        before = self.known.get(path)
        told = rows_of(rows)
        children = tuple(one.digest for one in inner.values())
        if before is not None and before.rows == told and before.children == children:
            result = before
            own = len(rows) - len(inner)
            self._looked(own, before.size - sum(one.size for one in inner.values()), 0)
        else:
            result = self._changed(fd, path, depth, rows, inner, before, began)
        self.found.folders[path] = result
        self.found.tally.add(result.tally)
        return result

    def _changed(
        self,
        fd: int,
        path: str,
        depth: int,
        rows: list[Row],
        inner: dict[str, KnownFolder],
        before: KnownFolder | None,
        began: int,
    ) -> KnownFolder:
        trusted = self._trusted(before)
        tally, entries = FileTally(), []
        kept: list[Row] = []
        for row in rows:
            name, mode = row[0], row[1]
            entry: ListedEntry | None = None
            if stat.S_ISREG(mode):
                known = trusted.get(row)
                read = 0
                if known is None:
                    entry, row = self._file(fd, path, row, tally, began)
                    read = 1
                else:
                    entry = known
                if entry is not None:
                    tally.count(name, entry.size)
                    self._looked(1, entry.size, read)
            elif stat.S_ISDIR(mode):
                if name in inner:
                    one = inner[name]
                    entry = ListedEntry(FOLDER, os.fsencode(name), one.size, one.files, one.digest)
                else:
                    tally.unreadable += 1
                    self.found.leave_out(path, name)
            elif stat.S_ISLNK(mode):
                entry = self._link(fd, path, name, depth, tally)
            else:
                tally.special += 1
                self.found.leave_out(path, name)
            if entry is not None:
                entries.append(entry)
            kept.append(row)
        digest = self.session.add(written(entries))
        return KnownFolder(
            rows_of(kept),
            tuple(one.digest for one in inner.values()),
            digest,
            sum(one.files for one in inner.values()) + sum(e.kind in (FILE, PROGRAM) for e in entries),
            sum(entry.size for entry in entries if entry.kind != LINK),
            len(inner) + sum(one.folders for one in inner.values()),
            tally,
        )

    def _trusted(self, before: KnownFolder | None) -> dict[Row, ListedEntry]:
        """Files that have not changed if their rows are the same."""
        if before is None:
            return {}
        listed = {
            os.fsdecode(entry.name): entry
            for entry in FolderListing(self.session.read(before.digest))
            if entry.kind in (FILE, PROGRAM)
        }
        return {row: listed[row[0]] for row in read_rows(before.rows) if row[0] in listed}

    def _file(
        self, fd: int, path: str, row: Row, tally: FileTally, began: int
    ) -> tuple[ListedEntry | None, Row]:
        """What it holds, and its row as it was then; as it was read last where it never stands still."""
        name = row[0]
        try:
            opened = os.open(name, _OPEN_FILE, dir_fd=fd)
        except FileNotFoundError:
            return None, row
        except OSError:
            tally.unreadable += 1
            self.found.leave_out(path, name)
            return None, row
        try:
            for _ in range(_TRIES):
                digest, size = self._content(opened, row[3])
                after = os.fstat(opened)
                seen = (
                    name,
                    after.st_mode,
                    after.st_ino,
                    after.st_size,
                    after.st_mtime_ns,
                    after.st_ctime_ns,
                )
                settled = seen == row and size == row[3]
                row = seen
                if settled:
                    break
            else:
                tally.unsettled += 1
                self.found.leave_out(path, name)
            if not stat.S_ISREG(row[1]):
                tally.special += 1
                return None, row
            if max(row[4], row[5]) > began - _RECENT_NS:
                row = (
                    name,
                    row[1],
                    0,
                    row[3],
                    row[4],
                    row[5],
                )  # to be read again: it may change in the same tick
            kind = PROGRAM if row[1] & 0o100 else FILE
            return ListedEntry(kind, os.fsencode(name), size, 1, digest), row
        finally:
            os.close(opened)

    def _content(self, opened: int, size: int) -> tuple[bytes, int]:
        if size > SMALL:
            return self.session.add_file(opened, size)
        os.lseek(opened, 0, os.SEEK_SET)
        data = os.read(opened, SMALL + 1)
        if len(data) > SMALL:
            return self.session.add_file(opened, len(data))
        return self.session.add(data), len(data)

    def _link(self, fd: int, path: str, name: str, depth: int, tally: FileTally) -> ListedEntry | None:
        try:
            target = os.fsencode(os.readlink(name, dir_fd=fd))
        except OSError:
            return None
        if not stays_inside(target, depth):
            tally.links_out += 1
            self.found.leave_out(path, name)
            return None
        tally.links += 1
        return ListedEntry(LINK, os.fsencode(name), len(target), 0, target)


def stays_inside(target: bytes, depth: int) -> bool:
    """Whether a link in a folder so deep leads nowhere outside, whatever other links that do so are on its way: `..`
    stands only before names, where it goes up real folders."""
    if not target or target.startswith(b"/") or len(target) > LONGEST_TARGET:
        return False
    up, named = 0, False
    for part in target.split(b"/"):
        if part == b"..":
            if named:
                return False
            up += 1
        elif part not in (b"", b"."):
            named = True
    return up <= depth


def _rows(fd: int) -> list[Row]:
    rows = []
    with os.scandir(fd) as entries:
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            times = found.st_mtime_ns, found.st_ctime_ns
            rows.append((entry.name, found.st_mode, found.st_ino, found.st_size, *times))
    rows.sort()
    return rows
