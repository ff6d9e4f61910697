"""What folders take: counted gently in the background by the process that runs tasks, read by all."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
import time
from dataclasses import asdict
from pathlib import Path

from danlu.ports.clock import Clock
from danlu.ports.disk_use import DiskCount, sizes_below
from danlu.ports.storage import DiskFigure
from danlu.ports.supervision import write_json

log = logging.getLogger(__name__)

ROUND_S = 60.0
"""How far apart counts of the same folder begin at least."""
_SLICE_S, _PAUSE_S, _SLICE_ENTRIES = 0.005, 0.05, 2_000
_MOST_ENTRIES = 20_000_000


class FileFigures:
    """Implements ports.storage.PersonalUse over a file that FolderCounter writes. Any thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read: tuple[tuple[int, int], dict[str, DiskFigure]] = ((0, 0), {})

    def of(self, name: str) -> DiskFigure | None:
        return self._figures().get(name)

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
    ones are not counted."""

    def __init__(self, root: Path, file: Path, clock: Clock) -> None:
        self._root, self._file, self._clock = root, file, clock
        self._figures: dict[str, DiskFigure] = {}

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            began = time.monotonic()
            try:
                self.round(stop)
            except Exception:
                log.exception("folders in %s could not be counted; retrying", self._root)
            stop.wait(max(1.0, began + ROUND_S - time.monotonic()))

    def round(self, stop: threading.Event) -> None:
        """Count every folder once; figures of folders that are gone are dropped."""
        with os.scandir(self._root) as folders:
            names = sorted(
                one.name
                for one in folders
                if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")
            )
        for name in names:
            figure = self._figure(str(self._root / name), stop)
            if figure is None:
                return
            self._figures[name] = figure
            self._write(names)

    def _figure(self, folder: str, stop: threading.Event) -> DiskFigure | None:
        count = count_gently(folder, stop)
        if count is None:
            return None
        complete = count.done and not count.too_deep
        return DiskFigure(count.size, count.entries, self._clock.now(), complete, count.too_deep)

    def _write(self, names: list[str]) -> None:
        self._figures = {name: self._figures[name] for name in names if name in self._figures}
        write_json(str(self._file), {name: asdict(one) for name, one in self._figures.items()})


def count_gently(folder: str, stop: threading.Event) -> DiskCount | None:
    """In slices of a few milliseconds, as far as one count goes; None if told to stop meanwhile."""
    count = DiskCount(sizes_below(folder))
    count.go_on(_SLICE_S, _SLICE_ENTRIES)
    while not count.done and count.entries < _MOST_ENTRIES:
        if stop.wait(_PAUSE_S):
            return None
        count.go_on(_SLICE_S, _SLICE_ENTRIES)
    return count
