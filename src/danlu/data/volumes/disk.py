"""Where volumes lie, and how they come and go.

volume-data/<volume>/files/   what is mounted: the owner's, and open to the volume's group
volume-data/<volume>/gone     nobody will ask for it again: removed once there is no record of it either
volume-data/.trash/           on their way out"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from danlu.data.removing import empty_folder
from danlu.domain.errors import DiskFull, NotFound, Unavailable
from danlu.domain.terms import no_such
from danlu.domain.volumes.volume import Volume
from danlu.domain.words import say
from danlu.ports.files import PlaceBelow
from danlu.ports.storage import DiskFigure, PersonalUse
from danlu.ports.volumes.ids import volume_gid

FILES = "files"
_GONE, _TRASH = "gone", ".trash"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SHARED = 0o2770
_DEFAULT_ACL = "system.posix_acl_default"
_NO_ACL = (errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS)
_USER, _GROUP, _OTHER, _NOBODY = 0x01, 0x04, 0x20, 0xFFFF_FFFF
_OPEN_TO_GROUP = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", tag, allowed, _NOBODY) for tag, allowed in ((_USER, 7), (_GROUP, 7), (_OTHER, 0))
)
"""A default ACL as the kernel reads it: what is made in there is its group's too, whatever the umask."""

UidOf = Callable[[str], int | None]


class DiskVolumes:
    """Implements ports.volumes.records.VolumeDisk. `uid_of` is the user of the machine that a person's tasks run as;
    None where all are one user."""

    def __init__(self, root: Path, figures: PersonalUse, uid_of: UidOf | None) -> None:
        self._root, self._figures, self._uid_of = root, figures, uid_of

    def make(self, volume: Volume) -> None:
        folder = self._folder(volume.id)
        try:
            for one in (folder, folder / FILES):
                one.mkdir(exist_ok=True, mode=0o700)
            if self._uid_of is not None:
                self._open_to_group(folder / FILES, volume)
        except OSError as error:
            raise _unusable(volume, error) from error

    def place(self, volume_id: str) -> PlaceBelow:
        folder = self._folder(volume_id)
        return PlaceBelow(str(self._root), os.fsencode(f"{folder.name}/{FILES}"))

    def figure(self, volume_id: str) -> DiskFigure | None:
        return self._figures.of(volume_id)

    def let_go(self, volume_id: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self._folder(volume_id) / _GONE).touch(mode=0o600)

    def remove(self, volume_id: str) -> None:
        trash = self._root / _TRASH
        trash.mkdir(exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            self._folder(volume_id).rename(trash / secrets.token_hex(8))
        self.empty_trash()

    def let_go_of(self) -> Iterator[str]:
        """Volumes that nobody will ask for again."""
        with os.scandir(self._root) as folders:
            for one in folders:
                if _NAME.fullmatch(one.name) and (self._root / one.name / _GONE).exists():
                    yield one.name

    def empty_trash(self) -> None:
        """Takes as long as there are files."""
        empty_folder(str(self._root / _TRASH))

    def _folder(self, volume_id: str) -> Path:
        if not _NAME.fullmatch(volume_id):
            raise NotFound(no_such("volume", volume_id))
        return self._root / volume_id

    def _open_to_group(self, files: Path, volume: Volume) -> None:
        assert self._uid_of is not None
        uid, gid = self._uid_of(volume.owner), volume_gid(volume.gid)
        fd = os.open(files, _FOLDER)
        try:
            known = os.fstat(fd)
            wanted = (known.st_uid if uid is None else uid, known.st_gid if gid is None else gid)
            if (known.st_uid, known.st_gid) != wanted:
                os.fchown(fd, *wanted)
            os.fchmod(fd, _SHARED)  # after the owner: to change that takes the group's mark away
            with _where_there_are_acls():
                os.setxattr(fd, _DEFAULT_ACL, _OPEN_TO_GROUP)
        finally:
            os.close(fd)


@contextlib.contextmanager
def _where_there_are_acls() -> Iterator[None]:
    """Elsewhere it is the umask of each task that decides whether others may change what it writes."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ACL:
            raise


def _unusable(volume: Volume, error: OSError) -> Unavailable:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(
            say(
                "there is no space left for volume {name}",
                "磁盘已满，无法存放存储卷 {name}",
                name=volume.name,
            )
        )
    return Unavailable(
        say(
            "the folder of volume {name} cannot be made: {strerror}",
            "无法创建存储卷 {name} 的目录：{strerror}",
            name=volume.name,
            strerror=error.strerror,
        )
    )
