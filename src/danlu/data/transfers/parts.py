"""Files on their way: each is whole and right before it is in its place, and goes on where it stopped.

parts/<name>         what came so far
parts/<name>.json    of which version, where that is worth going on with"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from danlu.data.files.drafts import room_of
from danlu.data.transfers.items import Item, ItemContent, ItemSource, SourceChanged
from danlu.data.transfers.telling import WorkerTeller
from danlu.data.transfers.web import why
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.ports.volumes.changing import VolumeFolders
from danlu.ports.volumes.uploads import Checksum

PARTS = "parts"
GIT_BLOB = "git-blob"
_PIECE = 1 << 20
_LARGE_PIECE = 8 << 20
_WORTH_IT = 4 << 20
"""A file smaller than this begins anew."""
_TRIES = 5
_CHANGES = 3
_LONGEST_WAIT_S = 10.0
_LOOK_EVERY = 16 << 20
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_COPY = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)


@dataclass
class RoomLeft:
    """How much may still be written: `most` bytes of a volume of capacity `bound`, and never into what is to stay free
    on the disk."""

    most: int | None
    bound: int
    reserve: int
    volume: str
    written: int = 0
    _looked: int = 0

    def require(self, at: VolumeFolders, more: int) -> None:
        """TransferStopped where so much does not fit."""
        if self.most is not None and self.written + more > self.most:
            raise TransferStopped("no_room", volume=self.volume, left=self.most, bound=self.bound)
        self._look(at, more)

    def wrote(self, at: VolumeFolders, count: int) -> None:
        self.written += count
        if self.most is not None and self.written > self.most:
            raise TransferStopped("no_room", volume=self.volume, left=self.most, bound=self.bound)
        if self.written - self._looked >= _LOOK_EVERY:
            self._looked = self.written
            self._look(at, 0)

    def _look(self, at: VolumeFolders, more: int) -> None:
        found = os.statvfs(at.aside)
        free = found.f_bavail * found.f_frsize
        if free - more <= self.reserve:
            raise TransferStopped("disk_full", free=free)


class PartFiles:
    """The room of one transfer."""

    def __init__(self, at: VolumeFolders, room: RoomLeft, teller: WorkerTeller, pause: float = 0.5) -> None:
        self._at, self._room, self._teller, self._pause = at, room, teller, pause

    @contextlib.contextmanager
    def whole(self, source: ItemSource, item: Item, key: bytes = b"") -> Iterator[tuple[int, int, bytes]]:
        """The folder, an open file with all of the item in it, and its name there. What has that name afterwards goes
        on next time; it follows from `key`, or the item's path. TransferStopped."""
        with room_of(self._at, PARTS) as folder:
            name = hashlib.sha256(key or item.path).hexdigest()[:32]
            fd = os.open(name, _OPEN, 0o600, dir_fd=folder)
            try:
                self._filled(source, item, folder, fd, name)
                yield folder, fd, name.encode()
            finally:
                os.close(fd)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{name}.json", dir_fd=folder)

    def forget(self, folder: int, name: bytes) -> None:
        for one in (name + b".json", name):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(one, dir_fd=folder)

    def _filled(self, source: ItemSource, item: Item, folder: int, fd: int, name: str) -> None:
        """Again and again, as long as something comes."""
        tries = changes = counted = furthest = 0
        while True:
            begun = _Begun(folder, name).version()
            had = os.fstat(fd).st_size if begun else 0
            self._teller.counted(had - counted)
            try:
                self._poured(source, item, folder, fd, name, had, begun)
                return
            except SourceChanged:
                changes += 1
                self._teller.changed += 1
                self._teller.counted(-os.fstat(fd).st_size)
                _Begun(folder, name).forget()
                os.ftruncate(fd, 0)
                if changes > _CHANGES:
                    raise TransferStopped("source_changing", path=shown_name(item.path)) from None
            except TransferStopped as stopped:
                if not stopped.problem.kind.retried:
                    raise
                came = os.fstat(fd).st_size
                tries = 0 if came > furthest else tries + 1
                furthest = max(furthest, came)
                if tries >= _TRIES:
                    raise
                time.sleep(min(self._pause * 2**tries, _LONGEST_WAIT_S))
            counted = os.fstat(fd).st_size

    def _poured(
        self, source: ItemSource, item: Item, folder: int, fd: int, name: str, had: int, begun: str
    ) -> None:
        content = source.open(item, had, begun)
        try:
            item = content.item
            if content.offset == 0 and had:
                self._teller.counted(-had)
                if begun and item.version != begun:
                    self._teller.changed += 1
            if item.size is not None:
                self._room.require(self._at, item.size - content.offset)
            os.ftruncate(fd, content.offset)
            keeps = item.version and (item.size is None or item.size >= _WORTH_IT)
            if keeps and (content.offset == 0 or item.version != begun):
                _Begun(folder, name).note(item.version)
            digest = self._written(content, fd)
        finally:
            content.close()
        try:
            self._verified(item, fd, digest)
        except TransferStopped:
            self._teller.counted(-os.fstat(fd).st_size)
            _Begun(folder, name).forget()
            os.ftruncate(fd, 0)
            raise

    def _written(self, content: ItemContent, fd: int) -> bytes | None:
        """The digest of what was written, if all of it was."""
        item, at = content.item, content.offset
        source = getattr(content, "fd", -1)
        if source >= 0 and item.checksum is None:
            self._copied(source, fd, at, item.size or 0)
            return None
        seen = hasher(item.checksum, item.size) if item.checksum and at == 0 else None
        for data in _told(content, item):
            if seen is not None:
                seen.update(data)
            at = self._write(fd, data, at)
        if item.size is not None and at < item.size:
            raise TransferStopped("cut_short", path=shown_name(item.path), size=at, why="closed")
        return seen.digest() if seen is not None else None

    def _write(self, fd: int, data: bytes, at: int) -> int:
        self._room.wrote(self._at, len(data))
        view = memoryview(data)
        while view:
            written = os.pwrite(fd, view, at)
            view, at = view[written:], at + written
        self._teller.moved(len(data))
        return at

    def _copied(self, source: int, fd: int, at: int, size: int) -> None:
        """Within the machine; shared with the original where the file system can."""
        by_kernel = True
        while at < size:
            count = 0
            if by_kernel:
                try:
                    count = os.copy_file_range(source, fd, min(_LARGE_PIECE, size - at), at, at)
                except OSError as error:
                    if error.errno not in _NO_COPY:
                        raise
                    by_kernel = False
                    continue
            else:
                data = os.pread(source, min(_PIECE, size - at), at)
                at, count = (self._write(fd, data, at) - len(data), len(data))
            if not count:
                raise SourceChanged
            at += count
            if by_kernel:
                self._room.wrote(self._at, count)
                self._teller.moved(count)

    def _verified(self, item: Item, fd: int, digest: bytes | None) -> None:
        size = os.fstat(fd).st_size
        path = shown_name(item.path)
        if item.size is not None and size != item.size:
            raise TransferStopped("wrong_size", path=path, size=size, wanted_size=item.size)
        if item.checksum is None:
            return
        found = digest if digest is not None else digest_of(fd, item.checksum, size)
        if found != item.checksum.digest:
            raise TransferStopped(
                "wrong_checksum",
                path=path,
                algorithm=item.checksum.algorithm,
                found=found.hex(),
                wanted=item.checksum.digest.hex(),
            )


