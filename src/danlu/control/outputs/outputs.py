"""What became of a job's outputs, as people see it; and making one again that failed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.domain.errors import Conflict, FieldError, Invalid
from danlu.domain.job import Job, JobState
from danlu.domain.outputs.made import JobOutput, OutputState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.outputs import OutputStore
from danlu.ports.transfers import TransferStore


class OutputsAndWork(OutputStore, DatasetStore, TransferStore, Protocol):
    """Outputs, and what makes them."""


@dataclass(frozen=True, slots=True)
class OutputStanding:
    """An output and how far it is: `bytes_total` where that is known, while it is being made."""

    output: JobOutput
    files: int
    bytes: int
    bytes_total: int | None = None


class Outputs:
    """Any thread."""

    def __init__(self, store: OutputsAndWork, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def of(self, job: Job) -> list[OutputStanding]:
        """For who may read the job: of the last attempt first. What its file declares and no attempt has left (yet) is
        there as well."""
        noted = self._store.outputs_of(job.id)
        return [*map(_as_noted, _to_come(job, noted)), *map(self._standing, noted)]

    def retry(self, caller: Caller, job: Job, wanted: Collection[str] = ()) -> list[OutputStanding]:
        """Make these again, or all of its last attempt, that failed: Conflict where none did."""
        caller.require(Permission.JOB_WRITE, job.owner)
        noted = {one.id: one for one in self._store.outputs_of(job.id)}
        for unknown in sorted(set(wanted) - set(noted)):
            text = say("{job} has no output {id}", "{job} 没有输出 {id}", job=job.title, id=unknown)
            raise Invalid((FieldError(("outputs",), "bad_value", text, unknown),))
        last = max((one.attempt for one in noted.values()), default=0)
        meant = [one for one in noted.values() if one.id in wanted or (not wanted and one.attempt == last)]
        failed = [one for one in meant if one.state is OutputState.FAILED]
        if not failed:
            raise Conflict(_NONE_FAILED.fill(job=job.title))
        others = caller.name != job.owner
        by = caller.entry("retried", f"job:{job.owner}:{job.record}") if others else None
        for one in failed:
            self._store.edit_output(one, _again, self._clock.now(), by=by)
            by = None
        return self.of(job)

    def _standing(self, one: JobOutput) -> OutputStanding:
        if one.state is not OutputState.MAKING:
            return _as_noted(one)
        if one.wish.dataset:
            act = self._store.act(one.work)
            return OutputStanding(one, act.progress.files, act.progress.bytes) if act else _as_noted(one)
        transfer = self._store.transfer(one.work)
        if transfer is None:
            return _as_noted(one)
        far = transfer.progress
        return OutputStanding(one, far.files, far.bytes, far.bytes_total)


def _as_noted(one: JobOutput) -> OutputStanding:
    return OutputStanding(one, one.files, one.bytes)


def _to_come(job: Job, noted: Collection[JobOutput]) -> Iterator[JobOutput]:
    """What the next end of the job will leave; or what its last end did not."""
    there = {one.place for one in noted if one.attempt == job.attempts}
    over = not job.active and job.state is not JobState.CREATED
    state = OutputState.SKIPPED if over else OutputState.DECLARED
    for place, wish in enumerate(job.spec.outputs):
        if place not in there or not over:
            at = job.ended_at or job.created_at
            yield JobOutput(
                job.id, job.attempts, place, job.owner, job.record, wish.task, wish, at, at, state
            )


def _again(one: JobOutput) -> JobOutput:
    if one.state is not OutputState.FAILED:
        return one
    return replace(one, state=OutputState.PENDING, work="", problem=None, ended_at=None)


_NONE_FAILED = Words(
    "no output of {job} has failed; there is nothing to make again", "{job} 没有失败的输出，无需重新生成"
)
