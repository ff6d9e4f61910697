"""Contents by their SHA-256: small ones in packs, larger ones in files of their own."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import functools
import hashlib
import os
import secrets
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

from danlu.data.datasets.packs import Pack, PackWriter, indexes, sync_folder

SMALL = 32 << 10
"""What is not larger goes into a pack."""
_FICLONE = 0x40049409
_NO_CLONES = (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EPERM)
_PIECE = 1 << 20
_BATCH, _BATCH_BYTES = 4_096, 1 << 30
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class MissingObject(OSError):
    """The store should have this content, and has not."""


class Objects:
    """Reads what is stored. Any thread."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.objects, self.packs, self.drafts = root / "objects", root / "packs", root / "drafts"
        for folder in (root, self.objects, self.packs, self.drafts, root / "known", root / "trees"):
            folder.mkdir(exist_ok=True, mode=0o700)
        self._known: dict[str, Pack] = {}
        self._stamp = -1
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """While something is made of the store's contents, or added to them: nothing is collected."""
        with self._locked(fcntl.LOCK_SH):
            yield

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """For the collector: False while others are at work."""
        try:
            with self._locked(fcntl.LOCK_EX | fcntl.LOCK_NB):
                yield True
        except BlockingIOError:
            yield False

    def path(self, digest: bytes) -> Path:
        name = digest.hex()
        return self.objects / name[:2] / name[2:]

    def has(self, digest: bytes, size: int) -> bool:
        if size <= SMALL:
            return self._packed(digest) is not None
        try:
            return os.lstat(self.path(digest)).st_size == size
        except FileNotFoundError:
            return False

    def read(self, digest: bytes) -> bytes:
        """All of a content; MissingObject."""
        for _ in range(2):
            found = self._packed(digest)
            if found is None:
                break
            try:
                return found[0].read(found[1])
            except FileNotFoundError:
                self._forget(found[0])  # the collector put its objects into another pack
        try:
            return self.path(digest).read_bytes()
        except FileNotFoundError:
            raise MissingObject(errno.ENOENT, "not in the store", digest.hex()) from None

    def condemn(self, digest: bytes) -> None:
        """This content is damaged: it counts as missing, so that the next one to add it mends all that have it."""
        if (found := self._packed(digest)) is not None:
            found[0].condemn(digest)
        else:
            aside = self.root / "damaged"
            aside.mkdir(exist_ok=True, mode=0o700)
            with contextlib.suppress(FileNotFoundError):
                os.rename(self.path(digest), aside / digest.hex())

    def open(self, digest: bytes) -> int | None:
        """A descriptor of one that has a file of its own."""
        try:
            return os.open(self.path(digest), _READ)
        except FileNotFoundError:
            return None

    def all_packs(self) -> list[Pack]:
        with self._lock:
            self._look()
            return list(self._known.values())

    def adopt(self, pack: Pack) -> None:
        with self._lock:
            self._known[pack.index.name] = pack

    def packed(self, digest: bytes) -> tuple[Pack, int] | None:
        return self._packed(digest)

    def _packed(self, digest: bytes) -> tuple[Pack, int] | None:
        for pack in list(self._known.values()):
            number = pack.find(digest)
            if number is not None:
                return pack, number
        with self._lock:
            if not self._look():
                return None
        return self._packed(digest)

    def _look(self) -> bool:
        """Whether there are packs that were not known."""
        stamp = os.stat(self.packs).st_mtime_ns
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        there = {one.name: one for one in indexes(self.packs)}
        fresh = [name for name in there if name not in self._known]
        self._known = {name: pack for name, pack in self._known.items() if name in there}
        for name in fresh:
            with contextlib.suppress(FileNotFoundError):
                self._known[name] = Pack(there[name])
        return bool(fresh)

    def _forget(self, pack: Pack) -> None:
        with self._lock:
            self._known.pop(pack.index.name, None)
            self._stamp = -1

    @contextlib.contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        fd = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, how)
            yield
        finally:
            os.close(fd)


