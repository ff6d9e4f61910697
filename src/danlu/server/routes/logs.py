"""What tasks printed: a page, a download, or as it is written."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.domain.errors import NotFound
from danlu.domain.job import Attempt, Job
from danlu.domain.permissions import Caller, Permission
from danlu.ports.logs import LogChunk, LogKey
from danlu.server import render
from danlu.server.desk import Desk
from danlu.server.follow import is_live
from danlu.server.log_lines import Line, PlainText, lines_of
from danlu.server.reading import Query, decimal
from danlu.server.route import AtDesk, LastEventId, Routes, Who, checked_again, in_thread
from danlu.server.rules import API
from danlu.server.streams import EventStream, Stream
from danlu.wire.mistakes import did_you_mean
from danlu.wire.requests import LogQuery
from danlu.wire.responses import LogPage

routes = Routes("logs")

_FOUND_MOST = 1_000
_PIECE = 1 << 18
_OTHER_FORMS = {
    200: {
        "description": "A page of lines; with `Accept: text/plain` the log itself; with `follow=true` a"
        " stream of events `lines` (data: an array of [milliseconds, o or e, text], id: where to go on)"
        " and `end`.",
        "content": {
            "text/plain": {"schema": {"type": "string"}},
            "text/event-stream": {"schema": {"type": "string"}},
        },
    }
}


@routes.add("GET", f"{API}/jobs/{{job}}/logs", LogPage, refusals=(422,), answers=_OTHER_FORMS)
async def read_logs(
    request: Request,
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[LogQuery, Depends(Query(LogQuery))],
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
) -> Response:
    """Lines of one task: a page, the whole as text (Accept: text/plain), or as they are written (follow)."""
    if query.follow:
        found = await in_thread(_find, desk, who, job, query)
        begin = _beginning(desk, query, last_event_id)
        key_of: Callable[[Job], LogKey | None] = lambda now: _key(now, query)  # noqa: E731
        still = _still(request, found)
        return EventStream(desk.streams, desk.followed.stream(found, key_of, begin, still))
    if "text/plain" in accept and "json" not in accept and query.search is None:
        return await _download(desk, who, job, query)
    return await in_thread(_page, desk, who, job, query)


def _still(request: Request, job: Job) -> Callable[[], Awaitable[object]]:
    return lambda: checked_again(request, Permission.JOB_READ, job.owner)


def _page(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Response:
    job = _find(desk, who, ref, query)
    key = _key(job, query)
    if key is None:
        return render.answer({"lines": [], "next_offset": 0, "end": not job.active})
    live = is_live(job, key)  # before the log is read: what is written after its end was seen is all there is
    logs, offset = desk.services.logs, _beginning(desk, query)(key)
    if query.search is not None:
        found = logs.find(key, query.search, offset, _FOUND_MOST)
        lines = [line for at, record in found for line in _lines_at(at, record)]
        full = len(found) == _FOUND_MOST
        after = found[-1][0] + len(found[-1][1].rstrip(b"\n")) + 1 if full else logs.size(key)
        return _lines(lines, after, not live and not full)
    chunk = logs.read(key, offset, query.limit_bytes)
    return _lines(lines_of(chunk), chunk.end, not live and chunk.end >= logs.size(key))


def _lines_at(offset: int, record: bytes) -> list[Line]:
    return lines_of(LogChunk(offset, offset + len(record), record))


def _lines(lines: list[Line], next_offset: int, end: bool) -> Response:
    shown = [
        {"offset": at, "time": render.instant(time_ms), "stream": stream, "text": text}
        for at, time_ms, stream, text in lines
    ]
    return render.answer({"lines": shown, "next_offset": next_offset, "end": end})


async def _download(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Response:
    logs = desk.services.logs

    def located() -> tuple[Job, LogKey | None, int, int]:
        job = _find(desk, who, ref, query)
        key = _key(job, query)
        return (job, key, _beginning(desk, query)(key), logs.size(key)) if key else (job, None, 0, 0)

    async def pieces() -> AsyncGenerator[bytes, None]:
        """What is there now: a task that writes faster than we read must not make this endless."""
        text, at = PlainText(query.timestamps), offset
        while key is not None and at < size:
            chunk = await in_thread(logs.read, key, at, _PIECE)
            if not chunk.records:
                break
            at = chunk.end
            yield text.feed(chunk)
        yield text.end()

    job, key, offset, size = await in_thread(located)
    name = f"{job.spec.name}-{key.task}.{key.attempt}.log" if key else f"{job.spec.name}.log"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Stream(desk.streams, pieces(), "text/plain; charset=utf-8", headers)


def _find(desk: Desk, who: Caller, ref: str, query: LogQuery) -> Job:
    """The job, with all that the query names; NotFound says what there is instead."""
    job = desk.services.jobs.get(who, ref)
    attempt = _attempt(desk, job, query)
    if query.task is not None:
        wanted = [f"{role.name}-{index}" for role, index in job.spec.wanted()]
        names = [task.name for task in attempt.tasks] if attempt else wanted
        if query.task not in names:
            hint = did_you_mean(query.task, names[:50])
            raise NotFound(f"the job has no task '{query.task}'; {hint}")
    return job


def _attempt(desk: Desk, job: Job, query: LogQuery) -> Attempt | None:
    if query.attempt is None or query.attempt == job.attempts:
        return job.attempt
    for attempt in desk.services.jobs.attempts(job):
        if attempt.number == query.attempt:
            return attempt
    raise NotFound(f"the job has no attempt {query.attempt}; it has had {job.attempts}")


def _key(job: Job, query: LogQuery) -> LogKey | None:
    """The log that is meant; None while the job has not run."""
    number = query.attempt or job.attempts
    if job.attempt is None or not job.attempt.tasks:
        return None
    return LogKey(job.id, number, query.task or job.attempt.tasks[0].name)


def _beginning(desk: Desk, query: LogQuery, last_event_id: str | None = None) -> Callable[[LogKey], int]:
    def begin(key: LogKey) -> int:
        if (seen := decimal(last_event_id)) is not None:
            return seen
        if query.tail is not None:
            return desk.services.logs.tail(key, query.tail)
        return query.offset or 0

    return begin
