"""Files of a volume, read by descriptors: what is a link, or becomes one meanwhile, leads nowhere."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import replace

from danlu.data.files.descent import open_folder, parent_of
from danlu.data.transfers.globs import PathFilter
from danlu.data.transfers.items import Item, SourceChanged, Totals
from danlu.data.transfers.landing import stays_inside
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.ports.disk_use import DEEPEST
from danlu.ports.files import PlaceBelow
from danlu.ports.volumes.uploads import Checksum

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class FolderSource:
    """Implements items.ItemSource: a file of a volume, which must have the `checksum`, or all that is in a folder."""

    def __init__(
        self, place: PlaceBelow, wished: PathFilter, totals: Totals, checksum: Checksum | None = None
    ) -> None:
        self._place, self._wished, self._totals, self._checksum = place, wished, totals, checksum
        self.single = self._is_file()

    def items(self) -> Iterator[Item]:
        if self.single:
            with parent_of(self._place) as (above, name):
                found = os.stat(name, dir_fd=above, follow_symlinks=False)
            self._totals.expect(1, found.st_size)
            yield replace(_item(name, found), checksum=self._checksum)
            return
        self._totals.expect(*self._counted())
        yield from self._walk()

    def open(self, item: Item, offset: int, version: str) -> FolderContent:
        path = self._place.path if self.single else b"/".join(filter(None, (self._place.path, item.path)))
        try:
            with parent_of(PlaceBelow(self._place.root, path)) as (above, name):
                fd = os.open(name, _READ, dir_fd=above)
        except OSError as error:
            raise _unreadable(path, error) from None
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            os.close(fd)
            raise TransferStopped("not_read", path=shown_name(path), why="no_file")
        now = replace(_item(item.path, found), checksum=item.checksum)
        if version and version != now.version:
            os.close(fd)
            raise SourceChanged
        return FolderContent(fd, now, offset if version else 0)

    def _is_file(self) -> bool:
        if not self._place.path:
            return False
        try:
            with parent_of(self._place) as (above, name):
                mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
        except OSError as error:
            raise _unreadable(self._place.path, error) from None
        if stat.S_ISREG(mode):
            return True
        if not stat.S_ISDIR(mode):
            raise TransferStopped("not_read", path=shown_name(self._place.path), why="neither")
        return False

    def _counted(self) -> tuple[int, int]:
        files = size = 0
        for item in self._walk(counting=True):
            files += not item.empty
            size += item.size or 0
        return files, size

    def _walk(self, *, counting: bool = False) -> Iterator[Item]:
        """Folder by folder; one that cannot be read stops it, one that is gone or swapped does not."""
        waiting = [b""]
        while waiting:
            path = waiting.pop()
            fd = self._entered(path)
            if fd is None:
                continue
            try:
                inner = yield from self._folder(path, fd, counting)
            finally:
                os.close(fd)
            waiting.extend(reversed(inner))

    def _folder(self, path: bytes, fd: int, counting: bool) -> Generator[Item, None, list[bytes]]:
        """The files in it; returns the folders."""
        inner: list[bytes] = []
        empty = True
        for entry in sorted(os.scandir(fd), key=lambda one: one.name):
            empty = False
            name = os.fsencode(entry.name)
            below = b"/".join(filter(None, (path, name)))
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISDIR(found.st_mode):
                inner.append(below)
            elif not self._wished.takes(below):
                continue
            elif stat.S_ISREG(found.st_mode):
                yield _item(below, found)
            elif (link := _link(fd, name, below)) is not None:
                yield Item(below, link=link)
            elif not counting:
                self._totals.left_out()
        if empty and path and self._wished.takes(path):
            yield Item(path, empty=True)
        return inner

    def _entered(self, path: bytes) -> int | None:
        if path.count(b"/") >= DEEPEST:
            raise TransferStopped("bad_name", path=shown_name(path[:1000]), why="too_deep", most=DEEPEST)
        whole = b"/".join(filter(None, (self._place.path, path)))
        try:
            return open_folder(PlaceBelow(self._place.root, whole))
        except OSError as error:
            if path and error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                return None
            raise _unreadable(whole, error) from None


class FolderContent:
    """Implements items.ItemContent; `fd` is for who copies without reading."""

    def __init__(self, fd: int, item: Item, offset: int) -> None:
        self.fd, self.item, self.offset = fd, item, offset

    def pieces(self) -> Iterator[bytes]:
        at = self.offset
        while data := os.pread(self.fd, 1 << 20, at):
            at += len(data)
            yield data

    def close(self) -> None:
        os.close(self.fd)


def _item(path: bytes, found: os.stat_result) -> Item:
    return Item(
        path,
        found.st_size,
        f"{found.st_ino:x}-{found.st_size:x}-{found.st_mtime_ns:x}",
        found.st_mtime_ns,
        executable=bool(found.st_mode & 0o100),
        same_if_size=True,
    )


def _link(fd: int, name: bytes, path: bytes) -> bytes | None:
    """Where a link leads; None for what is none, or leads out."""
    try:
        to = os.readlink(name, dir_fd=fd)
    except OSError:
        return None
    return to if stays_inside(path, to) else None


def _unreadable(path: bytes, error: OSError) -> TransferStopped:
    shown = "/" + shown_name(path)
    if isinstance(error, FileNotFoundError):
        return TransferStopped("nothing_there", path=shown)
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return TransferStopped("not_read", path=shown, why="link")
    return TransferStopped("not_read", path=shown, why=error.strerror or error)
