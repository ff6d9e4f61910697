"""Files on disk and in buckets, by the root of their place: each side loads when it is first used (ADR 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from danlu.ports.files import FileEntry, FilePage, Files, ListWish, OpenContent, PlaceBelow


class FilesEverywhere:
    """Implements ports.files.Files; what lies on disk has a root that begins with a slash."""

    def __init__(self, disk: Files, buckets: Callable[[], Files]) -> None:
        self._disk, self._make = disk, buckets

    def page(self, place: PlaceBelow, wish: ListWish) -> FilePage:
        return self._side(place).page(place, wish)

    def look_at(self, place: PlaceBelow) -> FileEntry:
        return self._side(place).look_at(place)

    def open(self, place: PlaceBelow) -> OpenContent:
        return self._side(place).open(place)

    def archive(self, place: PlaceBelow, name: bytes) -> Iterator[bytes]:
        return self._side(place).archive(place, name)

    def _side(self, place: PlaceBelow) -> Files:
        return self._disk if place.root.startswith("/") else self.buckets

    @cached_property
    def buckets(self) -> Files:
        return self._make()
