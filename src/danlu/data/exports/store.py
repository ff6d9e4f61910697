"""A folder of an NFS export, read as a bucket is: its files are objects, and folders stand for themselves as `folder/`.

Nothing that the worker says is believed before it was looked at: whoever serves the export may have taken it over."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, TypeVar

from danlu.data.exports import refusals
from danlu.data.exports.process import ExportProcess, WorkerGone
from danlu.data.objects.files import is_name, is_path
from danlu.data.outside import NetworkGuard
from danlu.domain.errors import BadAnswer, NotAllowed, NotFound, Stale, Unavailable, Unreachable
from danlu.domain.volumes.exports import ExportAddress
from danlu.ports.objects import KEYS_AT_ONCE, ObjectInfo, ObjectPage

MOST_ENTRIES = 200_000
"""Of one folder."""
IDLE_S = 180.0
"""After which a worker that nobody asks ends."""
_DEEPEST = 128
_PIECE = 1 << 20
_WALKS = 16
_LONGEST_TAG = 128
T = TypeVar("T")


class ExportEntry(NamedTuple):
    name: str
    is_folder: bool
    size: int
    modified: int
    tag: str

    def at(self, key: str) -> ObjectInfo:
        return ObjectInfo(key, self.size, self.tag, self.modified)


class ExportStore:
    """Implements ports.objects.ObjectStore, but for writing. Its worker is started when it is first asked, and anew
    when it is gone."""

    def __init__(self, address: ExportAddress, guard: NetworkGuard) -> None:
        self._address, self._guard = address, guard
        self._worker: ExportProcess | None = None
        self._lock = threading.Lock()
        self._walks: OrderedDict[str, Iterator[ObjectInfo | str]] = OrderedDict()

    def page(
        self, prefix: str = "", *, folders: bool = False, after: str = "", limit: int = KEYS_AT_ONCE
    ) -> ObjectPage:
        limit = max(1, min(limit, KEYS_AT_ONCE))
        if after:
            with self._lock:
                known = self._walks.pop(after, None)
            if known is None:
                raise Stale(refusals.CHANGED)
            walk = known
        else:
            walk = self._below(prefix, deep=not folders)
        found = list(islice(walk, limit))
        return ObjectPage(
            tuple(one for one in found if not isinstance(one, str)),
            tuple(one for one in found if isinstance(one, str)),
            self._continued(walk) if len(found) == limit else "",
        )

    def head(self, key: str) -> ObjectInfo:
        one = self.look(key)
        if one.is_folder:
            raise NotFound(refusals.NOTHING)
        return one.at(key)

    def read(self, key: str, start: int, length: int, etag: str = "") -> bytes:
        pieces = []
        while length > 0:
            piece = self._read(key, start, min(length, _PIECE), etag)
            if not piece:
                break
            pieces.append(piece)
            start, length = start + len(piece), length - len(piece)
        return b"".join(pieces)

    def stream(self, key: str, start: int = 0, etag: str = "") -> Iterator[bytes]:
        etag = etag or self.head(key).etag
        while piece := self._read(key, start, _PIECE, etag):
            start += len(piece)
            yield piece

    def write(
        self,
        key: str,  # noqa: ARG002
        content: BinaryIO | Iterable[bytes],  # noqa: ARG002
        size: int | None = None,  # noqa: ARG002
    ) -> ObjectInfo:
        raise NotAllowed(refusals.READ_ONLY)

    def remove(self, key: str) -> None:  # noqa: ARG002
        raise NotAllowed(refusals.READ_ONLY)

    def copy(self, key: str, to: str) -> None:  # noqa: ARG002
        raise NotAllowed(refusals.READ_ONLY)

    def close(self) -> None:
        with self._lock:
            self._end()

    def __del__(self) -> None:
        """Whoever opened it does not say that it is over."""
        self._end()

    def start(self) -> None:
        """Have it mounted, as the first question would."""
        self._ask(lambda _: None)

    def look(self, key: str) -> ExportEntry:
        """A file or a folder; NotFound for anything else."""
        if key and not is_path(key):
            raise NotFound(refusals.NOTHING)
        said = self._ask(lambda worker: self._good(worker.ask({"act": "look", "path": key}), key))
        found = _entry(said.get("entry"))
        if found is None:
            raise NotFound(refusals.NOTHING)
        return found

    def entries(self, path: str) -> tuple[list[ExportEntry], int]:
        """Of a folder, and how many of it are left out: links, pipes and what no folder can hold."""

        def act(worker: ExportProcess) -> tuple[list[ExportEntry], int]:
            said = self._good(worker.ask({"act": "list", "path": path}), path)
            found: list[ExportEntry] = []
            told = 0
            while True:
                some = said.get("entries")
                if not isinstance(some, list):
                    raise WorkerGone
                told += len(some)
                if told > MOST_ENTRIES:
                    self._end()
                    raise BadAnswer(refusals.TOO_MANY.fill(most=f"{MOST_ENTRIES:,}"))
                found += [one for one in map(_entry, some) if one is not None and is_name(one.name)]
                if "left_out" in said:
                    return found, told - len(found) + _number(said["left_out"])
                said = self._good(worker.line(), path)

        return self._ask(act)

    def _below(self, prefix: str, *, deep: bool) -> Iterator[ObjectInfo | str]:
        """In the order of their keys' bytes. A folder that is gone has nothing below it, as in buckets."""
        above, _, beginning = prefix.rpartition("/")
        try:
            if above and not self.look(above).is_folder:
                return
            if above and not beginning:
                yield ObjectInfo(prefix, 0, "", 0)
            walk = self._folder(above, deep, above.count("/"))
            yield from (one for one in walk if _key(one).startswith(prefix))
        except NotFound:
            if not above:
                raise

    def _folder(self, path: str, deep: bool, depth: int) -> Iterator[ObjectInfo | str]:
        if depth > _DEEPEST:
            return
        below = f"{path}/" if path else ""
        entries, _ = self.entries(path)
        for one in sorted(entries, key=_order):
            key = below + one.name
            if not one.is_folder:
                yield one.at(key)
            elif not deep:
                yield f"{key}/"
            else:
                yield ObjectInfo(f"{key}/", 0, "", 0)
                # Somebody removes folders while others list what is above them.
                with contextlib.suppress(NotFound):
                    yield from self._folder(key, deep, depth + 1)

    def _continued(self, walk: Iterator[ObjectInfo | str]) -> str:
        more = next(walk, None)
        if more is None:
            return ""
        token = secrets.token_hex(8)
        with self._lock:
            self._walks[token] = chain((more,), walk)
            while len(self._walks) > _WALKS:
                self._walks.popitem(last=False)
        return token

    def _read(self, key: str, start: int, length: int, etag: str) -> bytes:
        if not is_path(key):
            raise NotFound(refusals.NOTHING)
        asked = {"act": "read", "path": key, "offset": start, "count": length, "tag": etag}

        def act(worker: ExportProcess) -> bytes:
            said = self._good(worker.ask(asked), key)
            if said.get("stale"):
                raise Stale(refusals.CHANGED)
            count = _number(said.get("bytes"))
            if count > length:
                raise WorkerGone
            return worker.bytes(count)

        return self._ask(act)

    def _good(self, said: dict[str, Any], path: str) -> dict[str, Any]:
        if "errno" in said:
            raise refusals.refused(said["errno"], self._address, path)
        return said

    def _ask(self, act: Callable[[ExportProcess], T]) -> T:
        """Once more with another worker, where one that served before is gone."""
        with self._lock:
            for known in (self._worker, None):
                try:
                    self._worker = known or self._started()
                    return act(self._worker)
                except WorkerGone:
                    self._end()
                    if known is None:
                        break
        raise Unreachable(refusals.BROKEN.fill(host=self._address.host))

    def _started(self) -> ExportProcess:
        """It goes to the address that was looked at, not to the name again."""
        one = self._address
        with self._guard.connect(one.host, one.port) as reached:
            address = reached.getpeername()[0]
        order = {
            "address": address, "port": one.port, "path": one.path, "uid": one.uid, "gid": one.gid, "idle_s": IDLE_S,
        }  # fmt: skip
        try:
            worker = ExportProcess(order)
        except WorkerGone:
            raise BadAnswer(refusals.NO_NFS.fill(host=one.host, port=one.port)) from None
        if worker.first.get("mounted"):
            return worker
        worker.end()
        if worker.first.get("missing"):
            raise Unavailable(refusals.NO_LIBRARY)
        raise refusals.not_mounted(worker.first.get("errno"), one)

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def _entry(said: object) -> ExportEntry | None:
    """What is neither file nor folder is none."""
    if not isinstance(said, list) or len(said) != 6:
        raise WorkerGone
    name, is_folder, is_file, size, modified, tag = said
    if not isinstance(name, str) or not isinstance(tag, str) or len(tag) > _LONGEST_TAG:
        raise WorkerGone
    found = ExportEntry(name, is_folder is True, _number(size), _number(modified), tag)
    return found if is_folder is True or is_file is True else None


def _number(said: object) -> int:
    if not isinstance(said, int) or not 0 <= said < 1 << 63:
        raise WorkerGone
    return said


def _order(one: ExportEntry) -> bytes:
    return (f"{one.name}/" if one.is_folder else one.name).encode("utf-8", "surrogateescape")


def _key(one: ObjectInfo | str) -> str:
    return one if isinstance(one, str) else one.key
