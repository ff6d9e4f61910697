"""A file as an answer: whole or a range of it, and never anything that a browser would run."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from email.utils import formatdate
from urllib.parse import quote

from starlette.responses import Response

from danlu.ports.files import OpenContent
from danlu.server.desk import Desk
from danlu.server.files.media import FIRST_BYTES, media_type
from danlu.server.http.streams import Stream

_PIECE = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_ODD = re.compile(r"[^ !#-\[\]-~]|%")


def attached(name: str) -> dict[str, str]:
    """Headers of something that somebody else wrote: saved, not shown; if it is shown all the same, nothing in it
    runs."""
    plain = _ODD.sub("_", name)
    return {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }


async def content(desk: Desk, opened: OpenContent, name: str, range_: str, if_range: str) -> Response:
    """The open file, which is closed when the answer ends."""
    first = await desk.threads.for_stream(opened.read, 0, FIRST_BYTES)
    tag = f'"{opened.tag}"'
    headers = {
        **attached(name),
        "ETag": tag,
        "Last-Modified": formatdate(opened.modified / 1000, usegmt=True),
        "Accept-Ranges": "bytes",
    }
    asked = range_ if not if_range or if_range == tag else ""
    part = _part(asked, opened.size)
    if part is not None:
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{opened.size}"
    status, wanted = (200, range(opened.size)) if part is None else (206, part)
    pieces = _pieces(desk, opened, wanted)
    return Stream(desk.streams, pieces, media_type(first), headers, status=status, length=len(wanted))


def _part(asked: str, size: int) -> range | None:
    """The bytes that are asked for; None for all: also where there are none such, or it is no range of bytes."""
    found = _RANGE.fullmatch(asked)
    if found is None or found[0] == "bytes=-":
        return None
    if not found[1]:
        begin, end = max(0, size - int(found[2])), size
    else:
        begin, end = int(found[1]), min(size, int(found[2]) + 1) if found[2] else size
    return range(begin, end) if begin < end else None


async def _pieces(desk: Desk, opened: OpenContent, part: range) -> AsyncGenerator[bytes, None]:
    try:
        at = part.start
        while at < part.stop:
            piece = await desk.threads.for_stream(opened.read, at, min(_PIECE, part.stop - at))
            at += len(piece)
            yield piece
    finally:
        opened.close()
