"""Files of jobs: lists of folders, files by ranges, folders as archives; keeping them."""

from __future__ import annotations

import os
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.control.jobs.files import FolderState, FoundFolder
from danlu.domain.errors import FieldError, Invalid, NotFound
from danlu.domain.file_names import BadPath, path_of, shown_name
from danlu.domain.job import Job, Task
from danlu.domain.permissions import Caller
from danlu.domain.words import Words, say
from danlu.ports.files import EntryKind, PlaceBelow, TooManyToSort
from danlu.server.desk import Desk
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import Json, answer, moment
from danlu.server.http.finding import find_attempt, find_try, require_task
from danlu.server.http.reading import Query
from danlu.server.http.streams import Export
from danlu.server.http.turns import as_stream
from danlu.server.jobs import files_models as models
from danlu.server.jobs.file_content import attached, content
from danlu.server.jobs.file_cursor import cursor_of, wish_of
from danlu.server.route import AtDesk, Routes, Who, in_thread

routes = Routes("files")

_TAR = "application/x-tar"
_BYTES: dict[int, dict[str, Any]] = {
    200: {
        "description": "The file itself; a folder as a tar of everything in it, made while it is sent.",
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            _TAR: {"schema": {"type": "string", "format": "binary"}},
        },
    },
    206: {
        "description": "The range of the file that was asked for; of what it does not have, the whole file comes."
    },
}
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
    answers=_BYTES,
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
    files = desk.services.ports.files
    as_stream(request.scope)
    try:
        entry = await desk.threads.for_stream(files.look_at, place)
        if entry.kind is EntryKind.FOLDER:
            name = place.path.rpartition(b"/")[2] if query.path else os.fsencode(found.spec.name)
            pieces = await desk.threads.for_stream(files.archive, place, name)
            return Export(desk.streams, pieces, _TAR, attached(shown_name(name) + ".tar"))
        opened = await desk.threads.for_stream(files.open, place)
    except OSError as error:
        raise _missing(query.path, error) from None
    return content(desk, opened, shown_name(entry.name), range_, if_range)


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
    wish = wish_of(query)
    try:
        page = desk.services.ports.files.page(found.place.below(_path(query.path)), wish)
    except TooManyToSort as error:
        raise _unsorted(error.most) from None
    except OSError as error:
        if query.path:
            raise _missing(query.path, error) from None
        return answer({**told, "state": FolderState.NOTHING.value})
    items = [models.FileEntry.render(entry) for entry in page.entries]
    following = cursor_of(page.entries[-1], wish) if page.more and page.entries else None
    return answer(
        {**told, "items": items, "next_cursor": following, "total": page.total, "whole": page.whole}
    )


def _located(desk: Desk, who: Caller, ref: str, query: models.FolderQuery) -> tuple[Job, PlaceBelow]:
    job, _, found = _folder(desk, who, ref, query)
    if found.place is None:
        raise NotFound(_ABSENT[found.state])
    return job, found.place.below(_path(query.path))


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


def _path(text: str) -> bytes:
    try:
        return path_of(text)
    except BadPath:
        message = Words(
            "a path leads from the folder downwards: names separated by /, without .. and without a / at its "
            "beginning, 4,096 bytes at most",
            "路径应从该目录向下：各级名称以 / 分隔，不含 ..，不以 / 开头，最多 4,096 字节",
        )
        raise Invalid((FieldError(("query", "path"), "bad_path", message, text[:200]),)) from None


def _missing(path: str, error: OSError) -> NotFound:
    closed = isinstance(error, PermissionError)
    text = _CLOSED if closed else _NO_FILE
    return NotFound(text.fill(path=shown_name(_path(path)) or "."))


def _unsorted(most: int) -> Invalid:
    message = say(
        "a folder with more than {most} entries can be sorted by name only",
        "超过 {most} 项的目录只能按名称排序",
        most=f"{most:,}",
    )
    return Invalid((FieldError(("query", "sort"), "too_many", message, bound=most),))


_NO_FILE = Words(
    "there is no file or folder '{path}' here; links are not followed, and pipes, sockets and devices cannot be read",
    "此处没有文件或目录“{path}”；不会跟随链接，也不能读取管道、套接字和设备",
)
_CLOSED = Words(
    "'{path}' may not be read: its permissions keep the server out",
    "“{path}”无法读取：其权限不允许服务端读取",
)
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
