"""What was held, asked for and used over days and weeks, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class TrendPoint:
    """A step, from `at` on: GPUs `held` and asked for by those `queued`, on average (CPUs for the model cpu), the share
    in `use` (0 to 1), the mean `wait` in seconds, and how many attempts began and jobs ended or failed."""

    at: str
    held: float = 0
    queued: float = 0
    use: float | None = None
    wait: float | None = None
    starts: int = 0
    ended: int = 0
    failed: int = 0


@dataclass(frozen=True)
class TrendLine:
    """`key` is empty when there is one line for all; `others` are all but the largest."""

    key: str
    points: tuple[TrendPoint, ...] = ()


@dataclass(frozen=True)
class CapacityPoint:
    at: str
    total: float = 0


@dataclass(frozen=True)
class CapacityLine:
    """GPUs of a model (CPUs for cpu) on nodes that took jobs, on average."""

    model: str
    points: tuple[CapacityPoint, ...] = ()


@dataclass(frozen=True)
class Trend:
    """Every line has a point for every step between `since` and `until`."""

    since: str
    until: str = ""
    step: str = ""
    lines: tuple[TrendLine, ...] = ()
    capacity: tuple[CapacityLine, ...] = ()


class Trends:
    """Filters are `by` (project, user, class or model), `step` (hour, day or week), `since` and `until` (a moment, or
    how long ago: -7d), `project`, `user` (`me` is oneself), `model` (`cpu` is what has no GPUs) and `job_class`."""

    http: Http

    def trends(self, **filters: Any) -> Trend:
        """What was held, asked for and used; a week by days unless said otherwise."""
        found = self.http.json("GET", "trends", _spelled(filters))
        return Trend(
            since=found["since"],
            until=found["until"],
            step=found["step"],
            lines=tuple(
                TrendLine(one["key"], tuple(_read(TrendPoint, point) for point in one["points"]))
                for one in found["lines"]
            ),
            capacity=tuple(
                CapacityLine(one["model"], tuple(_read(CapacityPoint, point) for point in one["points"]))
                for one in found["capacity"]
            ),
        )

    def trends_table(self, **filters: Any) -> bytes:
        """The same as CSV: a row for every point of every line."""
        _, table, _ = self.http.send("GET", "trends", {**_spelled(filters), "format": "csv"})
        return table


def _spelled(filters: Mapping[str, Any]) -> dict[str, Any]:
    return {"class" if key == "job_class" else key: value for key, value in filters.items()}


def _read(kind: type[Any], data: Mapping[str, Any]) -> Any:
    """Fields that this client does not know are ignored."""
    return kind(**{key: value for key, value in data.items() if key in kind.__dataclass_fields__})
