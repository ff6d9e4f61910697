"""Down from a folder by descriptors: nothing on the way is a link, and so nothing leads outside."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import Iterator

from danlu.domain.words import Words
from danlu.sdk.http.errors import NameTaken

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)


@contextlib.contextmanager
def folder_at(root: bytes, key: bytes) -> Iterator[int]:
    """FileNotFoundError if it is missing, NotADirectoryError if something else, or a link, is on the way."""
    fd = _descended(root, key, make=False)
    try:
        yield fd
    finally:
        os.close(fd)


@contextlib.contextmanager
def folder_made(root: bytes, key: bytes) -> Iterator[int]:
    """The same, made with all that is missing on the way."""
    fd = _descended(root, key, make=True)
    try:
        yield fd
    finally:
        os.close(fd)


def move(above: int, aside: bytes, name: bytes, replaces: bool) -> None:
    """Into its place. NameTaken if something is there and is not to be replaced."""
    if replaces:
        os.rename(aside, name, src_dir_fd=above, dst_dir_fd=above)
        return
    try:
        os.link(aside, name, src_dir_fd=above, dst_dir_fd=above, follow_symlinks=False)
    except FileExistsError:
        os.unlink(aside, dir_fd=above)
        raise taken() from None
    except OSError as why:  # a file system without hard links
        if why.errno not in _NO_LINKS:
            raise
        if _exists(above, name):
            os.unlink(aside, dir_fd=above)
            raise taken() from None
        os.rename(aside, name, src_dir_fd=above, dst_dir_fd=above)
    else:
        os.unlink(aside, dir_fd=above)


def taken() -> NameTaken:
    return NameTaken(
        Words(
            "another file is there; --overwrite, --newer or --skip-existing say what becomes of it",
            "目标处已有不同的文件；请用 --overwrite、--newer 或 --skip-existing 说明如何处理",
        )
    )


def _descended(root: bytes, key: bytes, make: bool) -> int:
    if make:
        os.makedirs(root, exist_ok=True)
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for name in key.split(b"/"):
        if not name:
            continue
        above = here
        try:
            here = _step(above, name, make)
        finally:
            os.close(above)
    return here


def _step(above: int, name: bytes, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o777, dir_fd=above)
    return os.open(name, _FOLDER, dir_fd=above)


def _exists(above: int, name: bytes) -> bool:
    try:
        os.stat(name, dir_fd=above, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
