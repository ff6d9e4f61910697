"""Folders of this machine: walked without following links, written aside and moved into place."""

from __future__ import annotations

import os
import stat
from typing import Iterator

from danlu.domain.words import Words, say
from danlu.sdk.copying.ends.descent import folder_at, folder_made, move
from danlu.sdk.copying.ends.parts import PART_NAME, Part, part_name
from danlu.sdk.copying.entries import CHUNK, CopyEntry, Readable, Seen, Wanted
from danlu.sdk.copying.sorting import in_order
from danlu.sdk.http.errors import NotFound, SourceChanged

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEPEST = 400
_DEEP = Words(
    f"folders are nested deeper than {_DEEPEST} levels; copy what is below separately",
    f"目录嵌套超过 {_DEEPEST} 层；请单独复制更深的内容",
)


class LocalEnd:
    """`follow`: links that lead to something inside are copied as what they lead to."""

    is_ranged = True

    def __init__(self, root: str, follow: bool = False) -> None:
        self.root = os.fsencode(os.path.realpath(root))
        self._follow = follow

    def look(self, key: bytes) -> CopyEntry | None:
        path = os.path.join(self.root, key.rstrip(b"/"))
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISDIR(found.st_mode):
            return CopyEntry(key.rstrip(b"/") + b"/")
        real = os.path.realpath(path) if os.path.islink(path) else b""
        return _entry(key, found, real) if stat.S_ISREG(found.st_mode) else None

    def entries(self, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:
        if not os.path.isdir(self.root):
            return
        root = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        levels = [_WalkedFolder(b"", root, self.root, None, linked=False)]
        try:
            levels[0].read(self, wanted, seen)
            while levels:
                here = levels[-1]
                name = next(here.names, None)
                if name is None:
                    levels.pop().close()
                    continue
                entry = here.entry(name, seen)
                if entry is None:
                    continue
                if wanted.takes(entry.key):
                    yield entry
                if entry.is_folder and wanted.enters(entry.key):
                    below = _opened(here, entry, len(levels), seen)
                    if below is not None:
                        levels.append(below)
                        below.read(self, wanted, seen)
        finally:
            for level in levels:
                level.close()

    def known(self, entry: CopyEntry) -> CopyEntry:
        return entry

    def open(self, entry: CopyEntry) -> OpenedFile:
        if entry.real:
            return OpenedFile(entry, os.open(entry.real, _READ))
        with folder_at(self.root, entry.folder) as above:
            return OpenedFile(entry, os.open(os.path.basename(entry.key), _READ, dir_fd=above))

    def put(self, key: bytes, content: Readable, replaces: bool) -> None:
        entry = content.entry
        name = os.path.basename(key)
        with folder_made(self.root, CopyEntry(key).folder) as above:
            if entry.size > CHUNK and content.source.is_ranged:
                part = Part(above, name, entry)
                try:
                    self._fill(part, content)
                    content.check()
                    part.finish()
                finally:
                    part.close()
                aside = part.name
            else:
                aside = part_name(name, "0")
                write_aside(above, aside, entry, content)
            move(above, aside, name, replaces)

    def make_folder(self, key: bytes) -> None:
        with folder_made(self.root, key):
            pass

    def remove(self, keys: list[bytes]) -> list[tuple[bytes, Exception]]:
        failed: list[tuple[bytes, Exception]] = []
        for key in keys:
            entry = CopyEntry(key)
            try:
                with folder_at(self.root, entry.folder) as above:
                    name = os.path.basename(key.rstrip(b"/"))
                    (os.rmdir if entry.is_folder else os.unlink)(name, dir_fd=above)
            except FileNotFoundError:
                pass
            except OSError as why:
                failed.append((key, why))
        return failed

    def close(self) -> None:
        pass

    def inside(self, path: bytes) -> bytes | None:
        """Where a link leads, if it is to be followed and leads inside."""
        real = os.path.realpath(path) if self._follow else b""
        return real if real.startswith(self.root.rstrip(b"/") + b"/") and os.path.exists(real) else None

    def _fill(self, part: Part, content: Readable) -> None:
        content.is_there(part.there)
        source = content.source
        if isinstance(source, LocalEnd):
            opened = source.open(content.entry)
            try:
                for offset, length in part.missing():
                    content.moved(part.copy(opened.fd, offset, length))
            finally:
                opened.close()
            return
        for offset, data in content.ranges(part.missing()):
            part.write(offset, data)


class OpenedFile:
    """A plain file: whatever took its name since it was listed is refused."""

    def __init__(self, entry: CopyEntry, fd: int) -> None:
        self.fd = fd
        self._began = os.fstat(fd)
        if not stat.S_ISREG(self._began.st_mode):
            self.close()
            raise SourceChanged(Words("it is no plain file any more", "它已不再是普通文件"))
        # What was written between the listing and now is copied as it is now.
        self.entry = _entry(entry.key, self._began, entry.real)

    def read(self, offset: int, length: int) -> bytes:
        pieces = []
        while length:
            piece = os.pread(self.fd, length, offset)
            if not piece:
                raise _changed()
            pieces.append(piece)
            offset, length = offset + len(piece), length - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def check(self) -> None:
        now = os.fstat(self.fd)
        if (now.st_size, now.st_mtime_ns) != (self._began.st_size, self._began.st_mtime_ns):
            raise _changed()

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


class _WalkedFolder:
    """A folder that is being walked: its names in order, folders with a / behind them."""

    def __init__(self, key: bytes, fd: int, real: bytes, above: _WalkedFolder | None, linked: bool) -> None:
        self.key, self.fd, self.real, self.above, self.linked = key, fd, real, above, linked
        self.names: Iterator[bytes] = iter(())
        self._leads: dict[bytes, bytes] = {}

    def read(self, end: LocalEnd, wanted: Wanted, seen: Seen) -> None:
        self.names = in_order(self._listed(end, wanted, seen))

    def _listed(self, end: LocalEnd, wanted: Wanted, seen: Seen) -> Iterator[bytes]:
        with os.scandir(self.fd) as found:
            for one in found:
                name = os.fsencode(one.name)
                if one.is_symlink():
                    real = end.inside(os.path.join(self.real, name))
                    if real is None or self._is_in(real):
                        seen.links += wanted.takes(self.key + name)
                        continue
                    is_folder = os.path.isdir(real)
                    self._leads[name + b"/" * is_folder] = real
                    yield name + b"/" * is_folder
                elif one.is_dir(follow_symlinks=False):
                    yield name + b"/"
                elif not one.is_file(follow_symlinks=False):
                    seen.special += wanted.takes(self.key + name)
                elif not PART_NAME.fullmatch(name) and wanted.takes(self.key + name):
                    yield name

    def entry(self, name: bytes, seen: Seen) -> CopyEntry | None:
        real = self._leads.get(name, b"")
        if name.endswith(b"/"):
            return CopyEntry(self.key + name, real=real)
        try:
            found = os.stat(real) if real else os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:  # gone meanwhile
            return None
        except OSError as why:
            seen.cannot(self.key + name, why)
            return None
        # A link of the folder that led here has the same file under its own path, too.
        inside = real or (os.path.join(self.real, name) if self.linked else b"")
        return _entry(self.key + name, found, inside) if stat.S_ISREG(found.st_mode) else None

    def _is_in(self, real: bytes) -> bool:
        """Whether the way here led through that folder: it would go round in a circle."""
        here: _WalkedFolder | None = self
        while here is not None:
            if (here.real + b"/").startswith(real + b"/"):
                return True
            here = here.above
        return False

    def close(self) -> None:
        self.names = iter(())
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def write_aside(above: int, aside: bytes, entry: CopyEntry, content: Readable) -> None:
    """The whole content under another name, with its time and whether it can be executed."""
    mode = 0o777 if entry.executable else 0o666
    fd = _created(above, aside, mode)
    try:
        pieces = content.pieces() if not 0 <= entry.size <= CHUNK else iter((content.whole(),))
        for piece in pieces:
            write_all(fd, piece)
        content.check()
        if entry.modified is not None:
            os.utime(fd, ns=(entry.modified, entry.modified))
    except BaseException:
        os.unlink(aside, dir_fd=above)
        raise
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _created(above: int, aside: bytes, mode: int) -> int:
    try:
        return os.open(aside, _NEW, mode, dir_fd=above)
    except FileExistsError:  # an earlier run ended by force
        os.unlink(aside, dir_fd=above)
        return os.open(aside, _NEW, mode, dir_fd=above)


def _opened(here: _WalkedFolder, entry: CopyEntry, depth: int, seen: Seen) -> _WalkedFolder | None:
    name = os.path.basename(entry.key.rstrip(b"/"))
    if depth >= _DEEPEST:
        seen.cannot(entry.key, NotFound(_DEEP))
        return None
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        fd = (
            os.open(entry.real, flags) if entry.real else os.open(name, flags | os.O_NOFOLLOW, dir_fd=here.fd)
        )
    except OSError as why:
        seen.cannot(entry.key, why)
        return None
    real = entry.real or os.path.join(here.real, name)
    return _WalkedFolder(entry.key, fd, real, here, linked=here.linked or bool(entry.real))


def _entry(key: bytes, found: os.stat_result, real: bytes = b"") -> CopyEntry:
    executable = bool(found.st_mode & stat.S_IXUSR)
    return CopyEntry(key, found.st_size, found.st_mtime_ns, executable, real=real)


def _changed() -> SourceChanged:
    return SourceChanged(
        say(
            "it was changed while it was copied; run the command again",
            "复制期间文件被修改；请再次运行该命令",
        )
    )
