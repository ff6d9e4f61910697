"""Folders and files read for an answer: a page, a file or a range of it, a folder as an archive."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid, NotFound
from danlu.domain.file_names import BadPath, path_of, shown_name
from danlu.domain.words import Words, say
from danlu.ports.files import EntryKind, Files, PlaceBelow, TooManyToSort
from danlu.server.desk import Desk
from danlu.server.files.content import attached, content
from danlu.server.files.cursor import cursor_of, wish_of
from danlu.server.files.media import MEDIA_TYPES
from danlu.server.files.models import FileEntry, PageQuery
from danlu.server.http.answering import Json
from danlu.server.http.streams import Export
from danlu.server.http.turns import as_stream

TAR = "application/x-tar"
BYTES: dict[int, dict[str, Any]] = {
    200: {
        "description": "The file itself, of a type that its first bytes tell and that holds nothing a browser runs; a "
        "folder as a tar of everything in it, made while it is sent.",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in (*MEDIA_TYPES, TAR)},
    },
    206: {
        "description": "The range of the file that was asked for; of what it does not have, the whole file comes."
    },
}


def read_path(text: str, loc: tuple[str | int, ...] = ("query", "path")) -> bytes:
    """Invalid unless it leads down from the folder."""
    try:
        return path_of(text)
    except BadPath:
        message = Words(
            "a path leads from the folder downwards: names separated by /, without .. and without a / at its "
            "beginning, 4,096 bytes at most",
            "路径应从该目录向下：各级名称以 / 分隔，不含 ..，不以 / 开头，最多 4,096 字节",
        )
        raise Invalid((FieldError(loc, "bad_path", message, text[:200]),)) from None


def listed(desk: Desk, place: PlaceBelow, query: PageQuery, files: Files | None = None) -> Json:
    """A page of the folder at a place: items, next_cursor, total, whole. OSError where there is none. `files` are other
    ones than the disk's."""
    wish = wish_of(query)
    try:
        page = (files or desk.services.ports.files).page(place, wish)
    except TooManyToSort as error:
        raise _unsorted(error.most) from None
    return {
        "items": [FileEntry.render(entry) for entry in page.entries],
        "next_cursor": cursor_of(page.entries[-1], wish) if page.more and page.entries else None,
        "total": page.total,
        "whole": page.whole,
    }


async def downloaded(
    request: Request,
    desk: Desk,
    place: PlaceBelow,
    name: bytes,
    range_: str,
    if_range: str,
    files: Files | None = None,
) -> Response:
    """A file, or a folder as a tar; `name` is what a folder is called. OSError where neither is."""
    files = files or desk.services.ports.files
    as_stream(request.scope)
    entry = await desk.threads.for_stream(files.look_at, place)
    if entry.kind is EntryKind.FOLDER:
        pieces = await desk.threads.for_stream(files.archive, place, name)
        return Export(desk.streams, pieces, TAR, attached(shown_name(name) + ".tar"))
    opened = await desk.threads.for_stream(files.open, place)
    return await content(desk, opened, shown_name(entry.name), range_, if_range)


def missing(path: bytes, error: OSError) -> NotFound:
    text = _CLOSED if isinstance(error, PermissionError) else _NO_FILE
    return NotFound(text.fill(path=shown_name(path) or "."))


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
