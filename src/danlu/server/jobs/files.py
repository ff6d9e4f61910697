"""Files of jobs: lists of folders, files by ranges, folders as archives; keeping them."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.control.jobs.files import FolderState, FoundFolder
from danlu.domain.errors import NotFound
from danlu.domain.job import Job, Task
from danlu.domain.permissions import Caller
from danlu.domain.words import Words
from danlu.ports.files import PlaceBelow
from danlu.server.desk import Desk
from danlu.server.files.reading import BYTES, downloaded, listed, missing, read_path
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import Json, answer, moment
from danlu.server.http.finding import find_attempt, find_try, require_task
from danlu.server.http.reading import Query
from danlu.server.jobs import files_models as models
from danlu.server.route import AtDesk, Routes, Who, in_thread

routes = Routes("files")

Wanted = Annotated[models.FolderQuery, Depends(Query(models.FolderQuery))]


@routes.add(
    "GET",
    f"{API}/jobs/{{job}}/files",
    AccessRule(P.JOB_READ, JOB),
    models.FileList,
    refusals=(422,),
    for_tasks=True,
)
async def list_files(
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[models.FileListQuery, Depends(Query(models.FileListQuery))],
) -> Response:
    """List a folder of a job page by page, while its tasks run and as long as their results are kept."""
    # A folder may have a million entries.
    return await desk.threads.for_stream(_listed, desk, who, job, query)


@routes.add(
    "GET",
    f"{API}/jobs/{{job}}/files/content",
    AccessRule(P.JOB_READ, JOB),
    refusals=(422,),
    answers=BYTES,
    for_tasks=True,
)
async def read_file(
    request: Request,
    desk: AtDesk,
    who: Who,
    job: str,
    query: Wanted,
    range_: Annotated[str, Header(alias="Range", description="Bytes of a file: `bytes=0-65535`.")] = "",
    if_range: Annotated[str, Header(alias="If-Range", description="Only if the file has this ETag.")] = "",
) -> Response:
    """Download a file of a job, or a range of it; or a folder with all that is in it, as a tar."""
    found, place = await in_thread(_located, desk, who, job, query)
    called = place.path.rpartition(b"/")[2] if query.path else os.fsencode(found.spec.name)
    try:
        return await downloaded(request, desk, place, called, range_, if_range)
    except OSError as error:
        raise missing(read_path(query.path), error) from None


@routes.add(
    "PUT", f"{API}/jobs/{{job}}/files/kept", AccessRule(P.JOB_WRITE, JOB), models.Retention, refusals=(409,)
)
def keep_files(desk: AtDesk, who: Who, job: str) -> Response:
    """Keep the results of a job until it is deleted, within its owner's quota of them."""
    return _kept(desk, who, job, wanted=True)


@routes.add("DELETE", f"{API}/jobs/{{job}}/files/kept", AccessRule(P.JOB_WRITE, JOB), models.Retention)
def keep_files_no_longer(desk: AtDesk, who: Who, job: str) -> Response:
    """Keep the results of a job only as long as usual."""
    return _kept(desk, who, job, wanted=False)


def _kept(desk: Desk, who: Caller, ref: str, *, wanted: bool) -> Response:
    job = desk.services.jobs.jobs.get(who, ref)
    desk.services.jobs.files.keep(who, job, wanted)
    return answer(models.Retention.render(desk.services.jobs.files.retention(job)))


def _listed(desk: Desk, who: Caller, ref: str, query: models.FileListQuery) -> Response:
    job, task, found = _folder(desk, who, ref, query)
    retention = desk.services.jobs.files.retention(job)
    told: Json = {
        "state": found.state.value,
        "live": bool(task and task.live),
        "items": [],
        "next_cursor": None,
        "total": 0,
        "whole": True,
        "gone_since": moment(found.gone.since) if found.gone else None,
        "gone_because": found.gone.cause.value if found.gone else None,
        "retention": models.Retention.render(retention) if retention else None,
        "inside": found.inside,
    }
    if found.place is None:
        return answer(told)
    try:
        return answer({**told, **listed(desk, found.place.below(read_path(query.path)), query)})
    except OSError as error:
        if query.path:
            raise missing(read_path(query.path), error) from None
        return answer({**told, "state": FolderState.NOTHING.value})


def _located(desk: Desk, who: Caller, ref: str, query: models.FolderQuery) -> tuple[Job, PlaceBelow]:
    job, _, found = _folder(desk, who, ref, query)
    if found.place is None:
        raise NotFound(_ABSENT[found.state])
    return job, found.place.below(read_path(query.path))


def _folder(
    desk: Desk, who: Caller, ref: str, query: models.FolderQuery
) -> tuple[Job, Task | None, FoundFolder]:
    room = desk.services.jobs
    job = room.jobs.get(who, ref)
    attempt = find_attempt(room.jobs, job, query.attempt)
    task = None
    if attempt is not None and attempt.tasks:
        task = find_try(job, attempt, query.task or attempt.tasks[0].name, query.try_)
    else:
        require_task(job, attempt, query.task)
    room.visits.reads(who, job)
    return job, task, room.files.find(who, job, attempt, task, query.folder)


_ABSENT = {
    FolderState.NOT_STARTED: Words("the job has not started yet", "任务尚未开始运行"),
    FolderState.NOTHING: Words("nothing was left of this task's working folder", "该子任务没有留下工作目录"),
    FolderState.GONE: Words(
        "the results of this attempt are gone: they were older or larger than is kept",
        "这次运行的结果已被清除：超出了保留时间或容量",
    ),
    FolderState.ELSEWHERE: Words(
        "the files of this job are not available here: on a cluster Danlu cannot read them yet; write what you need "
        "to a volume",
        "无法在此查看该任务的文件：丹炉暂不能读取集群上的文件，请将所需内容写入存储卷",
    ),
}
