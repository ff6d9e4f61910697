"""Routes of outputs: what became of them, and making them again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.outputs import build
from danlu.control.outputs.outputs import OutputStanding
from danlu.domain.job import Job
from danlu.domain.outputs.made import OutputState
from danlu.domain.permissions import Caller
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Body
from danlu.server.outputs import models
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("outputs")


@routes.add("GET", f"{API}/jobs/{{job}}/outputs", AccessRule(P.JOB_READ, JOB), models.JobOutputList)
def list_outputs(desk: AtDesk, who: Who, job: str) -> Response:
    """List what is kept of what a job leaves: declared, being made, made or failed."""
    found = desk.services.jobs.jobs.get(who, job)
    desk.services.jobs.visits.reads(who, found)
    return _answer(who, found, desk.services.rooms(build).of(found))


@routes.add(
    "POST",
    f"{API}/jobs/{{job}}/outputs/retry",
    AccessRule(P.JOB_WRITE, JOB),
    models.JobOutputList,
    refusals=(409, 422),
)
def retry_outputs(
    desk: AtDesk, who: Who, job: str, body: Annotated[models.OutputsRetry, Depends(Body(models.OutputsRetry))]
) -> Response:
    """Make outputs again that failed, from what is still kept of the job."""
    found = desk.services.jobs.jobs.get(who, job)
    return _answer(who, found, desk.services.rooms(build).retry(who, found, body.outputs))


def _answer(who: Caller, job: Job, found: Iterable[OutputStanding]) -> Response:
    may = who.may(P.JOB_WRITE, job.owner)
    return answer(
        {
            "items": [
                models.JobOutput.render(one, can_retry=may and one.output.state is OutputState.FAILED)
                for one in found
            ]
        }
    )
