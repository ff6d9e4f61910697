"""What tasks and nodes used, from the files of samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from danlu.domain.job import Time
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.samples import usage_file
from danlu.ports.usage import TASKS_EVERY, TimeWindow, Usage
from danlu.telemetry import curves
from danlu.telemetry.logs import log_path
from danlu.telemetry.samples import read_samples

_RECENT = 3 * TASKS_EVERY


@dataclass(frozen=True, slots=True)
class Present:
    """What a task uses now; `gpus` by GPU: utilisation in percent and bytes in use, nan if unknown."""

    cpus: float
    memory: float
    gpus: Mapping[int, tuple[float, float]]


class FileUsage:
    """The UsageReader over `logs/` and the samples of nodes in the data directory."""

    def __init__(self, logs: Path, nodes: Path, clock: Clock) -> None:
        self._logs, self._nodes, self._clock = logs, nodes, clock

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage:
        return self._drawn(task_path(self._logs, key), span)

    def of_node(self, name: str, span: TimeWindow) -> Usage:
        return self._drawn(node_path(self._nodes, name), span)

    def present(self, key: LogKey) -> Present | None:
        """The current usage; None if the task was not measured recently."""
        readings = read_samples(task_path(self._logs, key), _RECENT)
        if readings is None or not readings.times.size or readings.times[-1] < self._clock.now() - _RECENT:
            return None
        cpus, memory, *cards = readings.values[:, -1].tolist()
        gpus = {index: (cards[2 * at], cards[2 * at + 1]) for at, index in enumerate(readings.gpus)}
        return Present(cpus, memory, gpus)

    def _drawn(self, path: Path, span: TimeWindow) -> Usage:
        readings = read_samples(path, span.window)
        if readings is None or not readings.times.size:
            return curves.NOTHING
        end: Time = self._clock.now() if span.end is None else span.end
        # The clock may have been set back since the last one was written.
        end = max(end, int(readings.times[-1]))
        return curves.draw(readings, end - span.window, end, span.points)


def task_path(logs: Path, key: LogKey) -> Path:
    return Path(usage_file(str(log_path(logs, key))))


def node_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.usage"
