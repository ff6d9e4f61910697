"""Keeps a log within its bound: the first part and the latest stay, and what lay between goes back to the disk."""

from __future__ import annotations

import ctypes
import errno
import os

_KEEP_SIZE, _PUNCH_HOLE = 1, 2
_HEAD = 16 << 20
_LONGEST_RECORD = 128 << 10
_SENTENCE = 384
"""Bytes of the record that says what was cut; rewritten in place, so always as long."""

_libc = ctypes.CDLL(None, use_errno=True)


class Cutter:
    """Cuts a file that only grows at its end. Its length stays, so that the offset of every record stays valid: what
    is cut becomes a hole, which takes no space and reads as zero bytes.

    Where the file system cannot make holes, `full` becomes true: then what follows must not be written."""

    def __init__(self, path: str, limit: int) -> None:
        self.full = False
        self.cut_bytes = 0
        self._path, self._limit = path, limit
        self._head = min(limit // 4, _HEAD)
        self._begin = 0

    def due(self, size: int) -> bool:
        """Whether a file of this length takes more than its bound."""
        return bool(self._limit) and size - self.cut_bytes > self._limit

    def cut(self, size: int) -> None:
        """Make room: after it, at least an eighth of the bound is free."""
        fd = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        try:
            begin = self._begin or _record_after(fd, self._head)
            end = _record_after(fd, size - (self._limit - self._limit // 8 - self._head))
            if begin is None or end is None or end - begin <= 2 * _SENTENCE:
                return
            # The newline before the record that follows stays: a reader who lands in the hole finds the record by it.
            if not _punch(fd, begin + _SENTENCE, end - 1):
                self.full = True
                return
            self._begin, self.cut_bytes = begin, end - begin - _SENTENCE
            os.pwrite(fd, self._said(_stamp(fd, begin)), begin)
        finally:
            os.close(fd)

    def last_words(self, stamp: bytes) -> bytes:
        """The record to end a log with that is full and cannot be cut."""
        bound = _show(self._limit)
        return (
            stamp
            + (
                f" e [danlu] The log ends here: it reached {bound} (setting log_limit), and this file system cannot "
                f"drop its middle. / 日志到此为止：已达到 {bound}（设置 log_limit），而该文件系统无法删去中间部分。\n"
            ).encode()
        )

    def _said(self, stamp: bytes) -> bytes:
        cut, head, latest = (_show(size) for size in (self.cut_bytes, self._head, self._limit - self._head))
        text = (
            f" e [danlu] {cut} of output were cut here: a log keeps its first {head} and its latest {latest} "
            f"(setting log_limit). / 此处略去 {cut} 日志：每份日志只保留最初 {head} 和最近 {latest}（设置 log_limit）。"
        )
        return (stamp + text.encode()).ljust(_SENTENCE - 1) + b"\n"


def _record_after(fd: int, position: int) -> int | None:
    """Where the first record after a position begins."""
    newline = os.pread(fd, _LONGEST_RECORD, position).find(b"\n")
    return position + newline + 1 if newline >= 0 else None


def _stamp(fd: int, at: int) -> bytes:
    """The time of the record there, for times must not decrease within a log."""
    return os.pread(fd, 32, at).split(b" ", 1)[0]


def _punch(fd: int, begin: int, end: int) -> bool:
    """Give these bytes back to the disk; False where the file system cannot."""
    mode, offset, length = _KEEP_SIZE | _PUNCH_HOLE, ctypes.c_longlong(begin), ctypes.c_longlong(end - begin)
    if _libc.fallocate64(fd, mode, offset, length) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EOPNOTSUPP, errno.ENOSYS):
        return False
    raise OSError(number, os.strerror(number))


def _show(size: int) -> str:
    for unit, shift in (("GiB", 30), ("MiB", 20)):
        if size >= 1 << shift:
            return f"{size / (1 << shift):.1f} {unit}"
    return f"{size / 1024:.1f} KiB"
