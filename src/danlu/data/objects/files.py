"""Files of a bucket as folders show them: Implements ports.files.Files.

What no folder could hold is left out of lists: names that are empty, `.` or `..` between slashes, or too long."""

from __future__ import annotations

import os
import tarfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

from danlu.domain.errors import NotFound
from danlu.ports.files import (
    EntryKind,
    FileEntry,
    FileOrder,
    FilePage,
    ListWish,
    PlaceBelow,
    TooManyToSort,
)
from danlu.ports.objects import ObjectInfo, ObjectStore, pages
from danlu.ports.volumes.changing import IN_BUCKET

MOST_LISTED = 20_000
"""Entries of one folder that are looked at: that takes a store twenty requests."""
_LONGEST_NAME = 255
_FRESH_S = 60.0
_REMEMBERED = 32
StoreOf = Callable[[str], ObjectStore]


class BucketFiles:
    """`store_of` opens the bucket of a volume by its id. A folder that was just listed is not listed again for its next
    page."""

    def __init__(self, store_of: StoreOf) -> None:
        self._store_of = store_of
        self._listed: OrderedDict[PlaceBelow, tuple[float, list[FileEntry], bool]] = OrderedDict()
        self._lock = threading.Lock()

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        entries, whole = self._entries(place, anew=wish.after is None)
        if not whole and wish.order is not FileOrder.NAME:
            raise TooManyToSort(MOST_LISTED)
        ordered = sorted(entries, key=wish.key_of, reverse=wish.descending)
        after = wish.after
        if after is not None:
            keyed = ((wish.key_of(one), one) for one in ordered)
            ordered = [one for key, one in keyed if (key < after if wish.descending else key > after)]
        found = tuple(ordered[: wish.limit])
        return FilePage(found, len(entries), len(ordered) > wish.limit, whole)

    def look_at(self, place: PlaceBelow) -> FileEntry:
        store, key = self.opened(place)
        name = place.path.rpartition(b"/")[2]
        if key:
            try:
                return entry_of(name, store.head(key))
            except NotFound:
                pass
        found = store.page(f"{key}/" if key else "", limit=1)
        if key and not found.objects:
            raise FileNotFoundError(place.path)
        return FileEntry(name or b".", EntryKind.FOLDER, 0, 0)

    def open(self, place: PlaceBelow) -> ObjectContent:
        store, key = self.opened(place)
        if not key:
            raise FileNotFoundError(place.path)
        try:
            return ObjectContent(store, store.head(key))
        except NotFound:
            raise FileNotFoundError(place.path) from None

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        store, key = self.opened(place)
        if self.look_at(place).kind is not EntryKind.FOLDER:
            raise NotADirectoryError(place.path)
        return tar_of(store, f"{key}/" if key else "", os.fsdecode(name))

    def opened(self, place: PlaceBelow) -> tuple[ObjectStore, str]:
        """The bucket, and the key of what is at the place."""
        return self._store_of(place.root.removeprefix(IN_BUCKET)), os.fsdecode(place.path)

    def forget(self, root: str) -> None:
        """Lists of a bucket that was changed just now."""
        with self._lock:
            for place in [one for one in self._listed if one.root == root]:
                del self._listed[place]

    def _entries(self, place: PlaceBelow, *, anew: bool) -> tuple[list[FileEntry], bool]:
        with self._lock:
            at, entries, whole = self._listed.get(place, (0.0, [], True))
        if not anew and at > time.monotonic() - _FRESH_S:
            return entries, whole
        entries, whole = self._list(place)
        with self._lock:
            self._listed[place] = (time.monotonic(), entries, whole)
            while len(self._listed) > _REMEMBERED:
                self._listed.popitem(last=False)
        return entries, whole

    def _list(self, place: PlaceBelow) -> tuple[list[FileEntry], bool]:
        store, key = self.opened(place)
        prefix = f"{key}/" if key else ""
        entries: list[FileEntry] = []
        after, found = "", False
        while True:
            page = store.page(prefix, folders=True, after=after)
            found = found or bool(page.objects or page.folders)
            for folder in page.folders:
                name = folder[len(prefix) : -1]
                if is_name(name):
                    entries.append(FileEntry(os.fsencode(name), EntryKind.FOLDER, 0, 0))
            for one in page.objects:
                name = one.key[len(prefix) :]
                if is_name(name):
                    entries.append(entry_of(os.fsencode(name), one))
            after = page.next
            if not after or len(entries) >= MOST_LISTED:
                break
        if key and not found:
            raise FileNotFoundError(place.path)
        return entries, not after


class ObjectContent:
    """Implements ports.files.OpenContent: the object as it was when it was opened, or none."""

    def __init__(self, store: ObjectStore, one: ObjectInfo) -> None:
        self._store, self._one = store, one
        self.size, self.modified = one.size, one.modified
        self.tag = one.etag or f"{one.size:x}-{one.modified:x}"

    def read(self, offset: int, limit: int) -> bytes:
        wanted = min(limit, self.size - offset)
        data = self._store.read(self._one.key, offset, wanted, self._one.etag) if wanted > 0 else b""
        if wanted > 0 and not data:
            raise OSError("the object was cut while it was read")
        return data

    def close(self) -> None:
        """Nothing is held open."""


def is_name(name: str) -> bool:
    """Whether a folder on disk could have an entry of that name."""
    return (
        0 < len(os.fsencode(name)) <= _LONGEST_NAME and name not in (".", "..") and not {"/", "\0"} & {*name}
    )


def is_path(key: str) -> bool:
    return all(map(is_name, key.split("/")))


def entry_of(name: bytes, one: ObjectInfo) -> FileEntry:
    return FileEntry(name, EntryKind.FILE, one.size, one.modified)


def tar_of(store: ObjectStore, prefix: str, name: str) -> Iterator[bytes]:
    """Everything below a prefix; an object that changes while it is read ends the archive with an error."""
    yield _header(name, tarfile.DIRTYPE, 0, 0)
    for page in pages(store, prefix):
        for one in page:
            path = one.key[len(prefix) :]
            if not is_path(path):
                continue
            yield _header(f"{name}/{path}", tarfile.REGTYPE, one.size, one.modified)
            at = 0
            for piece in store.stream(one.key, 0, one.etag):
                at += len(piece)
                yield piece
            if at != one.size:
                raise OSError(f"{path} changed while it was read")
            yield bytes(-one.size % tarfile.BLOCKSIZE)
    yield bytes(tarfile.RECORDSIZE)


def _header(path: str, kind: bytes, size: int, modified: int) -> bytes:
    about = tarfile.TarInfo(path)
    about.type, about.size, about.mtime = kind, size, modified // 1000
    about.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
    return about.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
