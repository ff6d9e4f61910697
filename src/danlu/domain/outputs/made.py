"""What became of an output of a job: made once for each attempt that the job ended with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from danlu.domain.job import ENDED, Job, JobState, Time
from danlu.domain.output import Output, filled
from danlu.domain.outputs.problems import OutputProblem


class OutputState(StrEnum):
    DECLARED = "declared"
    """Its job has not ended: nothing is noted of it yet."""
    SKIPPED = "skipped"
    """Its job did not end as it would have to: nothing is noted of it."""
    PENDING = "pending"
    MAKING = "making"
    DONE = "done"
    FAILED = "failed"


OPEN_OUTPUTS = frozenset({OutputState.PENDING, OutputState.MAKING})


@dataclass(frozen=True, slots=True)
class JobOutput:
    """The output at `place` of the job file, as it stood when attempt `attempt` of the job ended; `wish.to` is filled.
    It is in the working folder of `run`, a try of a task; empty where there was no such task.

    `work` is the id of the act or transfer that makes it: chosen before that is begun, so that it is never begun
    twice. `number` is that of the version that was made."""

    job_id: str
    attempt: int
    place: int
    owner: str
    job: str
    run: str
    wish: Output
    created_at: Time
    changed_at: Time
    state: OutputState = OutputState.PENDING
    work: str = ""
    number: int | None = None
    files: int = 0
    bytes: int = 0
    problem: OutputProblem | None = None
    ended_at: Time | None = None

    @property
    def id(self) -> str:
        return f"{self.job_id}-{self.attempt}-{self.place}"

    @property
    def target(self) -> str:
        """Where it goes, or went, as people write it."""
        if not self.wish.dataset:
            return self.wish.to
        return f"{self.wish.dataset}@v{self.number}" if self.number else self.wish.dataset


def due_outputs(job: Job, now: Time) -> Iterator[JobOutput]:
    """What is to be kept of a job that has ended; nothing of one that never ran."""
    attempt = job.attempt
    if job.state not in ENDED or attempt is None:
        return
    values = {"name": job.spec.name, "run": str(job.run), "attempt": str(attempt.number), "id": job.id}
    for place, wish in enumerate(job.spec.outputs):
        if job.state is not JobState.COMPLETED and not wish.always:
            continue
        tasks = [task for task in attempt.tasks if wish.task in ("", task.name)]
        yield JobOutput(
            job.id,
            attempt.number,
            place,
            job.owner,
            job.record,
            tasks[0].run if tasks else "",
            replace(wish, to=filled(wish.to, values)),
            now,
            now,
        )
