"""Files of volumes, changed: Implements ports.volumes.changing.FileChanges on this machine's disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from danlu.data.files import trash
from danlu.data.files.copying import Copying
from danlu.data.files.descent import exists, move_new, parent_of
from danlu.data.files.drafts import draft, new_folder, parent_made
from danlu.domain.job import Time
from danlu.ports.files import PlaceBelow
from danlu.ports.volumes.changing import Hand, TrashEntry, TrashUse, VolumeFolders


class DiskChanges:
    """Every change is one rename in the end: of what was there, or of what was made aside."""

    def make_folder(self, at: VolumeFolders, path: bytes, hand: Hand) -> None:
        with parent_made(at, path, hand) as (above, name):
            new_folder(at, above, name, hand)

    def move(self, at: VolumeFolders, path: bytes, to: bytes) -> None:
        if to.startswith(path + b"/"):
            raise OSError(errno.EINVAL, "a folder cannot be moved into itself", to)
        with (
            parent_of(at.place(path)) as (above, name),
            parent_of(at.place(to)) as (to_above, to_name),
        ):
            os.stat(name, dir_fd=above, follow_symlinks=False)
            move_new(above, name, to_above, to_name)

    def copy(
        self, source: PlaceBelow, at: VolumeFolders, to: bytes, hand: Hand, most: int | None = None
    ) -> Iterator[int]:
        copying = Copying(at, hand, most)
        with (
            parent_of(source) as (above, name),
            parent_of(at.place(to)) as (to_above, to_name),
            draft(at) as (drafts, made),
        ):
            if exists(to_above, to_name):  # told before the work, and once more after it
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to)
            yield from copying.entry(above, name, drafts, made)
            move_new(drafts, made, to_above, to_name)

    def delete(self, at: VolumeFolders, path: bytes, by: str, now: Time) -> TrashEntry:
        return trash.put_in_trash(at, path, by, now)

    def trash(self, at: VolumeFolders, limit: int, after: str | None = None) -> tuple[TrashEntry, ...]:
        return trash.read_trash(at, limit, after)

    def trash_use(self, at: VolumeFolders) -> TrashUse:
        return trash.use_of_trash(at)

    def restore(self, at: VolumeFolders, entry_id: str, hand: Hand) -> bytes:
        return trash.take_back(at, entry_id, hand)

    def drop(self, at: VolumeFolders, entry_id: str | None = None) -> int:
        return trash.drop_from_trash(at, entry_id)
