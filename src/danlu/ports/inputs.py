"""Which transfers fetch the inputs of jobs."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.job import Time
from danlu.domain.transfers.inputs import InputLink
from danlu.domain.transfers.transfer import Transfer


class InputStore(Protocol):
    """Each write is one transaction: a link and its transfer are there together, or neither is."""

    def open_inputs(self) -> tuple[InputLink, ...]:
        """Those of all jobs that wait for them, or have just ceased to."""

    def inputs_of(self, job_id: str) -> tuple[InputLink, ...]:
        """The latest of one job, by place; released ones too."""

    def begin_input(
        self, job_id: str, place: int, since: Time, made: Transfer, now: Time, most: int
    ) -> Transfer:
        """The transfer for an input in this stay in the queue. Idempotent: what was begun for it is what it is. Else an
        unfinished one of the same owner that does the same is joined, one that this input had and that failed or was
        cancelled goes on, or `made` is added: Conflict when its owner has `most` unfinished ones already."""

    def release_input(self, job_id: str, place: int, now: Time) -> bool:
        """Nobody waits for it any more: a transfer that was made for jobs, and that no other waits for, is cancelled;
        whether it was. Idempotent."""

    def forget_inputs(self) -> int:
        """Released links of jobs that are gone; how many."""
