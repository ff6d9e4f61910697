"""Metrics of trainings as JSON and as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from danlu.control.jobs.metrics import Going
from danlu.ports.metrics import MetricName, Point, Run
from danlu.server.http.answering import Json, words
from danlu.server.http.tables import csv_lines
from danlu.server.jobs import metrics_models as models

_COLUMNS = ("step", "time", "name", "task", "value")


def going(one: Going) -> Json:
    return {
        "names": [_name(name) for name in one.metrics.names],
        "series": [models.MetricSeries.render(series) for series in one.metrics.series],
        "latest_step": one.latest_step,
        "total_steps": one.total_steps,
        "throughput": {
            "steps_per_second": _rounded(one.throughput.steps_per_second, 6),
            "over_ms": one.throughput.over,
        },
        "gpu": {"busy": _rounded(one.busy, 1)},
        "hint": words(one.hint) if one.hint else None,
    }


def as_csv(batches: Iterable[list[tuple[Run, str, Point]]]) -> Iterator[bytes]:
    """A heading and a row for each value; the rows of a batch at once, since there may be millions. Nothing for an
    empty batch."""
    yield b"".join(csv_lines(_COLUMNS, ()))
    for batch in batches:
        rows = ((point.step, point.time, name, run.task, point.value) for run, name, point in batch)
        yield b"".join(csv_lines(None, rows))


def _name(one: MetricName) -> Json:
    step, time, value = one.last
    last = {"step": step, "time": time, "value": value if math.isfinite(value) else None}
    return {"name": one.name, "tasks": list(one.tasks), "last": last}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
