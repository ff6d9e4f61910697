"""A folder as a tar, made while it is sent, in constant memory."""

from __future__ import annotations

import contextlib
import os
import stat
import tarfile
from collections.abc import Iterator

from danlu.ports.disk_use import DEEPEST

_PIECE = 1 << 18
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def tar_of(fd: int, name: str) -> Iterator[bytes]:
    """The open folder and all that is in it, under that name; the descriptor is closed at the end. A file that is cut
    while it is read ends the archive with an OSError, so that nobody takes it for whole; what is gone or may not be
    read is left out, and so is what is nested too deeply."""
    levels = [(name, fd, os.scandir(fd))]
    try:
        yield _header(_told(name, os.fstat(fd), tarfile.DIRTYPE))
        while levels:
            path, above, entries = levels[-1]
            entry = next(entries, None)
            if entry is None:
                entries.close()
                os.close(above)
                levels.pop()
                continue
            with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
                found = entry.stat(follow_symlinks=False)
                inner = f"{path}/{entry.name}"
                if stat.S_ISDIR(found.st_mode) and len(levels) < DEEPEST:
                    below = os.open(entry.name, _FOLDER, dir_fd=above)
                    levels.append((inner, below, os.scandir(below)))
                    yield _header(_told(inner, found, tarfile.DIRTYPE))
                elif stat.S_ISLNK(found.st_mode):
                    link = _told(inner, found, tarfile.SYMTYPE)
                    link.linkname = os.readlink(entry.name, dir_fd=above)
                    yield _header(link)
                elif stat.S_ISREG(found.st_mode):
                    yield from _file(inner, entry.name, above)
        yield bytes(tarfile.RECORDSIZE)
    finally:
        for _, above, entries in levels:
            entries.close()
            os.close(above)


def _file(path: str, name: str, above: int) -> Iterator[bytes]:
    try:
        fd = os.open(name, _FILE, dir_fd=above)
    except OSError:  # swapped for something else, or gone
        return
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            return
        about = _told(path, found, tarfile.REGTYPE)
        about.size = found.st_size
        yield _header(about)
        at = 0
        while at < about.size:
            data = os.pread(fd, min(_PIECE, about.size - at), at)
            if not data:
                raise OSError(f"{path} was cut while it was read")
            at += len(data)
            yield data
        yield bytes(-about.size % tarfile.BLOCKSIZE)
    finally:
        os.close(fd)


def _told(path: str, found: os.stat_result, kind: bytes) -> tarfile.TarInfo:
    """Times and whether it can be run; nothing of whose it is on this machine."""
    about = tarfile.TarInfo(path)
    about.type, about.mtime = kind, int(found.st_mtime)
    about.mode = 0o755 if kind == tarfile.DIRTYPE or found.st_mode & 0o100 else 0o644
    return about


def _header(about: tarfile.TarInfo) -> bytes:
    return about.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