def _told(content: ItemContent, item: Item) -> Iterator[bytes]:
    """OSError of the network, as a problem."""
    got = content.offset
    try:
        for data in content.pieces():
            got += len(data)
            yield data
    except (ConnectionError, TimeoutError) as error:
        raise TransferStopped("cut_short", path=shown_name(item.path), size=got, why=why(error)) from None


class _Begun:
    """Of which version a part is."""

    def __init__(self, folder: int, name: str) -> None:
        self._folder, self._name = folder, f"{name}.json"

    def version(self) -> str:
        try:
            fd = os.open(self._name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self._folder)
        except FileNotFoundError:
            return ""
        with os.fdopen(fd, "rb") as file:
            try:
                found: Any = json.loads(file.read(1 << 16))
            except ValueError:
                return ""
        return str(found.get("version", "")) if isinstance(found, dict) else ""

    def note(self, version: str) -> None:
        fd = os.open(
            self._name,
            os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC,
            0o600,
            dir_fd=self._folder,
        )
        with os.fdopen(fd, "wb") as file:
            file.write(json.dumps({"version": version}).encode())

    def forget(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._name, dir_fd=self._folder)


def hasher(checksum: Checksum, size: int | None) -> Any:
    """`git-blob` is the name that Git gives a file's content."""
    if checksum.algorithm == GIT_BLOB:
        return hashlib.sha1(b"blob %d\0" % (size or 0), usedforsecurity=False)
    return hashlib.new(checksum.algorithm, usedforsecurity=False)


def digest_of(fd: int, checksum: Checksum, size: int) -> bytes:
    """Of all that is in an open file."""
    seen, at = hasher(checksum, size), 0
    while data := os.pread(fd, _PIECE, at):
        seen.update(data)
        at += len(data)
    found: bytes = seen.digest()
    return found
