"""Volumes: listed page by page, read by ranges, written by uploads that go on where they stopped."""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
from typing import Any, Iterator

from danlu.domain.file_names import escaped_path, path_of
from danlu.domain.words import Words
from danlu.sdk.copying.entries import CopyEntry, Readable, Seen, Wanted
from danlu.sdk.http.errors import BadFile, DanluError, NameTaken, NotFound, SourceChanged
from danlu.sdk.http.http import Http
from danlu.sdk.resources.volumes.files import VolumeFiles
from danlu.sdk.resources.volumes.uploads import FileUpload

_PAGE = 500
_MS = 1_000_000
_MOST_REMEMBERED = 10_000
_SLOW = 3600.0
"""Seconds that the server may take for a copy of its own."""


class VolumeEnd:
    """A folder of a volume. Each thread has a connection of its own."""

    is_ranged = True

    def __init__(self, http: Http, volume: str, path: str) -> None:
        self.http, self.volume, self.path = http, volume, path.strip("/")
        self._own = threading.local()
        self._all: list[Http] = []

    @property
    def files(self) -> VolumeFiles:
        found: VolumeFiles | None = getattr(self._own, "files", None)
        if found is None:
            http = Http(self.http.target, self.http.timeout)
            found = self._own.files = VolumeFiles(http, self.volume)
            self._all.append(http)
        return found

    def require(self) -> None:
        """NotFound, with words of the server, if there is no such volume."""
        next(self.files.ls(), None)

    def look(self, key: bytes) -> CopyEntry | None:
        try:
            self._page(key, "", 1)
            return CopyEntry(key.rstrip(b"/") + b"/")
        except NotFound:
            pass
        try:
            file = OpenedVolumeFile(self, CopyEntry(key, -1))
            file.ask(0, 1)
        except NotFound:
            return None
        return file.entry

    def entries(self, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:
        levels = [self._folder(b"", wanted, seen)]
        while levels:
            try:
                entry = next(levels[-1], None)
            except NotFound as why:
                # The end itself may be missing; a folder below that is gone by now is told.
                if len(levels) > 1:
                    seen.cannot(b"", why)
                levels.pop()
                continue
            if entry is None:
                levels.pop()
                continue
            if wanted.takes(entry.key):
                yield entry
            if entry.is_folder and wanted.enters(entry.key):
                levels.append(self._folder(entry.key, wanted, seen))

    def known(self, entry: CopyEntry) -> CopyEntry:
        return entry

    def open(self, entry: CopyEntry) -> OpenedVolumeFile:
        return OpenedVolumeFile(self, entry)

    def put(self, key: bytes, content: Readable, replaces: bool) -> None:
        if content.entry.size < 0:
            raise BadFile(_NO_SIZE)
        what = _Sent(content, self.below(key))
        told = _Resumed(content)
        FileUpload(self.files.http, self.volume, what, what.name, replaces, told).send()

    def make_folder(self, key: bytes) -> None:
        # As a rule a folder has the name; if it is a file, what is to be in there fails.
        with contextlib.suppress(NameTaken):
            self.files.mkdir(self.below(key))

    def remove(self, keys: list[bytes]) -> list[tuple[bytes, Exception]]:
        """Into the volume's trash."""
        paths = {escaped_path(os.fsencode(self.below(key))): key for key in keys}
        try:
            done = self.files.delete([self.below(key) for key in keys])
        except NotFound:
            return []
        except DanluError as why:
            return [(key, why) for key in keys]
        failed = [one for one in done.failed if one.code != NotFound.code]
        return [(paths.get(one.path, keys[0]), BadFile(_words(one.text))) for one in failed]

    def close(self) -> None:
        for http in self._all:
            http.close()

    def below(self, key: bytes) -> str:
        """Its path in the volume."""
        path = os.fsdecode(key.rstrip(b"/"))
        return f"{self.path}/{path}" if self.path and path else path or self.path

    def _folder(self, key: bytes, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:
        """The server tells folders first, and both by the bytes of their names."""
        folders: list[CopyEntry] = []
        rest = self._listed(key, wanted, seen)
        first = None
        for entry in rest:
            if not entry.is_folder:
                first = entry
                break
            folders.append(entry)
        folders.sort()
        yield from heapq.merge(folders, rest if first is None else _chained(first, rest))

    def _listed(self, key: bytes, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:
        cursor = ""
        while True:
            page = self._page(key, cursor, _PAGE)
            for one in page["items"]:
                name = key + path_of(one["key"])
                if one["kind"] == "folder":
                    yield CopyEntry(name + b"/")
                elif one["kind"] == "file":
                    when = _nanoseconds(one["modified"])
                    yield CopyEntry(name, one["size"], when, bool(one.get("executable")), _MS)
                elif wanted.takes(name):
                    if one["kind"] == "link":
                        seen.links += 1
                    else:
                        seen.special += 1
            cursor = page.get("next_cursor") or ""
            if not cursor:
                return

    def _page(self, key: bytes, cursor: str, limit: int) -> dict[str, Any]:
        path = escaped_path(os.fsencode(self.below(key)))
        query = {"path": path, "sort": "name", "limit": limit, "cursor": cursor}
        found: dict[str, Any] = self.files.http.json("GET", f"{self.files.at}/files", query)
        return found


class OpenedVolumeFile:
    """One version of a file, known by the tag that its first range has."""

    def __init__(self, end: VolumeEnd, entry: CopyEntry) -> None:
        self.entry, self._end, self._tag = entry, end, ""

    def read(self, offset: int, length: int) -> bytes:
        data = self.ask(offset, length) if length else b""
        if len(data) != length:
            raise _changed()
        return data

    def ask(self, offset: int, length: int) -> bytes:
        files = self._end.files
        headers = {"Accept": "*/*", "Range": f"bytes={offset}-{offset + length - 1}"}
        if self._tag:
            headers["If-Range"] = self._tag
        query = {"path": escaped_path(os.fsencode(self._end.below(self.entry.key)))}
        status, data, answered = files.http.send("GET", f"{files.at}/file", query, headers=headers)
        told = {name.lower(): value for name, value in answered}
        size = int(told["content-range"].rpartition("/")[2]) if status == 206 else len(data)
        seconds = _seconds(told.get("last-modified", ""))
        if self.entry.size < 0:  # looked at only: how it is, to the second
            self.entry = self.entry._replace(size=size, modified=seconds * 1000 * _MS, step=1000 * _MS)
        expected = (self.entry.size, (self.entry.modified or 0) // (1000 * _MS))
        if (size, seconds) != expected or (self._tag and status != 206 and size != length):
            raise _changed()
        self._tag = told.get("etag", "")
        return data

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


class VolumeWay:
    """Implements entries.Way: from volume to volume by the server, as long as nothing is replaced."""

    most_files, most_bytes = 200, 1 << 30

    def __init__(self, source: VolumeEnd, target: VolumeEnd) -> None:
        self._source, self._target = source, target
        self._own = threading.local()
        self._all: list[Http] = []
        self._made: set[bytes] = set()

    def takes(self, entry: CopyEntry, replaces: bool) -> bool:  # noqa: ARG002
        return not replaces

    def copy(self, batch: list[tuple[CopyEntry, bytes, bool]]) -> list[Exception | None]:
        files, folder = self._files(), CopyEntry(batch[0][1]).folder
        volume = self._target.volume
        if folder not in self._made:
            if self._target.below(folder):
                self._target.make_folder(folder)
            if len(self._made) >= _MOST_REMEMBERED:
                self._made.clear()
            self._made.add(folder)
        if len(batch) == 1:
            entry, to, _ = batch[0]
            done = files.copy(self._source.below(entry.key), self._target.below(to), volume)
            return [BadFile(_words(one.text)) for one in done.failed] or [None]
        # Several go by their own names.
        paths = [self._source.below(entry.key) for entry, _, _ in batch]
        done = files.copy(paths, self._target.below(folder), volume)
        failed = {one.path: BadFile(_words(one.text)) for one in done.failed}
        return [failed.get(escaped_path(os.fsencode(path))) for path in paths]

    def close(self) -> None:
        for http in self._all:
            http.close()

    def _files(self) -> VolumeFiles:
        found: VolumeFiles | None = getattr(self._own, "files", None)
        if found is None:
            http = Http(self._source.http.target, _SLOW)
            found = self._own.files = VolumeFiles(http, self._source.volume)
            self._all.append(http)
        return found


class _Sent:
    """Implements Sendable: in order as a rule, with what follows being read already."""

    def __init__(self, content: Readable, name: str) -> None:
        entry = content.entry
        self.name, self.size, self.executable = name, entry.size, entry.executable
        self.modified = None if entry.modified is None else entry.modified // _MS
        self._content, self._at = content, -1
        self._pieces: Iterator[bytes] = iter(())
        self._rest = b""

    def read(self, offset: int, length: int) -> bytes:
        if offset != self._at:
            self._pieces, self._rest = self._content.pieces(offset), b""
        while len(self._rest) < length:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._rest = self._rest + piece if self._rest else piece
        data, self._rest = self._rest[:length], self._rest[length:]
        self._at = offset + len(data)
        if self._at >= self.size:
            self._content.check()
        return data


class _Resumed:
    """What is there before the first part is sent came in an earlier run."""

    def __init__(self, content: Readable) -> None:
        self._content, self._told = content, False

    def __call__(self, done: int, total: int | None) -> None:
        if not self._told and done and done != total:
            self._content.is_there(done)
        self._told = True


def _chained(first: CopyEntry, rest: Iterator[CopyEntry]) -> Iterator[CopyEntry]:
    yield first
    yield from rest


def _words(text: object) -> Words:
    told = dict(text) if isinstance(text, dict) else {}
    return Words(str(told.get("en", "")), str(told.get("zh", "")))


def _seconds(told: str) -> int:
    from email.utils import parsedate_to_datetime

    return int(parsedate_to_datetime(told).timestamp()) if told else 0


def _nanoseconds(moment: str) -> int:
    from datetime import datetime, timezone

    form = "%Y-%m-%dT%H:%M:%S.%f" if "." in moment else "%Y-%m-%dT%H:%M:%S"
    when = datetime.strptime(moment[:23].rstrip("Z"), form).replace(tzinfo=timezone.utc)
    gone = when - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (gone.days * 86400 + gone.seconds) * 1000 * _MS + gone.microseconds * 1000


def _changed() -> SourceChanged:
    return SourceChanged(
        Words(
            "it was changed while it was copied; run the command again",
            "复制期间文件被修改；请再次运行该命令",
        )
    )


_NO_SIZE = Words(
    "the server does not tell its size, which a volume needs; copy it to this machine first",
    "对方服务器未告知文件大小，而写入存储卷需要知道；请先复制到本机",
)
