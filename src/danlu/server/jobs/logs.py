"""Logs of tasks: a page, a download, or a live stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.domain.job import Job
from danlu.domain.permissions import Caller, Permission
from danlu.ports.logs import LogChunk, LogKey
from danlu.server.desk import Desk
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import answer, instant
from danlu.server.http.identity import Recheck
from danlu.server.http.reading import Query
from danlu.server.http.streams import EventStream, Stream
from danlu.server.jobs.log_query import beginning, find_log
from danlu.server.live.follow import SERVER_SENT, is_live
from danlu.server.live.log_lines import PlainText, ShownLine, lines_of
from danlu.server.live.models import LogPage, LogQuery
from danlu.server.route import AtDesk, LastEventId, Routes, Who, checked_again, in_thread

routes = Routes("logs")

_FOUND_MOST = 1_000
_PIECE = 1 << 18
_OTHER_FORMS = {
    200: {
        "description": "A page of lines; with `Accept: text/plain` the log itself; with `follow=true` a stream of "
        "events `lines` (data: an array of [milliseconds, o or e, text], id: the offset to continue "
        "from) and `end`.",
        "content": {
            "text/plain": {"schema": {"type": "string"}},
            "text/event-stream": {"schema": {"type": "string"}},
        },
    }
}


@routes.add(
    "GET",
    f"{API}/jobs/{{job}}/logs",
    AccessRule(P.JOB_READ, JOB),
    LogPage,
    refusals=(422,),
    answers=_OTHER_FORMS,
    for_tasks=True,
)
async def read_logs(
    request: Request,
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[LogQuery, Depends(Query(LogQuery))],
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
) -> Response:
    """Read the log of one task: a page, the whole log as text (Accept: text/plain), or a live stream (follow)."""
    if query.follow:
        found, naming = await in_thread(find_log, desk, who, job, query)
        begin, recheck = beginning(desk, query, last_event_id), Recheck(desk.identity, who.name)
        pieces = desk.followed.stream(found, naming, begin, _still(request, found), recheck, SERVER_SENT)
        return EventStream(desk.streams, pieces)
    if "text/plain" in accept and "json" not in accept and query.search is None:
        return await _download(desk, who, job, query)
    if query.search is not None:  # a log may be long
        return await desk.threads.for_stream(_page, desk, who, job, query)
    return await in_thread(_page, desk, who, job, query)


def _still(request: Request, job: Job) -> Callable[[], Awaitable[object]]:
    return lambda: checked_again(request, Permission.JOB_READ, job.owner)


def _page(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Response:
    job, naming = find_log(desk, who, ref, query)
    key = naming(job)
    if key is None:
        return answer({"lines": [], "next_offset": 0, "end": not job.active, "more": False})
    live = is_live(job, key)  # check the state before reading the log: what is written by then is complete
    logs, offset = desk.services.ports.logs, beginning(desk, query)(key)
    if query.search is not None:
        found = logs.find(key, query.search, offset, _FOUND_MOST)
        lines = [line for at, record in found.records for line in _lines_at(at, record)]
        return _lines(lines, found.end, not live and found.whole, more=not found.whole)
    chunk = logs.read(key, offset, query.limit_bytes)
    return _lines(lines_of(chunk), chunk.end, not live and chunk.end >= logs.size(key))


def _lines_at(offset: int, record: bytes) -> list[ShownLine]:
    return lines_of(LogChunk(offset, offset + len(record), record))


def _lines(lines: list[ShownLine], next_offset: int, end: bool, *, more: bool = False) -> Response:
    shown = [
        {"offset": at, "time": instant(time_ms), "stream": stream, "text": text}
        for at, time_ms, stream, text in lines
    ]
    return answer({"lines": shown, "next_offset": next_offset, "end": end, "more": more})


async def _download(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Response:
    logs = desk.services.ports.logs

    def located() -> tuple[Job, LogKey | None, int, int]:
        job, naming = find_log(desk, who, ref, query)
        key = naming(job)
        return (job, key, beginning(desk, query)(key), logs.size(key)) if key else (job, None, 0, 0)

    async def pieces() -> AsyncGenerator[bytes, None]:
        """The log as of now: a task that writes faster than we read must not make this endless."""
        text, at = PlainText(query.timestamps), offset
        while key is not None and at < size:
            chunk = await desk.threads.for_stream(logs.read, key, at, _PIECE)
            if not chunk.records:
                break
            at = chunk.end
            yield text.feed(chunk)
        yield text.end()

    job, key, offset, size = await in_thread(located)
    name = f"{job.spec.name}-{key.task}.{key.attempt}.log" if key else f"{job.spec.name}.log"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Stream(desk.streams, pieces(), "text/plain; charset=utf-8", headers)
