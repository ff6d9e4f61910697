"""Fills one folder with what a mount holds: a few answers at a time, each with many small files or one large one."""

from __future__ import annotations

import json
import threading
from concurrent.futures import FIRST_COMPLETED, FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import IO, Any, Callable, Iterator, NamedTuple

from danlu.ports.filling import DATASET
from danlu.runtime.filling.folder import ArrivingFile, FilledFolder
from danlu.runtime.filling.wire import FillFailed, FillTrouble, MountWire, Patience, WantedFile

AT_ONCE = 4
_MOST_FILES, _MOST_BYTES, _MOST_NAMES = 1_000, 4 << 20, 256 << 10
"""In one answer: of small files, so that what breaks off is little, and the request is small."""
_TRIES = 3
"""How often a content may be wrong: once may be a bad connection."""


class FillWish(NamedTuple):
    """A mount of the job, by its number, and where it is to be. `bound`: how many bytes it may have; 0: any."""

    number: int
    into: str
    kind: str
    title: str
    bound: int = 0


class Filler:
    """`tell` hears how many bytes of how many came."""

    def __init__(
        self, wish: FillWish, wire: MountWire, patience: Patience, tell: Callable[[int, int], None]
    ) -> None:
        self._wish, self._wire, self._patience, self._tell = wish, wire, patience, tell
        self._folder = FilledFolder(wish.into)
        self._came = self._size = 0
        self._given_up = threading.Event()
        self._lock = threading.Lock()

    def fill(self) -> None:
        """FillFailed says why it cannot be."""
        with self._folder.notes() as notes:
            files = self._list(notes)
            if self._wish.bound and self._size > self._wish.bound:
                raise FillFailed("over_bound", size=self._size, bound=self._wish.bound)
            self._folder.require_room(self._size, files)
            self._tell(0, self._size)
            self._fetch_all(notes)
            for line in _lines(notes):
                if line["kind"] == "link":
                    self._folder.link(str(line["path"]), str(line["target"]))
        self._tell(self._size, self._size)

    def _list(self, notes: IO[bytes]) -> int:
        """Note what there is; how many files that are."""
        files, after = 0, ""
        while True:
            try:
                for line in self._wire.manifest(after):
                    notes.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                    after = str(line["path"])
                    self._size += int(line.get("size") or 0)
                    files += 1
                return files
            except FillTrouble as trouble:
                self._patience.bear(trouble)

    def _fetch_all(self, notes: IO[bytes]) -> None:
        threads = ThreadPoolExecutor(AT_ONCE, "filling")
        running: set[Future[None]] = set()
        try:
            for batch in self._batches(notes, lambda: _drain(running)):
                running.add(threads.submit(self._fetch, batch))
                if len(running) >= 2 * AT_ONCE:
                    _drain(running, FIRST_COMPLETED)
            _drain(running)
        except BaseException:
            self._given_up.set()
            for one in running:
                one.cancel()
            raise
        finally:
            threads.shutdown(wait=False)

    def _batches(self, notes: IO[bytes], drain: Callable[[], None]) -> Iterator[list[ArrivingFile]]:
        batch: list[ArrivingFile] = []
        size = names = 0
        for line in _lines(notes):
            if line["kind"] == "folder":
                self._folder.make_above(self._folder.place(str(line["path"])) + b"/.")
            if line["kind"] != "file":
                continue
            place = self._folder.place(str(line["path"]))
            if not self._folder.make_above(place):
                # An object and a folder of one name: the folder is what tasks see.
                if batch:
                    yield batch
                    batch, size, names = [], 0, 0
                drain()
                self._folder.clear_above(place)
                self._folder.make_above(place)
            its_size, its_name = int(line["size"]), len(str(line["path"])) + len(str(line["tag"])) + 40
            full = (
                len(batch) >= _MOST_FILES or size + its_size > _MOST_BYTES or names + its_name > _MOST_NAMES
            )
            if batch and full:
                yield batch
                batch, size, names = [], 0, 0
            batch.append(ArrivingFile(place, line, hashed=self._wish.kind == DATASET))
            size, names = size + its_size, names + its_name
        if batch:
            yield batch

    def _fetch(self, batch: list[ArrivingFile]) -> None:
        """Until all of it is there: what came before a connection broke does not come again."""
        missing = {str(one.told["path"]): one for one in batch}
        while missing and not self._given_up.is_set():
            wanted = [
                WantedFile(path, str(one.told["tag"]), int(one.told["size"]), one.offset)
                for path, one in missing.items()
            ]
            try:
                for asked in self._wire.contents(
                    wanted, lambda asked, data: self._take(missing[asked.path], data)
                ):
                    self._finish(missing, asked.path)
            except FillTrouble as trouble:
                self._patience.bear(trouble)

    def _take(self, file: ArrivingFile, data: bytes) -> None:
        if self._given_up.is_set():
            raise FillFailed("told", "it was given up")
        file.write(data)
        self._count(len(data))

    def _finish(self, missing: dict[str, ArrivingFile], path: str) -> None:
        file = missing[path]
        size = file.offset
        if file.finish():
            del missing[path]
            return
        self._count(-size)
        if file.wrong >= _TRIES:
            raise FillFailed("damaged", f"'{path}'")

    def _count(self, size: int) -> None:
        with self._lock:
            self._came += size
            came = self._came
        self._tell(came, self._size)


def _lines(notes: IO[bytes]) -> Iterator[dict[str, Any]]:
    notes.seek(0)
    for line in notes:
        told = json.loads(line)
        yield told


def _drain(running: set[Future[None]], until: str = FIRST_EXCEPTION) -> None:
    """All of them, or until one is done; the first failure is raised."""
    done, rest = wait(running, return_when=until)
    for one in done:
        one.result()
    running.intersection_update(rest)
