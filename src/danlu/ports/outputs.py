"""Where it is recorded what becomes of jobs' outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.events import Event
from danlu.domain.job import Time
from danlu.domain.outputs.made import JobOutput


class OutputStore(Protocol):
    """They are noted with the end of their job, in its transaction; those that are not made go with it."""

    def open_outputs(self) -> tuple[JobOutput, ...]:
        """Those that are not made and not failed, the oldest first."""

    def jobs_with_open_outputs(self) -> frozenset[str]: ...

    def outputs_of(self, job_id: str) -> tuple[JobOutput, ...]:
        """Of the last attempt first, by their places."""

    def outputs_into(self, target: str, limit: int = 200) -> tuple[JobOutput, ...]:
        """What was made in a volume or dataset (by its id), the latest first."""

    def edit_output(
        self,
        one: JobOutput,
        change: Callable[[JobOutput], JobOutput],
        now: Time,
        *,
        tells: Event | None = None,
        by: Entry | None = None,
    ) -> JobOutput:
        """Write what `change` makes of it as it is now, with the event and the audit entry; no other edit comes
        between. Nothing is written, and nothing told, if that is the same. NotFound."""
