"""Measured use of tasks and nodes, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class Line:
    """A quantity over time: in each stretch its mean and its highest value; None where nothing was measured."""

    mean: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()

    @property
    def last(self) -> float | None:
        """Where the line ends; None when it has no points, or the last one is not known."""
        return self.mean[-1] if self.mean else None


@dataclass(frozen=True)
class GpuLines:
    """One GPU: how busy in percent, and bytes of its memory in use."""

    index: int
    busy: Line = Line()
    memory: Line = Line()


@dataclass(frozen=True)
class TaskUsage:
    """What a task used of what it was given: `cpus` in cores, `memory` in bytes, over `times` in milliseconds."""

    task: str
    node: str = ""
    attempt: int = 0
    times: tuple[int, ...] = ()
    cpus: Line = Line()
    memory: Line = Line()
    gpus: tuple[GpuLines, ...] = ()
    cpus_given: float = 0
    memory_given: int = 0
    gpus_given: tuple[int, ...] = ()


@dataclass(frozen=True)
class JobUsage:
    """By task; `measured_every` is in milliseconds."""

    items: tuple[TaskUsage, ...] = ()
    measured_every: int = 0


@dataclass(frozen=True)
class NodeUsage:
    """What all tasks on a node used together, of what it has."""

    node: str
    times: tuple[int, ...] = ()
    cpus: Line = Line()
    memory: Line = Line()
    gpus: tuple[GpuLines, ...] = ()
    cpus_total: float = 0
    memory_total: int = 0
    measured_every: int = 0


class Measured:
    """What tasks and nodes use, as measured. `window` is a time such as 30s, 6h or 7d."""

    http: Http

    def usage(
        self,
        job: str,
        window: str | None = None,
        points: int | None = None,
        task: str | None = None,
        attempt: int | None = None,
        try_: int | None = None,
    ) -> JobUsage:
        """How much a job's tasks used, back from now or from their end; an hour in 300 points by default. Of a task
        that was started again, its present try or the one of that number, the first being 0."""
        asked = {"window": window, "points": points, "task": task, "attempt": attempt, "try": try_}
        found = self.http.json("GET", f"jobs/{segment(job)}/usage", asked)
        return JobUsage(tuple(_read(TaskUsage, one) for one in found["items"]), found["measured_every"])

    def node_usage(self, name: str, window: str | None = None, points: int | None = None) -> NodeUsage:
        """How much all tasks on a node used together."""
        asked = {"window": window, "points": points}
        found: NodeUsage = _read(NodeUsage, self.http.json("GET", f"nodes/{segment(name)}/usage", asked))
        return found


def _read(kind: type[Any], data: Mapping[str, Any]) -> Any:
    """Fields that this client does not know are ignored."""
    lines = {"cpus": _line(data["cpus"]), "memory": _line(data["memory"])}
    gpus = tuple(GpuLines(one["index"], _line(one["busy"]), _line(one["memory"])) for one in data["gpus"])
    plain = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in data.items()
        if key in kind.__dataclass_fields__ and key not in ("cpus", "memory", "gpus")
    }
    return kind(**plain, **lines, gpus=gpus)


def _line(data: Mapping[str, Any]) -> Line:
    return Line(tuple(data["mean"]), tuple(data["high"]))
