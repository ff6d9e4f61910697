"""Uploaded code: archives in `code/` of the data directory, named by their content.

`code/people/NAME/DIGEST` is an empty file that says who uploaded which."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from danlu.data.archive import archive_holds
from danlu.domain.errors import DiskFull, FieldError, Invalid, TooLarge
from danlu.domain.quantity import show_size
from danlu.domain.words import Words, say
from danlu.ports.code import KeptArchive

_GZIP_MAGIC = b"\x1f\x8b"
_PEOPLE = "people"


def archive_path(root: Path, digest: str) -> Path:
    return root / f"{digest}.tar.gz"


class FileCode:
    """The PeoplesCode on this machine's disk."""

    def __init__(self, root: Path, limit: int) -> None:
        self._root, self._limit = root, limit
        self._arriving: Counter[str] = Counter()
        """Bytes of uploads in progress, by person."""

    def has(self, digest: str) -> bool:
        return archive_path(self._root, digest).is_file()

    def path(self, digest: str) -> Path | None:
        path = archive_path(self._root, digest)
        return path if path.is_file() else None

    async def put_for(self, owner: str, digest: str, chunks: AsyncIterator[bytes], most: int) -> int:
        kept = await asyncio.to_thread(self.kept_by, owner)
        before = sum(one.size for known, one in kept.items() if known != digest)
        arrived = 0

        async def bounded() -> AsyncIterator[bytes]:
            nonlocal arrived
            async for chunk in chunks:
                arrived += len(chunk)
                self._arriving[owner] += len(chunk)
                if most and before + self._arriving[owner] > most:
                    raise _too_much(owner, before, self._arriving[owner], most)
                yield chunk

        try:
            size = await self.put(digest, bounded())
            await asyncio.to_thread(self._note, owner, digest)
            return size
        finally:
            self._arriving[owner] -= arrived
            if not self._arriving[owner]:
                del self._arriving[owner]

    def holds(self, digest: str, path: str) -> bool | None:
        return archive_holds(archive_path(self._root, digest), path)

    def kept_by(self, owner: str) -> dict[str, KeptArchive]:
        found: dict[str, KeptArchive] = {}
        with contextlib.suppress(FileNotFoundError), os.scandir(self._of(owner)) as notes:
            for note in notes:
                with contextlib.suppress(FileNotFoundError):
                    size = archive_path(self._root, note.name).stat().st_size
                    uploaded_at = note.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
                    found[note.name] = KeptArchive(size, uploaded_at)
        return found

    def drop(self, owner: str, digest: str) -> None:
        (self._of(owner) / digest).unlink(missing_ok=True)
        if not any((folder / digest).exists() for folder in (self._root / _PEOPLE).iterdir()):
            archive_path(self._root, digest).unlink(missing_ok=True)

    def _of(self, owner: str) -> Path:
        return self._root / _PEOPLE / owner

    def _note(self, owner: str, digest: str) -> None:
        self._of(owner).mkdir(parents=True, exist_ok=True)
        (self._of(owner) / digest).touch()

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


def _too_much(owner: str, before: int, more: int, most: int) -> TooLarge:
    return TooLarge(
        say(
            "{owner} keeps {before} of uploaded code, and {more} more would exceed {most} (code_total); delete jobs "
            "and templates that are no longer needed, or exclude data with .gitignore",
            "{owner} 已保存 {before} 代码，再上传 {more} 将超过 {most}（code_total）；请删除不再需要的任务和模板，"
            "或用 .gitignore 排除数据",
            owner=owner,
            before=show_size(before),
            more=show_size(more),
            most=show_size(most),
        )
    )


def _wrong(message: Words, digest: str) -> Invalid:
    return Invalid((FieldError(("digest",), "bad_archive", message, digest),))
