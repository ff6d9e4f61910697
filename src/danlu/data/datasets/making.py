"""A snapshot by several processes: each takes one folder after the other, and the first puts them together."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from danlu.data.datasets.known import KnownFolder, load_known, save_known
from danlu.data.datasets.objects import Objects, ObjectWriter
from danlu.data.datasets.snapshot import Findings, TooMuch, Walk
from danlu.data.files.descent import open_folder
from danlu.ports.files import PlaceBelow

_FORK = multiprocessing.get_context("fork")
_TELL_S = 0.5
_PR_SET_PDEATHSIG = 1
_PARTS = 64
_DEEP = 3
Tell = Callable[[dict[str, int]], None]


@dataclass(frozen=True, slots=True)
class SnapshotWish:
    """What to put into the store, what is known of it (`known` is a file, `roots` whose versions there are), and how
    many new bytes it may take."""

    place: PlaceBelow
    known: Path
    roots: tuple[str, ...]
    reread: bool = False
    most: int | None = None
    workers: int = 2
    clock: Callable[[], int] = time.time_ns


@dataclass(frozen=True, slots=True)
class MadeSnapshot:
    folder: KnownFolder
    found: Findings
    stored: int


def make_snapshot(objects: Objects, wish: SnapshotWish, tell: Tell) -> MadeSnapshot:
    """The contents are on disk and in their places when this returns; nobody else is told of them."""
    known = {} if wish.reread else load_known(wish.known, wish.roots)
    counts = _Counts(max(1, wish.workers) + 1, wish.most)
    with _telling(counts, tell):
        found, stored = _by_others(objects, wish, known, counts)
        session = ObjectWriter(objects)
        try:
            walk = Walk(session, known, counts.counter(0, session), wish.clock, found.folders)
            top = walk.folder(open_folder(wish.place), "")
            session.finish()
            stored += session.stored
        finally:
            session.close()
    _joined(found, walk.found)
    save_known(wish.known, top.digest.hex(), found.folders)
    return MadeSnapshot(top, found, stored)


def _by_others(
    objects: Objects, wish: SnapshotWish, known: Mapping[str, KnownFolder], counts: _Counts
) -> tuple[Findings, int]:
    """What several processes found in as many parts of the folder as there are."""
    found, stored = Findings(), 0
    parts = _parts(wish.place) if wish.workers > 1 else []
    if len(parts) < 2:
        return found, stored
    following = _FORK.Value("Q", 0)
    children = []
    for number in range(min(wish.workers, len(parts))):
        ours, theirs = _FORK.Pipe(duplex=False)
        child = _FORK.Process(
            target=_child,
            args=(objects, wish, known, parts, following, counts, number + 1, theirs),
            daemon=True,
        )
        child.start()
        theirs.close()
        children.append((child, ours))
    try:
        for _, ours in children:
            result = ours.recv()
            if isinstance(result, Exception):
                raise result
            _joined(found, result[0])
            stored += result[1]
    except EOFError:
        raise OSError("a process that read files ended unexpectedly") from None
    finally:
        for child, _ in children:
            child.kill()
            child.join()
    return found, stored


def _child(
    objects: Objects,
    wish: SnapshotWish,
    known: Mapping[str, KnownFolder],
    parts: Sequence[str],
    following: Any,
    counts: _Counts,
    number: int,
    to: Any,
) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    session = ObjectWriter(objects)
    try:
        walk = Walk(session, known, counts.counter(number, session), wish.clock)
        while True:
            with following.get_lock():
                at = following.value
                following.value += 1
            if at >= len(parts):
                break
            path = parts[at]
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                fd = open_folder(wish.place.below(os.fsencode(path)))
                walk.folder(fd, path, path.count("/") + 1)
        session.finish()
        to.send((walk.found, session.stored))
    except Exception as error:
        to.send(error)
    finally:
        session.close()


def _parts(place: PlaceBelow) -> list[str]:
    """Folders that hold the rest, none in another; a few of them only where there are no more."""
    parts, whole = [""], False
    for _ in range(_DEEP):
        if len(parts) >= _PARTS or whole:
            break
        inner = [below for path in parts for below in _folders_in(place, path)]
        whole = not inner
        # A folder that has files too is walked by the one that puts all together.
        parts = inner or parts
    return sorted(parts) if parts != [""] else []


def _folders_in(place: PlaceBelow, path: str) -> Iterator[str]:
    with contextlib.suppress(OSError):
        fd = open_folder(place.below(os.fsencode(path)))
        try:
            with os.scandir(fd) as entries:
                for one in entries:
                    if one.is_dir(follow_symlinks=False):
                        yield f"{path}/{one.name}" if path else one.name
        finally:
            os.close(fd)


def _joined(found: Findings, more: Findings) -> None:
    for path, one in more.folders.items():
        if path not in found.folders:
            found.folders[path] = one
            found.tally.add(one.tally)
    found.left_out = [*found.left_out, *more.left_out][:20]


class _Counts:
    """What all processes looked at so far, in memory that they share."""

    def __init__(self, processes: int, most: int | None) -> None:
        self._all = _FORK.RawArray("Q", 4 * processes)
        self._most = most

    def counter(self, process: int, session: ObjectWriter) -> Callable[[int, int, int], None]:
        own, at = self._all, 4 * process

        def looked(files: int, size: int, read: int) -> None:
            own[at] += files
            own[at + 1] += size
            if read:
                own[at + 2] += read
                own[at + 3] = session.stored
                if self._most is not None and session.stored and self.stored > self._most:
                    raise TooMuch

        return looked

    @property
    def stored(self) -> int:
        return sum(self._all[3::4])

    def told(self) -> dict[str, int]:
        files, size, read, stored = (sum(self._all[at::4]) for at in range(4))
        return {"files": files, "bytes": size, "read": read, "stored": stored}


@contextlib.contextmanager
def _telling(counts: _Counts, tell: Tell) -> Iterator[None]:
    over = threading.Event()

    def run() -> None:
        while not over.wait(_TELL_S):
            tell(counts.told())

    thread = threading.Thread(target=run, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    tell(counts.told())
