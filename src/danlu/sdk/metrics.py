"""What trainings tell of themselves, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class MetricPoint:
    """The latest value of a metric; `time` is in milliseconds, None as value is no number."""

    step: int
    time: int = 0
    value: float | None = None


@dataclass(frozen=True)
class MetricName:
    """A metric and the tasks that told of it."""

    name: str
    tasks: tuple[str, ...] = ()
    last: MetricPoint = MetricPoint(0)


@dataclass(frozen=True)
class MetricSeries:
    """A metric of one task over its steps: in each stretch its last step and time (milliseconds), and the mean, the
    lowest and the highest value; None where none is a number."""

    name: str
    role: str = ""
    task: str = ""
    attempt: int = 0
    steps: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    values: tuple[float | None, ...] = ()
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Throughput:
    """Steps per second over so many milliseconds; None when nobody knows."""

    steps_per_second: float | None = None
    over_ms: int = 0


@dataclass(frozen=True)
class GpuBusy:
    """How busy the GPUs were over the same time, in percent; None where none is measured."""

    busy: float | None = None


@dataclass(frozen=True)
class JobMetrics:
    """What a training told, how fast it goes, and what seems to hold it up (`hint`, keyed by language)."""

    names: tuple[MetricName, ...] = ()
    series: tuple[MetricSeries, ...] = ()
    latest_step: int | None = None
    throughput: Throughput = Throughput()
    gpu: GpuBusy = GpuBusy()
    hint: Mapping[str, str] | None = None


class MetricValue(NamedTuple):
    """One value as it was told; `time` is in milliseconds."""

    step: int
    time: int
    name: str
    task: str
    value: float


class Metrics:
    """What trainings told by `danlu.log`, or wrote for TensorBoard."""

    http: Http

    def metrics(
        self,
        job: str,
        names: Sequence[str] = (),
        task: str | None = None,
        attempt: int | None = None,
        points: int | None = None,
        by: str | None = None,
        all_tasks: bool = False,
    ) -> JobMetrics:
        """Lines of at most so many points by `step` or by `time`, over all attempts joined or of one. Without names
        the first 32 lines; with `all_tasks` a line for each task that told of a metric, else of the first."""
        asked = {"points": points, "by": by, "all_tasks": True if all_tasks else None}
        return _metrics(self.http.json("GET", *_query(job, names, task, attempt, asked)))

    def metric_values(
        self, job: str, names: Sequence[str] = (), task: str | None = None, attempt: int | None = None
    ) -> Iterator[MetricValue]:
        """Every single value that counts, as it arrives; there may be millions."""
        import csv  # seldom needed

        rows = csv.reader(self.metric_lines(job, names, task, attempt))
        next(rows, None)
        for step, time, name, by, value in rows:
            yield MetricValue(int(step), int(time), name, by, float(value))

    def metric_lines(
        self, job: str, names: Sequence[str] = (), task: str | None = None, attempt: int | None = None
    ) -> Iterator[str]:
        """The same as lines of CSV, a heading first."""
        path, asked = _query(job, names, task, attempt, {"format": "csv"})
        with self.http.translated(), self.http.stream(path, asked) as answer:
            for line in answer:
                yield line.decode()


def _query(
    job: str, names: Sequence[str], task: str | None, attempt: int | None, more: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    asked = {"name": list(names), "task": task, "attempt": attempt, **more}
    return f"jobs/{segment(job)}/metrics", asked


def _metrics(data: Mapping[str, Any]) -> JobMetrics:
    return JobMetrics(
        names=tuple(
            _read(MetricName, {**one, "last": _read(MetricPoint, one["last"])}) for one in data["names"]
        ),
        series=tuple(_read(MetricSeries, one) for one in data["series"]),
        latest_step=data.get("latest_step"),
        throughput=_read(Throughput, data["throughput"]),
        gpu=_read(GpuBusy, data["gpu"]),
        hint=data.get("hint"),
    )


def _read(kind: type[Any], data: Mapping[str, Any]) -> Any:
    """Fields that this client does not know are ignored."""
    known = {one.name for one in fields(kind)}
    return kind(
        **{
            key: tuple(value) if isinstance(value, list) else value
            for key, value in data.items()
            if key in known
        }
    )
