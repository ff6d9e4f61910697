"""Files of jobs: queries and answers."""

from typing import Annotated, Literal

from pydantic import Field

from danlu.control.jobs import files as found
from danlu.control.jobs.files import Folder, FolderState
from danlu.ports.results import GoneCause
from danlu.server.files.models import FileEntry, PageQuery, PathQuery
from danlu.server.http.answering import moment
from danlu.server.http.models import MAX_NUMBER, Answer
from danlu.server.http.rendering import Via


class FolderQuery(PathQuery):
    """Something in a folder of a job."""

    folder: Folder = Field(
        Folder.WORK,
        description="work: the working folder of a task; checkpoints: where the job keeps its checkpoints.",
    )
    task: str | None = Field(None, max_length=100, description="The task; default: the first.")
    try_: int | None = Field(
        None, alias="try", ge=0, le=MAX_NUMBER, description="The try of a restarted task; 0 is the first."
    )
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The attempt; default: the latest.")


class FileListQuery(FolderQuery, PageQuery):
    """A page of a folder of a job."""


class Retention(Answer, of=found.Retention):
    """How long the results of a job are kept: `until` a moment, or null: as long as the job. `wanted`: somebody asked
    to keep them. `size` is null until it was counted."""

    size: int | None
    until: Annotated[str | None, Via(moment)]
    wanted: bool


class FileList(Answer):
    """A page of a folder. Unless `state` is ready there is nothing to list: the job has not started, the folder does
    not exist, or is gone (`gone_since`, `gone_because`), or lies elsewhere, where Danlu cannot read it. `whole` is
    false for a folder with so many entries that not all were looked at. `live`: its task may still write there.
    `inside` is the folder's path as tasks know it, if all of the job's tasks know it by the same."""

    state: FolderState
    live: bool
    items: list[FileEntry]
    next_cursor: str | None
    total: int
    whole: bool
    gone_since: str | None
    gone_because: Literal["age", "size", "disk"] | None
    retention: Retention | None
    inside: str | None


assert {cause.value for cause in GoneCause} == {"age", "size", "disk"}
