"""Copies of files and folders: shared with the original where the file system can, else piece by piece."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from danlu.data.files.drafts import FOLDER, dress_file, dress_folder
from danlu.ports.disk_use import DEEPEST
from danlu.ports.volumes.changing import Hand, VolumeFolders

_FICLONE = 0x40049409
_PIECE = 8 << 20
_SMALL_PIECE = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CANNOT = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTTY, errno.EPERM)


@dataclass
class Copying:
    """One copy on its way: `done` bytes so far, and no more than `most`."""

    at: VolumeFolders
    hand: Hand
    most: int | None
    done: int = 0

    def entry(self, above: int, name: bytes, to_above: int, to: bytes) -> Iterator[int]:
        """What has that name in the one folder, under the other name in the other. FileNotFoundError for what cannot
        be copied: a pipe, a socket, a device."""
        found = os.stat(name, dir_fd=above, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            yield from self._folder(above, name, to_above, to)
        elif stat.S_ISLNK(found.st_mode):
            self._link(above, name, to_above, to)
        elif stat.S_ISREG(found.st_mode):
            yield from self._file(above, name, to_above, to)
        else:
            raise FileNotFoundError(errno.ENOENT, "neither a file nor a folder", name)

    def _folder(self, above: int, name: bytes, to_above: int, to: bytes) -> Iterator[int]:
        levels = [_Pair(self, above, name, to_above, to)]
        try:
            while levels:
                here = levels[-1]
                entry = next(here.entries, None)
                if entry is None:
                    levels.pop().close()
                    continue
                inner = os.fsencode(entry.name)
                if not entry.is_dir(follow_symlinks=False):
                    with contextlib.suppress(FileNotFoundError):  # gone meanwhile, or a pipe
                        yield from self.entry(here.fd, inner, here.to, inner)
                elif len(levels) >= DEEPEST:
                    raise OSError(errno.ELOOP, f"folders are nested deeper than {DEEPEST} levels", inner)
                else:
                    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                        levels.append(_Pair(self, here.fd, inner, here.to, inner))
                yield self.done
        finally:
            for level in levels:
                level.close()

    def _link(self, above: int, name: bytes, to_above: int, to: bytes) -> None:
        os.symlink(os.readlink(name, dir_fd=above), to, dir_fd=to_above)
        if self.hand.uid is not None:
            gid = -1 if self.hand.gid is None else self.hand.gid
            os.chown(to, self.hand.uid, gid, dir_fd=to_above, follow_symlinks=False)

    def _file(self, above: int, name: bytes, to_above: int, to: bytes) -> Iterator[int]:
        try:
            source = os.open(name, _READ, dir_fd=above)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                raise FileNotFoundError(errno.ENOENT, "swapped for something else", name) from None
            raise
        try:
            found = os.fstat(source)
            if not stat.S_ISREG(found.st_mode):
                raise FileNotFoundError(errno.ENOENT, "swapped for something else", name)
            target = os.open(to, _WRITE, 0o600, dir_fd=to_above)
            try:
                yield from self._content(source, target, found.st_size)
                dress_file(target, self.hand, executable=bool(found.st_mode & 0o100))
                os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
            finally:
                os.close(target)
        finally:
            os.close(source)

    def _content(self, source: int, target: int, size: int) -> Iterator[int]:
        if size and _cloned(source, target):
            self._count(os.fstat(source).st_blocks * 512)
        else:
            for begin, end in _data(source, size):
                at = begin
                while at < end and (copied := _piece(source, target, at, min(_PIECE, end - at))):
                    at += copied
                    self._count(copied)
                    yield self.done
            os.ftruncate(target, size)
        yield self.done

    def _count(self, more: int) -> None:
        self.done += more
        if self.most is not None and self.done > self.most:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))


class _Pair:
    """A folder that is being copied, and its copy."""

    def __init__(self, copying: Copying, above: int, name: bytes, to_above: int, to: bytes) -> None:
        self.fd = os.open(name, FOLDER, dir_fd=above)
        try:
            self.entries = os.scandir(self.fd)
            os.mkdir(to, 0o700, dir_fd=to_above)
            self.to = os.open(to, FOLDER, dir_fd=to_above)
        except BaseException:
            os.close(self.fd)
            raise
        dress_folder(self.to, copying.at, copying.hand)

    def close(self) -> None:
        self.entries.close()
        os.close(self.fd)
        os.close(self.to)


def _cloned(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError as error:
        if error.errno in _CANNOT:
            return False
        raise
    return True


def _data(fd: int, size: int) -> Iterator[tuple[int, int]]:
    """Where a file has data: its holes stay holes."""
    at = 0
    while at < size:
        try:
            begin = os.lseek(fd, at, os.SEEK_DATA)
            end = os.lseek(fd, begin, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            begin, end = at, size  # a file system that knows no holes
        yield begin, min(end, size)
        at = end


def _piece(source: int, target: int, at: int, count: int) -> int:
    try:
        return os.copy_file_range(source, target, count, at, at)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    data = os.pread(source, min(count, _SMALL_PIECE), at)
    written = 0
    while written < len(data):
        written += os.pwrite(target, data[written:], at + written)
    return written
