"""Uploads into volumes by tus 1.0: begun, looked at, gone on with, given up."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from starlette.responses import Response

from danlu.control.volumes.files import FilesOfVolume
from danlu.domain.errors import Conflict, NotFound, TooLarge, UploadLocked, WrongChecksum
from danlu.domain.permissions import Caller
from danlu.domain.words import Words, say
from danlu.ports.volumes.uploads import (
    Checksum,
    Damaged,
    Upload,
    UploadBusy,
    UploadPart,
    UploadWish,
    WrongOffset,
)
from danlu.server.desk import Desk
from danlu.server.http.access import ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.turns import as_stream
from danlu.server.route import AtDesk, Routes, Who, in_thread
from danlu.server.volumes import file_models as models
from danlu.server.volumes import tus
from danlu.server.volumes.addresses import ONE, VOLUME
from danlu.server.volumes.refusals import refusal

routes = Routes("volumes")

_UPLOADS = f"{ONE}/uploads"
_UPLOAD = f"{_UPLOADS}/{{upload}}"
_WRITE = AccessRule(P.VOLUME_WRITE, VOLUME)
_CHECK_EVERY_S = 5.0
_PIECE = 1 << 20
_MOST_PIECES = 512
"""The kernel takes twice as many at once."""
MOST_UNFINISHED = 10_000
_OFFSET: dict[int, dict[str, Any]] = {
    200: {"description": "`Upload-Offset` says how many bytes are here, `Upload-Length` of how many."}
}
_BEGUN: dict[int, dict[str, Any]] = {201: {"description": "`Location` is where the upload goes on."}}


@routes.add("OPTIONS", _UPLOADS, AccessRule(P.VOLUME_READ, ONESELF), status=204)
def about_uploads(volume: str) -> Response:  # noqa: ARG001
    """Which version and extensions of tus the server speaks."""
    return Response(status_code=204, headers=tus.ABOUT)


@routes.add("GET", _UPLOADS, _WRITE, models.UploadList, refusals=(409,))
def list_uploads(desk: AtDesk, who: Who, volume: str) -> Response:
    """One's own unfinished uploads into a volume."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    found = desk.services.ports.uploads.unfinished(opened.at)
    return answer({"items": [models.Upload.render(one) for one in found if one.wish.by == who.name]})


@routes.add("POST", _UPLOADS, _WRITE, status=201, refusals=(409, 412, 413, 415, 422, 507), answers=_BEGUN)
async def begin_upload(request: Request, desk: AtDesk, who: Who, volume: str) -> Response:
    """Begin an upload (tus); the first bytes may come along.

    `Upload-Length`, and `Upload-Metadata` with the `path`, and perhaps `overwrite`,
    `modified` (ms), `executable`, `checksum`."""
    tus.check_version(request.headers)
    wish = tus.read_wish(request.headers, who.name)
    comes = request.headers.get("content-type") is not None
    checksum = tus.read_checksum(request.headers.get("upload-checksum"))
    if comes:
        tus.check_type(request.headers)
    opened = await in_thread(_opened, desk, who, volume)
    begun = await in_thread(_begun, desk, opened, wish)
    if comes or not wish.size:
        begun = await _take(request, desk, who, opened, begun.id, 0, checksum)
    if begun.done:  # nobody knows its name yet, and so nobody will ask
        await in_thread(desk.services.ports.uploads.remove, opened.at, begun.id)
    place = f"{request.url.path.rstrip('/')}/{begun.id}"
    headers = {**tus.SPOKEN, "Location": place, "Upload-Offset": str(begun.offset)}
    return Response(status_code=201, headers=headers)


@routes.add("HEAD", _UPLOAD, _WRITE, refusals=(409, 412), answers=_OFFSET)
def look_at_upload(request: Request, desk: AtDesk, who: Who, volume: str, upload: str) -> Response:
    """How much of an upload is here (tus)."""
    tus.check_version(request.headers)
    opened = _opened(desk, who, volume)
    found = _found(desk, who, opened, upload)
    told = {"Upload-Offset": str(found.offset), "Upload-Length": str(found.wish.size)}
    return Response(status_code=200, headers={**tus.SPOKEN, **told, "Cache-Control": "no-store"})


@routes.add("PATCH", _UPLOAD, _WRITE, status=204, refusals=(409, 412, 413, 415, 422, 423, 507))
async def continue_upload(request: Request, desk: AtDesk, who: Who, volume: str, upload: str) -> Response:
    """Send bytes of an upload from `Upload-Offset` on (tus); the file is in its place when all are here."""
    tus.check_version(request.headers)
    tus.check_type(request.headers)
    offset = tus.read_number(request.headers, "Upload-Offset")
    checksum = tus.read_checksum(request.headers.get("upload-checksum"))
    opened = await in_thread(_opened, desk, who, volume)
    await in_thread(_found, desk, who, opened, upload)
    found = await _take(request, desk, who, opened, upload, offset, checksum)
    return Response(status_code=204, headers={**tus.SPOKEN, "Upload-Offset": str(found.offset)})


