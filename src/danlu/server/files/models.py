"""Files below a folder: queries and answers."""

from typing import Annotated

from pydantic import Field

from danlu.domain.file_names import escaped_path, shown_name
from danlu.ports import files
from danlu.ports.files import EntryKind, FileOrder
from danlu.server.http.models import MAX_PAGE, Answer, Moment, RequestBody
from danlu.server.http.rendering import At, Via

LONGEST_PATH = 3 * 4096
"""Of a path whose every byte is escaped."""


class PathQuery(RequestBody):
    """Something in a folder."""

    path: str = Field(
        "",
        max_length=LONGEST_PATH,
        description="The path below the folder; a % in it, and bytes that are no printable UTF-8, are written %XX.",
    )


class PageQuery(PathQuery):
    """A page of a folder."""

    sort: FileOrder = Field(FileOrder.NAME, description="What to sort by; folders come first.")
    descending: bool = Field(False, description="In descending order; folders come first all the same.")
    limit: int = Field(200, ge=1, le=MAX_PAGE, description="The maximum number of items.")
    cursor: str | None = Field(
        None, max_length=2000, description="The `next_cursor` of the previous page, in the same order."
    )


class FileEntry(Answer, of=files.FileEntry):
    """One name in a folder. `name` is for people; `key` is the name for the end of a `path`. `target` is where a link
    leads; links are not followed. `executable`: a file that its owner may execute."""

    name: Annotated[str, Via(shown_name)]
    key: Annotated[str, At("name"), Via(escaped_path)]
    kind: EntryKind
    size: int
    modified: Moment
    target: Annotated[str | None, Via(shown_name)]
    executable: bool
