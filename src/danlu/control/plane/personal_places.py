"""Personal directories of people whose jobs run on this machine: how full they are, and which are counted often."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from danlu.control.plane.count_often import CountOften, personal_often
from danlu.control.plane.mount_watch import Bounded
from danlu.domain.job import Job
from danlu.domain.node import Node
from danlu.domain.volumes.capacity import most_of
from danlu.ports.clock import Clock
from danlu.ports.storage import DiskFigure


class PersonalPlaces:
    """Any thread. `bound` is what a person's may take, None: anything; `tolerance` as of `most_of`."""

    def __init__(
        self,
        live: Callable[[], Iterable[Job]],
        nodes: Callable[[], Sequence[Node]],
        figure: Callable[[str], DiskFigure | None],
        bound: Callable[[str], int | None],
        tolerance: int,
    ) -> None:
        self._live, self._nodes, self._figure = live, nodes, figure
        self._bound, self._tolerance = bound, tolerance
        self._seen: tuple[Sequence[Node], frozenset[str]] = ((), frozenset())

    def of(self, job: Job) -> Bounded | None:
        """The one that a job has here, if anything bounds it."""
        figure, bound = self._figure(job.owner), self._bound(job.owner)
        if figure is None or not bound or not self._is_here(job):
            return None
        return Bounded(figure, bound, most_of(bound, self._tolerance))

    def often(self, clock: Clock) -> CountOften:
        return personal_often(
            lambda: [job for job in self._live() if self._is_here(job)], self._bound, self._figure, clock
        )

    def _is_here(self, job: Job) -> bool:
        """Jobs in clusters have directories there, or none."""
        nodes = self._nodes()
        if nodes is not self._seen[0]:
            self._seen = (nodes, frozenset(node.name for node in nodes if not node.cluster))
        return any(task.node in self._seen[1] for task in job.live_tasks)
