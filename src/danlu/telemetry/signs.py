"""Signs of progress, from the times at which a task's files were last written, and from its GPU use."""

from __future__ import annotations

from pathlib import Path

from danlu.domain.arrays import np
from danlu.domain.job import Time
from danlu.ports import beneath
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.reports import CHECKPOINTS_FILE, METRICS_FILE, reports_folder
from danlu.telemetry.logs import log_path
from danlu.telemetry.samples import read_samples
from danlu.telemetry.usage import task_path

_BUSY = 1.0
"""From this utilisation in percent on, a GPU counts as in use."""


class FileSigns:
    """The Signs port over `logs/` of the data directory."""

    def __init__(self, logs: Path, clock: Clock) -> None:
        self._logs, self._clock = logs, clock

    def last(self, task: LogKey, since: Time) -> Time | None:
        log = log_path(self._logs, task)
        reports = Path(reports_folder(str(log)))
        written = max(map(_written, (log, reports / METRICS_FILE, reports / CHECKPOINTS_FILE)))
        # A file time in the future counts as now.
        moment = min(written, self._clock.now())
        if moment > since:
            return moment
        busy = self._gpus_used(task, since)
        return busy if busy is not None and busy > since else None

    def _gpus_used(self, task: LogKey, since: Time) -> Time | None:
        """When a card was last seen in use."""
        readings = read_samples(task_path(self._logs, task), max(0, self._clock.now() - since))
        if readings is None or not readings.gpus or not readings.times.size:
            return None
        used = np.flatnonzero((readings.values[2::2] >= _BUSY).any(axis=0))
        return int(readings.times[used[-1]]) if used.size else None


def _written(path: Path) -> Time:
    """When a file last changed; 0 where there is none, or nothing in it."""
    found = beneath.look_at(str(path.parent.parent), f"{path.parent.name}/{path.name}")
    return found.st_mtime_ns // 1_000_000 if found is not None and found.st_size else 0
