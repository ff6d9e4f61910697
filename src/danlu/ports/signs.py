"""Signs of work: by what a task shows that it goes on."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.job import Time
from danlu.ports.logs import LogKey


class Signs(Protocol):
    """Any thread; a look at files, of which those that are not there say nothing."""

    def last(self, task: LogKey, since: Time) -> Time | None:
        """When a task's run last gave a sign after `since`: it printed, told of a step or a checkpoint, or used a GPU.
        None when it gave none. The first kind of sign found is enough: another may be later still."""
