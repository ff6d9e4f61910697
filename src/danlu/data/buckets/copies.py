"""Copies of buckets for attempts, fetched in the background: Implements ports.volumes.copies.BucketCopies."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from danlu.data.buckets.content import BucketContents, said
from danlu.domain.file_names import fits_a_folder, shown_name
from danlu.domain.words import same
from danlu.ports.objects import MOST_OBJECTS, ObjectInfo, ObjectStore, pages
from danlu.ports.volumes.copies import CopyFailed, CopyOf, FetchProgress

log = logging.getLogger(__name__)

_ATTEMPTS_AT_ONCE, _OBJECTS_AT_ONCE = 2, 6


class Dropped(Exception):
    """Nobody waits for it any more."""


@dataclass(slots=True)
class _Fetching:
    """How far the copies of an attempt are."""

    total: int = 0
    came: int = 0
    failed: CopyFailed | None = None
    dropped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def hear(self, size: int) -> None:
        if self.dropped.is_set():
            raise Dropped
        with self.lock:
            self.came += size

    def progress(self) -> FetchProgress:
        if not self.total:
            return FetchProgress()
        # In tenths: each change is an event.
        return FetchProgress(10 * min(9, 10 * self.came // self.total), self.total)


class NodeCopies:
    """`bound` is how many bytes are kept; `reserve` stays free on the disk."""

    def __init__(
        self,
        root: Path,
        open_bucket: Callable[[str], ObjectStore],
        bound: int,
        reserve: int,
    ) -> None:
        self._views, self._contents = root / "views", BucketContents(root / "content")
        self._open, self._bound, self._reserve = open_bucket, bound, reserve
        self._wake: Callable[[], None] = lambda: None
        self._fetching: dict[str, _Fetching] = {}
        self._lock, self._room = threading.Lock(), threading.Lock()
        self._threads = ThreadPoolExecutor(_ATTEMPTS_AT_ONCE, "bucket-copies")
        self._root = root

    def want(self, attempt_id: str, copies: Iterable[CopyOf]) -> FetchProgress | None:
        wanted = [one for one in dict.fromkeys(copies) if not self.folder(attempt_id, one).is_dir()]
        if not wanted:
            return None
        with self._lock:
            known = self._fetching.get(attempt_id)
            if known is None:
                self._fetching[attempt_id] = known = _Fetching()
                self._threads.submit(self._fetch, attempt_id, wanted, known)
        if (failed := known.failed) is not None:
            raise CopyFailed(failed.code, failed.size, failed.bound, failed.told)
        return known.progress()

    def folder(self, attempt_id: str, copy: CopyOf) -> Path:
        part = hashlib.sha256(copy.below.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._views / attempt_id / f"{copy.volume}-{part}"

    def drop(self, attempt_id: str) -> None:
        with self._lock:
            known = self._fetching.pop(attempt_id, None)
        if known is not None:
            known.dropped.set()
        shutil.rmtree(self._views / attempt_id, ignore_errors=True)

    def listen(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def sweep(self, keep: Collection[str]) -> None:
        self._contents.clean()
        if self._views.is_dir():
            for folder in self._views.iterdir():
                if folder.name not in keep:
                    self.drop(folder.name)

    def close(self) -> None:
        with self._lock:
            for one in self._fetching.values():
                one.dropped.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _fetch(self, attempt_id: str, copies: Sequence[CopyOf], state: _Fetching) -> None:
        try:
            listed = []
            for copy in copies:
                store = self._open(copy.volume)
                listed.append((copy, store, _objects(store, copy.below, state)))
            missing = [
                (copy, store, one)
                for copy, store, objects in listed
                for one in objects
                if not self._contents.has(copy.volume, one)
            ]
            state.total = sum(one.size for _, _, one in missing) or 1
            self._require_room(state.total)
            with ThreadPoolExecutor(_OBJECTS_AT_ONCE, "bucket-objects") as threads:
                jobs = [
                    threads.submit(self._contents.fetch, copy.volume, one, store, state.hear)
                    for copy, store, one in missing
                ]
                try:
                    for job in jobs:
                        job.result()
                finally:
                    threads.shutdown(cancel_futures=True)
            for copy, _, objects in listed:
                self._link(attempt_id, copy, objects, state)
        except Dropped:
            shutil.rmtree(self._views / attempt_id, ignore_errors=True)
            return
        except Exception as error:
            if not isinstance(error, (OSError, CopyFailed)):
                log.debug("%s: a bucket could not be fetched", attempt_id, exc_info=True)
            state.failed = error if isinstance(error, CopyFailed) else CopyFailed("told", told=said(error))
        self._wake()

    def _require_room(self, wanted: int) -> None:
        with self._room:
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            fits = self._contents.make_room(wanted, self._bound)
            disk = os.statvfs(self._root)
        if not fits:
            raise CopyFailed("too_large", wanted, self._bound)
        if disk.f_bavail * disk.f_frsize - self._reserve < wanted:
            raise CopyFailed("disk_full", wanted)

    def _link(self, attempt_id: str, copy: CopyOf, objects: Sequence[ObjectInfo], state: _Fetching) -> None:
        """Made aside and moved into place: a folder that is there is whole."""
        folder = self.folder(attempt_id, copy)
        draft = folder.with_name(f"{folder.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True, mode=0o755)
        made = {""}
        for one in objects:
            state.hear(0)
            path = one.key[len(copy.below) :]
            above = path.rpartition("/")[0]
            if above not in made:
                (draft / above).mkdir(parents=True, exist_ok=True, mode=0o755)
                made.add(above)
            os.link(self._contents.path(copy.volume, one), draft / path)
        draft.rename(folder)


def _objects(store: ObjectStore, below: str, state: _Fetching) -> list[ObjectInfo]:
    """Those that a folder can hold. Where a name is an object's and a folder's, the folder is what jobs see."""
    found: dict[str, ObjectInfo] = {}
    folders: set[str] = set()
    for page in pages(store, below):
        state.hear(0)
        for one in page:
            path = one.key[len(below) :]
            if fits_a_folder(os.fsencode(path)):
                found[path] = one
                parts = path.split("/")[:-1]
                folders.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        if len(found) > MOST_OBJECTS:
            raise CopyFailed("too_many", bound=MOST_OBJECTS)
    if below and not found:
        name = shown_name(below.encode("utf-8", "surrogateescape"))
        raise CopyFailed("nothing_below", told=same(f"'{name}'"))
    return [one for path, one in found.items() if path not in folders]
