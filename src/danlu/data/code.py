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
from danlu.domain.words import Words, say

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
                    Words(
                        "the server's disk has no space left for this code; free some space and upload again",
                        "服务端磁盘空间不足，无法保存代码，请腾出空间后重新上传",
                    )
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
                    say(
                        "the code is larger than {limit} (code_limit); exclude data with .gitignore, or raise the "
                        "setting",
                        "代码超过 {limit}（code_limit）；请用 .gitignore 排除数据，或调大该设置",
                        limit=show_size(self._limit),
                    )
                )
            seen.update(chunk)
            await asyncio.to_thread(write, chunk)
        if seen.hexdigest() != digest:
            raise _wrong(
                Words(
                    "the upload does not match its SHA-256; upload again",
                    "收到的内容与此 SHA-256 不符，请重新上传",
                ),
                digest,
            )
        if first != _GZIP_MAGIC:
            raise _wrong(Words("this is not a tar.gz archive", "这不是 tar.gz 压缩包"), digest)
        return size


def _wrong(message: Words, digest: str) -> Invalid:
    return Invalid((FieldError(("digest",), "bad_archive", message, digest),))
