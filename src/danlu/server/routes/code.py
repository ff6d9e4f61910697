"""Uploaded code: archives named by their digest."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Path, Request
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid, NotFound
from danlu.server import render
from danlu.server.reading import declared_size, too_large
from danlu.server.route import AtDesk, Routes, in_thread
from danlu.server.rules import API
from danlu.wire.forms import DIGEST, RULES
from danlu.wire.responses import Code

routes = Routes("code")

Digest = Annotated[str, Path(json_schema_extra={"pattern": DIGEST})]
_HAD = {200: {"description": "It was there already.", "model": Code}}


@routes.add("PUT", f"{API}/code/{{digest}}", Code, status=201, refusals=(413, 422), answers=_HAD)
async def upload_code(request: Request, desk: AtDesk, digest: Digest) -> Response:
    """Upload a tar.gz by the SHA-256 of its bytes; the same again changes nothing."""
    _check(digest)
    limit = desk.services.settings.code_limit
    declared_size(request, limit)
    had = await in_thread(desk.services.code.has, digest)
    size = await desk.services.code.put(digest, _bounded(request, limit))
    return render.answer({"digest": digest, "size": size}, 200 if had else 201)


@routes.add("HEAD", f"{API}/code/{{digest}}", refusals=(422,))
def has_code(desk: AtDesk, digest: Digest) -> Response:
    """Whether this code was uploaded: 200 or 404."""
    _check(digest)
    if not desk.services.code.has(digest):
        raise NotFound("no code with this digest was uploaded")
    return Response(status_code=200)


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
