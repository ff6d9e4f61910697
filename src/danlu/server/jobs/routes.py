"""Jobs: lists, details and every verb."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Header
from starlette.responses import Response

from danlu.domain.errors import BudgetSpent, DiskLimit, InsufficientQuota, Invalid, VolumeTaken
from danlu.domain.job import Job
from danlu.domain.permissions import Caller
from danlu.files.forms import JOB_NAME
from danlu.ports.store import JobQuery
from danlu.server.desk import Desk
from danlu.server.http.access import API, JOB, ONESELF, AccessRule, P
from danlu.server.http.answering import Json, answer, shortfall
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import seq_of
from danlu.server.http.problems import field_error
from danlu.server.http.reading import Body, JobFileBody, Query, in_query
from danlu.server.jobs import render
from danlu.server.jobs.models import (
    Advice,
    CheckResult,
    CloneRequest,
    EditQuery,
    GivenSize,
    JobChanges,
    JobDetail,
    JobListQuery,
    JobPage,
    JobRow,
    JobRuns,
    StartQuery,
    StartRequest,
)
from danlu.server.live.models import Event, EventPage
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("jobs")
SentJobFile = Annotated[Any, Depends(JobFileBody())]
Started = Annotated[StartRequest, Depends(Body(StartRequest))]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Requests with the same key create the job only once.",
    ),
]


@routes.add("GET", f"{API}/jobs", AccessRule(P.JOB_READ, ONESELF), JobPage, refusals=(422,))
def list_jobs(
    desk: AtDesk, who: Who, query: Annotated[JobListQuery, Depends(Query(JobListQuery))]
) -> Response:
    """List jobs that the caller may read, page by page."""
    owner = who.name if query.owner == "me" else query.owner
    wanted = JobQuery(
        owners=None if owner is None else (owner,),
        states=tuple(query.state),
        kinds=() if query.kind is None else (query.kind,),
        project=query.project,
        search=query.search,
        sort=query.sort,
        cursor=query.cursor,
        limit=query.limit,
    )
    try:
        page = desk.services.jobs.jobs.page(who, wanted)
    except Invalid as error:
        raise in_query(error) from None
    return answer(JobPage.render(page))


@routes.add(
    "POST", f"{API}/jobs", AccessRule(P.JOB_WRITE, ONESELF), JobDetail, status=201, refusals=(409, 413, 422)
)
def submit_job(
    desk: AtDesk,
    who: Who,
    file: SentJobFile,
    query: Annotated[StartQuery, Depends(Query(StartQuery))],
    key: IdempotencyKey = None,
) -> Response:
    """Create a job from a job file, the next run of its name; `start=true` starts it at once."""
    create = desk.services.jobs.jobs.create
    job = create(who, file, start=query.start, key=key or None, replaces=query.replace)
    return detail(desk, who, job, 201)


@routes.add("POST", f"{API}/jobs/check", AccessRule(P.JOB_WRITE, ONESELF), CheckResult, refusals=(413, 422))
def check_job(desk: AtDesk, who: Who, file: SentJobFile) -> Response:
    """Check a job file: all its errors, and whether the job would start now; nothing is stored."""
    jobs = desk.services.jobs.jobs
    seen: Json = {"given": [GivenSize.render(one) for one in jobs.given(file)]}
    name = file.get("name") if isinstance(file, Mapping) else None
    if isinstance(name, str) and re.fullmatch(JOB_NAME, name):
        seen["run"] = jobs.next_run(who, name)
    try:
        checked = jobs.check(who, file)
    except (Invalid, BudgetSpent, DiskLimit, VolumeTaken, InsufficientQuota) as error:
        told: Json = {"valid": False, "errors": [field_error(one) for one in error.errors], **seen}
        if isinstance(error, InsufficientQuota):
            told["shortfalls"] = [shortfall(one) for one in error.shortfalls]
        return answer(told)
    found = render.outlook(checked.outlook) if checked.outlook else {}
    told = {"valid": True, "errors": [], "advice": [Advice.render(one) for one in checked.advice], **found}
    return answer({**told, **seen})


@routes.add("GET", f"{API}/jobs/{{job}}", AccessRule(P.JOB_READ, JOB), JobDetail, for_tasks=True)
def get_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Get a job by its id, or one's own job by its name: `bert` is its latest run, `bert#2` the second."""
    return detail(desk, who, desk.services.jobs.jobs.get(who, job))


@routes.add("GET", f"{API}/jobs/{{job}}/runs", AccessRule(P.JOB_READ, JOB), JobRuns)
def list_runs(desk: AtDesk, who: Who, job: str) -> Response:
    """List the runs of a job's name, the latest first."""
    return answer({"items": [JobRow.render(row) for row in desk.services.jobs.jobs.runs(who, job)]})


