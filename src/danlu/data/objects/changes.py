"""Files of a bucket, changed: Implements ports.volumes.changing.FileChanges.

An object store renames and copies object by object, and has no trash: what is deleted is gone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from danlu.data.objects.files import BucketFiles, is_path
from danlu.domain.errors import Conflict
from danlu.domain.job import Time
from danlu.domain.words import Words
from danlu.ports.files import EntryKind, FileEntry, PlaceBelow
from danlu.ports.objects import KEYS_AT_ONCE, ObjectInfo, ObjectStore
from danlu.ports.volumes.changing import Hand, TrashEntry, TrashUse, VolumeFolders

MOST_AT_ONCE = KEYS_AT_ONCE
"""Objects of a folder that one request moves or deletes: each takes the store a request or two."""


class BucketChanges:
    def __init__(self, files: BucketFiles) -> None:
        self._files = files

    def make_folder(self, at: VolumeFolders, path: bytes, hand: Hand) -> None:  # noqa: ARG002
        """An empty object whose name ends in a slash, as other tools make them."""
        self._require_free(at, path)
        store, key = self._files.opened(at.place(path))
        store.write(f"{_named(key)}/", iter(()), 0)
        self._files.forget(at.files)

    def move(self, at: VolumeFolders, path: bytes, to: bytes) -> None:
        if to == path or to.startswith(path + b"/"):
            raise OSError(errno.EINVAL, "a folder cannot be moved into itself", to)
        found = self._there(at.place(path))
        self._require_free(at, to)
        store, key = self._files.opened(at.place(path))
        target = _named(os.fsdecode(to))
        objects = self._objects(store, key, found)
        for one in objects:
            store.copy(one.key, target + one.key[len(key) :])
        # Only when all are there: what is interrupted leaves both, and nothing is lost.
        for one in objects:
            store.remove(one.key)
        self._files.forget(at.files)

    def copy(
        self,
        source: PlaceBelow,
        at: VolumeFolders,
        to: bytes,
        hand: Hand,  # noqa: ARG002
        most: int | None = None,  # noqa: ARG002
    ) -> Iterator[int]:
        if source.root != at.files:
            raise Conflict(_ACROSS)
        found = self._there(source)
        self._require_free(at, to)
        store, key = self._files.opened(source)
        target, done = _named(os.fsdecode(to)), 0
        for one in self._objects(store, key, found):
            store.copy(one.key, target + one.key[len(key) :])
            done += one.size
            yield done
        self._files.forget(at.files)

    def delete(self, at: VolumeFolders, path: bytes, by: str, now: Time) -> TrashEntry:
        """For good: the entry has no id, since there is nothing to take back."""
        found = self._there(at.place(path))
        store, key = self._files.opened(at.place(path))
        objects = self._objects(store, key, found)
        for one in objects:
            store.remove(one.key)
        self._files.forget(at.files)
        return TrashEntry("", path, found.kind, sum(one.size for one in objects), by, now)

    def trash(
        self,
        at: VolumeFolders,  # noqa: ARG002
        limit: int,  # noqa: ARG002
        after: str | None = None,  # noqa: ARG002
    ) -> tuple[TrashEntry, ...]:
        return ()

    def trash_use(self, at: VolumeFolders) -> TrashUse:  # noqa: ARG002
        return TrashUse(0, 0, whole=True)

    def restore(self, at: VolumeFolders, entry_id: str, hand: Hand) -> bytes:  # noqa: ARG002
        raise FileNotFoundError(entry_id)

    def drop(self, at: VolumeFolders, entry_id: str | None = None) -> int:  # noqa: ARG002
        return 0

    def _there(self, place: PlaceBelow) -> FileEntry:
        return self._files.look_at(place)

    def _require_free(self, at: VolumeFolders, path: bytes) -> None:
        try:
            self._files.look_at(at.place(path))
        except FileNotFoundError:
            return
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)

    def _objects(self, store: ObjectStore, key: str, found: FileEntry) -> list[ObjectInfo]:
        if found.kind is EntryKind.FILE:
            return [store.head(key)]
        page = store.page(f"{key}/", limit=MOST_AT_ONCE)
        if page.next:
            raise Conflict(_TOO_MANY.fill(most=f"{MOST_AT_ONCE:,}"))
        return list(page.objects)


def _named(key: str) -> str:
    if not is_path(key):
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), key)
    return key


_ACROSS = Words(
    "a bucket's own store copies within the bucket only: download what is to be elsewhere, and upload it there",
    "存储桶只能在自身内部复制；如需复制到别处，请下载后再上传",
)
_TOO_MANY = Words(
    "the folder has more than {most} objects, each of which takes a bucket a request of its own: choose "
    "smaller folders",
    "该目录有超过 {most} 个对象，存储桶须逐个处理，请选择较小的目录",
)
