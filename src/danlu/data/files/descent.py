"""Ways down from a folder by directory descriptors, which no link leads astray."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import os
from collections.abc import Iterator

from danlu.ports import beneath
from danlu.ports.files import PlaceBelow

_OPENAT2 = 437
_NO_SYMLINKS, _BENEATH = 0x04, 0x08
_NOREPLACE = 1
_TRIES = 16
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LACKING = (errno.ENOSYS, errno.EPERM, errno.ENAMETOOLONG, errno.E2BIG)


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def folder_at(place: PlaceBelow) -> Iterator[int]:
    """A descriptor of the folder there. FileNotFoundError, or NotADirectoryError also where a link is on the way."""
    fd = open_folder(place)
    try:
        yield fd
    finally:
        os.close(fd)


@contextlib.contextmanager
def parent_of(place: PlaceBelow) -> Iterator[tuple[int, bytes]]:
    """The folder that something is in, and its name there; ValueError for the place's root, which is in none."""
    above, _, name = place.path.rpartition(b"/")
    if name in (b"", b".", b".."):
        raise ValueError("not a path of something below the folder")
    with folder_at(PlaceBelow(place.root, above)) as fd:
        yield fd, name


def open_folder(place: PlaceBelow) -> int:
    top = os.open(place.root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fd = _openat2(top, place.path or b".")
    finally:
        os.close(top)
    return beneath.open_folder(place.root, os.fsdecode(place.path)) if fd is None else fd


def move_new(above: int, name: bytes, to_above: int, to: bytes) -> None:
    """Rename, and never in place of something else: FileExistsError."""
    call = getattr(_libc(), "renameat2", None)
    if call is not None:
        if call(above, name, to_above, to, _NOREPLACE) == 0:
            return
        number = ctypes.get_errno()
        if number not in (errno.ENOSYS, errno.EINVAL):
            raise OSError(number, os.strerror(number), to)
        # EINVAL: a folder into itself, which the plain call refuses too; or a file system that cannot.
    if exists(to_above, to):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to)
    os.rename(name, to, src_dir_fd=above, dst_dir_fd=to_above)


def exists(above: int, name: bytes) -> bool:
    try:
        os.stat(name, dir_fd=above, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _openat2(top: int, path: bytes) -> int | None:
    """None where the kernel has no such call, or none for a path as long as this."""
    how = _How(_FOLDER, 0, _BENEATH | _NO_SYMLINKS)
    for _ in range(_TRIES):
        fd = int(_libc().syscall(_OPENAT2, top, path, ctypes.byref(how), ctypes.sizeof(how)))
        if fd >= 0:
            return fd
        number = ctypes.get_errno()
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    if number in _LACKING:
        return None
    if number in (errno.ELOOP, errno.EXDEV, errno.EAGAIN):
        raise NotADirectoryError(errno.ENOTDIR, "a link is on the way", path)
    raise OSError(number, os.strerror(number), path)
