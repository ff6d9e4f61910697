"""Files that tasks can write, opened and read so that nothing in them misleads or holds up a reader.

What a task controls may hold links to where the reader may look and the task may not, pipes that never answer,
holes of terabytes, and files that are exchanged, cut or growing while they are read."""

from __future__ import annotations

import errno
import os
import stat
from typing import Iterator

_SAFE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_STEP = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_PLAIN = (errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.ENODEV)
_CHUNK = 1 << 16


def open_file(folder: str, path: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the plain file at `path` below the folder. Anything else there, or a link on the way, is as good
    as nothing: FileNotFoundError or NotADirectoryError. Never waits. The folder itself is the caller's: it may be
    reached through links."""
    parent, name = _parent(folder, path)
    try:
        fd = os.open(name, flags | _SAFE, 0o644, dir_fd=parent)
    except OSError as error:
        if error.errno in _NOT_PLAIN:
            raise FileNotFoundError(errno.ENOENT, "not a plain file", path) from None
        raise
    finally:
        os.close(parent)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise FileNotFoundError(errno.ENOENT, "not a plain file", path)
    return fd


def open_folder(folder: str, path: str) -> int:
    """A descriptor of the directory at `path` below the folder, to list it or to look into it."""
    parent, name = _parent(folder, path)
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | _SAFE, dir_fd=parent)
    finally:
        os.close(parent)


def look_at(folder: str, path: str) -> os.stat_result | None:
    """What a plain file at `path` below the folder is now; None where there is none."""
    try:
        parent, name = _parent(folder, path)
    except OSError:
        return None
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError:
        return None
    finally:
        os.close(parent)
    return found if stat.S_ISREG(found.st_mode) else None


def read_file(folder: str, path: str, most: int) -> bytes:
    """The whole file; OSError where there is none, or where it holds more than `most` bytes."""
    fd = open_file(folder, path)
    try:
        data = b""
        while len(data) <= most:
            more = os.read(fd, min(_CHUNK, most + 1 - len(data)))
            if not more:
                return data
            data += more
    finally:
        os.close(fd)
    raise OSError(errno.EFBIG, f"more than {most:,} bytes", path)


def read_from(fd: int, offset: int, limit: int) -> tuple[bytes, int]:
    """At most so many bytes from an offset on, and where they begin: behind the hole, if the offset is in one."""
    begin = _next_data(fd, offset)
    return os.pread(fd, limit, begin), begin


def is_sparse(found: os.stat_result, slack: int = 1 << 20) -> bool:
    """Whether much of a file is holes: less is on disk than it claims to hold."""
    return found.st_blocks * 512 + slack < found.st_size


def _next_data(fd: int, offset: int) -> int:
    """Where the next bytes are that somebody wrote; the file's end where none follow."""
    try:
        return os.lseek(fd, offset, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return max(offset, os.fstat(fd).st_size)
        return offset  # a file system that knows no holes


def _parent(folder: str, path: str) -> tuple[int, str]:
    """The directory that holds `path`, step by step from the folder and never through a link, and the last name."""
    *steps, name = list(_parts(path)) or ["."]
    here = os.open(folder or ".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    for step in steps:
        above = here
        try:
            here = os.open(step, _STEP, dir_fd=above)
        finally:
            os.close(above)
    return here, name


def _parts(path: str) -> Iterator[str]:
    for part in path.split("/"):
        if part == "..":
            raise OSError(errno.EINVAL, "points outside its folder", path)
        if part not in ("", "."):
            yield part
