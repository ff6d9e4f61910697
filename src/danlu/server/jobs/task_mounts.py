"""What tasks in pods mount: which files, and what is in them, many in one answer."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from danlu.control.jobs.task_mounts import MountedEntry, MountSource, NotReadable, WantedContent
from danlu.domain.errors import DanluError
from danlu.domain.file_names import escaped_path
from danlu.server.files.reading import read_path
from danlu.server.http.access import API, ONESELF, TASK, AccessRule
from danlu.server.http.reading import Body, Query, decimal
from danlu.server.http.streams import Export
from danlu.server.http.turns import as_stream
from danlu.server.jobs.task_mounts_models import ManifestQuery, MountContents
from danlu.server.route import AtDesk, Routes, Who, in_thread

routes = Routes("reports")

_ONE = f"{API}/task/mounts/{{mount}}"
_READ = AccessRule(TASK, ONESELF)
_LINES, _BYTES = "application/x-ndjson", "application/octet-stream"
_MANIFEST: dict[int, dict[str, Any]] = {
    200: {"description": "One JSON object a line.", "content": {_LINES: {"schema": {"type": "string"}}}}
}
_FRAMES: dict[int, dict[str, Any]] = {
    200: {
        "description": "For each file a byte (0: its content; 1: why it cannot be had, as JSON), eight bytes with a "
        "length, and so many bytes.",
        "content": {_BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
}
_HEAD = struct.Struct(">BQ")
_CONTENT, _FAILED = 0, 1


@routes.add("GET", f"{_ONE}/manifest", _READ, refusals=(422,), answers=_MANIFEST, for_tasks=True)
async def read_mount_manifest(
    request: Request,
    desk: AtDesk,
    who: Who,
    mount: str,
    query: Annotated[ManifestQuery, Depends(Query(ManifestQuery))],
) -> Response:
    """All files of a dataset or bucket that the task's own job mounts, in the order of their paths.

    `mount` counts the job's mounts from 0. The last line has `end`, or says with `failed` why there is no more."""
    after = read_path(query.after, ("query", "after")) + (b"/" if query.after.endswith("/") else b"")
    as_stream(request.scope)
    source = await in_thread(desk.services.jobs.mounts.source, who, decimal(mount))
    return Export(desk.streams, _lines(source, after), _LINES, run=desk.threads.for_fill)


@routes.add("POST", f"{_ONE}/contents", _READ, refusals=(413, 422), answers=_FRAMES, for_tasks=True)
async def read_mount_contents(
    request: Request,
    desk: AtDesk,
    who: Who,
    mount: str,
    body: Annotated[MountContents, Depends(Body(MountContents))],
) -> Response:
    """What files of a mount hold, one after the other, each from the byte on that is asked for."""
    wanted = [
        WantedContent(read_path(path, ("files", at, 0)), tag, size, offset)
        for at, (path, tag, size, offset) in enumerate(body.files)
    ]
    as_stream(request.scope)
    source = await in_thread(desk.services.jobs.mounts.source, who, decimal(mount))
    return Export(desk.streams, _frames(source, wanted), _BYTES, run=desk.threads.for_fill)


def _lines(source: MountSource, after: bytes) -> Iterator[bytes]:
    """An answer that breaks off has no end, and is asked for again."""
    with contextlib.suppress(OSError, DanluError):
        try:
            for entry in source.entries(after):
                yield json.dumps(_told(entry), ensure_ascii=False).encode() + b"\n"
        except NotReadable as why:
            yield json.dumps({"failed": _failure(why)}, ensure_ascii=False).encode() + b"\n"
        else:
            yield b'{"end": true}\n'


def _told(entry: MountedEntry) -> dict[str, Any]:
    told: dict[str, Any] = {"path": escaped_path(entry.path), "kind": entry.kind.value}
    if entry.target is not None:
        return {**told, "target": escaped_path(entry.target)}
    told |= {"size": entry.size, "tag": entry.tag}
    if entry.executable:
        told["executable"] = True
    if entry.modified:
        told["modified"] = entry.modified
    return told


def _failure(why: NotReadable) -> dict[str, Any]:
    return {
        "code": why.code,
        "en": why.told.en,
        "zh": why.told.zh,
        "bound": why.bound,
        "again": why.again,
    }


def _frames(source: MountSource, wanted: Iterable[WantedContent]) -> Iterator[bytes]:
    with contextlib.suppress(OSError, DanluError, _ContentCut):
        for one in wanted:
            try:
                pieces = source.open(one)
            except NotReadable as why:
                told = json.dumps(_failure(why), ensure_ascii=False).encode()
                yield _HEAD.pack(_FAILED, len(told)) + told
                continue
            left = max(0, one.size - one.offset)
            yield _HEAD.pack(_CONTENT, left)
            for piece in pieces:
                left -= len(piece)
                if left < 0:
                    raise _ContentCut
                yield piece
            if left:
                raise _ContentCut


class _ContentCut(Exception):
    """It is not as long as it was told: better an answer that breaks off than one that is wrong."""
