"""A file on its way: read in parts, tried again where that may help, held to a rate, and counted."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Callable, Iterable, Iterator, TypeVar

from danlu.sdk.copying.entries import CHUNK, CopyEntry, End, Opened, Range
from danlu.sdk.copying.options import CopyProgress
from danlu.sdk.http.errors import DiskFull, StorePassing, TooMany, Unavailable, Unreachable
from danlu.sdk.http.http import DROPPED

TRIES = 6
_PASSING = (Unreachable, Unavailable, TooMany, StorePassing, TimeoutError, *DROPPED)
_SLICE = 1 << 20
T = TypeVar("T")


class GivenUp(BaseException):
    """The copy was given up, by Ctrl-C or because nothing more can be written."""


class Rate:
    """So many bytes a second at most, together; any thread. What was not used is not saved up."""

    def __init__(self, bytes_a_second: int | None, stop: threading.Event) -> None:
        self._limit, self._stop = bytes_a_second, stop
        self._lock, self._free_at = threading.Lock(), 0.0

    def take(self, count: int) -> None:
        if self._limit:
            with self._lock:
                begins = max(time.monotonic(), self._free_at)
                self._free_at = begins + count / self._limit
            self._stop.wait(max(0.0, self._free_at - time.monotonic()))
        if self._stop.is_set():
            raise GivenUp


def tried(act: Callable[[], T], stop: threading.Event, tries: int = TRIES) -> T:
    """Again, a little later each time, if what went wrong may pass by itself."""
    for number in range(tries):
        try:
            return act()
        except _PASSING as why:
            if number + 1 == tries or isinstance(why, DiskFull):
                raise
            stop.wait(min(15.0, 0.25 * 2**number))
            if stop.is_set():
                raise GivenUp from None
    raise AssertionError("the last try returns or raises")


class SharedReading:
    """What a run shares among its files."""

    def __init__(
        self, source: End, progress: CopyProgress, rate: Rate, stop: threading.Event, at_once: int
    ) -> None:
        self.source, self.progress, self.rate, self.stop = source, progress, rate, stop
        self.at_once = at_once
        self.pool = ThreadPoolExecutor(at_once, "danlu-range")

    @contextlib.contextmanager
    def opened(self, entry: CopyEntry) -> Iterator[MovingFile]:
        file = tried(lambda: self.source.open(entry), self.stop)
        try:
            yield MovingFile(self, file)
        finally:
            file.close()


class MovingFile:
    """Implements entries.Content."""

    def __init__(self, reading: SharedReading, file: Opened) -> None:
        self._reading, self._file = reading, file
        self.entry, self.source = file.entry, reading.source

    def whole(self) -> bytes:
        return self._read((0, self.entry.size)) if self.entry.size else b""

    def pieces(self, offset: int = 0) -> Iterator[bytes]:
        if not self.source.is_ranged:
            yield from self._streamed()
            return
        size = self.entry.size
        ahead: deque[Future[bytes]] = deque()
        wanted = ((at, min(CHUNK, size - at)) for at in range(offset, size, CHUNK))
        # A small window: what nobody has taken yet is held in memory.
        for one in wanted:
            ahead.append(self._reading.pool.submit(self._read, one))
            if len(ahead) > 2:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def ranges(self, wanted: Iterable[Range]) -> Iterator[tuple[int, bytes]]:
        rest = iter(wanted)
        # The first alone: what it says of the version holds for all the others.
        first = next(rest, None)
        if first is None:
            return
        yield first[0], self._read(first)
        running: dict[Future[bytes], int] = {}
        try:
            for one in rest:
                running[self._reading.pool.submit(self._read, one)] = one[0]
                if len(running) >= self._reading.at_once:
                    yield from _finished(running)
            while running:
                yield from _finished(running)
        finally:
            for future in running:
                future.cancel()
            wait(running)

    def is_there(self, count: int) -> None:
        self._reading.progress.add(resumed=count)

    def moved(self, count: int) -> None:
        self._reading.progress.add(bytes=count)
        self._reading.rate.take(count)

    def check(self) -> None:
        self._file.check()

    def _read(self, wanted: Range) -> bytes:
        offset, length = wanted
        self._reading.rate.take(length)
        data = tried(lambda: self._file.read(offset, length), self._reading.stop)
        self._reading.progress.add(bytes=len(data))
        return data

    def _streamed(self) -> Iterator[bytes]:
        stream = getattr(self._file, "stream")  # noqa: B009 (only ends that are not ranged have it)
        for piece in stream(_SLICE):
            self.moved(len(piece))
            yield piece


def _finished(running: dict[Future[bytes], int]) -> Iterator[tuple[int, bytes]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        yield running.pop(future), future.result()
