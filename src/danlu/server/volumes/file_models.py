"""Files of volumes, their trash and their uploads as sent and answered."""

from typing import Annotated, Any, Self

from pydantic import Field, StrictStr, model_validator

from danlu.domain.file_names import escaped_path, shown_name
from danlu.ports.files import EntryKind
from danlu.ports.volumes import changing
from danlu.ports.volumes.uploads import Upload as PortUpload
from danlu.server.files.models import LONGEST_PATH, FileEntry, PathQuery
from danlu.server.http.models import MAX_PAGE, Answer, Moment, RequestBody
from danlu.server.http.rendering import GIVEN, At, Via

MOST_PATHS = 1_000
FilePath = Annotated[StrictStr, Field(max_length=LONGEST_PATH)]


class MakeFolder(RequestBody):
    """A new folder; those on the way that are missing are made too."""

    path: FilePath


class SomePaths(RequestBody):
    """One path or several, as lists of files spell them."""

    path: FilePath | None = None
    paths: Annotated[list[StrictStr], Field(max_length=MOST_PATHS)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.path is None) == (not self.paths):
            raise ValueError("give either path or paths")
        return self

    @property
    def all(self) -> list[str]:
        return [self.path] if self.path is not None else list(self.paths or ())


class MovePaths(SomePaths):
    """`to` is the new path of the one in `path`. For `paths` it is a folder, in which they keep their names; or, of a
    single one where no such folder exists, the new path."""

    to: FilePath


class CopyPaths(MovePaths):
    """`volume` is where to, unless it is the same one."""

    volume: Annotated[StrictStr, Field(max_length=200)] | None = None


class VolumeFileList(Answer):
    """A page of a folder of a volume. `whole` is false for a folder with so many entries that not all were looked at.
    `inside` is the path under which one's own tasks know a personal or archive directory."""

    items: list[FileEntry]
    next_cursor: str | None
    total: int
    whole: bool
    inside: str | None


class FileFailure(Answer):
    """What could not be done with a path, and why."""

    path: str
    code: str
    text: dict[str, str]


class ChangedPath(Answer):
    """What was moved or copied, and where it is now."""

    path: str
    to: str


class ChangedPaths(Answer):
    items: list[ChangedPath]
    failed: list[FileFailure]


class TrashQuery(RequestBody):
    """A page of a volume's trash."""

    limit: int = Field(100, ge=1, le=MAX_PAGE, description="The maximum number of items.")
    cursor: str | None = Field(None, max_length=100, description="The `next_cursor` of the previous page.")


def _last(path: bytes) -> str:
    return shown_name(path.rpartition(b"/")[2])


class TrashEntry(Answer, of=changing.TrashEntry):
    """Something that was deleted: `path` is where it was, `name` its name for people. It stays until it is
    restored, deleted for good, or gone at `gone_at`; null: it stays. `size` is null for what is no file, and for a
    folder until it was counted."""

    id: str
    path: Annotated[str, Via(escaped_path)]
    name: Annotated[str, At("path"), Via(_last)]
    kind: EntryKind
    size: int | None
    deleted_at: Annotated[Moment, At("at")]
    deleted_by: Annotated[str, At("by")]
    gone_at: Annotated[Moment | None, GIVEN]


class TrashUse(Answer, of=changing.TrashUse):
    """What the trash takes, and how many things are in it. Not `whole`: so much at least, as some of it is not counted
    yet."""

    size: int
    entries: int
    whole: bool


class TrashList(Answer):
    """`use` is told with the first page alone."""

    items: list[TrashEntry]
    next_cursor: str | None
    use: TrashUse | None


class Trashed(Answer):
    """What is in the trash now, and what could not be deleted."""

    items: list[TrashEntry]
    failed: list[FileFailure]


class Restored(Answer):
    """Where it is again."""

    path: str


class Upload(Answer, of=PortUpload):
    """An unfinished upload: how many bytes of how many are here; `modified` is when the file was changed, if that was
    told."""

    id: str
    path: Annotated[str, At("wish.path"), Via(escaped_path)]
    name: Annotated[str, At("wish.path"), Via(_last)]
    size: Annotated[int, At("wish.size")]
    offset: int
    overwrite: Annotated[bool, At("wish.overwrite")]
    modified: Annotated[Moment | None, At("wish.modified")]
    began_at: Moment


class UploadList(Answer):
    items: list[Upload]


class FileLink(Answer):
    """Where the console shows a file or folder to those who may read the volume; others are asked to sign in, or told
    that there is no such volume. It stays the same when the volume is renamed."""

    url: str
    volume: str
    kind: EntryKind


class PreviewQuery(PathQuery):
    """The beginning of a file of rows."""

    rows: int = Field(50, ge=1, le=200, description="How many rows.")


class PreviewColumn(Answer):
    """`type` is what its values look like: integer, number, boolean, text, list, mapping, or null where all are
    missing; of Parquet what the file says. `shown` is false where the values could not be read: nested ones, rare
    encodings, and what is beyond the bounds of a preview."""

    name: str
    type: str | None
    shown: bool


class FilePreview(Answer):
    """The first rows of a CSV, TSV, JSON Lines or Parquet file. `whole`: these are all rows, and all columns are
    shown. Values longer than 500 characters are cut."""

    format: str
    columns: list[PreviewColumn]
    rows: list[list[Any]]
    total: int | None
    whole: bool
