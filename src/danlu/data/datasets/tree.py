"""A version as a folder that jobs mount: made aside, and moved into its place when it is whole.

Contents with files of their own are links to those, so that they take no space again; the others are written."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from danlu.data.datasets.listing import FOLDER, LINK, PROGRAM, FolderListing, ListedEntry
from danlu.data.datasets.objects import MissingObject, Objects, sync_all

_EVERY = 2_000
_NO_MORE_LINKS = (errno.EMLINK, errno.EXDEV, errno.EPERM)
_PIECE = 1 << 20


def plant(objects: Objects, root: bytes, tree: Path, tell: Callable[[int], None]) -> None:
    """Nothing is done where the tree is already. The folders may be read by everybody and written by nobody."""
    if tree.exists():
        return
    draft = tree.with_name(f".{tree.name}-{secrets.token_hex(4)}")
    planting = _Planting(objects, tell)
    try:
        planting.folder(root, str(draft))
        sync_all(tree.parent)
        tree.with_name(f"{tree.name}.used").write_text(str(planting.written))
        os.rename(draft, tree)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        if not tree.exists():
            raise


class _Planting:
    def __init__(self, objects: Objects, tell: Callable[[int], None]) -> None:
        self._objects, self._tell, self._files = objects, tell, 0
        self.written = 0
        """What it takes besides contents that it shares with the store."""

    def folder(self, digest: bytes, path: str) -> None:
        os.mkdir(path, 0o700)
        for entry in FolderListing(self._objects.read(digest)):
            here = os.path.join(path, os.fsdecode(entry.name))
            if entry.kind == FOLDER:
                self.folder(entry.holds, here)
            elif entry.kind == LINK:
                os.symlink(entry.holds, here)
            else:
                self._file(entry, here)
        os.chmod(path, 0o555)

    def _file(self, entry: ListedEntry, here: str) -> None:
        self._files += 1
        if self._files % _EVERY == 0:
            self._tell(self._files)
        # A program is a file of its own: what a link shares is also whether it may be executed.
        if entry.kind == PROGRAM or not self._linked(entry.holds, here):
            self._copied(entry, here)

    def _linked(self, digest: bytes, here: str) -> bool:
        try:
            os.link(self._objects.path(digest), here)
        except FileNotFoundError:
            return False
        except OSError as error:
            if error.errno not in _NO_MORE_LINKS:
                raise
            return False
        return True

    def _copied(self, entry: ListedEntry, here: str) -> None:
        fd = os.open(here, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            source = self._objects.open(entry.holds)
            if source is None:
                data = memoryview(self._objects.read(entry.holds))
                if len(data) != entry.size:
                    raise MissingObject(errno.EIO, "is damaged in the store", here)
                while data:
                    data = data[os.write(fd, data) :]
            else:
                try:
                    while os.sendfile(fd, source, None, _PIECE):
                        pass
                finally:
                    os.close(source)
            os.fchmod(fd, 0o555 if entry.kind == PROGRAM else 0o444)
            self.written += max(4096, entry.size)
        finally:
            os.close(fd)
