"""Object stores: what is in a bucket is listed by pages, read by ranges, written whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from danlu.domain.job import Time
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.volumes.source import BucketAddress, Login

KEYS_AT_ONCE = 1000
"""How many objects a page has at most."""
MOST_OBJECTS = 2_000_000
"""How many a job may mount."""


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """An object: its key below the prefix that the store was opened at, and a tag that changes with its content."""

    key: str
    size: int
    etag: str
    modified: Time


@dataclass(frozen=True, slots=True)
class ObjectPage:
    """Some objects in the order of their keys' bytes. `folders` are what keys have in common up to a slash, which is in
    it, where a page was asked for by folders. `next`: what continues it, empty at the end."""

    objects: tuple[ObjectInfo, ...]
    folders: tuple[str, ...] = ()
    next: str = ""


class ObjectStore(Protocol):
    """A part of a bucket, opened with a login; keys are below its prefix. Any thread. Whatever fails is an error of
    `domain.errors.Outside`, NotFound for a key that is not there; all is bounded in time, and what can be tried again
    without harm is. What a store says of an error is never passed on: it may repeat what was sent."""

    def page(
        self, prefix: str = "", *, folders: bool = False, after: str = "", limit: int = KEYS_AT_ONCE
    ) -> ObjectPage:
        """Objects whose keys begin with `prefix`; `after` is the `next` of the page before."""

    def head(self, key: str) -> ObjectInfo: ...

    def read(self, key: str, start: int, length: int, etag: str = "") -> bytes:
        """At most `length` bytes, fewer only at the object's end; with `etag`, Stale if it has another by now."""

    def stream(self, key: str, start: int = 0, etag: str = "") -> Iterator[bytes]:
        """From an offset to the end. Interrupted streams go on where they were while the object is the same."""

    def write(self, key: str, content: BinaryIO | Iterable[bytes], size: int | None = None) -> ObjectInfo:
        """All or nothing; in parts where it is large, or where nobody knows how large. It replaces what is there."""

    def remove(self, key: str) -> None:
        """Already gone is fine."""

    def copy(self, key: str, to: str) -> None:
        """Within this store, by the store itself. It replaces what is there."""


class ObjectStores(Protocol):
    def open(self, address: BucketAddress | ExportAddress, login: Login | None) -> ObjectStore:
        """Nothing is asked of the store yet; without a login nothing is signed."""


def pages(store: ObjectStore, prefix: str = "") -> Iterator[tuple[ObjectInfo, ...]]:
    """All objects below a prefix, page by page."""
    after = ""
    while True:
        page = store.page(prefix, after=after)
        yield page.objects
        after = page.next
        if not after:
            return
