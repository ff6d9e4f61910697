"""Files of a version: listed, read and streamed from the store."""

from __future__ import annotations

import heapq
import os
import tarfile
from collections.abc import Callable, Iterator

from danlu.data.datasets.listing import (
    FILE,
    FOLDER,
    KINDS,
    LINK,
    PROGRAM,
    DamagedListing,
    FolderListing,
    ListedEntry,
    written,
)
from danlu.data.datasets.objects import MissingObject, Objects
from danlu.data.files.content import FileContent
from danlu.domain.job import Time
from danlu.ports.datasets.contents import ChangeKind, VersionChange, VersionFile
from danlu.ports.files import (
    FileEntry,
    FileOrder,
    FilePage,
    ListWish,
    OpenContent,
    PlaceBelow,
    TooManyToSort,
)

_MOST_SORTED = 200_000
_PIECE = 1 << 18
_LISTINGS_KEPT = 16


class VersionFiles:
    """Implements ports.files.Files and ports.datasets.contents.Contents; the root of a place is that of a version. Any
    thread. What the store has lost is an OSError."""

    def __init__(self, objects: Objects, modified: Time = 0) -> None:
        self._objects, self._modified = objects, modified

    def dated(self, modified: Time) -> VersionFiles:
        """The same, with the time that the files of a version are told to be of."""
        return VersionFiles(self._objects, modified)

    # ── ports.files.Files ────────────────────────────────────────────────────────────────────────────

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        listing = self._listing(place)
        if wish.order is FileOrder.NAME and not wish.descending:
            begin = 0
            if wish.after is not None:
                begin = listing.place((wish.after[0], wish.after[2] + b"\0"))
            some = listing[begin : begin + wish.limit]
            more = begin + wish.limit < len(listing)
            return FilePage(tuple(map(self._entry, some)), len(listing), more)
        return self._sorted(listing, wish)

    def look_at(self, place: PlaceBelow) -> FileEntry:
        return self._entry(self._find(place))

    def open(self, place: PlaceBelow) -> OpenContent:
        entry = self._find(place)
        if entry.kind not in (FILE, PROGRAM):
            raise FileNotFoundError(place.path)
        return self._open(entry)

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        return self._tar(self._listing(place), os.fsdecode(name))

    # ── ports.datasets.contents.Contents ─────────────────────────────────────────────────────────────

    def all_files(
        self, place: PlaceBelow, after: bytes = b"", *, empty: bool = False
    ) -> Iterator[VersionFile]:
        """Files and links below a folder, by their paths; those behind `after`."""
        yield from self._below(self._listing(place), place.path, after, empty)

    def opener(self, root: str) -> Callable[[bytes, str], OpenContent]:
        known: dict[bytes, FolderListing] = {}

        def listing(path: bytes) -> FolderListing:
            found = known.get(path)
            if found is None:
                above, _, name = path.rpartition(b"/")
                entry = listing(above).find(name) if path else None
                if path and (entry is None or entry.kind != FOLDER):
                    raise FileNotFoundError(path)
                found = self._read(entry.holds if entry is not None else _digest(root))
                if len(known) >= _LISTINGS_KEPT:
                    del known[next(iter(known))]
                known[path] = found
            return found

        def opened(path: bytes, digest: str) -> OpenContent:
            above, _, name = path.rpartition(b"/")
            entry = listing(above).find(name)
            if entry is None or entry.kind not in (FILE, PROGRAM) or entry.holds.hex() != digest:
                raise FileNotFoundError(path)
            found = self._open(entry)
            if found.size != entry.size:
                found.close()
                raise MissingObject(digest)
            return found

        return opened

    def differences(self, old: str | None, new: str, after: bytes = b"") -> Iterator[VersionChange]:
        before = FolderListing(written(())) if old is None else self._listing(PlaceBelow(old))
        yield from self._compared(before, self._listing(PlaceBelow(new)), b"", after)

    # ── helpers ──────────────────────────────────────────────────────────────────────────────────────

    def _below(
        self, listing: FolderListing, path: bytes, after: bytes, empty: bool = False
    ) -> Iterator[VersionFile]:
        for entry in _by_name(listing):
            here = path + b"/" + entry.name if path else entry.name
            if entry.kind == FOLDER:
                if here + b"/" > after or after.startswith(here + b"/"):
                    if empty and not entry.below and here + b"/" > after:
                        yield VersionFile(here + b"/", KINDS[FOLDER], 0, "")
                    yield from self._below(self._read(entry.holds), here, after, empty)
            elif here > after:
                digest = "" if entry.kind == LINK else entry.holds.hex()
                target = entry.holds if entry.kind == LINK else None
                yield VersionFile(here, KINDS[entry.kind], entry.size, digest, target, entry.kind == PROGRAM)

    def _compared(
        self, old: FolderListing, new: FolderListing, path: bytes, after: bytes
    ) -> Iterator[VersionChange]:
        """Folders with the same digest hold the same, and are not looked into."""
        merged = heapq.merge(
            ((_walk_key(one), 0, one) for one in _by_name(old)),
            ((_walk_key(one), 1, one) for one in _by_name(new)),
            key=lambda each: each[:2],
        )
        waiting: tuple[bytes, ListedEntry] | None = None
        for key, side, entry in merged:
            if waiting is not None and (side == 0 or waiting[0] != key):
                yield from self._whole(waiting[1], path, ChangeKind.REMOVED, after)
                waiting = None
            if side == 0:
                waiting = (key, entry)
            elif waiting is not None:
                yield from self._pair(waiting[1], entry, path, after)
                waiting = None
            else:
                yield from self._whole(entry, path, ChangeKind.ADDED, after)
        if waiting is not None:
            yield from self._whole(waiting[1], path, ChangeKind.REMOVED, after)

    def _pair(self, old: ListedEntry, new: ListedEntry, path: bytes, after: bytes) -> Iterator[VersionChange]:
        if (old.kind, old.holds) == (new.kind, new.holds):
            return
        here = path + b"/" + old.name if path else old.name
        if old.kind == FOLDER:
            yield from self._compared(self._read(old.holds), self._read(new.holds), here, after)
        elif here > after:
            yield VersionChange(here, ChangeKind.CHANGED, old.size, new.size)

    def _whole(
        self, entry: ListedEntry, path: bytes, kind: ChangeKind, after: bytes
    ) -> Iterator[VersionChange]:
        here = path + b"/" + entry.name if path else entry.name
        sizes = (None, entry.size) if kind is ChangeKind.ADDED else (entry.size, None)
        if entry.kind != FOLDER:
            if here > after:
                yield VersionChange(here, kind, *sizes)
            return
        for one in self._below(self._read(entry.holds), here, after):
            yield VersionChange(
                one.path,
                kind,
                None if kind is ChangeKind.ADDED else one.size,
                one.size if kind is ChangeKind.ADDED else None,
            )

    def _listing(self, place: PlaceBelow) -> FolderListing:
        listing = self._read(_digest(place.root))
        for step in place.path.split(b"/") if place.path else ():
            entry = listing.find(step)
            if entry is None:
                raise FileNotFoundError(place.path)
            if entry.kind != FOLDER:
                raise NotADirectoryError(place.path)
            listing = self._read(entry.holds)
        return listing

    def _find(self, place: PlaceBelow) -> ListedEntry:
        above, _, name = place.path.rpartition(b"/")
        if not name:
            return ListedEntry(FOLDER, b"", 0, 0, _digest(place.root))
        entry = self._listing(PlaceBelow(place.root, above)).find(name)
        if entry is None:
            raise FileNotFoundError(place.path)
        return entry

    def _read(self, digest: bytes) -> FolderListing:
        try:
            return FolderListing(self._objects.read(digest))
        except DamagedListing as error:
            raise OSError(f"listing {digest.hex()} is damaged: {error}") from error

    def _open(self, entry: ListedEntry) -> OpenContent:
        tag = entry.holds.hex()
        fd = self._objects.open(entry.holds)
        if fd is None:
            return _Small(self._objects.read(entry.holds), self._modified, tag)
        opened = FileContent(fd)
        opened.tag, opened.modified = tag, self._modified
        return opened

    def _sorted(self, listing: FolderListing, wish: ListWish) -> FilePage:
        if len(listing) > _MOST_SORTED:
            raise TooManyToSort(_MOST_SORTED)
        keyed = sorted(
            ((wish.key_of(entry), entry) for entry in map(self._entry, listing)),
            key=lambda pair: pair[0],
            reverse=wish.descending,
        )
        after = wish.after
        if after is not None:
            keyed = [pair for pair in keyed if (pair[0] < after if wish.descending else pair[0] > after)]
        some = tuple(entry for _, entry in keyed[: wish.limit])
        return FilePage(some, len(listing), len(keyed) > wish.limit)

    def _entry(self, one: ListedEntry) -> FileEntry:
        target = one.holds if one.kind == LINK else None
        return FileEntry(one.name, KINDS[one.kind], one.size, self._modified, target)

    def _tar(self, listing: FolderListing, path: str) -> Iterator[bytes]:
        yield self._header(path, tarfile.DIRTYPE, 0o755)
        yield from self._tar_below(listing, path)
        yield bytes(tarfile.RECORDSIZE)

    def _tar_below(self, listing: FolderListing, path: str) -> Iterator[bytes]:
        for entry in listing:
            here = f"{path}/{os.fsdecode(entry.name)}"
            if entry.kind == FOLDER:
                yield self._header(here, tarfile.DIRTYPE, 0o755)
                yield from self._tar_below(self._read(entry.holds), here)
            elif entry.kind == LINK:
                yield self._header(here, tarfile.SYMTYPE, 0o777, target=os.fsdecode(entry.holds))
            else:
                yield self._header(
                    here, tarfile.REGTYPE, 0o755 if entry.kind == PROGRAM else 0o644, entry.size
                )
                yield from _pieces(self._open(entry))
                yield bytes(-entry.size % tarfile.BLOCKSIZE)

    def _header(self, path: str, kind: bytes, mode: int, size: int = 0, target: str = "") -> bytes:
        about = tarfile.TarInfo(path)
        about.type, about.mode, about.size, about.linkname = kind, mode, size, target
        about.mtime = self._modified // 1000
        return about.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")


class _Small:
    """A content in memory."""

    def __init__(self, data: bytes, modified: Time, tag: str) -> None:
        self.data, self.size = data, len(data)
        self.modified, self.tag = modified, tag

    def read(self, offset: int, limit: int) -> bytes:
        return self.data[offset : offset + limit]

    def close(self) -> None:
        pass


def _pieces(opened: OpenContent) -> Iterator[bytes]:
    try:
        at = 0
        while at < opened.size:
            piece = opened.read(at, _PIECE)
            at += len(piece)
            yield piece
    finally:
        opened.close()


def _walk_key(entry: ListedEntry) -> bytes:
    """Folders as their paths begin, so that all paths below them are in order with those of files."""
    return entry.name + b"/" if entry.kind == FOLDER else entry.name


def _by_name(listing: FolderListing) -> Iterator[ListedEntry]:
    middle = listing.place((True, b""))
    folders = sorted(listing[:middle], key=_walk_key)
    files = (listing[at] for at in range(middle, len(listing)))
    return heapq.merge(folders, files, key=_walk_key)


def _digest(root: str) -> bytes:
    try:
        return bytes.fromhex(root)
    except ValueError:
        raise MissingObject(root) from None
