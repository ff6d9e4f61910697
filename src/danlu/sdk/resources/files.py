"""Files of jobs: list, read, download, and keep them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterator

from danlu.domain.file_names import escaped_path, path_of
from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import FileEntry, FileList, Retention
    from danlu.sdk.resources.downloads import OnBytes


class Files:
    """Paths are relative to a folder of the job: `work`, the working folder of a task (the first, unless `task` names
    one), or `checkpoints`, where the job keeps its checkpoints."""

    def __init__(self, http: Http) -> None:
        self.http = http

    def ls(
        self,
        job: str,
        path: str = "",
        folder: str = "work",
        task: str | None = None,
        attempt: int | None = None,
        sort: str = "name",
        descending: bool = False,
    ) -> Iterator[FileEntry]:
        """What a folder holds, page after page, folders first; nothing where there is none (any more)."""
        query = {**_asked(path, folder, task, attempt), "sort": sort, "descending": descending}
        return (
            read(models.FileEntry, one) for one in self.http.pages(f"jobs/{segment(job)}/files", None, query)
        )

    def look(
        self,
        job: str,
        path: str = "",
        folder: str = "work",
        task: str | None = None,
        attempt: int | None = None,
        limit: int = 200,
    ) -> FileList:
        """The first page of a folder, with its state (ready, not_started, nothing, gone, elsewhere) and how long the
        job's results are kept."""
        query = {**_asked(path, folder, task, attempt), "limit": limit}
        return read(models.FileList, self.http.json("GET", f"jobs/{segment(job)}/files", query))

    def read(
        self,
        job: str,
        path: str,
        folder: str = "work",
        task: str | None = None,
        attempt: int | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> bytes:
        """The bytes of a file, or some of them."""
        last = "" if limit is None else str(offset + limit - 1)
        headers = {"Range": f"bytes={offset}-{last}"} if offset or limit is not None else {}
        query = _asked(path, folder, task, attempt)
        if limit == 0:
            return b""
        return self.http.send("GET", f"jobs/{segment(job)}/files/content", query, headers=headers)[1]

    def get(
        self,
        job: str,
        path: str = "",
        to: str = "",
        folder: str = "work",
        task: str | None = None,
        attempt: int | None = None,
        overwrite: bool = False,
        progress: OnBytes | None = None,
    ) -> str:
        """Download a file, or a folder with all that is in it, and return where it is: `to`, by default its own name in
        the current directory. A broken download of a file goes on where it stopped; nothing is overwritten unless
        asked."""
        from danlu.sdk.resources import downloads

        source = downloads.Source(
            self.http, f"jobs/{segment(job)}/files/content", _asked(path, folder, task, attempt)
        )
        name = path.strip("/").rpartition("/")[2] or job.rpartition(":")[2]
        target = to or downloads.safe_name(name)
        return downloads.fetch(source, target, overwrite, progress)

    def keep(self, job: str, wanted: bool = True) -> Retention:
        """Keep the results of a job until it is deleted, within its owner's quota; or only as long as usual."""
        method = "PUT" if wanted else "DELETE"
        return read(models.Retention, self.http.json(method, f"jobs/{segment(job)}/files/kept"))


def name_of(entry: FileEntry) -> str:
    """The entry's name as the file system has it, for paths."""
    return os.fsdecode(path_of(entry.key))


def _asked(path: str, folder: str, task: str | None, attempt: int | None) -> dict[str, object]:
    return {"path": escaped_path(os.fsencode(path)), "folder": folder, "task": task, "attempt": attempt}
