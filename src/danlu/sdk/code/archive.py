"""A code folder as one tar.gz: what Git would keep, in a form that is the same for the same content."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import tarfile
import tempfile
import warnings
from dataclasses import dataclass, field
from typing import IO, Callable, Iterator

from danlu.domain.words import Words, listed, one_line, say
from danlu.sdk.code import ignore
from danlu.sdk.http.errors import BadCode

MAX_BYTES = 512 * 1024 * 1024
MAX_FILES = 100_000
NAMED = 5
_IN_MEMORY = 16 * 1024 * 1024

OnProgress = Callable[[str, int, int], None]
"""Called as progress(step, done, total) in bytes; the steps are `pack` and `upload`. One that has a method
`left_out(names)` is told what of the folder was not packed; without it, a Python warning tells."""


@dataclass(frozen=True)
class PackedFile:
    """One file or link to pack; `name` is its path in the archive."""

    name: str
    path: str
    size: int
    link: str | None = None


@dataclass
class Archive:
    """A packed folder: `body` is at its start, `left_out` names what is not in it, each with the cause."""

    digest: str
    size: int
    files: int
    body: IO[bytes]
    left_out: list[str] = field(default_factory=list)


def pack(folder: str, max_bytes: int = MAX_BYTES, progress: OnProgress | None = None) -> Archive:
    """Pack a folder; BadCode when it is missing, unreadable or too large."""
    if not os.path.isdir(folder):
        there = os.path.exists(folder)
        what = (
            Words("is a file, not a folder", "是文件，不是目录")
            if there
            else Words("does not exist", "不存在")
        )
        raise BadCode(
            say("the code folder {folder} {what}.", "代码目录 {folder} {what}。", folder=folder, what=what)
        )
    left_out: list[str] = []
    entries = sorted(walk(folder, left_out), key=lambda entry: entry.name)
    total = sum(entry.size for entry in entries)
    if total > max_bytes or len(entries) > MAX_FILES:
        raise BadCode(too_large(folder, entries, total, max_bytes))
    body = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (the caller closes it)
    try:
        files = _write(body, entries, total, progress, left_out)
        size = body.tell()
        _tell(left_out, progress)
        return Archive(_digest(body), size, files, body, left_out)
    except BaseException:
        body.close()
        raise


def walk(folder: str, left_out: list[str]) -> Iterator[PackedFile]:
    """What belongs to the code, folder by folder; ignored folders are not entered."""
    above, inside = ignore.rules_above(folder)
    pending = [(folder, "", [*ignore.default_rules(), *above])]
    while pending:
        here, prefix, rules = pending.pop()
        rules = rules + ignore.rules_of_folder(here, inside + prefix)
        try:
            items = list(os.scandir(here))
        except OSError as why:
            if prefix and isinstance(why, PermissionError):
                left_out.append(_unreadable(prefix, why))
                continue
            raise BadCode(
                say(
                    "part of the code folder cannot be read: {here}: {why}.",
                    "代码目录中有无法读取的部分：{here}：{why}。",
                    here=here,
                    why=why.strerror,
                )
            ) from why
        for item in items:
            name = prefix + item.name
            is_folder = item.is_dir(follow_symlinks=False)
            if ignore.ignored(rules, inside + name, is_folder):
                continue
            if is_folder:
                pending.append((item.path, name + "/", rules))
            else:
                entry = _entry(folder, name, item, left_out)
                if entry:
                    yield entry


class CountedBody:
    """A body that tells how much of it has been read."""

    def __init__(self, body: IO[bytes], total: int, progress: OnProgress | None) -> None:
        self._body = body
        self._total = total
        self._progress = progress

    def read(self, size: int = -1) -> bytes:
        piece = self._body.read(max(size, 1 << 16))
        if self._progress and piece:
            self._progress("upload", self._body.tell(), self._total)
        return piece

    def seek(self, offset: int) -> None:
        self._body.seek(offset)


def too_large(folder: str, entries: list[PackedFile], total: int, max_bytes: int) -> Words:
    """Say how much it is, how much may be, and which parts make it so."""
    if total > max_bytes:
        head = say(
            "the code folder {folder} has {size}; at most {most} can be uploaded.",
            "代码目录 {folder} 有 {size}，最多可上传 {most}。",
            folder=folder,
            size=human(total),
            most=human(max_bytes),
        )
    else:
        head = say(
            "the code folder {folder} has {count} files; at most {most} can be uploaded.",
            "代码目录 {folder} 有 {count} 个文件，最多可上传 {most} 个。",
            folder=folder,
            count=len(entries),
            most=MAX_FILES,
        )
    sums: dict[str, int] = {}
    for entry in entries:
        top, slash, _ = entry.name.partition("/")
        sums[top + slash] = sums.get(top + slash, 0) + entry.size
    largest = sorted(sums, key=lambda name: (-sums[name], name))[:5]
    named = listed(f"{name} ({human(sums[name])})" for name in largest)
    return say(
        "{head} The largest parts: {named}. List what is not code in .gitignore.",
        "{head}其中最大的是：{named}。不属于代码的内容请写入 .gitignore。",
        head=head,
        named=named,
    )


def human(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError("not reached")


def left_out_lines(left_out: list[str]) -> list[str]:
    """What was left out, for a person: the first few by name, the rest as a number."""
    rest = len(left_out) - NAMED
    more = [f"  and {rest} more"] if rest > 0 else []
    return ["Left out of the code folder:", *(f"  {one_line(one)}" for one in left_out[:NAMED]), *more]


def _tell(left_out: list[str], progress: OnProgress | None) -> None:
    if not left_out:
        return
    left_out.sort()
    told = getattr(progress, "left_out", None)
    if told is not None:
        told(left_out)
    else:
        warnings.warn("\n".join(left_out_lines(left_out)), stacklevel=3)


def _entry(root: str, name: str, item: os.DirEntry[str], left_out: list[str]) -> PackedFile | None:
    if item.is_symlink():
        return _linked(root, name, item, left_out)
    found = item.stat(follow_symlinks=False)
    if stat.S_ISREG(found.st_mode):
        return PackedFile(name, item.path, found.st_size)
    left_out.append(f"{name} (neither a file nor a folder)")
    return None


def _linked(root: str, name: str, item: os.DirEntry[str], left_out: list[str]) -> PackedFile | None:
    """A link inside the folder stays one. Others are not followed: a repository from elsewhere could name
    a private file of ours in one, and have it sent."""
    target = os.readlink(item.path)
    top, real = os.path.realpath(root), os.path.realpath(item.path)
    if real != top and not real.startswith(top.rstrip(os.sep) + os.sep):
        left_out.append(f"{name} -> {target} (a link out of the folder)")
        return None
    if not os.path.exists(real):
        left_out.append(f"{name} -> {target} (a link to nothing)")
        return None
    if os.path.isabs(target) or _leaves(name, target):
        # It comes back in, by a way that is not there on another machine.
        target = os.path.relpath(real, os.path.dirname(os.path.join(top, name)))
    return PackedFile(name, item.path, 0, link=target)


def _leaves(name: str, target: str) -> bool:
    return os.path.normpath(os.path.join(os.path.dirname(name), target)).split(os.sep)[0] == os.pardir


def _write(
    body: IO[bytes], entries: list[PackedFile], total: int, progress: OnProgress | None, left_out: list[str]
) -> int:
    """How many entries are in; files that may not be read are left out."""
    done = files = 0
    zipped = gzip.GzipFile(filename="", mode="wb", fileobj=body, compresslevel=6, mtime=0)
    with zipped, tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry in entries:
            try:
                _add(tar, entry)
                files += 1
            except PermissionError as why:
                left_out.append(_unreadable(entry.name, why))
            done += entry.size
            if progress:
                progress("pack", done, total)
    return files


def _unreadable(name: str, why: OSError) -> str:
    return f"{name} (cannot be read: {(why.strerror or 'not allowed').lower()})"


def _add(tar: tarfile.TarFile, entry: PackedFile) -> None:
    info = tarfile.TarInfo(entry.name)
    if entry.link is not None:
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry.link, 0o777
        tar.addfile(info)
        return
    try:
        with open(entry.path, "rb") as file:
            found = os.fstat(file.fileno())
            info.size = found.st_size
            info.mode = 0o755 if found.st_mode & stat.S_IXUSR else 0o644
            tar.addfile(info, file)
    except PermissionError:
        raise
    except OSError as why:
        reason = why.strerror or Words("it changed while it was read", "读取期间内容有变化")
        raise BadCode(
            say(
                "{name} in the code folder cannot be packed: {reason}.",
                "无法打包代码目录中的 {name}：{reason}。",
                name=entry.name,
                reason=reason,
            )
        ) from why


def _digest(body: IO[bytes]) -> str:
    body.seek(0)
    digest = hashlib.sha256()
    for piece in iter(lambda: body.read(1 << 20), b""):
        digest.update(piece)
    body.seek(0)
    return digest.hexdigest()
