"""Log files: records addressed by offset; times rise within a file, so moments are found by bisection.

A log beyond its bound has lost its middle: there is a hole in the file, which reads as zero bytes. No record begins
with one, and readers go on behind it, so that offsets stay valid."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from danlu.ports import beneath
from danlu.ports.logs import LogChunk, LogFound, LogKey
from danlu.ports.supervision import split_record

_BLOCK = 1 << 16
_SEARCH_BLOCK = 1 << 20
_SEARCHED = 64 << 20
"""How much of a log one look searches."""
_LONGEST = 1 << 20
"""Far more than any record has: bytes without the end of a line that are so many are no log."""
_FARTHEST = 256 << 20
"""How much of a log's end is searched for its last lines."""


def log_path(root: Path, key: LogKey) -> Path:
    """Where a task's log lies; supervisors write there, this module reads."""
    return root / key.job_id / str(key.attempt) / f"{key.task}.log"


class FileLogs:
    """The LogReader over `logs/` of the data directory. Any thread."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, key: LogKey, offset: int, limit: int) -> LogChunk:
        with self._open(key) as fd:
            if fd is None:
                return LogChunk(offset, offset, b"")
            return self._records(fd, offset, max(1, limit))

    def tail(self, key: LogKey, lines: int) -> int:
        with self._open(key) as fd:
            if fd is None or lines <= 0:
                return self.size(key)
            position = os.fstat(fd).st_size
            hole = _hole(fd, position)
            wanted = lines + 1  # the newline that ends the last line counts too
            read = 0
            while position > 0 and read < _FARTHEST:
                if hole.start < position <= hole.stop:
                    position = hole.start
                begin = max(0, position - _BLOCK, hole.stop if position > hole.stop else 0)
                block = os.pread(fd, position - begin, begin)
                read += len(block)
                found = block.count(b"\n")
                if found >= wanted:
                    at = len(block)
                    for _ in range(wanted):
                        at = block.rfind(b"\n", 0, at)
                    return begin + at + 1
                wanted -= found
                position = begin
            return self._next_start(fd, position)

    def since(self, key: LogKey, time_ms: int) -> int:
        with self._open(key) as fd:
            if fd is None:
                return 0
            low, high = 0, os.fstat(fd).st_size
            while high - low > _BLOCK:
                middle = (low + high) // 2
                start = self._next_start(fd, middle)
                chunk = self._records(fd, start, 1)
                if not chunk.records or _time(chunk.records) >= time_ms:
                    high = middle
                else:
                    low = chunk.end
            return self._scan(fd, low, time_ms)

    def find(self, key: LogKey, text: str, offset: int, limit: int) -> LogFound:
        needle = text.lower().encode()
        found: list[tuple[int, bytes]] = []
        with self._open(key) as fd:
            if fd is None or not needle:
                return LogFound((), offset, whole=True)
            read = 0
            while read < _SEARCHED and len(found) < limit:
                chunk = self._records(fd, offset, _SEARCH_BLOCK)
                if not chunk.records:
                    return LogFound(tuple(found), offset, whole=True)
                found += _matches(chunk, needle, limit - len(found))
                read, offset = read + len(chunk.records), chunk.end
        if len(found) == limit:
            at, record = found[-1]
            offset = at + len(record) + 1
        return LogFound(tuple(found), offset, whole=False)

    def size(self, key: LogKey) -> int:
        path = log_path(self._root, key)
        found = beneath.look_at(str(path.parent), path.name)
        return found.st_size if found is not None else 0

    def remove(self, job_id: str) -> None:
        shutil.rmtree(self._root / job_id, ignore_errors=True)

    @contextlib.contextmanager
    def _open(self, key: LogKey) -> Iterator[int | None]:
        try:
            path = log_path(self._root, key)
            fd = beneath.open_file(str(path.parent), path.name)
        except (FileNotFoundError, NotADirectoryError):
            yield None
            return
        try:
            yield fd
        finally:
            os.close(fd)

    def _records(self, fd: int, offset: int, limit: int) -> LogChunk:
        """Whole records: a torn one at the end of what is written waits for its rest. In a hole, those behind it. What
        is too long to be one ends the log."""
        data = os.pread(fd, limit, offset)
        if data[:1] == b"\0":
            offset = _behind_hole(fd, offset)
            data = os.pread(fd, limit, offset)
        end = _up_to_hole(data).rfind(b"\n") + 1
        while not end and len(data) == limit and limit < _LONGEST:
            limit *= 2
            data = os.pread(fd, limit, offset)
            end = data.find(b"\n") + 1
        return LogChunk(offset, offset + end, data[:end])

    def _next_start(self, fd: int, position: int) -> int:
        """Where the first record at or after a position begins, if that is near."""
        if position <= 0:
            return 0
        at = _next_data(fd, position - 1)
        farthest = at + _LONGEST
        while at < farthest and (block := os.pread(fd, _BLOCK, at)):
            newline = block.find(b"\n")
            if newline >= 0:
                return at + newline + 1
            at += len(block)
        return at

    def _scan(self, fd: int, offset: int, time_ms: int) -> int:
        while (chunk := self._records(fd, offset, _BLOCK)).records:
            offset = chunk.start
            for line in chunk.records.splitlines(keepends=True):
                if _time(line) >= time_ms:
                    return offset
                offset += len(line)
        return offset


def _hole(fd: int, size: int) -> range:
    """What was cut of a file, as whole blocks; empty where nothing was. A file that only grows has no other hole."""
    try:
        begin = os.lseek(fd, 0, os.SEEK_HOLE)
        return range(begin, _next_data(fd, begin)) if begin < size else range(0)
    except OSError:
        return range(0)


def _next_data(fd: int, offset: int) -> int:
    """The offset itself, or where the hole that it is in ends."""
    try:
        return os.lseek(fd, offset, os.SEEK_DATA)
    except OSError:  # at the end of the file, or where there are no holes
        return offset


def _behind_hole(fd: int, offset: int) -> int:
    """Where the first record behind a hole begins; its last block may begin with zero bytes too."""
    at = _next_data(fd, offset)
    while block := os.pread(fd, _BLOCK, at):
        rest = block.lstrip(b"\0")
        if rest:
            at += len(block) - len(rest)
            return at + 1 if rest[:1] == b"\n" else at
        at += len(block)
        at = max(at, _next_data(fd, at))
    return at


def _up_to_hole(data: bytes) -> bytes:
    at = data.find(b"\n\0")
    return data if at < 0 else data[: at + 1]


def _time(records: bytes) -> int:
    record = split_record(records.split(b"\n", 1)[0])
    return record.time_ms if record else 0


def _matches(chunk: LogChunk, needle: bytes, limit: int) -> list[tuple[int, bytes]]:
    """Looks at the whole block at once and at single records only around a hit."""
    found: list[tuple[int, bytes]] = []
    folded, at = chunk.records.lower(), 0
    while len(found) < limit and (hit := folded.find(needle, at)) >= 0:
        begin = chunk.records.rfind(b"\n", 0, hit) + 1
        end = chunk.records.find(b"\n", hit)
        record = split_record(chunk.records[begin:end])
        if record is not None and needle in record.text.lower():
            found.append((chunk.start + begin, chunk.records[begin:end]))
        at = end + 1
    return found
