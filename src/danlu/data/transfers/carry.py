"""One transfer from its source to its target."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from danlu.data.files.descent import parent_of
from danlu.data.transfers.archives import ArchiveSource, UnpackLimits
from danlu.data.transfers.bucket import BucketLanding, BucketSource
from danlu.data.transfers.folder import FolderSource
from danlu.data.transfers.git import Repository
from danlu.data.transfers.gitfiles import GitSource
from danlu.data.transfers.globs import PathFilter
from danlu.data.transfers.guard import AddressGuard
from danlu.data.transfers.items import ItemSource
from danlu.data.transfers.landing import VolumeLanding
from danlu.data.transfers.parts import PartFiles, RoomLeft
from danlu.data.transfers.recipe import RecipeSource
from danlu.data.transfers.telling import WorkerTeller
from danlu.data.transfers.web import Web
from danlu.data.transfers.webfile import WebSource
from danlu.domain.file_names import shown_name
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import TransferEnd, TransferWish, WebLogin
from danlu.ports.files import PlaceBelow
from danlu.ports.objects import ObjectStore
from danlu.ports.volumes.changing import Hand, VolumeFolders
from danlu.ports.volumes.uploads import Checksum

_ARCHIVE = b"\0archive"
"""No file that it holds has this name."""


@dataclass(frozen=True, slots=True)
class Carriage:
    """A transfer as its worker has it: folders are open, and everything else is plain."""

    source: TransferEnd
    target: TransferEnd
    wish: TransferWish
    login: WebLogin | None
    source_folder: str
    at: VolumeFolders
    hand: Hand
    limits: UnpackLimits
    allowed: tuple[str, ...]
    from_bucket: ObjectStore | None = None
    to_bucket: ObjectStore | None = None


def carry(order: Carriage, room: RoomLeft, teller: WorkerTeller) -> None:
    """TransferStopped where it cannot be finished."""
    parts = PartFiles(order.at, room, teller)
    wished = PathFilter(order.wish.include, order.wish.exclude)
    guard = AddressGuard(order.allowed)
    with contextlib.ExitStack() as closing:
        if order.source.kind == TransferEnd.GIT:
            url = order.source.address
            most = order.limits.entries
            repository = Repository(order.at, url, order.wish.ref, guard, order.login, room, teller, most)
            closing.callback(repository.close)
            source: ItemSource = GitSource(repository, url, wished, guard, order.login, teller)
            single = False
        else:
            source, single = _plain(order, wished, guard, teller)
            if order.wish.unpack:
                source, single = closing.enter_context(_unpacked(order, source, parts, wished, teller)), False
        base, name = _base(order, single)
        landing = _landing(order, base, parts, room, teller)
        closing.callback(landing.close)
        for item in source.items():
            landing.take(source, replace(item, path=name) if name else item)
    if order.to_bucket is None:
        _kept(order.at)


def _landing(
    order: Carriage, base: bytes, parts: PartFiles, room: RoomLeft, teller: WorkerTeller
) -> VolumeLanding | BucketLanding:
    existing = order.wish.existing
    if order.to_bucket is not None:
        return BucketLanding(order.to_bucket, base, existing, teller)
    return VolumeLanding(order.at, order.hand, base, existing, parts, room, teller)


def _plain(
    order: Carriage, wished: PathFilter, guard: AddressGuard, teller: WorkerTeller
) -> tuple[ItemSource, bool]:
    """What is read, and whether it is one file."""
    if order.from_bucket is not None:
        bucket = BucketSource(order.from_bucket, order.source.path, wished, teller)
        return bucket, bucket.single
    if order.source.kind == TransferEnd.RECIPE:
        return RecipeSource(order.source, teller), False
    checksum = _checksum(order.wish)
    if order.source.kind in (TransferEnd.VOLUME, TransferEnd.JOB):
        place = PlaceBelow(order.source_folder, order.source.path)
        folder = FolderSource(place, wished, teller, checksum)
        return folder, folder.single
    web = Web(guard, order.login)
    return WebSource(web, order.source.address, checksum, teller, order.login is not None), True


def _checksum(wish: TransferWish) -> Checksum | None:
    """What the one file must have."""
    algorithm, given = ("sha256", wish.sha256) if wish.sha256 else ("md5", wish.md5)
    return Checksum(algorithm, bytes.fromhex(given)) if given else None


@contextlib.contextmanager
def _unpacked(
    order: Carriage, source: ItemSource, parts: PartFiles, wished: PathFilter, teller: WorkerTeller
) -> Iterator[ItemSource]:
    """The archive is fetched whole first; it goes when all of it is unpacked."""
    items = iter(source.items())
    item = next(items, None)
    if item is None or item.empty or item.link is not None:
        raise TransferStopped("no_archive", path=shown_name(order.source.path))
    with parts.whole(source, item, _ARCHIVE) as (folder, fd, name):
        size = os.fstat(fd).st_size
        teller.counted(-size)
        nested = order.wish.nested
        yield ArchiveSource(fd, shown_name(item.path), wished, teller, order.limits, nested=nested)
        parts.forget(folder, name)


def _base(order: Carriage, single: bool) -> tuple[bytes, bytes]:
    """The folder that it goes into, and the name of the one file there if it was given."""
    path = order.target.path
    lies_there = order.to_bucket is None and _is_folder(order.at.place(path))
    if not single or order.target.folder or lies_there:
        return path, b""
    folder, _, name = path.rpartition(b"/")
    return folder, name


def _is_folder(place: PlaceBelow) -> bool:
    try:
        with parent_of(place) as (above, name):
            return bool(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode & 0o170000 == 0o040000)
    except (OSError, ValueError):
        return not place.path


def _kept(at: VolumeFolders) -> None:
    """On the disk before it is told to be."""
    fd = os.open(at.files, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        ctypes.CDLL(None).syncfs(fd)
    finally:
        os.close(fd)
