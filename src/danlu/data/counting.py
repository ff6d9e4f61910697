"""What folders take: counted gently in the background by the process that runs tasks, read by all."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from danlu.domain.job import Time
from danlu.ports.clock import Clock
from danlu.ports.disk_use import DiskCount, sizes_below
from danlu.ports.storage import DiskFigure
from danlu.ports.supervision import write_json

log = logging.getLogger(__name__)

ROUND_S = 60.0
"""How far apart counts of the same folder begin at least."""
_SLICE_S, _PAUSE_S, _SLICE_ENTRIES = 0.005, 0.05, 2_000
_QUICK_SLICE_S, _QUICK_PAUSE_S, _QUICK_ENTRIES = 0.02, 0.03, 20_000
_LOOK_S = 2.0
_MOST_ENTRIES = 20_000_000


class FileFigures:
    """Implements ports.storage.PersonalUse over a file that FolderCounter writes. Any thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read: tuple[tuple[int, int], dict[str, DiskFigure]] = ((0, 0), {})

    def of(self, name: str) -> DiskFigure | None:
        return self._figures().get(name)

    def all(self) -> dict[str, DiskFigure]:
        return dict(self._figures())

    def _figures(self) -> dict[str, DiskFigure]:
        try:
            found = self._file.stat()
        except OSError:
            return {}
        stamp = (found.st_mtime_ns, found.st_ino)
        if self._read[0] != stamp:
            with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
                figures = json.loads(self._file.read_bytes())
                self._read = (stamp, {name: DiskFigure(**one) for name, one in figures.items()})
        return self._read[1]


class FolderCounter:
    """Counts the folders in `root` one after the other, and writes down each figure under the folder's name. Hidden
    ones are not counted. Those that `due` names are counted beside the others, by a thread of their own and with
    shorter pauses; `counted` is called after each."""

    def __init__(
        self,
        root: Path,
        file: Path,
        clock: Clock,
        due: Callable[[], Sequence[str]] = tuple,
        counted: Callable[[], None] = lambda: None,
    ) -> None:
        self._root, self._file, self._clock, self._due, self._counted = root, file, clock, due, counted
        self._figures = FileFigures(
            file
        ).all()  # what was counted before a restart holds until it is counted again
        self._lock = threading.Lock()

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            began = time.monotonic()
            try:
                self.round(stop)
            except Exception:
                log.exception("folders in %s could not be counted; retrying", self._root)
            stop.wait(max(1.0, began + ROUND_S - time.monotonic()))

    def run_due(self, stop: threading.Event) -> None:
        while not stop.wait(_LOOK_S):
            try:
                self.round_of_due(stop)
            except Exception:
                log.exception("folders in %s could not be counted in time; retrying", self._root)

    def round(self, stop: threading.Event) -> None:
        """Count every folder once; figures of folders that are gone are dropped."""
        names = self._names()
        for name in names:
            began = self._clock.now()
            figure = self._figure(name, stop)
            if figure is None:
                return
            self._keep(name, figure, began)
        with self._lock:
            self._figures = {name: self._figures[name] for name in names if name in self._figures}
            self._write()

    def round_of_due(self, stop: threading.Event) -> None:
        """Count what is due now."""
        for name in self._due():
            began = self._clock.now()
            figure = self._figure(name, stop, quick=True)
            if figure is None:
                return
            self._keep(name, figure, began)
            self._counted()

    def _names(self) -> list[str]:
        with os.scandir(self._root) as folders:
            return sorted(
                one.name
                for one in folders
                if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")
            )

    def _figure(self, name: str, stop: threading.Event, *, quick: bool = False) -> DiskFigure | None:
        count = count_gently(str(self._root / name), stop, quick=quick)
        if count is None:
            return None
        complete = count.done and not count.too_deep
        return DiskFigure(count.size, count.entries, self._clock.now(), complete, count.too_deep)

    def _keep(self, name: str, figure: DiskFigure, began: Time) -> None:
        """Unless the other thread has counted it since: a long count tells of what was there when it began."""
        with self._lock:
            known = self._figures.get(name)
            if known is None or known.counted_at <= began:
                self._figures[name] = figure
                self._write()

    def _write(self) -> None:
        write_json(str(self._file), {name: asdict(one) for name, one in self._figures.items()})


def count_gently(folder: str, stop: threading.Event, *, quick: bool = False) -> DiskCount | None:
    """In slices of a few milliseconds, as far as one count goes; None if told to stop meanwhile. A quick one takes up
    to two fifths of a core, any other a tenth."""
    slice_s, pause_s, entries = (
        (_QUICK_SLICE_S, _QUICK_PAUSE_S, _QUICK_ENTRIES) if quick else (_SLICE_S, _PAUSE_S, _SLICE_ENTRIES)
    )
    count = DiskCount(sizes_below(folder))
    count.go_on(slice_s, entries)
    while not count.done and count.entries < _MOST_ENTRIES:
        if stop.wait(pause_s):
            return None
        count.go_on(slice_s, entries)
    return count
