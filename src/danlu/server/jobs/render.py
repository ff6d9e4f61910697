"""Jobs as the JSON that clients get."""

from __future__ import annotations

from danlu.control.queue.queue import Outlook
from danlu.domain.attempts import attempt_state
from danlu.domain.job import Attempt, Job, JobState
from danlu.domain.reasons import Reason
from danlu.domain.transfers.inputs import InputStep
from danlu.files.writing import job_file_of
from danlu.ports.metrics import Latest
from danlu.ports.store import JobRow
from danlu.server.http.answering import (
    Json,
    moment,
    reason,
)
from danlu.server.jobs import models


def row_of(job: Job, waiting: Reason | None) -> Json:
    """A job as lists show it, from the job itself."""
    return models.JobRow.render(JobRow.of(job, waiting))


def job_detail(
    job: Job,
    attempts: tuple[Attempt, ...],
    waiting: Reason | None,
    actions: list[str],
    latest: Latest | None = None,
    inputs: tuple[InputStep, ...] = (),
) -> Json:
    spec, source = job.spec, job.cloned_from
    waits = waiting if job.state is JobState.QUEUED else None
    return models.JobDetail.render(
        JobRow.of(job, waits, latest),
        description=spec.description,
        spec=job_file_of(spec),
        tasks=[models.Task.render(one) for one in job.attempt.tasks] if job.attempt else [],
        restarts=job.restarts,
        waiting=reason(waits),
        attempts=[attempt(one, job) for one in attempts],
        actions=actions,
        pinned_at=moment(job.turn.pinned_at),
        nominated=sorted({task.node for task in job.turn.nominated}),
        cloned_from=models.ClonedFrom.render(source) if source else None,
        framework=spec.framework,
        strategy=spec.strategy,
        saved=models.Saved.render(job.saved) if job.saved else None,
        lost=sum(one.lost for one in attempts) / 1000,
        inputs=[models.InputStep.render(one) for one in inputs],
    )


def outlook(one: Outlook) -> Json:
    """What a job file requests, and what would happen to the job now."""
    row = row_of(one.job, None)
    size = {"tasks": row["nodes"], **{key: row[key] for key in ("gpus", "gpu_model", "cpus", "memory")}}
    would = {"starts_now": one.starts_now, "reason": reason(one.reason), "ahead": one.ahead}
    return {"size": size, "would": would}


def attempt(one: Attempt, job: Job) -> Json:
    return models.Attempt.render(one, state=attempt_state(one, job).value)
