"""Where people's files are on this machine: Implements ports.volumes.changing.VolumePlaces."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from danlu.data.volumes.disk import FILES
from danlu.domain.errors import DiskFull, Unavailable
from danlu.domain.people import USER_NAME
from danlu.domain.volumes.volume import Volume
from danlu.domain.words import Words, say
from danlu.ports.volumes.changing import Hand, OpenVolume, VolumeFolders
from danlu.ports.volumes.ids import volume_gid


class DiskPlaces:
    """`own` are the folders in which everybody has a directory, by what it is called; `volumes` has what is beside
    them too. `uid_of` is None where all tasks run as one user: then, if `alone`, only one person has files here."""

    def __init__(
        self,
        own: Mapping[str, Path],
        volumes: Path,
        uid_of: Callable[[str], int | None] | None,
        alone: bool,
        reserve: int,
    ) -> None:
        self._own, self._volumes, self._uid_of = own, volumes, uid_of
        self._alone, self._reserve = alone, reserve

    def of(self, volume: Volume, by: str) -> OpenVolume:
        folder = self._volumes / volume.id
        hand = Hand()
        if self._uid_of is not None:
            hand = Hand(self._uid_of(by), volume_gid(volume.gid), shared=True)
        return OpenVolume(VolumeFolders(str(folder / FILES), str(folder)), hand)

    def own(self, owner: str, name: str, *, make: bool) -> OpenVolume:
        if not USER_NAME.fullmatch(owner):
            raise ValueError(f"{owner!r} is no name of a person")
        files, aside = self._own[name] / owner, self._volumes / f"{name}-{owner}"
        uid = self._uid_of(owner) if self._uid_of is not None else None
        if make:
            self._make(files, aside, uid)
        return OpenVolume(VolumeFolders(str(files), str(aside)), Hand(uid, uid))

    def free(self) -> int:
        found = os.statvfs(self._volumes)
        return max(0, found.f_bavail * found.f_frsize - self._reserve)

    def _make(self, files: Path, aside: Path, uid: int | None) -> None:
        try:
            aside.mkdir(exist_ok=True, mode=0o700)
            if files.exists():
                return
            if self._uid_of is None and self._alone and os.listdir(files.parent):
                raise Unavailable(_NOT_ALONE)
            files.mkdir(exist_ok=True, mode=0o755)
            if uid is not None:
                os.chown(files, uid, uid, follow_symlinks=False)
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            text = say(
                "the directory cannot be made: {why}", "无法创建目录：{why}", why=error.strerror or error
            )
            raise (DiskFull if full else Unavailable)(text) from error


_NOT_ALONE = Words(
    "on this machine all tasks run as one user, and somebody else has files here already: an administrator can allow "
    "sharing that user (share_user)",
    "本机所有任务以同一用户运行，且已有他人的文件；可由管理员允许共用该用户（share_user）",
)
