"""What tasks and nodes used, from the files of samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from danlu.domain.job import Time
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.samples import usage_file
from danlu.ports.usage import NODES_EVERY, TASKS_EVERY, NetworkLines, TimeWindow, Traffic, Usage
from danlu.telemetry import curves
from danlu.telemetry.logs import log_path
from danlu.telemetry.samples import Readings, read_samples

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

    def of_network(self, span: TimeWindow) -> NetworkLines:
        readings = read_samples(network_path(self._nodes), span.window)
        if readings is None or not readings.times.size:
            return curves.NO_NETWORK
        end = self._end(readings, span)
        return curves.draw_network(readings, end - span.window, end, span.points)

    def traffic(self) -> Traffic | None:
        readings = read_samples(network_path(self._nodes), NODES_EVERY)
        if readings is None or not readings.times.size:
            return None
        received, sent = readings.values[:2, -1].tolist()
        recent = readings.times[-1] >= self._clock.now() - 3 * NODES_EVERY
        if not recent or math.isnan(received) or math.isnan(sent):
            return None
        return Traffic(round(received), round(sent), *readings.last[:2])

    def _drawn(self, path: Path, span: TimeWindow) -> Usage:
        readings = read_samples(path, span.window)
        if readings is None or not readings.times.size:
            return curves.NOTHING
        end = self._end(readings, span)
        return curves.draw(readings, end - span.window, end, span.points)

    def _end(self, readings: Readings, span: TimeWindow) -> Time:
        end: Time = self._clock.now() if span.end is None else span.end
        # The clock may have been set back since the last one was written.
        return max(end, int(readings.times[-1]))


def task_path(logs: Path, key: LogKey) -> Path:
    return Path(usage_file(str(log_path(logs, key))))


def node_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.usage"


def network_path(folder: Path) -> Path:
    """Beside the folder of nodes, whose names are anything."""
    return folder.with_name("network.usage")
