"""Buckets as ends of transfers: their objects as files, and files as objects."""

from __future__ import annotations

import os
from collections.abc import Iterator

from danlu.data.transfers.globs import PathFilter
from danlu.data.transfers.items import Item, ItemContent, ItemSource, SourceChanged, Totals
from danlu.data.transfers.parts import hasher
from danlu.data.transfers.telling import WorkerTeller
from danlu.domain.errors import DanluError, NotFound, Outside, Stale, Unreachable
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import OnExisting
from danlu.ports.objects import ObjectInfo, ObjectStore, pages


class BucketSource:
    """Implements items.ItemSource: an object, or all below a prefix. What no folder could hold is left out."""

    def __init__(self, store: ObjectStore, path: bytes, wished: PathFilter, totals: Totals) -> None:
        self._store, self._path, self._wished, self._totals = store, os.fsdecode(path), wished, totals
        self._one = self._found() if self._path else None
        self.single = self._one is not None

    def items(self) -> Iterator[Item]:
        if self._one is not None:
            self._totals.expect(1, self._one.size)
            yield _item(self._path.rpartition("/")[2], self._one)
            return
        found = [item for item in self._below() if item is not None]
        if not found and self._path:
            raise TransferStopped("nothing_there", path=self._path)
        self._totals.expect(len(found), sum(item.size or 0 for item in found))
        yield from found

    def open(self, item: Item, offset: int, version: str) -> ObjectContentFrom:
        key = self._path if self.single else self._prefix() + os.fsdecode(item.path)
        if version and version != item.version:
            raise SourceChanged
        return ObjectContentFrom(self._store, key, item, offset if version else 0)

    def _below(self) -> Iterator[Item | None]:
        prefix = self._prefix()
        try:
            for page in pages(self._store, prefix):
                for one in page:
                    path = one.key[len(prefix) :]
                    if not path or path.endswith("/"):
                        continue  # an object that stands for its folder
                    if not _is_path(path):
                        self._totals.left_out()
                    elif self._wished.takes(os.fsencode(path)):
                        yield _item(path, one)
        except DanluError as error:
            raise stopped(error, prefix) from None

    def _found(self) -> ObjectInfo | None:
        try:
            return self._store.head(self._path)
        except NotFound:
            return None
        except DanluError as error:
            raise stopped(error, self._path) from None

    def _prefix(self) -> str:
        return f"{self._path}/" if self._path else ""


class ObjectContentFrom:
    """Implements items.ItemContent: the object as it was listed, or none."""

    def __init__(self, store: ObjectStore, key: str, item: Item, offset: int) -> None:
        self.item, self.offset = item, offset
        self._store, self._key = store, key

    def pieces(self) -> Iterator[bytes]:
        try:
            if self.item.size != self.offset:
                yield from self._store.stream(self._key, self.offset, self.item.version)
        except Stale:
            raise SourceChanged from None
        except DanluError as error:
            raise stopped(error, self._key) from None

    def close(self) -> None:
        """Nothing is held open."""


class BucketLanding:
    """Objects below a prefix. Each is written whole or not at all, by the store itself."""

    def __init__(self, store: ObjectStore, base: bytes, existing: OnExisting, teller: WorkerTeller) -> None:
        self._store, self._base = store, base
        self._existing, self._teller = existing, teller

    def take(self, source: ItemSource, item: Item) -> None:
        """TransferStopped. Empty folders and links are nothing in a bucket."""
        if item.empty:
            return
        if item.link is not None:
            self._teller.left_out()
            return
        key = os.fsdecode(b"/".join(part for part in (self._base, item.path) if part))
        try:
            key.encode()
        except UnicodeEncodeError:
            raise TransferStopped("bad_name", path=shown_name(item.path), why="no_utf8") from None
        try:
            if self._is_there(key, item):
                self._teller.counted(item.size or 0)
                self._teller.file_done(skipped=True)
                return
            self._write(key, source.open(item, 0, ""))
        except DanluError as error:
            raise stopped(error, key) from None
        self._teller.file_done()

    def close(self) -> None:
        """Nothing is held open."""

    def _is_there(self, key: str, item: Item) -> bool:
        if self._existing is OnExisting.OVERWRITE:
            return False
        try:
            found = self._store.head(key)
        except NotFound:
            return False
        # A store has times of its own: what was written after the file changed is the file.
        changed = (item.modified_ns or 0) // 1_000_000
        if found.size == item.size and found.modified + 1_000 > changed:
            return True
        if self._existing is OnExisting.REFUSE:
            raise TransferStopped("exists", path=key)
        return False

    def _write(self, key: str, content: ItemContent) -> None:
        item = content.item
        try:
            made = self._store.write(key, self._read(content, key), item.size)
        finally:
            content.close()
        if item.size is not None and made.size != item.size:
            raise TransferStopped("wrong_size", path=key, size=made.size, wanted_size=item.size)

    def _read(self, content: ItemContent, key: str) -> Iterator[bytes]:
        item, came = content.item, 0
        seen = hasher(item.checksum, item.size) if item.checksum else None
        for data in content.pieces():
            came += len(data)
            if seen is not None:
                seen.update(data)
            self._teller.moved(len(data))
            yield data
        if item.size is not None and came != item.size:
            raise TransferStopped("source_changing", path=key)
        if seen is not None and item.checksum and seen.digest() != item.checksum.digest:
            raise TransferStopped(
                "wrong_checksum",
                path=key,
                algorithm=item.checksum.algorithm,
                found=seen.hexdigest(),
                wanted=item.checksum.digest.hex(),
            )


def stopped(error: DanluError, key: str) -> TransferStopped:
    """What a store refused, as a problem."""
    if isinstance(error, NotFound):
        return TransferStopped("nothing_there", path=key)
    later = isinstance(error, Unreachable)
    if isinstance(error, Outside):
        return TransferStopped("bucket_away" if later else "bucket_refused", why=error.text)
    return TransferStopped("not_written", path=key, why=error.text)


def _item(path: str, one: ObjectInfo) -> Item:
    return Item(
        os.fsencode(path), one.size, one.etag, one.modified * 1_000_000, same_if_size=bool(one.modified)
    )


def _is_path(path: str) -> bool:
    return not any(part in ("", ".", "..") for part in path.split("/")) and "\0" not in path
