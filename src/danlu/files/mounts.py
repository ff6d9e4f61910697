"""The job file's mounts: what is wrong with them, and what they become."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from danlu.domain.errors import FieldError
from danlu.domain.job import Mount
from danlu.files.job_file import MountPart
from danlu.files.mistakes import Loc

_READ_ONLY, _WRITABLE = "ro", "rw"
_SOURCES = ("volume", "dataset", "bucket")
_KEPT = ("/run/danlu", "/danlu", "/proc", "/sys", "/dev")
"""Where Danlu and the system put things of their own."""


def mount_mistakes(parts: Sequence[MountPart]) -> Iterator[FieldError]:
    """All that is wrong with them, at their places."""
    seen: set[str] = set()
    for place, part in enumerate(parts):
        loc: Loc = ("mounts", place)
        yield from _source_mistakes(loc, part)
        path = posixpath.normpath(part.path)
        kept = next((one for one in _KEPT if path == one or path.startswith(f"{one}/")), None)
        if not part.path.startswith("/") or path.strip("/") == "" or ".." in part.path.split("/"):
            message = f"'{part.path}' is no absolute path of a folder"
            yield FieldError((*loc, "path"), "bad_value", message, part.path, hint="for example /data")
        elif kept is not None:
            message = f"{kept} is not to be mounted over"
            yield FieldError((*loc, "path"), "reserved", message, part.path, hint="for example /data")
        elif path in seen:
            message = f"something is mounted at {path} already"
            yield FieldError((*loc, "path"), "contradiction", message, part.path, hint="paths must differ")
        seen.add(path)


def _source_mistakes(loc: Loc, part: MountPart) -> Iterator[FieldError]:
    named = [source for source in _SOURCES if getattr(part, source) is not None]
    if len(named) != 1:
        message = f"a mount takes one of volume, dataset or bucket; here are {', '.join(named) or 'none'}"
        yield FieldError(loc, "contradiction", message)
    elif named != ["volume"]:
        message = f"{named[0]}s are not available in this version of Danlu"
        yield FieldError((*loc, named[0]), "not_available", message, hint="mount a volume that has the data")


def read_mounts(parts: Iterable[MountPart]) -> tuple[Mount, ...]:
    return tuple(
        Mount(part.volume, posixpath.normpath(part.path), part.mode == _READ_ONLY)
        for part in parts
        if part.volume is not None
    )


def write_mounts(mounts: Iterable[Mount]) -> list[MountPart]:
    return [
        MountPart(volume=mount.volume, path=mount.path, mode=_READ_ONLY if mount.read_only else _WRITABLE)
        for mount in mounts
    ]
