"""Stack traces of a job's tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import TaskStacks


class Stacks:
    """Stack traces of tasks."""

    http: Http

    def stacks(self, job: str, task: str | None = None, attempt: int | None = None) -> list[TaskStacks]:
        """Saved stacks, latest first: taken when the job hung, or on demand."""
        asked = {"task": task, "attempt": attempt}
        return _each(self.http.json("GET", f"jobs/{segment(job)}/stacks", asked))

    def take_stacks(self, job: str, task: str | None = None) -> list[TaskStacks]:
        """Of the tasks that run now, or of one of them; takes seconds."""
        return _each(self.http.json("POST", f"jobs/{segment(job)}/stacks", {"task": task}))


def _each(found: Mapping[str, Any]) -> list[TaskStacks]:
    return [read(models.TaskStacks, one) for one in found["items"]]