@routes.add("DELETE", _UPLOAD, _WRITE, status=204, refusals=(409, 412, 423))
def give_up_upload(request: Request, desk: AtDesk, who: Who, volume: str, upload: str) -> Response:
    """Give up an upload (tus): what came of it is removed."""
    tus.check_version(request.headers)
    opened = _opened(desk, who, volume)
    _found(desk, who, opened, upload)
    try:
        desk.services.ports.uploads.remove(opened.at, upload)
    except UploadBusy:
        raise UploadLocked from None
    return Response(status_code=204, headers=tus.SPOKEN)


def _opened(desk: Desk, who: Caller, volume: str) -> FilesOfVolume:
    return desk.services.volume_files.open(who, volume, write=True)


def _begun(desk: Desk, opened: FilesOfVolume, wish: UploadWish) -> Upload:
    """Refused before anything is sent: no room, or the name is taken."""
    ports = desk.services.ports
    waiting = ports.uploads.unfinished(opened.at)
    if len(waiting) >= MOST_UNFINISHED:
        raise Conflict(_TOO_MANY.fill(most=MOST_UNFINISHED))
    promised = sum(one.wish.size - one.offset for one in waiting)
    desk.services.volume_files.require_room(opened, wish.size + promised if wish.size else 0)
    try:
        return ports.uploads.begin(opened.at, wish, ports.clock.now())
    except OSError as error:
        raise refusal(wish.path, error) from None


def _found(desk: Desk, who: Caller, opened: FilesOfVolume, upload_id: str) -> Upload:
    """What somebody else uploads does not exist."""
    found = desk.services.ports.uploads.find(opened.at, upload_id)
    if found is None or found.wish.by != who.name:
        raise NotFound(_NO_UPLOAD)
    return found


async def _take(
    request: Request,
    desk: Desk,
    who: Caller,
    opened: FilesOfVolume,
    upload_id: str,
    offset: int,
    checksum: Checksum | None,
) -> Upload:
    """The body, piece by piece to the disk: memory holds one piece, and no thread waits for the network. Room and
    access are looked at again now and then; what was written before stays."""
    as_stream(request.scope)
    run = desk.threads.for_stream
    try:
        part = await run(desk.services.ports.uploads.append, opened.at, upload_id, offset, checksum)
    except FileNotFoundError:
        raise NotFound(_NO_UPLOAD) from None
    except UploadBusy:
        raise UploadLocked from None
    except WrongOffset as error:
        raise Conflict(_OFFSET_IS.fill(offset=error.offset)) from None
    try:
        _check_length(request, part)
        left, checked = part.upload.wish.size - part.upload.offset, time.monotonic()
        async for pieces in _pieces(request):
            if time.monotonic() - checked > _CHECK_EVERY_S:
                checked = time.monotonic()
                await in_thread(desk.services.volume_files.require_still, who, opened.ref, left)
            await run(part.write, *pieces)
            left -= sum(map(len, pieces))
        return await run(part.finish, opened.open.hand)
    except ValueError:
        raise _too_much(part) from None
    except Damaged:
        raise WrongChecksum from None
    except OSError as error:
        raise refusal(part.upload.wish.path, error) from None
    finally:
        await run(part.close)


def _check_length(request: Request, part: UploadPart) -> None:
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and int(said[:20]) > part.upload.wish.size - part.upload.offset:
        raise _too_much(part)


async def _pieces(request: Request) -> AsyncIterator[list[bytes]]:
    """The body as it comes, about a megabyte together: joined it would be copied once more. What came before the
    connection broke is there too."""
    held: list[bytes] = []
    size = 0
    try:
        async for data in request.stream():
            if data:
                held.append(data)
                size += len(data)
            if size >= _PIECE or len(held) >= _MOST_PIECES:
                yield held
                held, size = [], 0
    except Exception:
        if held:
            yield held
        raise
    if held:
        yield held


def _too_much(part: UploadPart) -> TooLarge:
    return TooLarge(
        say(
            "the upload has {size} bytes, and these would be more",
            "该上传共 {size} 字节，所发内容超出此数",
            size=part.upload.wish.size,
        )
    )


_NO_UPLOAD = Words(
    "there is no such upload (any more): unfinished ones are kept for a day; begin again",
    "没有该上传（或已被移除）：未完成的上传保留一天，请重新开始",
)
_OFFSET_IS = Words("the upload goes on at byte {offset}", "该上传应从第 {offset} 字节继续")
_TOO_MANY = Words(
    "{most} uploads to this volume are unfinished, which is the most; finish or give up some of them",
    "该存储卷未完成的上传已达上限 {most} 个，请先完成或放弃其中一些",
)
