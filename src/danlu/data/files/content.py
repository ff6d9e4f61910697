"""One open file, read by ranges."""

from __future__ import annotations

import os


class FileContent:
    """Implements ports.files.OpenContent. As large as it was when it was opened: what is written later is left out."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        found = os.fstat(fd)
        self.size = found.st_size
        self.modified = found.st_mtime_ns // 1_000_000
        self.tag = f"{found.st_ino:x}-{found.st_size:x}-{found.st_mtime_ns:x}"

    def read(self, offset: int, limit: int) -> bytes:
        wanted = min(limit, self.size - offset)
        data = os.pread(self._fd, wanted, offset) if wanted > 0 else b""
        if wanted > 0 and not data:
            raise OSError(f"the file was cut at {offset:,} of {self.size:,} bytes while it was read")
        return data

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()
