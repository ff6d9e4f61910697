"""Uploaded code: archives named by their digest."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid, NotFound
from danlu.domain.words import Words, say
from danlu.files.forms import DIGEST, RULES
from danlu.server.http.access import API, JOB, ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Query, declared_size, too_large
from danlu.server.http.streams import Download
from danlu.server.http.turns import as_stream
from danlu.server.jobs.models import Code, CodeQuery
from danlu.server.route import AtDesk, Routes, Who, in_thread

routes = Routes("code")

Digest = Annotated[str, Path(json_schema_extra={"pattern": DIGEST})]
_HAD = {200: {"description": "The archive already exists.", "model": Code}}
_GZIP = "application/gzip"
_ARCHIVE: dict[int, dict[str, Any]] = {
    200: {
        "description": "The archive itself.",
        "content": {_GZIP: {"schema": {"type": "string", "format": "binary"}}},
    },
    304: {"description": "The archive is the one named by `If-None-Match`."},
}


@routes.add(
    "PUT",
    f"{API}/code/{{digest}}",
    AccessRule(P.JOB_WRITE, ONESELF),
    Code,
    status=201,
    refusals=(413, 422),
    answers=_HAD,
)
async def upload_code(request: Request, desk: AtDesk, who: Who, digest: Digest) -> Response:
    """Upload a tar.gz under its SHA-256; uploading it again changes nothing."""
    _check(digest)
    as_stream(request.scope)
    settings = desk.services.process.settings
    limit = settings.code_limit
    declared_size(request, limit)
    had = await in_thread(desk.services.ports.code.has, digest)
    await in_thread(desk.services.quotas.storage.make_room, who.name)
    chunks = _bounded(request, limit)
    size = await desk.services.ports.code.put_for(who.name, digest, chunks, settings.code_total)
    return answer({"digest": digest, "size": size}, 200 if had else 201)


@routes.add("HEAD", f"{API}/code/{{digest}}", AccessRule(P.JOB_WRITE, ONESELF), refusals=(422,))
def has_code(desk: AtDesk, digest: Digest) -> Response:
    """Whether this code was uploaded: 200 or 404."""
    _check(digest)
    if not desk.services.ports.code.has(digest):
        raise NotFound(Words("no code with this digest was uploaded", "此摘要对应的代码尚未上传"))
    return Response(status_code=200)


@routes.add(
    "GET",
    f"{API}/code/{{digest}}",
    AccessRule(P.JOB_READ, JOB),
    refusals=(422,),
    answers=_ARCHIVE,
    for_tasks=True,
)
def download_code(
    desk: AtDesk,
    who: Who,
    digest: Digest,
    query: Annotated[CodeQuery, Depends(Query(CodeQuery))],
    if_none_match: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Download the archive of a job's code; for everyone who may read the job, and for its running tasks."""
    _check(digest)
    ref = query.job or who.job
    if ref is None:
        where = ("query", "job")
        raise Invalid(
            (
                FieldError(
                    where,
                    "missing",
                    Words(
                        "name the job whose code it is: job=ID or job=NAME",
                        "请说明是哪个任务的代码：job=ID 或 job=NAME",
                    ),
                ),
            )
        )
    job = desk.services.jobs.jobs.get(who, ref)
    path = desk.services.ports.code.path(digest)
    if job.spec.code is None or job.spec.code.archive != digest or path is None:
        raise NotFound(
            say("job '{ref}' has no code with this digest", "任务“{ref}”没有此摘要的代码", ref=ref)
        )
    desk.services.jobs.visits.reads(who, job)
    headers = {"ETag": f'"{digest}"', "Cache-Control": "private, no-cache"}
    if f'"{digest}"' in if_none_match:
        return Response(status_code=304, headers=headers)
    return Download(path, headers=headers, media_type=_GZIP)


async def _bounded(request: Request, limit: int) -> AsyncIterator[bytes]:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise too_large(limit)
        if piece:
            yield piece


def _check(digest: str) -> None:
    if not re.fullmatch(DIGEST, digest):
        raise Invalid((FieldError(("path", "digest"), "bad_form", RULES[DIGEST], digest),))
