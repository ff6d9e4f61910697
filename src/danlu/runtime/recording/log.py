"""From the task's two pipes into its log file."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import time

from danlu.ports.cutting import Cutter
from danlu.runtime.isolation import linux
from danlu.runtime.recording.appender import Appender
from danlu.runtime.recording.records import Records
from danlu.runtime.task import CannotStart

_CHUNK = 256 * 1024
_MUCH = 32 * 1024
_PACE = 0.004
_IDLE = 0.3
_OLD = 1.0
_PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class Log:
    """Reads both streams and appends their records.

    While the disk is full the pipes are left alone, so that the task waits and nothing is lost. A log that grows beyond
    its limit loses its middle; 0 is no limit."""

    def __init__(self, path: str, limit: int = 0) -> None:
        self.file = Appender(path)
        self.cutter = Cutter(path, limit)
        self._streams: dict[int, Records] = {}
        self._shown_by: dict[int, float] = {}
        self._last_data: dict[int, float] = {}
        self._last_ms = 0
        self._paced_until: dict[int, float] = {}
        self._wide: set[int] = set()

    def prepare(self) -> None:
        """Make sure that there can be a log; a full disk is no hindrance, it may have room later."""
        if not self.file.flush() and self.file.trouble and self.file.trouble.errno not in _PASSING:
            raise CannotStart(f"the log cannot be written: {self.file.trouble}")

    def open(self, fd: int, letter: str) -> None:
        os.set_blocking(fd, False)
        self._streams[fd] = Records(letter)

    @property
    def fds(self) -> list[int]:
        """The pipes still open."""
        return list(self._streams)

    def read(self, fd: int, event: int) -> None:
        """Take what is there, once; at the end of the stream, close it."""
        if not event & select.POLLHUP and time.monotonic() < self._paced_until.get(fd, 0.0):
            # A task that flushes every line would wake us for each: let some gather.
            time.sleep(_PACE)
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self.close(fd)
            return
        now = self._last_data[fd] = time.monotonic()
        if len(data) < _MUCH:
            self._paced_until[fd] = now + _PACE
        elif fd not in self._wide:
            linux.widen_pipe(fd, _CHUNK)
            self._wide.add(fd)
        stream = self._streams[fd]
        is_new_line = not stream.unfinished
        records = stream.feed(data, self._stamp())
        if records or is_new_line:
            self._shown_by[fd] = now + _OLD
        if records:
            self._write(records)

    def next_flush(self) -> float | None:
        """When to show the beginning of a line though its end is missing: after a pause, or soon anyway, for
        a progress bar never ends its line."""
        due = [self._due(fd) for fd, stream in self._streams.items() if stream.unfinished]
        return min(due) if due else None

    def flush_unfinished(self, now: float) -> None:
        for fd, stream in self._streams.items():
            if stream.unfinished and now >= self._due(fd):
                self._write_rest(fd, final=False)
                self._last_data[fd] = now
                self._shown_by[fd] = now + _OLD

    def close(self, fd: int) -> None:
        self._write_rest(fd, final=True)
        del self._streams[fd]
        os.close(fd)

    def _due(self, fd: int) -> float:
        return min(self._last_data[fd] + _IDLE, self._shown_by[fd])

    def _write_rest(self, fd: int, final: bool) -> None:
        piece = self._streams[fd].flush(self._stamp(), final)
        if piece:
            self._write(piece)

    def _write(self, records: bytes) -> None:
        if self.cutter.full:
            return
        self.file.write(records)
        if self.cutter.due(self.file.size):
            # What cannot be cut now can be at the next record.
            with contextlib.suppress(OSError):
                self.cutter.cut(self.file.size)
            if self.cutter.full:
                self.file.write(self.cutter.last_words(self._stamp()))

    def _stamp(self) -> bytes:
        """Now, but never before the last record: a clock set back must not disorder the log."""
        self._last_ms = max(self._last_ms, int(time.time() * 1000))
        return b"%d.%03d" % divmod(self._last_ms, 1000)
