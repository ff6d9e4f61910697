"""Stacks of tasks: taken when a job hangs or on request, and stored."""

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
    """The stacks of the processes of one task, as text for people."""

    task: str
    attempt: int
    taken_at: Time
    cause: Cause
    text: str


class StackStore(Protocol):
    """Any thread. Stacks are deleted together with the logs of their job."""

    def keep(self, key: LogKey, stacks: Stacks) -> Stacks:
        """Store stacks beside the log of a task's run and return them as stored: a long text is cut, and control
        characters are removed. Only the latest are kept."""

    def of_job(self, job_id: str, attempt: int | None = None, task: str | None = None) -> tuple[Stacks, ...]:
        """Those of a job, of one attempt or one task of it, the latest first; a bounded number."""