@routes.add(
    "PUT", f"{API}/jobs/{{job}}/spec", AccessRule(P.JOB_WRITE, JOB), JobDetail, refusals=(409, 413, 422)
)
def edit_job(
    desk: AtDesk,
    who: Who,
    job: str,
    file: SentJobFile,
    query: Annotated[EditQuery, Depends(Query(EditQuery))],
) -> Response:
    """Replace the job file of a job that is not active or only waits; its place is kept unless it asks for more."""
    return detail(desk, who, desk.services.jobs.jobs.edit(who, job, file, query.version))


@routes.add(
    "PATCH", f"{API}/jobs/{{job}}/spec", AccessRule(P.JOB_WRITE, JOB), JobDetail, refusals=(409, 413, 422)
)
def change_job(
    desk: AtDesk, who: Who, job: str, body: Annotated[JobChanges, Depends(Body(JobChanges))]
) -> Response:
    """Change some of what a job asks for; one that waits keeps its place unless it asks for more."""
    return detail(desk, who, desk.services.jobs.jobs.change(who, job, body.values()))


@routes.add(
    "POST", f"{API}/jobs/{{job}}/start", AccessRule(P.JOB_START, JOB), JobDetail, refusals=(409, 413, 422)
)
def start_job(desk: AtDesk, who: Who, job: str, body: Started) -> Response:
    """Queue a job that is not active, in its owner's name; it continues from its last checkpoint."""
    return _acted(desk, who, job, "start", fresh=body.fresh)


@routes.add("POST", f"{API}/jobs/{{job}}/stop", AccessRule(P.JOB_STOP, JOB), JobDetail, refusals=(409,))
def stop_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Stop an active job; its tasks get SIGTERM and their grace period."""
    return _acted(desk, who, job, "stop")


@routes.add(
    "POST", f"{API}/jobs/{{job}}/restart", AccessRule(P.JOB_START, JOB), JobDetail, refusals=(409, 413, 422)
)
def restart_job(desk: AtDesk, who: Who, job: str, body: Started) -> Response:
    """Stop the job's tasks and queue it again, in its owner's name; it continues from its last checkpoint."""
    return _acted(desk, who, job, "restart", fresh=body.fresh)


@routes.add("POST", f"{API}/jobs/{{job}}/reset", AccessRule(P.JOB_RESET, JOB), JobDetail, refusals=(409,))
def reset_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Reset a stuck or failed job to its initial state; tasks that still run are killed."""
    return _acted(desk, who, job, "reset")


@routes.add(
    "POST",
    f"{API}/jobs/{{job}}/clone",
    AccessRule(P.JOB_WRITE, JOB, P.JOB_READ),
    JobDetail,
    status=201,
    refusals=(409, 413, 422),
)
def clone_job(
    desk: AtDesk, who: Who, job: str, body: Annotated[CloneRequest, Depends(Body(CloneRequest))]
) -> Response:
    """Create one's own copy of a job, with the same job file."""
    return detail(desk, who, desk.services.jobs.jobs.clone(who, job, body.name, start=body.start), 201)


@routes.add("DELETE", f"{API}/jobs/{{job}}", AccessRule(P.JOB_DELETE, JOB), status=204, refusals=(409,))
def delete_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Delete a job that is not active, with its attempts and logs."""
    desk.services.jobs.jobs.delete(who, job)
    return Response(status_code=204)


@routes.add(
    "GET",
    f"{API}/jobs/{{job}}/events",
    AccessRule(P.JOB_READ, JOB),
    EventPage,
    refusals=(422,),
    for_tasks=True,
)
def list_job_events(
    desk: AtDesk, who: Who, job: str, query: Annotated[ListQuery, Depends(Query(ListQuery))]
) -> Response:
    """List the events of a job, oldest first."""
    after = seq_of(query.cursor) or 0
    events = desk.services.jobs.jobs.events(who, job, after, query.limit + 1)
    shown = events[: query.limit]
    more = str(shown[-1].seq) if len(events) > query.limit else None
    return answer({"items": [Event.render(one) for one in shown], "next_cursor": more})


def _acted(desk: Desk, who: Caller, job: str, verb: str, *, fresh: bool = False) -> Response:
    return detail(desk, who, desk.services.jobs.jobs.act(who, job, verb, fresh=fresh))


def detail(desk: Desk, who: Caller, job: Job, status: int = 200) -> Response:
    jobs = desk.services.jobs.jobs
    waiting = None if status == 201 else jobs.waiting(job)  # the scheduler has not considered a new job yet
    told = (jobs.actions(who, job), jobs.latest(job), jobs.inputs(job))
    body = render.job_detail(job, jobs.attempts(job), waiting, *told)
    return answer(body, status, {"Location": f"{API}/jobs/{job.id}"} if status == 201 else None)
