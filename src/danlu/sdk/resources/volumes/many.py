"""Many files up or down, four at a time: each has its own end, and none keeps the others."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, NamedTuple, Protocol, Tuple

from danlu.domain.file_names import path_of
from danlu.domain.words import say
from danlu.sdk.http.errors import BadFile, DanluError, NameTaken, NotFound
from danlu.sdk.resources import downloads
from danlu.sdk.resources.volumes.uploads import FileUpload, LocalFile

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import FileEntry

AT_ONCE = 4

OnTransfer = Callable[[str, int, "int | None"], None]
"""Told of which file how many bytes are there, of how many (None: not known); by several threads."""


class FileOutcome(NamedTuple):
    """What became of one file: `source` is what it was, `to` where it is, unless there was an `error`. `skipped`: it
    was there already."""

    source: str
    to: str
    error: DanluError | None = None
    skipped: bool = False


class FilesThere(Protocol):
    """What is needed of the files of a volume."""

    http: Http
    volume: str

    def apart(self) -> FilesThere:
        """The same with a connection of its own: threads take turns on one."""

    def ls(self, path: str = "") -> Iterator[FileEntry]: ...

    def get(self, path: str, to: str, overwrite: bool, progress: downloads.OnBytes | None) -> str: ...

    def mkdir(self, path: str) -> None: ...


Work = Tuple[str, str]


def put(
    files: FilesThere, paths: list[str], to: str, overwrite: bool, progress: OnTransfer | None
) -> list[FileOutcome]:
    into = len(paths) > 1 or to == "" or to.endswith("/") or os.path.isdir(paths[0]) or _is_folder(files, to)
    if not into:
        return _all(files, [(paths[0], to.strip("/"))], _sender(overwrite, progress))
    work: list[Work] = []
    failed: list[FileOutcome] = []
    for path in paths:
        below = _joined(to, os.path.basename(os.path.abspath(path)))
        if not os.path.isdir(path):
            work.append((path, below))
            continue
        for one in _walked(path, below):
            if one[0].endswith(os.sep):
                failed += _folder_made(files, one)
            else:
                work.append(one)
    return failed + _all(files, work, _sender(overwrite, progress))


def fetch(
    files: FilesThere, path: str, to: str, overwrite: bool, progress: OnTransfer | None
) -> list[FileOutcome]:
    name = path.strip("/").rpartition("/")[2] or files.volume.rpartition(":")[2]
    target = to or downloads.safe_name(name)
    try:
        entries = list(files.ls(path))
    except NotFound:  # no folder, so perhaps a file
        if os.path.isdir(target):
            target = os.path.join(target, downloads.safe_name(name))
        return _all(files, [(path, target)], _receiver(overwrite, progress, {}))
    known: dict[str, FileEntry] = {}
    work: list[Work] = []
    _make_local(target)
    waiting = [(path.strip("/"), target, entries)]
    while waiting:
        folder, place, found = waiting.pop()
        for one in found:
            inner = _joined(folder, os.fsdecode(path_of(one.key)))
            below = os.path.join(place, downloads.safe_name(os.path.basename(inner)))
            if one.kind == "folder":
                _make_local(below)
                waiting.append((inner, below, list(files.ls(inner))))
            elif one.kind == "file":
                known[inner] = one
                work.append((inner, below))
    return _all(files, work, _receiver(overwrite, progress, known))


def _all(
    files: FilesThere, work: Iterable[Work], act: Callable[[FilesThere, Work], FileOutcome]
) -> list[FileOutcome]:
    own = threading.local()

    def one(each: Work) -> FileOutcome:
        if not hasattr(own, "files"):
            own.files = files.apart()
        try:
            return act(own.files, each)
        except DanluError as why:
            return FileOutcome(each[0], each[1], why)
        except OSError as why:
            return FileOutcome(
                each[0],
                each[1],
                BadFile(say("{file}: {why}", "{file}：{why}", file=each[0], why=why.strerror or why)),
            )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, work))


def _sender(overwrite: bool, progress: OnTransfer | None) -> Callable[[FilesThere, Work], FileOutcome]:
    def send(files: FilesThere, work: Work) -> FileOutcome:
        local, to = work
        told = (lambda done, total: progress(local, done, total)) if progress else None
        with LocalFile(local) as file:
            FileUpload(files.http, files.volume, file, to, overwrite, told).send()
        return FileOutcome(local, to)

    return send


def _receiver(
    overwrite: bool, progress: OnTransfer | None, known: dict[str, FileEntry]
) -> Callable[[FilesThere, Work], FileOutcome]:
    def receive(files: FilesThere, work: Work) -> FileOutcome:
        path, target = work
        entry = known.get(path)
        if entry is not None and _is_here(target, entry):
            return FileOutcome(path, target, skipped=True)
        told = (lambda done, total: progress(path, done, total)) if progress else None
        files.get(path, target, overwrite, told)
        if entry is not None:
            when = _seconds(entry.modified)
            os.utime(target, (when, when))
        return FileOutcome(path, target)

    return receive


def _is_here(target: str, entry: FileEntry) -> bool:
    """Whether this very version was downloaded before."""
    try:
        found = os.lstat(target)
    except OSError:
        return False
    return found.st_size == entry.size and abs(found.st_mtime - _seconds(entry.modified)) < 0.001


def _seconds(when: object) -> float:
    if isinstance(when, datetime):
        return when.timestamp()
    moment = datetime.strptime(str(when)[:23], "%Y-%m-%dT%H:%M:%S.%f")
    return moment.replace(tzinfo=timezone.utc).timestamp()


def _walked(path: str, below: str) -> Iterator[Work]:
    """Files of a folder with where they go; folders, with a separator behind them, before what is in them. Links are
    left out: they could lead anywhere."""
    for folder, folders, names in os.walk(path):
        inner = os.path.relpath(folder, path)
        place = below if inner == "." else _joined(below, inner.replace(os.sep, "/"))
        yield folder + os.sep, place
        folders[:] = sorted(one for one in folders if not os.path.islink(os.path.join(folder, one)))
        for name in sorted(names):
            full = os.path.join(folder, name)
            if os.path.isfile(full) and not os.path.islink(full):
                yield full, _joined(place, name)


def _folder_made(files: FilesThere, work: Work) -> list[FileOutcome]:
    try:
        files.mkdir(work[1])
    except NameTaken:  # a folder, as a rule; if it is a file, what is to be in there fails
        pass
    except DanluError as why:
        return [FileOutcome(work[0], work[1], why)]
    return []


def _make_local(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as why:
        raise BadFile(
            say(
                "the folder {folder} cannot be made: {why}",
                "无法创建目录 {folder}：{why}",
                folder=folder,
                why=why.strerror or why,
            )
        ) from why


def _is_folder(files: FilesThere, path: str) -> bool:
    try:
        next(files.ls(path), None)
    except NotFound:
        return False
    return True


def _joined(folder: str, name: str) -> str:
    return f"{folder.strip('/')}/{name}" if folder.strip("/") else name
