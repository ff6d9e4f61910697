"""Jobs beside each other: what their files say differently, and the last values of their metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

if TYPE_CHECKING:
    from danlu.sdk.models import Job, JobMetrics


class Parameter(NamedTuple):
    """A value of the jobs' files, such as `env.LR`: one for each job, None where a file does not have it."""

    name: str
    values: tuple[str | None, ...]
    differs: bool


class LastMetric(NamedTuple):
    """The last value of a metric in each job; None where a job did not report it."""

    name: str
    values: tuple[float | None, ...]


class Comparison(NamedTuple):
    """Jobs in the given order, their parameters (those that differ first) and their metrics."""

    jobs: tuple[Job, ...]
    parameters: tuple[Parameter, ...]
    metrics: tuple[LastMetric, ...]


def compared(jobs: Sequence[Job], told: Sequence[JobMetrics]) -> Comparison:
    return Comparison(tuple(jobs), parameters([job.spec for job in jobs]), last_metrics(told))


def parameters(files: Sequence[Mapping[str, Any]]) -> tuple[Parameter, ...]:
    """Every value but the names: those that differ first, each in the order of the files."""
    flat = [{name: value for name, value in _flat(file, "") if name != "name"} for file in files]
    names = list(dict.fromkeys(name for file in flat for name in file))
    rows = [tuple(file.get(name) for file in flat) for name in names]
    found = [Parameter(name, values, len(set(values)) > 1) for name, values in zip(names, rows)]
    return tuple(sorted(found, key=lambda one: not one.differs))


def last_metrics(told: Sequence[JobMetrics]) -> tuple[LastMetric, ...]:
    last = [{one.name: one.last.value for one in each.names} for each in told]
    names = sorted({name for each in last for name in each})
    nan = float("nan")
    return tuple(
        LastMetric(
            name,
            tuple((nan if each[name] is None else each[name]) if name in each else None for each in last),
        )
        for name in names
    )


def _flat(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{at}.{key}" if at else str(key))
    elif isinstance(value, str):
        yield at, value
    elif isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        yield at, " ".join(value)
    else:
        yield at, json.dumps(value, ensure_ascii=False)
