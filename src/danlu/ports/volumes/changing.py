"""Files of volumes are changed: made, moved, copied, put in the trash and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.domain.volumes.volume import Volume
from danlu.ports.files import EntryKind, PlaceBelow

IN_BUCKET = "bucket:"
"""What the place of a bucket's files begins with, before its volume's id; folders on disk begin with a slash."""


class VolumeFolders(NamedTuple):
    """Where the files of a volume are, which tasks write too; and a folder on the same file system that only Danlu
    writes: for the trash, for uploads, and for what is being made."""

    files: str
    aside: str

    def place(self, path: bytes = b"") -> PlaceBelow:
        return PlaceBelow(self.files, path)


@dataclass(frozen=True, slots=True)
class Hand:
    """Whose what is written becomes; None: nothing is given to anybody. With `shared`, its group may write it too."""

    uid: int | None = None
    gid: int | None = None
    shared: bool = False


class OpenVolume(NamedTuple):
    """A volume as somebody writes to it."""

    folders: VolumeFolders
    hand: Hand


class VolumePlaces(Protocol):
    """Where people's files are on this machine, and whose becomes what they write there. Any thread."""

    def of(self, volume: Volume, by: str) -> OpenVolume: ...

    def own(self, owner: str, name: str, *, make: bool) -> OpenVolume:
        """One's own `personal` or `archive` directory, made if asked for: Unavailable where that cannot be."""

    def free(self) -> int:
        """Bytes that can still be written there, without what stays free for the machine."""


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """Something that was deleted: from where, what, by whom and when. `size` is None for what is no file, and for a
    folder until it was counted."""

    id: str
    path: bytes
    kind: EntryKind
    size: int | None
    by: str
    at: Time


class TrashUse(NamedTuple):
    """What a trash takes, and how many things are in it. Not `whole`: so much at least, as some of it is not counted
    yet."""

    size: int
    entries: int
    whole: bool


class FileChanges(Protocol):
    """Paths lead down from the volume's folder, and through no link. OSError where it cannot be: FileNotFoundError,
    NotADirectoryError, FileExistsError; nothing that exists is ever overwritten, and nothing half made is seen. Any
    thread."""

    def make_folder(self, at: VolumeFolders, path: bytes, hand: Hand) -> None:
        """With the folders on the way that are missing."""

    def move(self, at: VolumeFolders, path: bytes, to: bytes) -> None:
        """To another path of the same volume; a link is moved itself."""

    def copy(
        self, source: PlaceBelow, at: VolumeFolders, to: bytes, hand: Hand, most: int | None = None
    ) -> Iterator[int]:
        """A file, or a folder with all that is in it; links as links, pipes and the like not at all. Nothing is done
        but while the iterator is advanced, which tells now and then how many bytes were copied. More than `most` bytes
        are refused with EDQUOT."""

    def delete(self, at: VolumeFolders, path: bytes, by: str, now: Time) -> TrashEntry:
        """Into the volume's trash."""

    def trash(self, at: VolumeFolders, limit: int, after: str | None = None) -> tuple[TrashEntry, ...]:
        """What was deleted, the last first; `after` is the id of an entry."""

    def trash_use(self, at: VolumeFolders) -> TrashUse:
        """What was deleted and is not gone yet takes so much."""

    def restore(self, at: VolumeFolders, entry_id: str, hand: Hand) -> bytes:
        """Back to where it was, whose path is returned; FileExistsError if something is there again."""

    def drop(self, at: VolumeFolders, entry_id: str | None = None) -> int:
        """Delete one entry of the trash for good, or all; how many. Its space is free a little later."""
