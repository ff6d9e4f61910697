"""Files below a folder that others may write: listed by pages, read by ranges, streamed as an archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from danlu.domain.job import Time


class EntryKind(StrEnum):
    """Of what is neither a file, a folder nor a link (a pipe, a socket, a device) only the name is told."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


class FileOrder(StrEnum):
    """What a list of files is sorted by; folders come first in any."""

    NAME = "name"
    SIZE = "size"
    MODIFIED = "modified"


class PlaceBelow(NamedTuple):
    """A folder that Danlu made, and the way from there, on which no link is followed."""

    root: str
    path: bytes = b""

    def below(self, path: bytes) -> PlaceBelow:
        return PlaceBelow(self.root, b"/".join(part for part in (self.path, path) if part))


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One name in a folder; `target` is where a link leads, which is not followed. `executable`: a file that its owner
    may execute."""

    name: bytes
    kind: EntryKind
    size: int
    modified: Time
    target: bytes | None = None
    executable: bool = False


@dataclass(frozen=True, slots=True)
class FilePage:
    """Some entries of a folder; `more` if others follow, `whole` unless the folder has too many entries to look at all
    of them. `total` is how many were seen."""

    entries: tuple[FileEntry, ...]
    total: int
    more: bool
    whole: bool = True


OrderKey = tuple[bool, int, bytes]
"""Where an entry stands in an order: whether in its later half, by what it is sorted, its name."""


@dataclass(frozen=True, slots=True)
class ListWish:
    """A page of a folder: which order, and after which place in it."""

    order: FileOrder = FileOrder.NAME
    descending: bool = False
    after: OrderKey | None = None
    limit: int = 200

    def key_of(self, entry: FileEntry) -> OrderKey:
        values = {FileOrder.NAME: 0, FileOrder.SIZE: entry.size, FileOrder.MODIFIED: entry.modified}
        return ((entry.kind is EntryKind.FOLDER) == self.descending, values[self.order], entry.name)


class OpenContent(Protocol):
    """An open file: its size when it was opened, and a tag that changes with its content."""

    size: int
    modified: Time
    tag: str

    def read(self, offset: int, limit: int) -> bytes:
        """Bytes from an offset on; OSError if the file was cut meanwhile."""

    def close(self) -> None:
        """Closing twice is closing once."""


class TooManyToSort(Exception):
    """A folder has more entries than can be sorted by anything but their names."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} entries")
        self.most = most


class Files(Protocol):
    """OSError where nothing of the kind is there: FileNotFoundError, NotADirectoryError, PermissionError."""

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        """The first page of a million entries takes a second or two, the next ones little, while the folder stays as it
        is; memory is bounded."""

    def look_at(self, place: PlaceBelow) -> FileEntry:
        """What there is at a place."""

    def open(self, place: PlaceBelow) -> OpenContent:
        """A plain file; anything else is not found. Never waits."""

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        """The folder as a tar, piece by piece, with everything in it below `name`: plain files, folders, and links as
        links. Opened at once, so that what is missing is told before the first piece."""
