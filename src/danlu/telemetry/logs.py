"""Log files: records addressed by offset; times rise within a file, so moments are found by bisection."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from danlu.ports import beneath
from danlu.ports.logs import LogChunk, LogKey
from danlu.ports.supervision import split_record

_BLOCK = 1 << 16
_SEARCH_BLOCK = 1 << 20
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
            wanted = lines + 1  # the newline that ends the last line counts too
            farthest = max(0, position - _FARTHEST)
            while position > farthest:
                begin = max(0, position - _BLOCK)
                block = os.pread(fd, position - begin, begin)
                found = block.count(b"\n")
                if found >= wanted:
                    at = len(block)
                    for _ in range(wanted):
                        at = block.rfind(b"\n", 0, at)
                    return begin + at + 1
                wanted -= found
                position = begin
            return self._next_start(fd, farthest)

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

    def find(self, key: LogKey, text: str, offset: int, limit: int) -> tuple[tuple[int, bytes], ...]:
        needle = text.lower().encode()
        found: list[tuple[int, bytes]] = []
        with self._open(key) as fd:
            while fd is not None and needle and len(found) < limit:
                chunk = self._records(fd, offset, _SEARCH_BLOCK)
                if not chunk.records:
                    break
                found += _matches(chunk, needle, limit - len(found))
                offset = chunk.end
        return tuple(found)

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
        """Whole records: a torn one at the end of what is written waits for its rest. What is too long to be one ends
        the log."""
        data = os.pread(fd, limit, offset)
        end = data.rfind(b"\n") + 1
        while not end and len(data) == limit and limit < _LONGEST:
            limit *= 2
            data = os.pread(fd, limit, offset)
            end = data.find(b"\n") + 1
        return LogChunk(offset, offset + end, data[:end])

    def _next_start(self, fd: int, position: int) -> int:
        """Where the first record at or after a position begins, if that is near."""
        if position <= 0:
            return 0
        at = position - 1
        while at < position + _LONGEST and (block := os.pread(fd, _BLOCK, at)):
            newline = block.find(b"\n")
            if newline >= 0:
                return at + newline + 1
            at += len(block)
        return at

    def _scan(self, fd: int, offset: int, time_ms: int) -> int:
        while (chunk := self._records(fd, offset, _BLOCK)).records:
            for line in chunk.records.splitlines(keepends=True):
                if _time(line) >= time_ms:
                    return offset
                offset += len(line)
        return offset


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
