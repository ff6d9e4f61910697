"""The metrics that trainings report, as series or as single values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Mapping, NamedTuple, Sequence

from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import JobMetrics


class MetricValue(NamedTuple):
    """One value as it was reported; `time` is in milliseconds."""

    step: int
    time: int
    name: str
    task: str
    value: float


class Metrics:
    """What trainings reported by `danlu.log` or wrote for TensorBoard."""

    http: Http

    def metrics(
        self,
        job: str,
        names: str | Sequence[str] = (),
        task: str | None = None,
        attempt: int | None = None,
        points: int | None = None,
        by: str | None = None,
        all_tasks: bool = False,
    ) -> JobMetrics:
        """Lines of at most so many points by `step` or by `time`, over all attempts joined or of one. Without names
        the first 32 lines; with `all_tasks` a line for each task that told of a metric, else of the first."""
        asked = {"points": points, "by": by, "all_tasks": True if all_tasks else None}
        return read(models.JobMetrics, self.http.json("GET", *_query(job, names, task, attempt, asked)))

    def metric_values(
        self, job: str, names: str | Sequence[str] = (), task: str | None = None, attempt: int | None = None
    ) -> Iterator[MetricValue]:
        """Every single value that counts, of one metric (`"loss"`), of several or of all, as it arrives; there may be
        millions."""
        import csv  # seldom needed

        rows = csv.reader(self.metric_lines(job, names, task, attempt))
        next(rows, None)
        for step, time, name, by, value in rows:
            yield MetricValue(int(step), int(time), name, by, float(value))

    def metric_lines(
        self, job: str, names: str | Sequence[str] = (), task: str | None = None, attempt: int | None = None
    ) -> Iterator[str]:
        """The same as lines of CSV, a heading first."""
        path, asked = _query(job, names, task, attempt, {"format": "csv"})
        with self.http.translated(), self.http.stream(path, asked) as answer:
            for line in answer:
                yield line.decode()


def _query(
    job: str, names: str | Sequence[str], task: str | None, attempt: int | None, more: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    asked = {
        "name": [names] if isinstance(names, str) else list(names),
        "task": task,
        "attempt": attempt,
        **more,
    }
    return f"jobs/{segment(job)}/metrics", asked
