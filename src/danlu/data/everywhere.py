"""Files on disk and in buckets, by the root of their place: each side loads when it is first used (ADR 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from danlu.domain.errors import Conflict
from danlu.domain.job import Time
from danlu.domain.words import Words
from danlu.ports.files import FileEntry, FilePage, Files, ListWish, OpenContent, PlaceBelow
from danlu.ports.volumes.changing import FileChanges, Hand, TrashEntry, TrashUse, VolumeFolders
from danlu.ports.volumes.uploads import Checksum, Upload, UploadPart, Uploads, UploadWish


class FilesSide(NamedTuple):
    """How files of one kind of place are read and changed."""

    files: Files
    changes: FileChanges
    uploads: Uploads


class Sides:
    """What lies on disk has a root that begins with a slash."""

    def __init__(self, disk: FilesSide, buckets: Callable[[], FilesSide]) -> None:
        self._disk, self._make = disk, buckets

    def of(self, root: str) -> FilesSide:
        return self._disk if root.startswith("/") else self._buckets

    @cached_property
    def _buckets(self) -> FilesSide:
        return self._make()


class FilesEverywhere:
    """Implements ports.files.Files."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        return self._sides.of(place.root).files.page(place, wish)

    def look_at(self, place: PlaceBelow) -> FileEntry:
        return self._sides.of(place.root).files.look_at(place)

    def open(self, place: PlaceBelow) -> OpenContent:
        return self._sides.of(place.root).files.open(place)

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        return self._sides.of(place.root).files.archive(place, name)


class ChangesEverywhere:
    """Implements ports.volumes.changing.FileChanges."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def make_folder(self, at: VolumeFolders, path: bytes, hand: Hand) -> None:
        self._of(at).make_folder(at, path, hand)

    def move(self, at: VolumeFolders, path: bytes, to: bytes) -> None:
        self._of(at).move(at, path, to)

    def copy(
        self, source: PlaceBelow, at: VolumeFolders, to: bytes, hand: Hand, most: int | None = None
    ) -> Iterator[int]:
        if self._sides.of(source.root) is not self._sides.of(at.files):
            raise Conflict(_ACROSS)
        return self._of(at).copy(source, at, to, hand, most)

    def delete(self, at: VolumeFolders, path: bytes, by: str, now: Time) -> TrashEntry:
        return self._of(at).delete(at, path, by, now)

    def trash(self, at: VolumeFolders, limit: int, after: str | None = None) -> tuple[TrashEntry, ...]:
        return self._of(at).trash(at, limit, after)

    def trash_use(self, at: VolumeFolders) -> TrashUse:
        return self._of(at).trash_use(at)

    def restore(self, at: VolumeFolders, entry_id: str, hand: Hand) -> bytes:
        return self._of(at).restore(at, entry_id, hand)

    def drop(self, at: VolumeFolders, entry_id: str | None = None) -> int:
        return self._of(at).drop(at, entry_id)

    def _of(self, at: VolumeFolders) -> FileChanges:
        return self._sides.of(at.files).changes


class UploadsEverywhere:
    """Implements ports.volumes.uploads.Uploads."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def begin(self, at: VolumeFolders, wish: UploadWish, now: Time) -> Upload:
        return self._of(at).begin(at, wish, now)

    def find(self, at: VolumeFolders, upload_id: str) -> Upload | None:
        return self._of(at).find(at, upload_id)

    def unfinished(self, at: VolumeFolders) -> tuple[Upload, ...]:
        return self._of(at).unfinished(at)

    def append(
        self, at: VolumeFolders, upload_id: str, offset: int, checksum: Checksum | None = None
    ) -> UploadPart:
        return self._of(at).append(at, upload_id, offset, checksum)

    def remove(self, at: VolumeFolders, upload_id: str) -> bool:
        return self._of(at).remove(at, upload_id)

    def _of(self, at: VolumeFolders) -> Uploads:
        return self._sides.of(at.files).uploads


_ACROSS = Words(
    "files are not copied between an attached volume and one of Danlu's own disk: download them, and upload them there",
    "不支持在外接存储卷与丹炉磁盘上的存储卷之间直接复制；请下载后再上传",
)
