"""A large file on its way: beside its place, with a byte behind its content for each chunk that is there."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
from typing import Iterator

from danlu.domain.words import Words
from danlu.sdk.copying.entries import CHUNK, CopyEntry, Range
from danlu.sdk.http.errors import Conflict

PART_NAME = re.compile(rb"\.danlu-[0-9a-f]{16}-[0-9a-f]{1,16}\.part")
_FICLONE = 0x40049409
_CANNOT = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTTY, errno.EPERM)
_PIECE = 1 << 20
_BOOT = "/proc/sys/kernel/random/boot_id"


def part_name(name: bytes, version: str) -> bytes:
    return b".danlu-%s-%s.part" % (_hashed(name).encode(), version.encode())


class Part:
    """Any thread may write; one process at a time. What an earlier run left of the same version goes on. What it left
    of another one, or before the machine was started, whose disk may have lost some of it, is removed."""

    def __init__(self, above: int, name: bytes, entry: CopyEntry) -> None:
        self._above, self._entry = above, entry
        version = _hashed(f"{entry.size} {entry.modified} {entry.tag} {CHUNK} {_boot()}".encode())
        self.name = part_name(name, version)
        self._chunks = -(-entry.size // CHUNK)
        _forget_others(above, name, self.name)
        mode = 0o777 if entry.executable else 0o666
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        self._fd = os.open(self.name, flags, mode, dir_fd=above)
        try:
            self._lock()
            if os.fstat(self._fd).st_size != entry.size + self._chunks:
                os.ftruncate(self._fd, 0)
                os.ftruncate(self._fd, entry.size + self._chunks)
            self._there = bytearray(os.pread(self._fd, self._chunks, entry.size))
        except BaseException:
            os.close(self._fd)
            raise

    @property
    def there(self) -> int:
        """How many bytes earlier runs brought."""
        return sum(self._range(at)[1] for at, done in enumerate(self._there) if done)

    def missing(self) -> Iterator[Range]:
        return (self._range(at) for at in range(self._chunks) if not self._there[at])

    def write(self, offset: int, data: bytes) -> None:
        """A whole chunk."""
        view, at = memoryview(data), offset
        while view:
            written = os.pwrite(self._fd, view, at)
            view, at = view[written:], at + written
        self._done(offset)

    def copy(self, source: int, offset: int, length: int) -> int:
        """A whole chunk of an open file, moved inside the kernel where that can be; or all of them, if the two can
        share them. How many bytes are there now."""
        if not any(self._there) and self._cloned(source):
            return self._entry.size
        copy_data(source, self._fd, offset, offset + length)
        self._done(offset)
        return length

    def finish(self) -> None:
        os.ftruncate(self._fd, self._entry.size)
        if self._entry.modified is not None:
            os.utime(self._fd, ns=(self._entry.modified, self._entry.modified))

    def close(self) -> None:
        os.close(self._fd)

    def _cloned(self, source: int) -> bool:
        if not cloned(source, self._fd):
            return False
        os.ftruncate(self._fd, self._entry.size)
        os.pwrite(self._fd, b"\1" * self._chunks, self._entry.size)
        self._there = bytearray(b"\1" * self._chunks)
        return True

    def _range(self, at: int) -> Range:
        return at * CHUNK, min(CHUNK, self._entry.size - at * CHUNK)

    def _done(self, offset: int) -> None:
        at = offset // CHUNK
        os.pwrite(self._fd, b"\1", self._entry.size + at)
        self._there[at] = 1

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(
                Words("another copy writes this file at the moment", "另一个复制操作正在写入该文件")
            ) from None


def cloned(source: int, target: int) -> bool:
    """Shared with the original, where the file system can."""
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError as error:
        if error.errno in _CANNOT:
            return False
        raise
    return True


def copy_data(source: int, target: int, begin: int, end: int) -> None:
    """From one place to the same in the other; holes stay holes. What ends earlier than it should is noticed by who
    looks at the file afterwards."""
    for start, stop in _data(source, begin, end):
        at = start
        while at < stop:
            copied = _copied(source, target, at, stop - at)
            if not copied:
                return
            at += copied


def _copied(source: int, target: int, at: int, count: int) -> int:
    if hasattr(os, "copy_file_range"):
        try:
            return os.copy_file_range(source, target, count, at, at)
        except OSError as error:
            if error.errno not in _CANNOT:
                raise
    data = os.pread(source, min(count, _PIECE), at)
    view, to = memoryview(data), at
    while view:
        written = os.pwrite(target, view, to)
        view, to = view[written:], to + written
    return len(data)


def _data(fd: int, begin: int, end: int) -> Iterator[Range]:
    found = os.fstat(fd)
    if found.st_blocks * 512 >= found.st_size:
        # No holes, and looking for them may take as long as the rest of the file is.
        yield begin, end
        return
    at = begin
    while at < end:
        try:
            start = os.lseek(fd, at, os.SEEK_DATA)
            stop = os.lseek(fd, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            start, stop = at, end  # a file system that knows no holes
        if start >= end:
            return
        yield start, min(stop, end)
        at = stop


def _forget_others(above: int, name: bytes, kept: bytes) -> None:
    prefix = b".danlu-%s-" % _hashed(name).encode()
    for one in os.listdir(above):
        other = os.fsencode(one)
        if other.startswith(prefix) and other != kept and PART_NAME.fullmatch(other):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(other, dir_fd=above)


def _boot() -> str:
    try:
        with open(_BOOT) as file:
            return file.read().strip()
    except OSError:
        return ""


def _hashed(told: bytes) -> str:
    return hashlib.sha256(told).hexdigest()[:16]
