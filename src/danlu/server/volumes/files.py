"""Files of volumes: listed, downloaded, made, moved, copied and deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.control.volumes.files import FilesOfVolume
from danlu.domain.errors import Conflict, DanluError
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import Caller
from danlu.ports.files import EntryKind
from danlu.server.desk import Desk
from danlu.server.files.models import PageQuery, PathQuery
from danlu.server.files.preview import preview_of
from danlu.server.files.reading import BYTES, downloaded, listed, missing, read_path
from danlu.server.http.access import AccessRule, P
from danlu.server.http.answering import Json, answer
from danlu.server.http.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who, in_thread
from danlu.server.volumes import file_models as models
from danlu.server.volumes.addresses import ONE, VOLUME
from danlu.server.volumes.refusals import NO_ROOT, failure, refusal
from danlu.server.volumes.trash import trash_entry

routes = Routes("volumes")

FILES = f"{ONE}/files"
_READ, WRITE = AccessRule(P.VOLUME_READ, VOLUME), AccessRule(P.VOLUME_WRITE, VOLUME)
_NOTHING: Json = {"items": [], "next_cursor": None, "total": 0, "whole": True}


@routes.add("GET", FILES, _READ, models.VolumeFileList, refusals=(409, 422))
async def list_volume_files(
    desk: AtDesk, who: Who, volume: str, query: Annotated[PageQuery, Depends(Query(PageQuery))]
) -> Response:
    """List a folder of a volume page by page; `personal` and `archive` are the caller's own directories."""
    return await desk.threads.for_stream(_listed, desk, who, volume, query)


@routes.add("GET", f"{ONE}/file", _READ, refusals=(409, 422), answers=BYTES)
async def read_volume_file(
    request: Request,
    desk: AtDesk,
    who: Who,
    volume: str,
    query: Annotated[PathQuery, Depends(Query(PathQuery))],
    range_: Annotated[str, Header(alias="Range", description="Bytes of a file: `bytes=0-65535`.")] = "",
    if_range: Annotated[str, Header(alias="If-Range", description="Only if the file has this ETag.")] = "",
) -> Response:
    """Download a file of a volume, or a range of it; or a folder with all that is in it, as a tar."""
    path = read_path(query.path)
    opened = await in_thread(desk.services.volume_files.open, who, volume)
    name = path.rpartition(b"/")[2] or opened.name.encode()
    try:
        return await downloaded(request, desk, opened.at.place(path), name, range_, if_range)
    except OSError as error:
        raise missing(path, error) from None


@routes.add("GET", f"{ONE}/preview", _READ, models.FilePreview, refusals=(409, 422))
async def preview_volume_file(
    desk: AtDesk,
    who: Who,
    volume: str,
    query: Annotated[models.PreviewQuery, Depends(Query(models.PreviewQuery))],
) -> Response:
    """The columns and first rows of a CSV, TSV, JSON Lines or Parquet file."""
    return await desk.threads.for_stream(_previewed, desk, who, volume, query)


@routes.add("POST", f"{FILES}/mkdir", WRITE, models.ChangedPath, status=201, refusals=(409, 413, 422, 507))
def make_volume_folder(
    desk: AtDesk, who: Who, volume: str, body: Annotated[models.MakeFolder, Depends(Body(models.MakeFolder))]
) -> Response:
    """Make a folder, with those on the way that are missing."""
    path = read_path(body.path, ("path",))
    opened = desk.services.volume_files.open(who, volume, write=True)
    desk.services.volume_files.require_room(opened, 0)
    try:
        desk.services.ports.changes.make_folder(opened.at, below(path), opened.open.hand)
    except OSError as error:
        raise refusal(path, error) from None
    return answer({"path": escaped_path(path), "to": escaped_path(path)}, 201)


@routes.add("POST", f"{FILES}/move", WRITE, models.ChangedPaths, refusals=(409, 413, 422))
def move_volume_files(
    desk: AtDesk, who: Who, volume: str, body: Annotated[models.MovePaths, Depends(Body(models.MovePaths))]
) -> Response:
    """Move or rename files and folders of a volume; nothing is overwritten."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    target = target_of(desk, opened, body)

    def move(path: bytes) -> Json:
        to = target(below(path))
        desk.services.ports.changes.move(opened.at, path, to)
        return {"path": escaped_path(path), "to": escaped_path(to)}

    return answer(_each(body, move))


@routes.add("POST", f"{FILES}/delete", WRITE, models.Trashed, refusals=(409, 413, 422))
def delete_volume_files(
    desk: AtDesk, who: Who, volume: str, body: Annotated[models.SomePaths, Depends(Body(models.SomePaths))]
) -> Response:
    """Put files and folders into the volume's trash."""
    opened = desk.services.volume_files.open(who, volume, write=True)
    ports = desk.services.ports

    def delete(path: bytes) -> Json:
        entry = ports.changes.delete(opened.at, below(path), who.name, ports.clock.now())
        return trash_entry(desk, entry)

    return answer(_each(body, delete))


def _listed(desk: Desk, who: Caller, volume: str, query: PageQuery) -> Response:
    path = read_path(query.path)
    opened = desk.services.volume_files.open(who, volume)
    try:
        told = listed(desk, opened.at.place(path), query)
    except OSError as error:
        # One's own directories come to be when something is written there.
        if path or opened.inside is None or not isinstance(error, FileNotFoundError):
            raise missing(path, error) from None
        told = _NOTHING
    return answer({**told, "inside": opened.inside})


def _previewed(desk: Desk, who: Caller, volume: str, query: models.PreviewQuery) -> Response:
    path = read_path(query.path)
    opened = desk.services.volume_files.open(who, volume)
    try:
        content = desk.services.ports.files.open(opened.at.place(path))
        try:
            return answer(preview_of(path, content, query.rows))
        finally:
            content.close()
    except OSError as error:
        raise missing(path, error) from None


def below(path: bytes) -> bytes:
    if not path:
        raise Conflict(NO_ROOT)
    return path


def target_of(desk: Desk, opened: FilesOfVolume, body: models.MovePaths) -> Callable[[bytes], bytes]:
    """Where each of the paths goes."""
    to = read_path(body.to, ("to",))
    if body.paths is not None:
        try:
            is_folder = desk.services.ports.files.look_at(opened.at.place(to)).kind is EntryKind.FOLDER
        except OSError as error:
            if len(body.paths) > 1:
                raise missing(to, error) from None
            is_folder = False
        if is_folder or len(body.paths) > 1:
            return lambda path: b"/".join(part for part in (to, path.rpartition(b"/")[2]) if part)
    return lambda _: below(to)


def _each(body: models.SomePaths, act: Callable[[bytes], Json]) -> Json:
    """Every path for itself; if nothing could be done, the first refusal."""
    items, failed, errors = [], [], []
    for text in body.all:
        try:
            items.append(act(read_path(text, ("path",))))
        except (OSError, DanluError) as error:
            errors.append(told_of(text, error))
            failed.append(failure(text, errors[-1]))
    if errors and not items:
        raise errors[0]
    return {"items": items, "failed": failed}


def told_of(text: str, error: OSError | DanluError) -> DanluError:
    return error if isinstance(error, DanluError) else refusal(read_path(text, ("path",)), error)
