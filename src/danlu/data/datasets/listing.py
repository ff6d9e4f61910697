"""A folder of a version, as bytes: names and, for each, the SHA-256 of what it holds. Equal folders have equal bytes.

DLL1 · number of entries · where each begins · entries: kind, size, files below, name, and digest or target.
Folders come first, then all by their names' bytes, so that a page is found without reading the others."""

from __future__ import annotations

import bisect
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from danlu.ports.files import EntryKind

MAGIC = b"DLL1"
FOLDER, FILE, PROGRAM, LINK = range(4)
"""Kinds of entries; a program is a file that may be executed."""
_HEAD = struct.Struct("<4sI")
_ENTRY = struct.Struct("<BQQH")
_OFFSET = struct.Struct("<I")
_DIGEST = 32
KINDS = {FOLDER: EntryKind.FOLDER, FILE: EntryKind.FILE, PROGRAM: EntryKind.FILE, LINK: EntryKind.LINK}


class DamagedListing(ValueError):
    """These bytes are no listing."""


class ListedEntry(NamedTuple):
    """`below` is how many files a folder holds in all; `holds` a digest, or where a link leads."""

    kind: int
    name: bytes
    size: int
    below: int
    holds: bytes


def sort_key(entry: ListedEntry) -> tuple[bool, bytes]:
    return (entry.kind != FOLDER, entry.name)


def written(entries: Iterable[ListedEntry]) -> bytes:
    """In their order, whatever it was before."""
    parts = [
        _ENTRY.pack(one.kind, one.size, one.below, len(one.name)) + one.name + one.holds
        for one in sorted(entries, key=sort_key)
    ]
    offsets, at = [], 0
    for part in parts:
        offsets.append(at)
        at += len(part)
    head = _HEAD.pack(MAGIC, len(parts)) + struct.pack(f"<{len(offsets)}I", *offsets)
    return b"".join((head, *parts))


class FolderListing(Sequence[ListedEntry]):
    """Read entry by entry from its bytes; DamagedListing where they are none."""

    def __init__(self, data: bytes) -> None:
        if len(data) < _HEAD.size:
            raise DamagedListing("too short")
        magic, count = _HEAD.unpack_from(data)
        self._count = int(count)
        self._data, self._begin = data, _HEAD.size + 4 * self._count
        if magic != MAGIC or self._begin > len(data):
            raise DamagedListing("no listing")

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        if isinstance(at, slice):
            return [self._at(one) for one in range(*at.indices(self._count))]
        if not 0 <= at < self._count:
            raise IndexError(at)
        return self._at(at)

    def __iter__(self) -> Iterator[ListedEntry]:
        return (self._at(one) for one in range(self._count))

    def find(self, name: bytes) -> ListedEntry | None:
        for is_file in (False, True):
            entry = self._get(self.place((is_file, name)))
            if entry is not None and entry.name == name:
                return entry
        return None

    def place(self, key: tuple[bool, bytes]) -> int:
        """Of the first entry that is not before this key."""
        found: int = bisect.bisect_left(range(self._count), key, key=lambda at: sort_key(self._at(at)))
        return found

    def _get(self, at: int) -> ListedEntry | None:
        return self._at(at) if at < self._count else None

    def _at(self, place: int) -> ListedEntry:
        try:
            (offset,) = _OFFSET.unpack_from(self._data, _HEAD.size + 4 * place)
            begin = self._begin + offset
            kind, size, below, length = _ENTRY.unpack_from(self._data, begin)
            name_at = begin + _ENTRY.size
            holds_at = name_at + length
            holds = size if kind == LINK else _DIGEST
            entry = ListedEntry(
                kind,
                self._data[name_at:holds_at],
                size,
                below,
                self._data[holds_at : holds_at + holds],
            )
        except struct.error as error:
            raise DamagedListing("cut") from error
        if kind not in KINDS or len(entry.name) != length or len(entry.holds) != holds:
            raise DamagedListing("cut")
        return entry
