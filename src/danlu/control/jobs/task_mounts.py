"""What a task in a pod reads of its job's mounts: that version of a dataset, that part of a bucket, nothing else."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from danlu.control.plane.mounts import MountAccess, NotGranted
from danlu.domain.errors import DanluError, NotAllowed, NotFound, Outside, Stale, Unavailable
from danlu.domain.file_names import fits_a_folder, shown_name
from danlu.domain.job import Time
from danlu.domain.permissions import Caller
from danlu.domain.volumes.volume import Volume
from danlu.domain.words import NOTHING, Words
from danlu.ports.datasets.contents import Contents
from danlu.ports.engine import MountOrder
from danlu.ports.files import EntryKind, OpenContent, PlaceBelow
from danlu.ports.objects import MOST_OBJECTS, ObjectStore, pages
from danlu.ports.store import JobStore

_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class MountedEntry:
    """A file, a link, or a folder that nothing else tells of. `tag` is the SHA-256 of what a file of a version holds,
    or the tag that a store gives an object."""

    path: bytes
    kind: EntryKind
    size: int = 0
    tag: str = ""
    executable: bool = False
    target: bytes | None = None
    modified: Time = 0


@dataclass(frozen=True, slots=True)
class WantedContent:
    """A file as it was told, and from which byte on it is wanted."""

    path: bytes
    tag: str
    size: int
    offset: int = 0


class NotReadable(Exception):
    """Why something of a mount cannot be had: a code of domain.reasons.DatasetNotCopied or BucketNotCopied with what
    there is to say; `again` if it may pass."""

    def __init__(self, code: str, told: Words = NOTHING, bound: int = 0, *, again: bool = False) -> None:
        super().__init__(told.en or code)
        self.code, self.told, self.bound, self.again = code, told, bound, again


class MountSource(Protocol):
    """For one request. What cannot be had is NotReadable; what breaks off is any error."""

    def entries(self, after: bytes) -> Iterator[MountedEntry]:
        """All there is behind this path, in the order of paths."""

    def open(self, wanted: WantedContent) -> Iterator[bytes]:
        """Exactly what is missing of it. NotReadable at once, or never."""


class KnownJobsAndVolumes(JobStore, Protocol):
    """Jobs, and the buckets that they mount."""

    def volume(self, volume_id: str) -> Volume | None: ...


class TaskMounts:
    """Whoever asks is a task, known by its token; whose job it is, and whether its owner may still read what it mounts,
    is decided with each request."""

    def __init__(
        self,
        store: KnownJobsAndVolumes,
        access: MountAccess,
        contents: Contents,
        open_bucket: Callable[[Volume], ObjectStore],
    ) -> None:
        self._store, self._access = store, access
        self._contents, self._open_bucket = contents, open_bucket

    def source(self, caller: Caller, number: int | None) -> MountSource:
        """NotFound unless the caller's own job mounts a version or a bucket as its `number`-th; NotAllowed if its owner
        may not read that any more."""
        job = self._store.get(caller.job) if caller.job is not None else None
        if job is None or number is None or number >= len(job.spec.mounts):
            raise NotFound(_NO_MOUNT)
        try:
            order = self._access.granted_one(job, number)
        except NotGranted as refused:
            raise NotAllowed(_REVOKED.fill(name=refused.volume)) from None
        if order.tree:
            return _VersionSource(self._contents, order.tree)
        volume = self._store.volume(order.volume) if order.bucket else None
        if volume is None:
            raise NotFound(_NO_MOUNT)
        return _BucketSource(self._open_bucket(volume), order)


class _VersionSource:
    def __init__(self, contents: Contents, root: str) -> None:
        self._contents, self._root = contents, root
        self._opened = contents.opener(root)

    def entries(self, after: bytes) -> Iterator[MountedEntry]:
        try:
            for one in self._contents.all_files(PlaceBelow(self._root), after, empty=True):
                yield MountedEntry(one.path, one.kind, one.size, one.digest, one.executable, one.target)
        except OSError:
            raise NotReadable("damaged", _ITS_LISTING) from None

    def open(self, wanted: WantedContent) -> Iterator[bytes]:
        try:
            opened = self._opened(wanted.path, wanted.tag)
        except OSError:
            raise NotReadable("damaged", _name(wanted)) from None
        if opened.size != wanted.size:
            opened.close()
            raise NotReadable("damaged", _name(wanted))
        return _pieces(opened, wanted.offset)


class _BucketSource:
    def __init__(self, store: ObjectStore, order: MountOrder) -> None:
        self._store, self._below = store, order.below

    def entries(self, after: bytes) -> Iterator[MountedEntry]:
        count = 0
        try:
            for one in itertools.chain.from_iterable(pages(self._store, self._below)):
                path = os.fsencode(one.key[len(self._below) :])
                if not fits_a_folder(path):
                    continue
                count += 1
                if count > MOST_OBJECTS:
                    raise NotReadable("too_many", bound=MOST_OBJECTS)
                if path > after:
                    kind = EntryKind.FILE
                    yield MountedEntry(path, kind, one.size, one.etag, modified=one.modified)
        except DanluError as error:
            raise _outside(error) from None
        if self._below and not count:
            raise NotReadable("nothing_below", Words(shown := _quoted(os.fsencode(self._below)), shown))

    def open(self, wanted: WantedContent) -> Iterator[bytes]:
        """A path that leads anywhere else is none that was told: stores resolve `..`, and what lies beside the part
        that is mounted is not this task's."""
        if not fits_a_folder(wanted.path):
            raise NotReadable("changed", _name(wanted))
        if wanted.offset >= wanted.size:
            return iter(())
        pieces = self._store.stream(self._below + os.fsdecode(wanted.path), wanted.offset, wanted.tag)
        try:
            first = next(pieces, b"")
        except (NotFound, Stale):
            raise NotReadable("changed", _name(wanted)) from None
        except DanluError as error:
            raise _outside(error) from None
        return itertools.chain((first,), pieces)


def _pieces(opened: OpenContent, at: int) -> Iterator[bytes]:
    try:
        while at < opened.size:
            piece = opened.read(at, _PIECE)
            if not piece:
                return
            at += len(piece)
            yield piece
    finally:
        opened.close()


def _outside(error: DanluError) -> NotReadable:
    return NotReadable("told", error.text, again=isinstance(error, (Outside, Unavailable)))


def _name(wanted: WantedContent) -> Words:
    shown = _quoted(wanted.path)
    return Words(shown, shown)


def _quoted(path: bytes) -> str:
    return f"'{shown_name(path)}'"


_NO_MOUNT = Words(
    "this task's job has no such mount of a dataset or a bucket", "该子任务所属的任务没有此数据集或存储桶挂载"
)
_REVOKED = Words(
    "{name} is not available to the job's owner in this way any more", "任务的所有者已不能这样使用 {name}"
)
_ITS_LISTING = Words("its list of files", "文件清单")
