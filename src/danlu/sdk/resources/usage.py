"""Measured usage of tasks and nodes, resources at a glance, and trends over days and weeks."""

from __future__ import annotations

from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read
from danlu.sdk.models.usage import JobUsage, NodeUsage, Resources, Trend
from danlu.sdk.resources.base import Resource, spelled


class Usage(Resource):
    """What tasks and nodes use, as measured. `window` is a time such as 30s, 6h or 7d."""

    def __call__(
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
        return read(JobUsage, self.http.json("GET", f"jobs/{segment(job)}/usage", asked))

    def node(self, name: str, window: str | None = None, points: int | None = None) -> NodeUsage:
        """How much all tasks on a node used in total."""
        asked = {"window": window, "points": points}
        return read(NodeUsage, self.http.json("GET", f"nodes/{segment(name)}/usage", asked))

    def resources(self) -> Resources:
        """What exists, is used, free and requested: yours and everybody's."""
        return read(Resources, self.http.json("GET", "resources"))

    def trends(self, **filters: object) -> Trend:
        """What was allocated, requested and used; a week by days by default. Filters are `by` (project, user,
        class or model), `step` (hour, day or week), `since` and `until` (a time, or how long ago: -7d), `project`,
        `user` (`me` is yourself), `model` (`cpu` is without GPUs) and `job_class`."""
        return read(Trend, self.http.json("GET", "trends", spelled(filters)))

    def trends_table(self, **filters: object) -> bytes:
        """The same as CSV: a row for every point of every line."""
        _, table, _ = self.http.send("GET", "trends", {**spelled(filters), "format": "csv"})
        return table
