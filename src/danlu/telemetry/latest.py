"""What trainings reported last, read from the ends of their files as these grow."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path

from danlu.ports.logs import LogKey
from danlu.ports.metrics import MOST_NAMES, TOTAL_STEPS, Latest, Point
from danlu.ports.reports import LARGEST_STEP, METRICS_FILE, READ_AT_ONCE, look_at, read_points, reports_folder
from danlu.telemetry.logs import log_path

_ASIDE = frozenset({TOTAL_STEPS, "step", "steps", "epoch", "epochs", "lr", "learning_rate"})
"""They say how a training is set up or how far it is, and nothing about how good it is."""


class FileLatest:
    """The LatestReader over `logs/` of the data directory."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._files: dict[LogKey, _ReportTail] = {}

    def look(self, run: LogKey) -> Latest | None:
        file = self._files.get(run)
        if file is None:
            file = self._files[run] = _ReportTail(reports_folder(str(log_path(self._logs, run))))
        return file.look()

    def keep_only(self, runs: Collection[LogKey]) -> None:
        self._files = {run: file for run, file in self._files.items() if run in runs}


class _ReportTail:
    """One file: its beginning, where a training tells how many steps it takes, and then its end."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._lasts: dict[str, Point] = {}
        self._latest: Latest | None = None

    def look(self) -> Latest | None:
        found = look_at(self._folder, METRICS_FILE)
        if found is None:
            return self._latest
        identity = (found.st_dev, found.st_ino)
        if identity != self._identity or found.st_size < self._offset:
            self._identity, self._offset, self._lasts = identity, 0, {}
        if found.st_size > self._offset:
            self._read()
            if found.st_size - self._offset > READ_AT_ONCE:
                self._offset = found.st_size - READ_AT_ONCE  # amid a line, which is skipped
            self._read()
            self._latest = _latest(self._lasts) or self._latest
        return self._latest

    def _read(self) -> None:
        points, self._offset = read_points(self._folder, self._offset)
        for at, step, values in points:
            for name, value in values.items():
                if name in self._lasts or len(self._lasts) < MOST_NAMES:
                    self._lasts[name] = Point(step, at, value)


def _latest(lasts: Mapping[str, Point]) -> Latest | None:
    if not lasts:
        return None
    end = max(lasts.values())
    total = lasts.get(TOTAL_STEPS)
    name = min((name for name in lasts if name.lower() not in _ASIDE), key=_rank, default=None)
    value = math.nan if name is None else lasts[name].value
    return Latest(
        end.step,
        end.time,
        int(total.value) if total is not None and 1 <= total.value <= LARGEST_STEP else None,
        name,
        value if math.isfinite(value) else None,
    )


def _rank(name: str) -> tuple[int, str]:
    """The loss of the training comes first, then any other loss."""
    said = name.lower()
    if said == "loss":
        return 0, said
    if "loss" in said:
        return (1 if said.startswith("train") else 2), said
    return 3, said
