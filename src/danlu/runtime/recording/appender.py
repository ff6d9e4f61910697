"""A file that grows at its end and loses nothing while the disk is full."""

from __future__ import annotations

import os


class Appender:
    """Keeps what the disk refuses and writes it later, in order. Opens its file at the first write."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.size = 0
        self.trouble: OSError | None = None
        self._fd = -1
        self._pending = b""

    @property
    def blocked(self) -> bool:
        """Whether something waits for room: hand in no more until `flush` has succeeded."""
        return bool(self._pending)

    def write(self, data: bytes) -> None:
        self._pending = self._pending + data if self._pending else data
        self.flush()

    def flush(self) -> bool:
        """Try to write what waits; True when nothing is left. Any refusal is taken for a passing one."""
        try:
            if self._fd < 0:
                self._open()
            while self._pending:
                done = os.write(self._fd, self._pending)
                self.size += done
                self._pending = self._pending[done:]
        except OSError as error:
            self.trouble = error
            return False
        self.trouble = None
        return True

    def sync(self) -> None:
        """Flush it to disk; a file system that cannot is ignored."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            self.trouble = error

    def _open(self) -> None:
        directory = os.path.dirname(self.path)
        if directory:
            os.makedirs(directory, exist_ok=True)
        self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o640)
        self.size = os.fstat(self._fd).st_size
