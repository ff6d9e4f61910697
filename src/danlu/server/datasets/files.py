"""Files of a version: listed, downloaded, previewed, and all of them told line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import Caller
from danlu.domain.words import Words
from danlu.ports.datasets.contents import Contents
from danlu.ports.files import EntryKind, PlaceBelow
from danlu.server.datasets.addresses import DATASET, VERSION
from danlu.server.datasets.models import DatasetFileList
from danlu.server.desk import Desk
from danlu.server.files.models import PageQuery, PathQuery
from danlu.server.files.preview import preview_of
from danlu.server.files.reading import BYTES, downloaded, listed, missing, read_path
from danlu.server.http.access import AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Query
from danlu.server.http.streams import Export
from danlu.server.http.turns import as_stream
from danlu.server.route import AtDesk, Routes, Who, in_thread
from danlu.server.volumes import file_models as models

routes = Routes("datasets")

_READ = AccessRule(P.DATASET_READ, DATASET)
_LINES = "application/x-ndjson"
_MANIFEST = {
    200: {"description": "One JSON object a line.", "content": {_LINES: {"schema": {"type": "string"}}}}
}


@routes.add("GET", f"{VERSION}/files", _READ, DatasetFileList, refusals=(409, 422))
async def list_dataset_files(
    desk: AtDesk,
    who: Who,
    dataset: str,
    version: str,
    query: Annotated[PageQuery, Depends(Query(PageQuery))],
) -> Response:
    """List a folder of a version page by page."""
    return await desk.threads.for_stream(_listed, desk, who, dataset, version, query)


@routes.add("GET", f"{VERSION}/file", _READ, refusals=(409, 422), answers=BYTES)
async def read_dataset_file(
    request: Request,
    desk: AtDesk,
    who: Who,
    dataset: str,
    version: str,
    query: Annotated[PathQuery, Depends(Query(PathQuery))],
    range_: Annotated[str, Header(alias="Range", description="Bytes of a file: `bytes=0-65535`.")] = "",
    if_range: Annotated[str, Header(alias="If-Range", description="Only if the file has this ETag.")] = "",
) -> Response:
    """Download a file of a version, or a range of it; or a folder with all that is in it, as a tar.

    The ETag of a file is the SHA-256 of its content."""
    path = read_path(query.path)
    one, found, files = await in_thread(desk.services.datasets.versions.open, who, dataset, version)
    name = path.rpartition(b"/")[2] or f"{one.name}-{found.name}".encode()
    try:
        return await downloaded(request, desk, PlaceBelow(found.root, path), name, range_, if_range, files)
    except OSError as error:
        raise missing(path, error) from None


@routes.add("GET", f"{VERSION}/preview", _READ, models.FilePreview, refusals=(409, 422))
async def preview_dataset_file(
    desk: AtDesk,
    who: Who,
    dataset: str,
    version: str,
    query: Annotated[models.PreviewQuery, Depends(Query(models.PreviewQuery))],
) -> Response:
    """The columns and first rows of a CSV, TSV, JSON Lines or Parquet file of a version."""
    return await desk.threads.for_stream(_previewed, desk, who, dataset, version, query)


@routes.add("GET", f"{VERSION}/manifest", _READ, refusals=(409, 422), answers=_MANIFEST)
async def read_manifest(
    request: Request,
    desk: AtDesk,
    who: Who,
    dataset: str,
    version: str,
    query: Annotated[PathQuery, Depends(Query(PathQuery))],
) -> Response:
    """All files of a version below a folder, in the order of their paths, one JSON object a line.

    Each has `path`, `kind`, `size`, its SHA-256 as `digest` and whether it is `executable`; a link has a `target`."""
    path = read_path(query.path)
    as_stream(request.scope)
    _, found, files = await in_thread(desk.services.datasets.versions.open, who, dataset, version)
    place = PlaceBelow(found.root, path)
    try:
        entry = await desk.threads.for_stream(files.look_at, place)
    except OSError as error:
        raise missing(path, error) from None
    if entry.kind is not EntryKind.FOLDER:
        raise Invalid((FieldError(("query", "path"), "not_a_folder", _NO_FOLDER, query.path),))
    return Export(desk.streams, _lines(files, place), _LINES)


def _listed(desk: Desk, who: Caller, dataset: str, version: str, query: PageQuery) -> Response:
    path = read_path(query.path)
    _, found, files = desk.services.datasets.versions.open(who, dataset, version)
    try:
        page = listed(desk, PlaceBelow(found.root, path), query, files)
    except OSError as error:
        raise missing(path, error) from None
    return answer(page)


def _previewed(desk: Desk, who: Caller, dataset: str, version: str, query: models.PreviewQuery) -> Response:
    path = read_path(query.path)
    _, found, files = desk.services.datasets.versions.open(who, dataset, version)
    try:
        opened = files.open(PlaceBelow(found.root, path))
    except OSError as error:
        raise missing(path, error) from None
    try:
        return answer(preview_of(path, opened, query.rows))
    finally:
        opened.close()


def _lines(files: Contents, place: PlaceBelow) -> Iterator[bytes]:
    for one in files.all_files(place):
        told = {"path": escaped_path(one.path), "kind": one.kind.value, "size": one.size}
        if one.target is not None:
            told["target"] = escaped_path(one.target)
        else:
            told |= {"digest": one.digest, "executable": one.executable}
        yield json.dumps(told, ensure_ascii=False).encode() + b"\n"


_NO_FOLDER = Words(
    "this is a file: the manifest lists what is in a folder", "这是文件；清单列出的是目录中的内容"
)