class ObjectWriter:
    """Adds contents. For one thread, within `in_use`; what is not finished is not there."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._drafts = objects.drafts / secrets.token_hex(10)
        self._drafts.mkdir(mode=0o700)
        self._packs = PackWriter(self._drafts, objects.packs)
        self._pending: dict[bytes, int] = {}
        self._pending_bytes = 0
        self._clones = True
        self.stored = 0
        """Bytes that were new."""

    def add(self, data: bytes, digest: bytes | None = None) -> bytes:
        """A content in memory; its digest."""
        digest = digest or hashlib.sha256(data).digest()
        if self._has(digest, len(data)):
            return digest
        self.stored += len(data)
        if len(data) > SMALL:
            name = self._draft()
            with open(name, "xb") as file:
                file.write(data)
            self._keep(digest, name, len(data))
        elif (pack := self._packs.add(digest, data)) is not None:
            self.objects.adopt(pack)
        return digest

    def add_file(self, fd: int, size: int) -> tuple[bytes, int]:
        """The content of an open file as it is while it is read, and its size: shared with it where the file system
        can, else copied."""
        name = self._draft()
        to = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o400)
        try:
            source = to if self._cloned(fd, to) else fd
            digest, size = _copied(source, to if source is fd else -1)
        except BaseException:
            os.unlink(name)
            raise
        finally:
            os.close(to)
        if size <= SMALL:  # it was cut meanwhile
            data = name.read_bytes()
            os.unlink(name)
            return self.add(data), size
        if self._has(digest, size):
            os.unlink(name)
        else:
            self.stored += size
            self._keep(digest, name, size)
        return digest, size

    def repack(self, digest: bytes, data: bytes) -> None:
        """Into a new pack, whatever others have it."""
        if not self._packs.has(digest) and (pack := self._packs.add(digest, data)) is not None:
            self.objects.adopt(pack)

    def read(self, digest: bytes) -> bytes:
        return self._packs.read(digest) if self._packs.has(digest) else self.objects.read(digest)

    def finish(self) -> None:
        """All that was added is on disk, and there."""
        self._publish()
        if (pack := self._packs.finish()) is not None:
            self.objects.adopt(pack)

    def close(self) -> None:
        shutil.rmtree(self._drafts, ignore_errors=True)

    def _has(self, digest: bytes, size: int) -> bool:
        return digest in self._pending or self._packs.has(digest) or self.objects.has(digest, size)

    def _draft(self) -> Path:
        return self._drafts / secrets.token_hex(8)

    def _cloned(self, source: int, to: int) -> bool:
        if self._clones:
            try:
                fcntl.ioctl(to, _FICLONE, source)
                return True
            except OSError as error:
                if error.errno not in _NO_CLONES:
                    raise
                self._clones = False
        return False

    def _keep(self, digest: bytes, name: Path, size: int) -> None:
        os.chmod(name, 0o444)
        os.rename(name, self._drafts / digest.hex())
        self._pending[digest] = size
        self._pending_bytes += size
        if len(self._pending) >= _BATCH or self._pending_bytes >= _BATCH_BYTES:
            self._publish()

    def _publish(self) -> None:
        """On disk before they are there: what the store has is whole, also after a power cut."""
        if not self._pending:
            return
        sync_all(self._drafts)
        touched = set()
        for digest in self._pending:
            target = self.objects.path(digest)
            if target.parent not in touched:
                target.parent.mkdir(exist_ok=True, mode=0o700)
                touched.add(target.parent)
            os.rename(self._drafts / digest.hex(), target)
        for folder in (*touched, self.objects.objects):
            sync_folder(folder)
        self._pending, self._pending_bytes = {}, 0


def sync_all(folder: Path) -> None:
    """Everything on this file system is on disk; one file after the other would take a thousand times as long."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _libc().syncfs(fd) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(fd)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _copied(fd: int, to: int) -> tuple[bytes, int]:
    """The digest and size of a file from its beginning, written to another one unless that is -1."""
    found, at = hashlib.sha256(), 0
    while data := os.pread(fd, _PIECE, at):
        found.update(data)
        at += len(data)
        rest = memoryview(data)
        while to >= 0 and rest:
            rest = rest[os.write(to, rest) :]
    return found.digest(), at
