"""Stacks of a job's tasks: taken now, or stored when it hung."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.permissions import Permission
from danlu.ports.stacks import Stacks
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.finding import find_attempt, require_task
from danlu.server.http.reading import Query
from danlu.server.jobs import stacks_models as models
from danlu.server.route import AtDesk, Routes, Who, require

routes = Routes("stacks")


@routes.add(
    "GET", f"{API}/jobs/{{job}}/stacks", AccessRule(P.JOB_READ, JOB), models.JobStacks, refusals=(422,)
)
def list_stacks(
    desk: AtDesk, who: Who, job: str, query: Annotated[models.StacksQuery, Depends(Query(models.StacksQuery))]
) -> Response:
    """List the stored stacks of a job's tasks: taken when it hung, or on request."""
    found = desk.services.jobs.jobs.get(who, job)
    require_task(found, find_attempt(desk.services.jobs.jobs, found, query.attempt), query.task)
    desk.services.jobs.visits.reads(who, found)
    return _answer(desk.services.jobs.stacks.kept(found, query.attempt, query.task))


@routes.add(
    "POST",
    f"{API}/jobs/{{job}}/stacks",
    AccessRule(P.JOB_EXEC, JOB),
    models.JobStacks,
    refusals=(409, 422, 429),
)
def take_stacks(
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[models.TakeStacksQuery, Depends(Query(models.TakeStacksQuery))],
) -> Response:
    """Take and store the stacks of a job's running tasks now. This takes seconds; the tasks keep running."""
    found = desk.services.jobs.jobs.get(who, job)
    require(who, Permission.JOB_EXEC, found.owner)
    desk.services.jobs.visits.reads(who, found)
    return _answer(desk.services.jobs.stacks.asked(found, query.task))


def _answer(stacks: Iterable[Stacks]) -> Response:
    return answer({"items": [models.TaskStacks.render(one) for one in stacks]})
