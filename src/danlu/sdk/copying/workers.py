"""Threads that take what is to be done from a queue."""

from __future__ import annotations

import queue
import threading
from typing import Callable, NamedTuple

from danlu.sdk.copying.content import GivenUp
from danlu.sdk.copying.entries import CopyEntry


class FileTask(NamedTuple):
    """A file to be looked at by a worker: `to` is its key in the target, `there` what has that now."""

    entry: CopyEntry
    to: bytes
    there: CopyEntry | None


class Workers:
    """Threads that take what is in the queue; on the way out all of it is done, or given up."""

    def __init__(
        self,
        count: int,
        waiting: queue.Queue[list[FileTask] | None],
        work: Callable[[list[FileTask]], None],
        stop: threading.Event,
        error: Callable[[], BaseException | None],
    ) -> None:
        self._queue, self._work, self._stop, self._error = waiting, work, stop, error
        self._threads = [threading.Thread(target=self._loop, daemon=True) for _ in range(count)]
        self._crashed: BaseException | None = None

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, kind: object, why: object, trace: object) -> None:
        if kind is not None:
            self._stop.set()
        for _ in self._threads:
            while not self._stop.is_set():
                try:
                    self._queue.put(None, timeout=0.5)
                    break
                except queue.Full:
                    continue
        try:
            for thread in self._threads:
                while thread.is_alive():  # a join without an end would not hear Ctrl-C
                    thread.join(0.5)
        except BaseException:
            self._stop.set()
            raise
        for error in (self._error(), self._crashed):
            if error is not None:
                raise error

    def _loop(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    batch = self._queue.get(timeout=0.5)
                except queue.Empty:
                    continue
                if batch is None:
                    return
                self._work(batch)
        except GivenUp:
            pass
        except BaseException as why:
            self._crashed = why
            self._stop.set()
