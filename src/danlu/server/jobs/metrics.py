"""Metrics that trainings report: lines over their steps, and throughput."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.job import Attempt, Job
from danlu.ports.metrics import WantedMetrics
from danlu.server.desk import Desk
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.finding import find_attempt, require_task
from danlu.server.http.reading import Query
from danlu.server.http.streams import Export
from danlu.server.http.tables import CSV
from danlu.server.jobs import metrics_models as models
from danlu.server.jobs import metrics_render
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("metrics")

_OTHER_FORMS = {
    200: {
        "description": "Names and lines; with `format=csv` every single value.",
        "content": {"text/csv": {"schema": {"type": "string"}}},
    }
}


@routes.add(
    "GET",
    f"{API}/jobs/{{job}}/metrics",
    AccessRule(P.JOB_READ, JOB),
    models.JobMetrics,
    refusals=(422,),
    answers=_OTHER_FORMS,
)
def job_metrics(
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[models.MetricsQuery, Depends(Query(models.MetricsQuery))],
) -> Response:
    """Get a job's metrics (from `danlu.log` or TensorBoard files), its throughput, and a hint at its bottleneck."""
    found = desk.services.jobs.jobs.get(who, job)
    attempts = _attempts(desk, found, query)
    if query.format == "csv":
        points = desk.services.jobs.metrics.points(found, attempts, query.name, query.task)
        headers = {"Content-Disposition": f'attachment; filename="{found.spec.name}-metrics.csv"'}
        return Export(desk.streams, metrics_render.as_csv(points), CSV, headers)
    wanted = WantedMetrics(tuple(query.name) or None, query.all_tasks, query.points, query.by)
    going = desk.services.jobs.metrics.of_job(found, attempts, wanted, query.task)
    return answer(metrics_render.going(going))


def _attempts(desk: Desk, job: Job, query: models.MetricsQuery) -> tuple[Attempt, ...]:
    jobs = desk.services.jobs.jobs
    if query.attempt is None:
        attempts = jobs.attempts(job)
        if query.task is None or all(task.name != query.task for one in attempts for task in one.tasks):
            require_task(job, job.attempt, query.task)
        return attempts
    attempt = find_attempt(jobs, job, query.attempt)
    require_task(job, attempt, query.task)
    return () if attempt is None else (attempt,)
