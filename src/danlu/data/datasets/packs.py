"""Packs: many small contents in one file, and an index that finds each by its digest.

Index: DLP1 · number · first eight bytes of each digest, sorted · the digests · where each is, and how long."""

from __future__ import annotations

import bisect
import mmap
import os
import secrets
import struct
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MOST_BYTES, MOST_OBJECTS = 128 << 20, 65_536
_MAGIC = b"DLP1\0\0\0\0"
_PLACE = struct.Struct("<QQ")
_HEAD = struct.Struct("<8sQ")
_BUFFER = 4 << 20


class PackedPlace(NamedTuple):
    offset: int
    size: int


class Pack:
    """A finished pack. Any thread; its files are opened at their first use."""

    def __init__(self, index: Path) -> None:
        self.index, self.file = index, index.with_suffix(".pack")
        with open(index, "rb") as opened:
            self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        magic, self.count = _HEAD.unpack_from(self._map)
        if magic != _MAGIC or len(self._map) != _HEAD.size + self.count * (8 + 32 + _PLACE.size):
            raise OSError(f"{index.name} is damaged")
        self._keys = memoryview(self._map)[_HEAD.size : _HEAD.size + 8 * self.count].cast("Q")
        self._digests = _HEAD.size + 8 * self.count
        self._places = self._digests + 32 * self.count
        self._fd = -1
        self._bad = _bad_in(index)

    def find(self, digest: bytes) -> int | None:
        """The number of the object in this pack."""
        key = int.from_bytes(digest[:8], "big")
        at = bisect.bisect_left(self._keys, key)
        while at < self.count and self._keys[at] == key:
            if self.digest(at) == digest:
                return None if digest in self._bad else at
            at += 1
        return None

    def digest(self, number: int) -> bytes:
        begin = self._digests + 32 * number
        return self._map[begin : begin + 32]

    def place(self, number: int) -> PackedPlace:
        return PackedPlace(*_PLACE.unpack_from(self._map, self._places + _PLACE.size * number))

    def condemn(self, digest: bytes) -> None:
        """From now on it is as if this content were not here."""
        self._bad.add(digest)
        with open(self.index.with_suffix(".bad"), "ab") as file:
            file.write(digest)

    def read(self, number: int) -> bytes:
        if self._fd < 0:
            self._fd = os.open(self.file, os.O_RDONLY | os.O_CLOEXEC)
        place = self.place(number)
        return os.pread(self._fd, place.size, place.offset)

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            os.close(self._fd)


class PackWriter:
    """Writes packs into a folder of drafts, and moves each, once it is on disk, to where packs are read."""

    def __init__(self, drafts: Path, packs: Path) -> None:
        self._drafts, self._packs = drafts, packs
        self._found: dict[bytes, PackedPlace] = {}
        self._buffer: list[bytes] = []
        self._buffered = self._size = 0
        self._fd, self._name = -1, ""

    def has(self, digest: bytes) -> bool:
        return digest in self._found

    def add(self, digest: bytes, data: bytes) -> Pack | None:
        """The pack that this filled, if any."""
        self._found[digest] = PackedPlace(self._size, len(data))
        self._buffer.append(data)
        self._size += len(data)
        self._buffered += len(data)
        if self._buffered >= _BUFFER:
            self._write()
        if self._size >= MOST_BYTES or len(self._found) >= MOST_OBJECTS:
            return self.finish()
        return None

    def read(self, digest: bytes) -> bytes:
        place = self._found[digest]
        self._write()
        return os.pread(self._fd, place.size, place.offset)

    def finish(self) -> Pack | None:
        if not self._found:
            return None
        self._write()
        os.fsync(self._fd)
        os.close(self._fd)
        self._fd = -1
        index = self._drafts / f"{self._name}.idx"
        _write_index(index, self._found)
        # An index without its pack is never seen: readers look for indexes.
        os.rename(self._drafts / f"{self._name}.pack", self._packs / f"{self._name}.pack")
        os.rename(index, self._packs / index.name)
        sync_folder(self._packs)
        self._found, self._size = {}, 0
        return Pack(self._packs / index.name)

    def _write(self) -> None:
        if self._fd < 0:
            self._name = secrets.token_hex(10)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._fd = os.open(self._drafts / f"{self._name}.pack", flags, 0o400)
        data = memoryview(b"".join(self._buffer))
        while data:
            data = data[os.write(self._fd, data) :]
        self._buffer, self._buffered = [], 0


def _bad_in(index: Path) -> set[bytes]:
    try:
        data = index.with_suffix(".bad").read_bytes()
    except FileNotFoundError:
        return set()
    return {data[at : at + 32] for at in range(0, len(data), 32)}


def indexes(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        yield from (folder / one.name for one in entries if one.name.endswith(".idx"))


def sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_index(file: Path, found: dict[bytes, PackedPlace]) -> None:
    digests = sorted(found)
    keys = array("Q", (int.from_bytes(digest[:8], "big") for digest in digests))
    places = b"".join(_PLACE.pack(*found[digest]) for digest in digests)
    fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o400)
    with os.fdopen(fd, "wb") as opened:
        opened.write(_HEAD.pack(_MAGIC, len(digests)) + keys.tobytes() + b"".join(digests) + places)
        opened.flush()
        os.fsync(opened.fileno())
