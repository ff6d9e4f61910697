"""What is being made: beside the volume, where no task can reach it, and moved into its place when it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from danlu.data.files.descent import folder_at, move_new, open_folder
from danlu.ports.disk_use import DEEPEST
from danlu.ports.files import PlaceBelow
from danlu.ports.volumes.changing import Hand, VolumeFolders

DRAFTS, REMOVED = "drafts", "removed"
ROOMS = "transfers"
"""Of transfers: in each what came of files that are not whole yet."""
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DEFAULT_ACL = "system.posix_acl_default"


@contextlib.contextmanager
def room_of(at: VolumeFolders, name: str) -> Iterator[int]:
    """The folder of that name beside the volume, made if need be; FileNotFoundError if there is no such volume (any
    more)."""
    Path(at.aside, name).mkdir(exist_ok=True, mode=0o700)
    with folder_at(PlaceBelow(at.aside, name.encode())) as fd:
        yield fd


@contextlib.contextmanager
def draft(at: VolumeFolders) -> Iterator[tuple[int, bytes]]:
    """A folder for drafts, and a new name in it; what has that name in the end is removed, a little later."""
    with room_of(at, DRAFTS) as drafts:
        name = secrets.token_hex(16).encode()
        try:
            yield drafts, name
        finally:
            discard(at, drafts, name)


def discard(at: VolumeFolders, above: int, name: bytes) -> bool:
    """Out of the way at once, whatever it is; its space is freed by the collector. False if nothing is there."""
    try:
        os.unlink(name, dir_fd=above)
        return True
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno not in (errno.EISDIR, errno.EPERM):
            raise
    with room_of(at, REMOVED) as removed:
        os.rename(name, secrets.token_hex(16), src_dir_fd=above, dst_dir_fd=removed)
    return True


def new_folder(at: VolumeFolders, above: int, name: bytes, hand: Hand) -> None:
    """FileExistsError if there is something."""
    with draft(at) as (drafts, made):
        os.mkdir(made, 0o700, dir_fd=drafts)
        fd = os.open(made, FOLDER, dir_fd=drafts)
        try:
            dress_folder(fd, at, hand)
        finally:
            os.close(fd)
        move_new(drafts, made, above, name)


def folder_made(at: VolumeFolders, path: bytes, hand: Hand) -> int:
    """A descriptor of the folder, made with all that is missing on the way. NotADirectoryError if something else is
    there."""
    with contextlib.suppress(FileNotFoundError):
        return open_folder(at.place(path))
    steps = path.split(b"/")
    if len(steps) > DEEPEST:
        raise OSError(errno.ENAMETOOLONG, f"folders are nested deeper than {DEEPEST} levels", path)
    here = open_folder(at.place())
    for step in steps:
        above = here
        try:
            here = _step_made(at, above, step, hand)
        finally:
            os.close(above)
    return here


def _step_made(at: VolumeFolders, above: int, name: bytes, hand: Hand) -> int:
    with contextlib.suppress(FileNotFoundError):
        return os.open(name, FOLDER, dir_fd=above)
    with contextlib.suppress(FileExistsError):
        new_folder(at, above, name, hand)
    return os.open(name, FOLDER, dir_fd=above)


@contextlib.contextmanager
def parent_made(at: VolumeFolders, path: bytes, hand: Hand) -> Iterator[tuple[int, bytes]]:
    """The folder that something is to be in, made if it is missing, and its name there."""
    above, _, name = path.rpartition(b"/")
    if name in (b"", b".", b".."):
        raise ValueError("not a path of something below the folder")
    fd = folder_made(at, above, hand)
    try:
        yield fd, name
    finally:
        os.close(fd)


def dress_folder(fd: int, at: VolumeFolders, hand: Hand) -> None:
    """Whose it is, and who may use what will be in it: as in the volume itself."""
    _give(fd, hand)
    with contextlib.suppress(OSError):
        acl = os.getxattr(at.files, _DEFAULT_ACL)
        os.setxattr(fd, _DEFAULT_ACL, acl)
    os.fchmod(fd, 0o2770 if hand.shared else 0o755)


def dress_file(fd: int, hand: Hand, *, executable: bool) -> None:
    _give(fd, hand)
    mode = 0o660 if hand.shared else 0o644
    os.fchmod(fd, mode | (mode & 0o444) >> 2 if executable else mode)


def _give(fd: int, hand: Hand) -> None:
    if hand.uid is not None or hand.gid is not None:
        os.fchown(fd, -1 if hand.uid is None else hand.uid, -1 if hand.gid is None else hand.gid)
