"""What no version needs is removed: all that versions refer to is marked first, then the rest goes."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable

from danlu.data.datasets.listing import FOLDER, LINK, FolderListing
from danlu.data.datasets.objects import Objects, ObjectWriter
from danlu.data.datasets.packs import Pack

_SPARSE = 0.5
"""A pack of which less than this is needed is written anew."""
_TINY, _MANY = 8 << 20, 16
"""So many packs that are smaller than this become one."""


class Collection:
    """Within `Objects.alone`: nobody adds or makes anything meanwhile, so that what is not marked is nobody's."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._marks: dict[str, bytearray] = {}
        self._packs: dict[str, Pack] = {}
        self._files: set[bytes] = set()
        self.objects = self.bytes = 0

    def run(self, roots: Iterable[str]) -> None:
        """A listing that cannot be read ends it before anything is removed."""
        for pack in self._objects.all_packs():
            self._packs[pack.index.name] = pack
            self._marks[pack.index.name] = bytearray(pack.count)
        for root in roots:
            self._mark_folder(bytes.fromhex(root))
        self._clear_drafts()
        self._sweep_files()
        self._sweep_packs()

    def _mark_folder(self, root: bytes) -> None:
        waiting = [root]
        while waiting:
            digest = waiting.pop()
            if not self._mark(digest):
                continue
            for entry in FolderListing(self._objects.read(digest)):
                if entry.kind == FOLDER:
                    waiting.append(entry.holds)
                elif entry.kind != LINK:
                    self._mark(entry.holds)

    def _mark(self, digest: bytes) -> bool:
        """Whether it was not marked before. The same content in two packs is needed once."""
        found = self._objects.packed(digest)
        if found is None:
            if digest in self._files:
                return False
            self._files.add(digest)
            return True
        pack, number = found
        marks = self._marks[pack.index.name]
        if marks[number]:
            return False
        marks[number] = 1
        return True

    def _clear_drafts(self) -> None:
        """Of those who were killed."""
        for one in os.scandir(self._objects.drafts):
            shutil.rmtree(one.path, ignore_errors=True)

    def _sweep_files(self) -> None:
        for folder in os.scandir(self._objects.objects):
            for one in os.scandir(folder.path):
                digest = _digest(folder.name + one.name)
                if digest is None or digest not in self._files:
                    size = one.stat(follow_symlinks=False).st_size
                    os.unlink(one.path)
                    self.objects += 1
                    self.bytes += size

    def _sweep_packs(self) -> None:
        moving: list[Pack] = []
        tiny = [pack for pack in self._packs.values() if _size(pack) < _TINY]
        for name, pack in self._packs.items():
            marks = self._marks[name]
            needed = sum(pack.place(at).size for at in range(pack.count) if marks[at])
            whole = _size(pack)
            self.objects += pack.count - sum(marks)
            self.bytes += whole - needed
            if not any(marks):
                _remove(pack)
            elif needed < whole * _SPARSE or (len(tiny) > _MANY and whole < _TINY):
                moving.append(pack)
            elif whole > needed:  # it stays as it is, for the sake of the rest
                self.objects -= pack.count - sum(marks)
                self.bytes -= whole - needed
        if moving:
            self._move(moving)

    def _move(self, packs: list[Pack]) -> None:
        """The new pack is there before the old ones go."""
        session = ObjectWriter(self._objects)
        try:
            for pack in packs:
                marks = self._marks[pack.index.name]
                for number in range(pack.count):
                    if marks[number]:
                        session.repack(pack.digest(number), pack.read(number))
            session.finish()
        finally:
            session.close()
        for pack in packs:
            _remove(pack)


def _remove(pack: Pack) -> None:
    """The index first: a pack without one is not seen, and removed the next time."""
    for file in (pack.index, pack.file, pack.index.with_suffix(".bad")):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)


def _size(pack: Pack) -> int:
    return sum(pack.place(at).size for at in range(pack.count))


def _digest(name: str) -> bytes | None:
    try:
        return bytes.fromhex(name)
    except ValueError:
        return None
