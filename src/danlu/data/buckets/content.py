"""What was fetched of buckets: a file for each content, found by where it came from and the store's tag of it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from danlu.domain.errors import DanluError
from danlu.domain.words import Words, same
from danlu.ports.objects import ObjectInfo, ObjectStore

_DRAFT = ".draft-"


class BucketContents:
    """Files of one volume's content are never another's: who may list a bucket may not be who may read it. A file with
    more than one link is used by an attempt."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, volume: str, one: ObjectInfo) -> Path:
        told = f"{one.key}\0{one.etag or one.modified}\0{one.size}"
        digest = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
        return self._root / volume / digest

    def has(self, volume: str, one: ObjectInfo) -> bool:
        """Used now, if it is there."""
        path = self.path(volume, one)
        with contextlib.suppress(FileNotFoundError):
            found = path.stat()
            os.utime(path, ns=(time.time_ns(), found.st_mtime_ns))
            return True
        return False

    def fetch(self, volume: str, one: ObjectInfo, store: ObjectStore, came: Callable[[int], None]) -> None:
        """`came` hears of every piece, and may raise to stop."""
        path = self.path(volume, one)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(f"{_DRAFT}{secrets.token_hex(8)}")
        try:
            with draft.open("xb") as file:
                size = 0
                for piece in store.stream(one.key, 0, one.etag):
                    came(len(piece))
                    size += len(piece)
                    if size > one.size:
                        break
                    file.write(piece)
            if size != one.size:
                raise OSError(errno.EIO, "the object is not as long as it was when it was listed")
            draft.chmod(0o444)
            os.utime(draft, ns=(time.time_ns(), one.modified * 1_000_000))
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def used(self) -> int:
        return sum(size for _, size, _ in self._all())

    def make_room(self, wanted: int, bound: int) -> bool:
        """Remove what no attempt uses, the longest unused first, until so many bytes more fit within the bound."""
        files = sorted(self._all())
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total + wanted <= bound:
                break
            # Between the look and the removal an attempt may have linked it: then that keeps the content.
            if path.stat().st_nlink == 1:
                path.unlink(missing_ok=True)
                total -= size
        return total + wanted <= bound

    def clean(self) -> None:
        """What was half fetched when the process died."""
        for draft in self._root.glob(f"*/{_DRAFT}*"):
            draft.unlink(missing_ok=True)

    def _all(self) -> list[tuple[int, int, Path]]:
        """When it was used last, its size, and where it is."""
        found = []
        for path in self._root.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):
                about = path.stat()
                found.append((about.st_atime_ns, about.st_size, path))
        return found


def said(error: Exception) -> Words:
    if isinstance(error, DanluError):
        return error.text
    if isinstance(error, OSError):
        return same(error.strerror or str(error))
    return Words("internal error; see the log", "内部错误，详见日志")
