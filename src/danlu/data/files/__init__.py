"""Files below a folder: Implements ports.files.Files on this machine's disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from danlu.data.files.archive import tar_of
from danlu.data.files.content import FileContent
from danlu.data.files.listing import entry_of, read_page
from danlu.data.files.names import NameCache
from danlu.ports import beneath
from danlu.ports.files import FileEntry, FilePage, ListWish, PlaceBelow


class DiskFiles:
    """Any thread. Nothing is followed out of a place, and nothing but plain files and folders is ever opened."""

    def __init__(self) -> None:
        self._names = NameCache()

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        fd = beneath.open_folder(place.root, os.fsdecode(place.path))
        try:
            return read_page(fd, wish, self._names)
        finally:
            os.close(fd)

    def look_at(self, place: PlaceBelow) -> FileEntry:
        folder, _, name = os.fsdecode(place.path).rpartition("/")
        fd = beneath.open_folder(place.root, folder)
        try:
            return entry_of(fd, name or ".")
        finally:
            os.close(fd)

    def open(self, place: PlaceBelow) -> FileContent:
        return FileContent(beneath.open_file(place.root, os.fsdecode(place.path)))

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        fd = beneath.open_folder(place.root, os.fsdecode(place.path))
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            os.close(fd)
            raise NotADirectoryError(place.path)
        return tar_of(fd, os.fsdecode(name))
