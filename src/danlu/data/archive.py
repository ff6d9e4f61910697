"""A look into an uploaded archive, which anybody may have made: bounded, and nothing of it is unpacked."""

from __future__ import annotations

import gzip
import os
import posixpath
import tarfile
import zlib
from pathlib import Path

_MOST_BYTES, _MOST_ENTRIES = 256 << 20, 50_000


def archive_holds(archive: Path, path: str) -> bool | None:
    """Whether it has a plain file of this name; None where that cannot be told within bounds."""
    wanted = posixpath.normpath(path)
    try:
        with (
            gzip.open(archive) as unpacked,
            tarfile.open(fileobj=_Bounded(unpacked), mode="r|") as names,  # type: ignore[call-overload]
        ):
            for number, entry in enumerate(names):
                if number >= _MOST_ENTRIES:
                    return None
                if posixpath.normpath(entry.name) == wanted:
                    return bool(entry.isreg())
    except (OSError, EOFError, zlib.error, tarfile.TarError, ValueError, OverflowError):
        return None
    return False


class _Bounded:
    """So many bytes of a stream, then trouble."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self._left = stream, _MOST_BYTES

    def read(self, size: int) -> bytes:
        if self._left <= 0:
            raise OSError(os.strerror(27))
        data = self._stream.read(min(size, self._left, 1 << 20))
        self._left -= len(data)
        return data
