"""Unpacks an uploaded code archive into a task's working directory; its content is not trusted."""

from __future__ import annotations

import gzip
import os
import shutil
import tarfile
import zlib
from typing import IO, Callable

from danlu.runtime.task import CannotStart, Unpack

Check = Callable[[], None]
"""Called now and then during the work; raises to end it early."""

_PIECE = 1 << 20
# Names and attributes of one entry; tarfile takes them into memory whole.
_LARGEST_HEADER = 16 << 20
_BROKEN = (OSError, EOFError, tarfile.TarError, zlib.error, ValueError, OverflowError, RecursionError)


def unpack(archive: str | IO[bytes], target: str, check: Check, limit: Unpack) -> None:
    """Unpack a tar.gz, given by its path or opened; nothing is written outside the target, whatever names and links it
    has."""
    root = os.path.realpath(target)
    size = entries = 0
    try:
        with gzip.open(archive) as stream:
            source = _Source(stream, check)
            tar = tarfile.open(fileobj=source, mode="r:")  # type: ignore[call-overload]  # noqa: SIM115
            while True:
                source.left = _LARGEST_HEADER
                member = tar.next()
                if member is None:
                    return
                tar.members.clear()  # else it remembers every one
                check()
                entries += 1
                size += _size(member)
                _refuse(size, limit.size, "unpacks to more than {} bytes", "unpack_limit")
                _refuse(entries, limit.entries, "contains more than {} entries", "unpack_entries")
                source.left = member.size
                _extract(tar, member, root)
    except _BROKEN as error:
        raise CannotStart(f"the code archive cannot be unpacked: {error}", "code_failed") from error


def _size(member: tarfile.TarInfo) -> int:
    if member.size < 0:
        raise tarfile.TarError(f"{member.name} has a negative size")
    return member.size if member.isreg() else 0


def _refuse(number: int, bound: int, what: str, limit: str) -> None:
    if number > bound:
        text = f"the code archive {what.format(f'{bound:,}')} (setting {limit}); leave out what is not code"
        raise CannotStart(text, "code_failed")


class _Source:
    """The unpacked stream as tarfile reads it: no more than is `left`, and nothing once `check` raises."""

    def __init__(self, stream: gzip.GzipFile, check: Check) -> None:
        self.left = _LARGEST_HEADER
        self._stream = stream
        self._check = check

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self.left:
            raise CannotStart(
                f"the code archive contains an entry whose name or attributes exceed {_LARGEST_HEADER:,} bytes",
                "code_failed",
            )
        self._check()
        self.left -= size
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, root: str) -> None:
    path = os.path.normpath(os.path.join(root, member.name))
    if path == root:
        return
    if not _is_inside(path, root):
        raise tarfile.TarError(f"{member.name} points outside the archive")
    parent = os.path.dirname(path)
    # A link unpacked before may lead out: what counts is where the directory really is.
    if not _is_inside(os.path.realpath(parent) + os.sep, root):
        raise tarfile.TarError(f"{member.name} points outside the archive through a link")
    if member.isdir():
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(parent, exist_ok=True)
    if os.path.lexists(path) and not (os.path.isdir(path) and not os.path.islink(path)):
        os.unlink(path)
    if member.issym():
        os.symlink(member.linkname, path)
    elif member.islnk():
        source = os.path.realpath(os.path.join(root, member.linkname))
        if not _is_inside(source, root):
            raise tarfile.TarError(f"{member.name} links outside the archive")
        os.link(source, path)
    elif member.isreg():
        _write(tar, member, path)
    else:
        raise tarfile.TarError(f"{member.name} is not a file, directory or link")


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
    mode = 0o755 if member.mode & 0o100 else 0o644
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(fd, "wb") as file:
        content = tar.extractfile(member)
        if content is not None:
            shutil.copyfileobj(content, file, _PIECE)
    # An archive that is the same for the same code has no times: its files are as old as their unpacking.
    if member.mtime != 0:
        os.utime(path, (member.mtime, member.mtime))


def _is_inside(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)
