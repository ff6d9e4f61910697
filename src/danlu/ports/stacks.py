"""Where the programs of tasks stood at a moment: taken when a job hangs or somebody asks, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from danlu.domain.job import Time
from danlu.ports.logs import LogKey


class Cause(StrEnum):
    """Why stacks were taken."""

    HUNG = "hung"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Stacks:
    """What the processes of one task were doing, for people to read."""

    task: str
    attempt: int
    taken_at: Time
    cause: Cause
    text: str


class StackStore(Protocol):
    """Any thread. Stacks go with the logs of their job."""

    def keep(self, key: LogKey, stacks: Stacks) -> Stacks:
        """Beside the log of a task's run, as it returns them: of a long text the beginning, and nothing to upset
        a terminal. Of many the latest stay."""

    def of_job(self, job_id: str, attempt: int | None = None, task: str | None = None) -> tuple[Stacks, ...]:
        """Those of a job, of one attempt or one task of it, the latest first; a bounded number."""
