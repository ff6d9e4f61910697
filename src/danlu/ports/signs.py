"""Signs of progress of a task."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.job import Time
from danlu.ports.logs import LogKey


class Signs(Protocol):
    """Any thread; reads file times, and ignores missing files."""

    def last(self, task: LogKey, since: Time) -> Time | None:
        """When a task's run last showed progress after `since`: it printed, reported a step or a checkpoint, or used a
        GPU. None if it did not. The first kind of sign found is enough: another kind may be even later."""
