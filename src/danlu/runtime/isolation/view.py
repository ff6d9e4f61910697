"""What a task sees of the machine, by the names it uses: its supervisor sees more, and must not tell of it."""

from __future__ import annotations

import itertools
import os
import stat
from typing import NamedTuple

from danlu.ports import beneath

_MOST_LINKS = 40
_MOST_NAMES = 20_000


class Shown(NamedTuple):
    """A part of the view: what tasks find at `target` lies at `source` on the machine, or there is nothing. Of `public`
    parts they see what is open to everybody."""

    target: str
    source: str | None
    public: bool = False


class SeenEntry(NamedTuple):
    """Something in the view: its path on the machine, free of links, and its mode."""

    path: str
    mode: int
    public: bool = False

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_program(self) -> bool:
        return stat.S_ISREG(self.mode) and os.access(self.path, os.X_OK)


class TaskView:
    """Parts in the order in which they are mounted: the later lie on the earlier."""

    def __init__(self, parts: list[Shown]) -> None:
        self._parts: dict[str, tuple[int, Shown]] = {}
        for at, part in enumerate(parts):
            # A mount has followed what links lead to its source.
            source = part.source and os.path.realpath(part.source)
            self._parts[part.target.rstrip("/")] = (at, part._replace(source=source))

    def part_of(self, path: str) -> Shown | None:
        """The part that a path is in, by its name alone."""
        folder, found = os.path.normpath(path).rstrip("/"), []
        while True:
            if folder in self._parts:
                found.append(self._parts[folder])
            if not folder:
                return max(found)[1] if found else None
            folder = folder.rpartition("/")[0]

    def look_at(self, path: str) -> SeenEntry | None:
        """What a task finds there, following links as it would; None where it finds nothing."""
        here, mode, links = "/", stat.S_IFDIR, 0
        waiting = path.split("/")[::-1]
        while waiting:
            step = waiting.pop()
            if step in ("", "."):
                continue
            if not stat.S_ISDIR(mode):
                return None
            there = os.path.dirname(here) if step == ".." else os.path.join(here, step)
            found = self._step(there)
            if found is None:
                return None
            if stat.S_ISLNK(found.mode):
                links += 1
                target = _link(found.path)
                if not target or links > _MOST_LINKS:
                    return None
                waiting += target.split("/")[::-1]
                here, mode = ("/" if target.startswith("/") else here), stat.S_IFDIR
                continue
            here, mode = there, found.mode
        return self._step(here)

    def names_in(self, folder: str) -> list[str]:
        """The names in a folder that tasks may list."""
        seen = self.look_at(folder)
        if seen is None or not seen.is_folder or not seen.path or (seen.public and not is_open(seen.mode)):
            return []
        try:
            fd = beneath.open_folder("/", seen.path)
        except OSError:
            return []
        try:
            with os.scandir(fd) as entries:
                return [entry.name for entry in itertools.islice(entries, _MOST_NAMES)]
        finally:
            os.close(fd)

    def _step(self, path: str) -> SeenEntry | None:
        """What is at a path whose folders were looked at before."""
        part = self.part_of(path)
        if part is None or part.source is None:
            # Folders that are made for the sake of what is mounted in them.
            above = path.rstrip("/") + "/"
            made = path.rstrip("/") in self._parts or any(target.startswith(above) for target in self._parts)
            return SeenEntry("", stat.S_IFDIR) if made else None
        place = part.source.rstrip("/") + path[len(part.target.rstrip("/")) :]
        try:
            mode = os.lstat(place).st_mode
        except OSError:
            return None
        if part.public and stat.S_ISDIR(mode) and not mode & stat.S_IXOTH:
            return None
        return SeenEntry(place, mode, part.public)


def is_open(mode: int) -> bool:
    """Whether anybody on the machine may read it; for folders, list and enter it."""
    needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & needed == needed


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


WHOLE_MACHINE = TaskView([Shown("/", "/")])
"""Of a task without a sandbox: whatever it may not look at, the kernel keeps from it."""
