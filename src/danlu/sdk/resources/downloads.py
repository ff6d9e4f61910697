"""Downloads: written aside and renamed, continued after a broken connection, and never outside their target."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import tarfile
from typing import IO, TYPE_CHECKING, Callable, Iterator, NamedTuple

from danlu.domain.words import say
from danlu.sdk.http.errors import DownloadFailed, NameTaken
from danlu.sdk.http.http import DROPPED

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from danlu.sdk.http.http import Http

OnBytes = Callable[[int, "int | None"], None]
"""Told how many bytes are here, of how many (None: not known)."""

_PIECE = 1 << 18
_TRIES = 5
_TAR = "application/x-tar"
_PART = ".danlu-{}-{}.part"
_TAG = re.compile(r'"([0-9a-f-]{1,100})"')


class Source(NamedTuple):
    """What is downloaded: a path of the API with its query."""

    http: Http
    path: str
    query: dict[str, object]

    @contextlib.contextmanager
    def opened(self, headers: dict[str, str]) -> Iterator[HTTPResponse]:
        with self.http.stream(self.path, self.query, headers={"Accept": "*/*", **headers}) as response:
            yield response


def fetch(source: Source, target: str, overwrite: bool, progress: OnBytes | None) -> str:
    """A file or a folder, as the server says. NameTaken if something is in the way."""
    if os.path.isdir(target) or (os.path.lexists(target) and not overwrite):
        raise _taken(target)
    folder = os.path.dirname(os.path.abspath(target))
    os.makedirs(folder, exist_ok=True)
    part = _Part(folder, os.path.basename(target))
    for last in [False] * (_TRIES - 1) + [True]:
        try:
            with source.opened(part.headers()) as response:
                if response.getheader("Content-Type", "").startswith(_TAR):
                    return _fetch_folder(response, target, folder, progress)
                part.take(response, progress)
            return part.finish(target, overwrite)
        except (*DROPPED, ConnectionError, TimeoutError, tarfile.ReadError) as why:
            if last or part.stuck():
                raise DownloadFailed(
                    say(
                        "the download broke off: {why}; run the same command again to continue it",
                        "下载中断：{why}；再次运行同一命令可继续下载",
                        why=str(why) or type(why).__name__,
                    )
                ) from why
    raise AssertionError("the last try returns or raises")


class _Part:
    """What is here of a file already, beside its target, under a name that says of which version it is."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._key = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
        self._tag, self._had = self._find(), -1

    def headers(self) -> dict[str, str]:
        if not self._tag:
            return {}
        return {"Range": f"bytes={os.path.getsize(self._path())}-", "If-Range": f'"{self._tag}"'}

    def take(self, response: HTTPResponse, progress: OnBytes | None) -> None:
        tag = _TAG.fullmatch(response.getheader("ETag") or "")
        goes_on = response.status == 206
        if not goes_on:
            self._drop()
        self._tag = tag[1] if tag else secrets.token_hex(8)
        length = response.getheader("Content-Length")
        mode = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_APPEND if goes_on else os.O_EXCL)
        with os.fdopen(os.open(self._path(), mode, 0o644), "ab") as file:
            here = file.tell() if goes_on else 0
            total = here + int(length) if length else None
            for piece in iter(lambda: response.read(_PIECE), b""):
                file.write(piece)
                here += len(piece)
                if progress:
                    progress(here, total)
            if total is not None and here < total:
                raise ConnectionError(f"{here:,} of {total:,} bytes")
            file.flush()
            os.fsync(file.fileno())

    def finish(self, target: str, overwrite: bool) -> str:
        if overwrite:
            os.replace(self._path(), target)
        else:
            _move_new(self._path(), target)
        return target

    def stuck(self) -> bool:
        """Whether nothing came since the last time."""
        had, self._had = self._had, os.path.getsize(self._path()) if self._tag else 0
        return had == self._had

    def _find(self) -> str:
        pattern = re.compile(re.escape(_PART.format(self._key, "@")).replace("@", "([0-9a-f-]+)"))
        found = [match for name in os.listdir(self._folder) for match in [pattern.fullmatch(name)] if match]
        plain = [one for one in found if not os.path.islink(os.path.join(self._folder, one[0]))]
        return plain[0][1] if len(plain) == 1 else ""

    def _drop(self) -> None:
        if self._tag:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path())

    def _path(self) -> str:
        return os.path.join(self._folder, _PART.format(self._key, self._tag))


