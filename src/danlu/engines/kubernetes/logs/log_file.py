"""A task's log on disk; its last records say how far it is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from danlu.engines.kubernetes.logs.printed import Mark
from danlu.ports.cutting import Cutter
from danlu.ports.supervision import LogRecord, split_record

_BLOCK = 64 * 1024


class WrittenElsewhere(Exception):
    """Something else wrote to the log since we last did: another control plane leads, or led until now."""


class LogFile:
    """Grows by whole records. Its last records tell where to go on, so that nothing beside it can disagree with it.
    Beyond `limit` bytes on disk (0: any number) it loses its middle."""

    def __init__(self, path: Path, limit: int = 0) -> None:
        self.appended = 0
        """How many bytes this object wrote, or passed over where the log is full."""
        self._path = path
        self._cutter = Cutter(str(path), limit)
        self._size = -1
        self._mark = Mark()

    def mark(self) -> Mark:
        """How far the log is written; a torn last record, which a crash may leave, is cut off."""
        if self._size < 0:
            with self._opened() as fd:
                self._size = _mended(fd)
                self._mark = _mark_of(fd, self._size)
        return self._mark

    def reread(self) -> None:
        """Look at the file again before going on."""
        self._size = -1

    def append(self, records: bytes, mark: Mark) -> None:
        """All of it or, with an OSError, nothing. WrittenElsewhere when the log is not as we left it."""
        with self._opened() as fd:
            if os.fstat(fd).st_size != self._size:
                raise WrittenElsewhere
            if not self._cutter.full:
                self._write(fd, records)
        self.appended += len(records)
        self._mark = mark

    def _write(self, fd: int, records: bytes) -> None:
        size = self._size + len(records)
        try:
            done = 0
            while done < len(records):
                done += os.write(fd, records[done:])
        except OSError:
            os.ftruncate(fd, self._size)
            raise
        self._size = size
        if self._cutter.due(size):
            self._cutter.cut(size)
            if self._cutter.full:
                stamp = records.rstrip(b"\n").rpartition(b"\n")[2].split(b" ", 1)[0]
                self._size += os.write(fd, self._cutter.last_words(stamp))

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open for a moment only: a thousand logs may be written at once."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        try:
            fd = os.open(self._path, flags, 0o640)
        except FileNotFoundError:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(self._path, flags, 0o640)
        try:
            yield fd
        finally:
            os.close(fd)


def _mended(fd: int) -> int:
    """The size up to the last whole record; what is torn behind it goes."""
    size = end = os.fstat(fd).st_size
    while end > 0:
        begin = max(0, end - _BLOCK)
        newline = os.pread(fd, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            end = begin + newline + 1
            break
        end = begin
    if end < size:
        os.ftruncate(fd, end)
    return end


def _mark_of(fd: int, size: int) -> Mark:
    """By the records that bear the last time."""
    mark = Mark()
    for record in _backwards(fd, size):
        mark.time = mark.time or record.time_ms
        mark.second = mark.time // 1000
        mark.since = record.time_ms // 1000
        if record.time_ms != mark.time:
            break
        if record.stream == "o" and record.whole:
            mark.lines += 1
        elif record.stream == "o" and mark.lines == 0:
            mark.part += len(record.text)
    return mark


def _backwards(fd: int, end: int) -> Iterator[LogRecord]:
    """The records before `end`, the last one first."""
    rest = b""
    while end > 0:
        begin = max(0, end - _BLOCK)
        rest, *lines = (os.pread(fd, end - begin, begin) + rest).split(b"\n")
        if begin == 0:
            lines.insert(0, rest)
        yield from filter(None, map(split_record, reversed(lines)))
        end = begin
