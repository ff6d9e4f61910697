"""Archives, unpacked: looked through whole before anything is written, so that a bad one leaves nothing behind."""

from __future__ import annotations

import contextlib
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from danlu.data.transfers.globs import PathFilter
from danlu.data.transfers.items import Item, Totals
from danlu.data.transfers.landing import stays_inside
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped

_PIECE = 1 << 20
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    MemoryError,
    OSError,
)


class UnpackLimits(NamedTuple):
    size: int
    entries: int


class ArchiveSource:
    """Implements items.ItemSource over an open file. Items are to be read one after the other, as they come. With
    `nested`, tar archives in a tar archive are unpacked too, each into a folder of its name, and no deeper."""

    def __init__(
        self,
        fd: int,
        name: str,
        wished: PathFilter,
        totals: Totals,
        limits: UnpackLimits,
        *,
        nested: bool = False,
    ) -> None:
        self._fd, self._name, self._wished = fd, name, wished
        self._totals, self._limits, self._nested = totals, limits, nested
        self._current: IO[bytes] | None = None

    def items(self) -> Iterator[Item]:
        is_zip = _is_zip(self._fd)
        with self._damaged():
            files = size = 0
            for item in self._entries(is_zip, looking=True):
                files += not item.empty
                size += item.size or 0
            self._totals.expect(files, size)
        yield from self._entries(is_zip, looking=False)

    def open(self, item: Item, offset: int, version: str) -> _Entry:
        assert self._current is not None, "entries are read as they come"
        assert not offset, f"a part of {version} cannot be gone on with"
        return _Entry(self, item, self._current)

    def _entries(self, is_zip: bool, *, looking: bool) -> Iterator[Item]:
        count = size = 0
        for item in self._zip(looking) if is_zip else self._tar(looking):
            if looking:
                count, size = count + 1, size + (item.size or 0)
                if size > self._limits.size:
                    raise TransferStopped("archive_too_large", bound=self._limits.size)
                if count > self._limits.entries:
                    raise TransferStopped("archive_too_many", most=self._limits.entries)
            if self._wished.takes(item.path):
                yield item

    def _zip(self, looking: bool) -> Iterator[Item]:
        with self._file() as file, zipfile.ZipFile(file) as archive:
            for one in archive.infolist():
                path = _inside(_zip_name(one))
                mode = one.external_attr >> 16
                if one.flag_bits & 1:
                    raise TransferStopped("archive_damaged", path=self._name, why="encrypted")
                if one.is_dir():
                    if path:
                        yield Item(path, empty=True)
                elif not stat.S_IFMT(mode) or stat.S_ISREG(mode):
                    item = Item(path, one.file_size, executable=bool(mode & 0o100))
                    if looking:
                        yield item
                        continue
                    with self._damaged(), archive.open(one) as content:
                        self._current = content
                        yield item
                elif looking:
                    self._totals.left_out()

    def _tar(self, looking: bool) -> Iterator[Item]:
        with self._file() as file, self._opened(file) as archive:
            for one in self._members(archive):
                if self._nested and one.isreg() and one.name.endswith(".tar"):
                    folder = one.name[: -len(".tar")] + "/"
                    with self._inner(archive, one) as inner:
                        for deeper in self._members(inner):
                            yield from self._member(inner, deeper, folder, looking)
                else:
                    yield from self._member(archive, one, "", looking)

    def _members(self, archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        while (one := self._next(archive)) is not None:
            archive.members = []  # type: ignore[attr-defined]  # each is needed once
            yield one

    def _inner(self, archive: tarfile.TarFile, one: tarfile.TarInfo) -> tarfile.TarFile:
        with self._damaged():
            return tarfile.open(fileobj=archive.extractfile(one), mode="r:", errorlevel=2)

    def _member(
        self, archive: tarfile.TarFile, one: tarfile.TarInfo, folder: str, looking: bool
    ) -> Iterator[Item]:
        _inside(one.name.encode("utf-8", "surrogateescape"))
        path = _inside((folder + one.name).encode("utf-8", "surrogateescape"))
        modified = max(0, int(one.mtime)) * 1_000_000_000
        if one.isdir():
            if path:
                yield Item(path, empty=True)
        elif one.isreg():
            self._current = None if looking else archive.extractfile(one)
            yield Item(
                path, one.size, modified_ns=modified, executable=bool(one.mode & 0o100), same_if_size=True
            )
        elif one.issym() and stays_inside(path, _link_of(one)):
            yield Item(path, link=_link_of(one))
        elif looking:
            self._totals.left_out()

    def _next(self, archive: tarfile.TarFile) -> tarfile.TarInfo | None:
        with self._damaged():
            return archive.next()

    def _opened(self, file: IO[bytes]) -> tarfile.TarFile:
        try:
            return tarfile.open(fileobj=file, mode="r:*", errorlevel=2)
        except _BROKEN:
            raise TransferStopped("no_archive", path=self._name) from None

    def _file(self) -> IO[bytes]:
        os.lseek(self._fd, 0, os.SEEK_SET)
        return os.fdopen(self._fd, "rb", closefd=False)

    @contextlib.contextmanager
    def _damaged(self) -> Iterator[None]:
        try:
            yield
        except TransferStopped:
            raise
        except _BROKEN as error:
            told = str(error) or type(error).__name__
            raise TransferStopped("archive_damaged", path=self._name, why=told) from None

    def read(self, content: IO[bytes]) -> bytes:
        with self._damaged():
            return content.read(_PIECE)


class _Entry:
    """Implements items.ItemContent."""

    offset = 0

    def __init__(self, source: ArchiveSource, item: Item, content: IO[bytes]) -> None:
        self.item = item
        self._source, self._content = source, content

    def pieces(self) -> Iterator[bytes]:
        while data := self._source.read(self._content):
            yield data

    def close(self) -> None:
        pass


def _inside(name: bytes) -> bytes:
    """TransferStopped for a name that leads out of the folder."""
    parts = [part for part in name.split(b"/") if part not in (b"", b".")]
    if name.startswith(b"/") or b".." in parts or b"\0" in name:
        raise TransferStopped("archive_leads_out", path=shown_name(name[:1000]))
    return b"/".join(parts)


def _zip_name(one: zipfile.ZipInfo) -> bytes:
    """As it was written: zipfile reads names that are no UTF-8 as cp437, and cuts at NUL."""
    return one.filename.encode("utf-8" if one.flag_bits & 0x800 else "cp437", "surrogateescape")


def _link_of(one: tarfile.TarInfo) -> bytes:
    return one.linkname.encode("utf-8", "surrogateescape")


def _is_zip(fd: int) -> bool:
    return os.pread(fd, 4, 0) in (b"PK\x03\x04", b"PK\x05\x06")
