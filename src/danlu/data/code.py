"""Uploaded code: archives in `code/` of the data directory, named by their content."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from danlu.domain.errors import DiskFull, FieldError, Invalid, TooLarge
from danlu.domain.quantity import show_size

_GZIP_MAGIC = b"\x1f\x8b"


def archive_path(root: Path, digest: str) -> Path:
    return root / f"{digest}.tar.gz"


class FileCode:
    """The CodeStore on this machine's disk."""

    def __init__(self, root: Path, limit: int) -> None:
        self._root, self._limit = root, limit

    def has(self, digest: str) -> bool:
        return archive_path(self._root, digest).is_file()

    def path(self, digest: str) -> Path | None:
        path = archive_path(self._root, digest)
        return path if path.is_file() else None

    async def put(self, digest: str, chunks: AsyncIterator[bytes]) -> int:
        self._root.mkdir(parents=True, exist_ok=True)
        fd, draft = tempfile.mkstemp(dir=self._root, prefix=".upload-")
        try:
            with os.fdopen(fd, "wb") as file:
                size = await self._write(file.write, digest, chunks)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())  # its name promises its content
            os.replace(draft, archive_path(self._root, digest))
            return size
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(
                    "there is no room on the server's disk for this code; free some and upload again"
                ) from error
            raise
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(draft)

    async def _write(
        self, write: Callable[[bytes], object], digest: str, chunks: AsyncIterator[bytes]
    ) -> int:
        seen, size, first = hashlib.sha256(), 0, b""
        async for chunk in chunks:
            first = first or chunk[:2]
            size += len(chunk)
            if size > self._limit:
                raise TooLarge(
                    f"the code is larger than {show_size(self._limit)} (code_limit); "
                    "leave data out with .gitignore or raise the setting"
                )
            seen.update(chunk)
            await asyncio.to_thread(write, chunk)
        if seen.hexdigest() != digest:
            raise _wrong("the bytes received do not have this SHA-256; upload again", digest)
        if first != _GZIP_MAGIC:
            raise _wrong("this is no tar.gz archive", digest)
        return size


def _wrong(message: str, digest: str) -> Invalid:
    return Invalid((FieldError(("digest",), "bad_archive", message, digest),))