def _fetch_folder(response: HTTPResponse, target: str, folder: str, progress: OnBytes | None) -> str:
    """Unpacked beside its target, and renamed when it is whole."""
    aside = os.path.join(folder, _PART.format(secrets.token_hex(8), "0"))
    os.mkdir(aside, 0o755)
    try:
        _unpack(_Counted(response, progress), aside)
        if os.path.lexists(target):
            raise _taken(target)
        os.rename(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


class _Counted:
    def __init__(self, response: HTTPResponse, progress: OnBytes | None) -> None:
        self._response, self._progress, self._done = response, progress, 0

    def read(self, size: int = -1) -> bytes:
        data = self._response.read(size)
        self._done += len(data)
        if self._progress and data:
            self._progress(self._done, None)
        return data


def _unpack(stream: _Counted, root: str) -> None:
    """Names are another's: each part is checked, folders are made here, and links come last, when nothing is written
    through them any more. Links that lead out of the folder are left out."""
    links = []
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=2) as tar:  # type: ignore[call-overload]
        for member in tar:
            tar.members.clear()  # else it remembers every one
            parts = [part for part in member.name.split("/") if part not in ("", ".")][1:]
            if ".." in parts:
                raise DownloadFailed(
                    say("the archive contains the name '{name}'", "压缩包含有名称“{name}”", name=member.name)
                )
            path = os.path.join(root, *parts)
            if member.isdir():
                os.makedirs(path, exist_ok=True)
            elif member.issym() and parts:
                links.append((path, member.linkname))
            elif member.isreg() and parts:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write(tar.extractfile(member), path, member)
    while stream.read(_PIECE):  # up to its end, which tells that it is whole
        pass
    for path, leads_to in links:
        inside = os.path.normpath(os.path.join(os.path.dirname(path), leads_to))
        if not os.path.isabs(leads_to) and (inside == root or inside.startswith(root + os.sep)):
            with contextlib.suppress(FileExistsError, NotADirectoryError):
                os.symlink(leads_to, path)


def _write(content: IO[bytes] | None, path: str, member: tarfile.TarInfo) -> None:
    mode = 0o755 if member.mode & 0o100 else 0o644
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(fd, "wb") as file:
        if content is not None:
            shutil.copyfileobj(content, file, _PIECE)
    os.utime(path, (member.mtime, member.mtime))


def _move_new(part: str, target: str) -> None:
    """Rename without taking the place of what came meanwhile."""
    try:
        os.link(part, target, follow_symlinks=False)
    except FileExistsError:
        raise _taken(target) from None
    except OSError as why:  # a file system without hard links
        if why.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
            raise
        if os.path.lexists(target):
            raise _taken(target) from None
        os.rename(part, target)
    else:
        os.unlink(part)


def safe_name(name: str) -> str:
    """A name for the current directory: never the directory itself or one above, nor a path."""
    name = name.replace("/", "_").replace("\0", "_")
    return name if name not in ("", ".", "..") else "files"


def _taken(target: str) -> NameTaken:
    if os.path.isdir(target):
        return NameTaken(
            say(
                "{target} is a folder already; choose another place, or move it away first",
                "{target} 已是一个目录；请换一个位置，或先将其移走",
                target=target,
            )
        )
    return NameTaken(
        say(
            "{target} exists already, and nothing was overwritten; choose another place, or overwrite it (--overwrite)",
            "{target} 已存在，未被覆盖；请换一个位置，或用 --overwrite 覆盖",
            target=target,
        )
    )
