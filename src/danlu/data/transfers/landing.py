"""Where files of a transfer land: below a folder of a volume, each moved into its place when it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator

from danlu.data.files.descent import move_new
from danlu.data.files.drafts import dress_file, folder_made
from danlu.data.transfers.items import Item, ItemSource
from danlu.data.transfers.parts import PartFiles, RoomLeft, digest_of
from danlu.data.transfers.telling import WorkerTeller
from danlu.domain.file_names import LONGEST_PATH, shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import OnExisting
from danlu.ports.disk_use import DEEPEST
from danlu.ports.volumes.changing import Hand, VolumeFolders

_LONGEST_NAME = 255
_BLOCKED = (errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY)


class VolumeLanding:
    """`base` is the folder of the volume that paths of items are below."""

    def __init__(
        self,
        at: VolumeFolders,
        hand: Hand,
        base: bytes,
        existing: OnExisting,
        parts: PartFiles,
        room: RoomLeft,
        teller: WorkerTeller,
    ) -> None:
        self._at, self._hand, self._base, self._existing = at, hand, base, existing
        self._parts, self._room, self._teller = parts, room, teller
        self._folder: tuple[bytes, int] | None = None

    def take(self, source: ItemSource, item: Item) -> None:
        """Put it in its place, unless it is there. TransferStopped."""
        path = b"/".join(part for part in (self._base, item.path) if part)
        _check(path)
        try:
            self._take(source, item, path)
        except OSError as error:
            raise self._stopped(path, error) from None

    def close(self) -> None:
        if self._folder is not None:
            os.close(self._folder[1])
            self._folder = None

    def _take(self, source: ItemSource, item: Item, path: bytes) -> None:
        if item.empty:
            os.close(folder_made(self._at, path, self._hand))
            return
        above, name = self._above(path)
        found = _look(above, name)
        if item.link is not None:
            self._link(above, name, item.link, found, path)
        elif found is not None and self._is_there(above, name, item, found, path):
            self._teller.counted(found.st_size)
            self._teller.file_done(skipped=True)
        else:
            self._file(source, item, above, name, replaces=found is not None)
            self._teller.file_done()

    def _is_there(self, above: int, name: bytes, item: Item, found: os.stat_result, path: bytes) -> bool:
        if not stat.S_ISREG(found.st_mode):
            raise TransferStopped("in_the_way", path=shown_name(path))
        if self._existing is OnExisting.OVERWRITE:
            return False
        if _is_same(above, name, item, found):
            return True
        if self._existing is OnExisting.REFUSE:
            raise TransferStopped("exists", path=shown_name(path))
        return False

    def _file(self, source: ItemSource, item: Item, above: int, name: bytes, *, replaces: bool) -> None:
        with self._parts.whole(source, item) as (folder, fd, made):
            dress_file(fd, self._hand, executable=item.executable)
            if item.modified_ns is not None:
                os.utime(fd, ns=(item.modified_ns, item.modified_ns))
            if replaces:
                os.rename(made, name, src_dir_fd=folder, dst_dir_fd=above)
            else:
                move_new(folder, made, above, name)

    def _link(self, above: int, name: bytes, to: bytes, found: os.stat_result | None, path: bytes) -> None:
        if found is not None:
            if stat.S_ISLNK(found.st_mode) and os.readlink(name, dir_fd=above) == to:
                self._teller.file_done(skipped=True)
                return
            if not stat.S_ISLNK(found.st_mode):
                raise TransferStopped("in_the_way", path=shown_name(path))
            if self._existing is OnExisting.REFUSE:
                raise TransferStopped("exists", path=shown_name(path))
        draft = b".danlu-" + secrets.token_hex(8).encode()
        os.symlink(to, draft, dir_fd=above)
        os.rename(draft, name, src_dir_fd=above, dst_dir_fd=above)
        self._teller.file_done()

    def _above(self, path: bytes) -> tuple[int, bytes]:
        """The folder it goes into, which the next one mostly goes into too."""
        folder, _, name = path.rpartition(b"/")
        if self._folder is None or self._folder[0] != folder:
            self.close()
            self._folder = (folder, folder_made(self._at, folder, self._hand))
        return self._folder[1], name

    def _stopped(self, path: bytes, error: OSError) -> TransferStopped:
        shown = shown_name(path)
        if error.errno == errno.ENOSPC:
            found = os.statvfs(self._at.aside)
            return TransferStopped("disk_full", free=found.f_bavail * found.f_frsize)
        if error.errno == errno.EDQUOT:
            left = self._room.most or 0
            return TransferStopped("no_room", volume=self._room.volume, left=left, bound=self._room.bound)
        if error.errno in _BLOCKED:
            return TransferStopped("in_the_way", path=shown)
        if error.errno in (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL):
            return TransferStopped("bad_name", path=shown, why=error.strerror)
        return TransferStopped("not_written", path=shown, why=error.strerror or error)


def stays_inside(path: bytes, link: bytes) -> bool:
    """Whether a link at this path leads to something below the folder that the path is in."""
    if link.startswith(b"/") or not link or b"\0" in link:
        return False
    depth = path.count(b"/")
    for step in link.split(b"/"):
        if step == b"..":
            depth -= 1
        elif step not in (b"", b"."):
            depth += 1
        if depth < 0:
            return False
    return True


@contextlib.contextmanager
def opened(above: int, name: bytes) -> Iterator[int]:
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=above)
    try:
        yield fd
    finally:
        os.close(fd)


def _is_same(above: int, name: bytes, item: Item, found: os.stat_result) -> bool:
    if item.size is None or item.size != found.st_size:
        return False
    if item.checksum is None:
        return item.same_if_size and item.modified_ns == found.st_mtime_ns
    try:
        with opened(above, name) as fd:
            return digest_of(fd, item.checksum, found.st_size) == item.checksum.digest
    except PermissionError:
        return False


def _look(above: int, name: bytes) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=above, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _check(path: bytes) -> None:
    parts = path.split(b"/")
    shown = shown_name(path[:LONGEST_PATH])
    if not path or any(part in (b"", b".", b"..") for part in parts) or b"\0" in path:
        raise TransferStopped("bad_name", path=shown or "/", why="names_nothing")
    if len(path) > LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in parts):
        raise TransferStopped("bad_name", path=shown, why="too_long")
    if len(parts) > DEEPEST:
        raise TransferStopped("bad_name", path=shown, why="too_deep", most=DEEPEST)
