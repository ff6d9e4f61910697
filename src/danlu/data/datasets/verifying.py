"""A version read again, content by content: what is damaged or missing, told by the names of its files. What is damaged
counts as missing from then on: a snapshot that reads all files of its source puts it there again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from danlu.data.datasets.listing import FOLDER, LINK, DamagedListing, FolderListing
from danlu.data.datasets.objects import MissingObject, Objects
from danlu.domain.file_names import shown_name

MOST_NAMES = 1_000
_PIECE = 1 << 20


class Verification:
    """Each content is read once, however many files have it."""

    def __init__(self, objects: Objects, looked: Callable[[int, int, int], None]) -> None:
        self._objects, self._looked = objects, looked
        self._sound: set[bytes] = set()
        self.damaged = 0
        self.files: list[str] = []

    def run(self, root: bytes) -> None:
        self._folder(root, b"")

    def _folder(self, digest: bytes, path: bytes) -> None:
        try:
            data = self._objects.read(digest)
            if hashlib.sha256(data).digest() != digest:
                self._objects.condemn(digest)
                raise DamagedListing("changed")
            listing = FolderListing(data)
        except (OSError, DamagedListing):
            self._found(path + b"/")
            return
        for entry in listing:
            here = path + b"/" + entry.name if path else entry.name
            if entry.kind == FOLDER:
                self._folder(entry.holds, here)
            elif entry.kind != LINK:
                if not self._is_sound(entry.holds, entry.size):
                    self._found(here)
                self._looked(1, entry.size, self.damaged)

    def _is_sound(self, digest: bytes, size: int) -> bool:
        if digest in self._sound:
            return True
        try:
            found, length = self._hashed(digest)
        except OSError:
            return False
        if found == digest and length == size:
            self._sound.add(digest)
            return True
        self._objects.condemn(digest)
        return False

    def _hashed(self, digest: bytes) -> tuple[bytes, int]:
        path = self._objects.path(digest)
        found, length = hashlib.sha256(), 0
        try:
            with open(path, "rb") as file:
                while data := file.read(_PIECE):
                    found.update(data)
                    length += len(data)
        except FileNotFoundError:
            data = self._objects.read(digest)
            if not data and digest != hashlib.sha256().digest():
                raise MissingObject(digest.hex()) from None
            return hashlib.sha256(data).digest(), len(data)
        return found.digest(), length

    def _found(self, path: bytes) -> None:
        self.damaged += 1
        if len(self.files) < MOST_NAMES:
            self.files.append(shown_name(path))
