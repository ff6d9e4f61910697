"""The folder that is filled: empty at first, and nobody else writes there. Names come from elsewhere and stay in it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from typing import IO, Any, Iterator

from danlu.domain.file_names import BadPath, fits_a_folder, path_of
from danlu.runtime.filling.wire import FillFailed

_FULL = (errno.ENOSPC, errno.EDQUOT)
_BLOCK = 4096


class FilledFolder:
    """While files are written there are no links in it, so that no name leads out. Names of files end in their folder;
    a folder takes the place of a file of its name."""

    def __init__(self, root: str) -> None:
        self._root = os.fsencode(root)
        self._last = b""

    @contextlib.contextmanager
    def notes(self) -> Iterator[IO[bytes]]:
        """A file beside what is fetched, gone in the end."""
        path = os.path.join(self._root, f".danlu-{secrets.token_hex(8)}".encode())
        with disk_errors(), open(path, "x+b") as file:
            os.unlink(path)
            yield file

    def require_room(self, size: int, files: int) -> None:
        found = os.statvfs(self._root)
        wanted = size + files * _BLOCK
        if wanted > found.f_bavail * found.f_frsize:
            raise FillFailed("disk_full", size=wanted)

    def place(self, escaped: str) -> bytes:
        """Where a path lies; FillFailed for one that no folder holds."""
        try:
            path = path_of(escaped)
        except BadPath:
            path = b""
        if not fits_a_folder(path):
            raise FillFailed("told", f"'{escaped[:200]}' is no name of a file")
        return os.path.join(self._root, path)

    def make_above(self, place: bytes) -> bool:
        """The folders above a file. False: a file is where one of them must be."""
        above = os.path.dirname(place)
        if above == self._last:
            return True
        with disk_errors():
            try:
                os.makedirs(above, 0o755, exist_ok=True)
            except (FileExistsError, NotADirectoryError):
                return False
        self._last = above
        return True

    def clear_above(self, place: bytes) -> None:
        """Remove files where its folders must be."""
        above = os.path.dirname(place)
        while len(above) > len(self._root):
            if os.path.isfile(above):
                os.unlink(above)
            above = os.path.dirname(above)

    def link(self, escaped: str, target: str) -> None:
        """After all files. One that leads nowhere is as good as in the version."""
        place = self.place(escaped)
        self.make_above(place)
        below = os.path.relpath(os.path.dirname(place), self._root)
        if os.path.realpath(os.path.dirname(place)) != os.path.normpath(
            os.path.join(os.path.realpath(self._root), below)
        ):
            raise FillFailed("told", f"'{escaped[:200]}' lies behind another link")
        with disk_errors():
            os.symlink(path_of_target(target), place)


class ArrivingFile:
    """A file that comes piece by piece, perhaps over several connections."""

    def __init__(self, place: bytes, told: dict[str, Any], *, hashed: bool) -> None:
        self.place, self.told, self.offset, self.wrong = place, told, 0, 0
        self._hashed = hashed
        self._covered = False
        self._seen: Any = hashlib.sha256() if hashed else None

    def write(self, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | (0 if self.offset else os.O_TRUNC)
        with disk_errors():
            try:
                fd = os.open(self.place, flags, 0o600)
            except IsADirectoryError:
                # An object and a folder of one name: the folder is what tasks see.
                self._covered, self.offset = True, self.offset + len(data)
                return
            try:
                rest, at = memoryview(data), self.offset
                while rest:
                    count = os.pwrite(fd, rest, at)
                    rest, at = rest[count:], at + count
            finally:
                os.close(fd)
        self.offset += len(data)
        if self._hashed:
            self._seen.update(data)

    def finish(self) -> bool:
        """Whether it is what it should be; if not, it is to come again."""
        if not self.offset:
            self.write(b"")
        if self._hashed and self._seen.hexdigest() != self.told["tag"]:
            self.wrong, self.offset, self._seen = self.wrong + 1, 0, hashlib.sha256()
            return False
        if self._covered:
            return True
        with disk_errors():
            modified = int(self.told.get("modified") or 0)
            if modified:
                os.utime(self.place, ns=(modified * 1_000_000, modified * 1_000_000))
            os.chmod(self.place, 0o555 if self.told.get("executable") else 0o444)
        return True


@contextlib.contextmanager
def disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        code = "disk_full" if error.errno in _FULL else "told"
        raise FillFailed(code, error.strerror or str(error)) from error


def path_of_target(escaped: str) -> bytes:
    """Where a link leads, which may be upwards."""
    return b"/".join(
        path_of(part) if part not in ("..", "") else part.encode() for part in escaped.split("/")
    )
