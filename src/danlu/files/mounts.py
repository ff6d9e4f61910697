"""The job file's mounts: what is wrong with them, and what they become."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from danlu.domain.errors import FieldError
from danlu.domain.job import Mount
from danlu.domain.words import Words, listed, say
from danlu.files.job_file import MountPart
from danlu.files.mistakes import Loc

_READ_ONLY, _WRITABLE = "ro", "rw"
_SOURCES = ("volume", "dataset", "bucket")
NOT_AVAILABLE = Words("{what} are not available in this version of Danlu", "此版本的丹炉暂不支持{what}")
_LATER = {"dataset": Words("datasets", "数据集"), "bucket": Words("buckets", "存储桶")}
_EXAMPLE = Words("for example /data", "例如 /data")
_KEPT = ("/run/danlu", "/danlu", "/proc", "/sys", "/dev")
"""Paths that Danlu and the system use themselves."""


def mount_mistakes(parts: Sequence[MountPart]) -> Iterator[FieldError]:
    """All errors of mounts, at their places."""
    seen: set[str] = set()
    for place, part in enumerate(parts):
        loc: Loc = ("mounts", place)
        yield from _source_mistakes(loc, part)
        path = posixpath.normpath(part.path)
        kept = next((one for one in _KEPT if path == one or path.startswith(f"{one}/")), None)
        if not part.path.startswith("/") or path.strip("/") == "" or ".." in part.path.split("/"):
            text = say(
                "'{path}' is not an absolute path to a folder", "“{path}”不是目录的绝对路径", path=part.path
            )
            yield FieldError((*loc, "path"), "bad_value", text, part.path, hint=_EXAMPLE)
        elif kept is not None:
            text = say("nothing can be mounted at {path}", "不能挂载到 {path}", path=kept)
            yield FieldError((*loc, "path"), "reserved", text, part.path, hint=_EXAMPLE)
        elif path in seen:
            text = say("another mount already uses {path}", "{path} 已有挂载", path=path)
            hint = Words("give each mount its own path", "路径不能重复")
            yield FieldError((*loc, "path"), "contradiction", text, part.path, hint=hint)
        seen.add(path)


def _source_mistakes(loc: Loc, part: MountPart) -> Iterator[FieldError]:
    named = [source for source in _SOURCES if getattr(part, source) is not None]
    if len(named) != 1:
        text = say(
            "a mount takes exactly one of volume, dataset or bucket; this one has {named}",
            "挂载只能填写 volume、dataset 或 bucket 之一；这里填写了：{named}",
            named=listed(named) if named else Words("none", "无"),
        )
        yield FieldError(loc, "contradiction", text)
    elif named != ["volume"]:
        text = NOT_AVAILABLE.fill(what=_LATER[named[0]])
        hint = Words("mount a volume that contains the data", "请挂载存有这些数据的存储卷")
        yield FieldError((*loc, named[0]), "not_available", text, hint=hint)


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
