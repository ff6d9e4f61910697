"""The job file's mounts: what is wrong with them, and what they become."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from danlu.domain.errors import FieldError
from danlu.domain.mount import Mount
from danlu.domain.words import Words, listed, say
from danlu.files.job_file import MountPart
from danlu.files.mistakes import Loc

_READ_ONLY: Literal["ro"] = "ro"
_WRITABLE: Literal["rw"] = "rw"
_WAIT: Literal["wait"] = "wait"
_REFUSE: Literal["refuse"] = "refuse"
_ENV: Literal["env"] = "env"
_SOURCES = ("volume", "local", "dataset", "bucket")
NOT_AVAILABLE = Words("{what} are not available in this version of Danlu", "此版本的丹炉暂不支持{what}")
_EXAMPLE = Words("for example /data", "例如 /data")
_KEPT = (
    *("/run/danlu", "/danlu", "/proc", "/sys", "/dev"),
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
)
"""Paths that Danlu and the system use themselves, with everything below."""
_HOMES = ("/mnt", "/archives", "/tmp", "/var", "/run", "/home", "/root")
"""Paths that hold what every task has or may have: below them there is room, but they must not be covered."""


def mount_mistakes(parts: Sequence[MountPart]) -> Iterator[FieldError]:
    """All errors of mounts, at their places."""
    seen: list[str] = []
    for place, part in enumerate(parts):
        loc: Loc = ("mounts", place)
        yield from _source_mistakes(loc, part)
        yield from _path_mistakes((*loc, "path"), part.path, seen)
        seen.append(posixpath.normpath(part.path))


def _path_mistakes(loc: Loc, said: str, seen: Sequence[str]) -> Iterator[FieldError]:
    path = posixpath.normpath(said)
    kept = next((one for one in _KEPT if below(path, one)), None) or (path if path in _HOMES else None)
    if not said.startswith("/") or path.strip("/") == "" or ".." in said.split("/") or "\0" in said:
        text = say("'{path}' is not an absolute path to a folder", "“{path}”不是目录的绝对路径", path=said)
        yield FieldError(loc, "bad_value", text, said, hint=_EXAMPLE)
    elif kept is not None:
        text = say("nothing can be mounted at {path}", "不能挂载到 {path}", path=kept)
        yield FieldError(loc, "reserved", text, said, hint=_EXAMPLE)
    elif path in seen:
        text = say("another mount already uses {path}", "{path} 已有挂载", path=path)
        hint = Words("give each mount its own path", "路径不能重复")
        yield FieldError(loc, "contradiction", text, said, hint=hint)
    elif other := next((one for one in seen if below(path, one) or below(one, path)), None):
        text = say(
            "{path} and the mount at {other} lie one inside the other",
            "{path} 与 {other} 处的挂载互相嵌套",
            path=path,
            other=other,
        )
        hint = Words("mount them beside each other", "请分别挂载到互不包含的路径")
        yield FieldError(loc, "contradiction", text, said, hint=hint)


def below(path: str, folder: str) -> bool:
    """Whether it is this folder or lies in it."""
    return path == folder or path.startswith(f"{folder}/")


def _source_mistakes(loc: Loc, part: MountPart) -> Iterator[FieldError]:
    named = [source for source in _SOURCES if getattr(part, source) is not None]
    if len(named) != 1:
        text = say(
            "a mount takes exactly one of volume, local, dataset or bucket; this one has {named}",
            "挂载只能填写 volume、local、dataset 或 bucket 之一；这里填写了：{named}",
            named=listed(named) if named else Words("none", "无"),
        )
        yield FieldError(loc, "contradiction", text)
    elif part.login is not None and named in (["local"], ["dataset"]):
        text = Words("only a bucket has a login", "只有存储桶有登录凭据")
        yield FieldError((*loc, "login"), "contradiction", text, part.login)
    elif named == ["local"]:
        if part.mode == _READ_ONLY:
            text = Words("an empty folder that nobody can write to is of no use", "空目录只读没有意义")
            yield FieldError((*loc, "mode"), "contradiction", text, part.mode, [_WRITABLE])
    elif named == ["bucket"]:
        yield from _bucket_mistakes(loc, part)
    elif named == ["dataset"] and part.mode == _WRITABLE:
        text = Words("a version of a dataset never changes", "数据集的版本不可更改")
        hint = Words(
            "leave out mode, write somewhere else, and make that a new version: danlu dataset snapshot",
            "请去掉 mode；将结果写到别处，再用 danlu dataset snapshot 生成新版本",
        )
        yield FieldError((*loc, "mode"), "read_only_dataset", text, part.mode, [_READ_ONLY], hint)


def _bucket_mistakes(loc: Loc, part: MountPart) -> Iterator[FieldError]:
    name, _, below = (part.bucket or "").partition("/")
    if not name or not {".", ".."}.isdisjoint(below.split("/")) or not below.isprintable():
        text = Words("write NAME or NAME/FOLDER", "请写成 名称 或 名称/目录")
        hint = Words("for example pool/train", "例如 pool/train")
        yield FieldError((*loc, "bucket"), "bad_value", text, part.bucket, hint=hint)


def _below(bucket: str) -> str:
    """With a slash at its end; empty: all of the bucket."""
    return "".join(f"{one}/" for one in bucket.partition("/")[2].split("/") if one)


def read_mounts(parts: Iterable[MountPart]) -> tuple[Mount, ...]:
    return tuple(
        Mount(
            part.volume or (part.bucket or "").partition("/")[0],
            posixpath.normpath(part.path),
            read_only=part.dataset is not None or (part.local is None and part.mode != _WRITABLE),
            local=part.local,
            refuses=part.busy == _REFUSE,
            below=_below(part.bucket or ""),
            dataset=part.dataset or "",
            login=part.login is not None,
        )
        for part in parts
        if any(getattr(part, source) is not None for source in _SOURCES)
    )


def write_mounts(mounts: Iterable[Mount]) -> list[MountPart]:
    return [
        MountPart.model_construct(
            volume=mount.volume or None if not mount.below else None,
            bucket=f"{mount.volume}/{mount.below.rstrip('/')}" if mount.below else None,
            dataset=mount.dataset or None,
            local=mount.local,
            path=mount.path,
            mode=_READ_ONLY if mount.read_only else _WRITABLE,
            busy=_REFUSE if mount.refuses else _WAIT,
            login=_ENV if mount.login else None,
        )
        for mount in mounts
    ]
