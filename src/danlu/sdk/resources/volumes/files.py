"""Files of a volume: list, read, upload, download, move, copy, delete and restore them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterator, Sequence

from danlu.domain.file_names import escaped_path, path_of
from danlu.sdk import models
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import ChangedPaths, FileEntry, FilePreview, Trashed, TrashEntry, TrashUse, Upload
    from danlu.sdk.resources.downloads import OnBytes
    from danlu.sdk.resources.volumes.many import FileOutcome, OnTransfer


class VolumeFiles:
    """Paths lead down from the volume's own folder: `train/images`; the folder itself is the empty path."""

    def __init__(self, http: Http, volume: str) -> None:
        self.http, self.volume = http, volume
        self.at = f"volumes/{segment(volume)}"

    def apart(self) -> VolumeFiles:
        """The same with a connection of its own, for another thread."""
        from danlu.sdk.http.http import Http

        return VolumeFiles(Http(self.http.target, self.http.timeout), self.volume)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def ls(self, path: str = "", sort: str = "name", descending: bool = False) -> Iterator[FileEntry]:
        """What a folder holds, page after page, folders first."""
        query = {"path": _sent(path), "sort": sort, "descending": descending}
        found = self.http.pages(f"{self.at}/files", None, query)
        return (read(models.FileEntry, one) for one in found)

    def read(self, path: str, offset: int = 0, limit: int | None = None) -> bytes:
        """The bytes of a file, or some of them."""
        if limit == 0:
            return b""
        last = "" if limit is None else str(offset + limit - 1)
        headers = {"Range": f"bytes={offset}-{last}"} if offset or limit is not None else {}
        return self.http.send("GET", f"{self.at}/file", {"path": _sent(path)}, headers=headers)[1]

    def pieces(self, path: str) -> Iterator[bytes]:
        """The bytes of a file as they come, in constant memory."""
        with self.http.stream(
            f"{self.at}/file", {"path": _sent(path)}, headers={"Accept": "*/*"}
        ) as response:
            yield from iter(lambda: response.read(1 << 18), b"")

    def preview(self, path: str, rows: int = 50) -> FilePreview:
        """The columns and first rows of a CSV, TSV, JSON Lines or Parquet file."""
        asked = {"path": _sent(path), "rows": rows}
        return read(models.FilePreview, self.http.json("GET", f"{self.at}/preview", asked))

    def link(self, path: str = "") -> str:
        """The address at which the console shows a file or folder to those who may read the volume."""
        return str(self.http.json("GET", f"{self.at}/link", {"path": _sent(path)})["url"])

    def get(
        self, path: str = "", to: str = "", overwrite: bool = False, progress: OnBytes | None = None
    ) -> str:
        """Download a file, or a folder as one archive that is unpacked, and return where it is: `to`, by default its
        own name in the current directory. A broken download of a file goes on where it stopped."""
        from danlu.sdk.resources import downloads

        source = downloads.Source(self.http, f"{self.at}/file", {"path": _sent(path)})
        target = to or downloads.safe_name(
            path.strip("/").rpartition("/")[2] or self.volume.rpartition(":")[2]
        )
        return downloads.fetch(source, target, overwrite, progress)

    # ── many files at once ───────────────────────────────────────────────────────────────────────────

    def put(
        self,
        local: str | Sequence[str],
        to: str = "",
        overwrite: bool = False,
        progress: OnTransfer | None = None,
    ) -> list[FileOutcome]:
        """Upload files and folders, four at a time; what became of each. A single file goes to the path `to`, unless
        that is a folder or ends with /; everything else goes into the folder `to`. What broke off goes on when it is
        sent again."""
        from danlu.sdk.resources.volumes import many

        return many.put(self, [local] if isinstance(local, str) else list(local), to, overwrite, progress)

    def fetch(
        self, path: str = "", to: str = "", overwrite: bool = False, progress: OnTransfer | None = None
    ) -> list[FileOutcome]:
        """Download a file or a folder file by file, four at a time; what became of each. Files that are here already
        and have not changed are left alone, so that a broken download of a folder goes on."""
        from danlu.sdk.resources.volumes import many

        return many.fetch(self, path, to, overwrite, progress)

    def uploads(self) -> list[Upload]:
        """Your unfinished uploads; they are kept for a day."""
        found = self.http.json("GET", f"{self.at}/uploads")["items"]
        return [read(models.Upload, one) for one in found]

    # ── changing ─────────────────────────────────────────────────────────────────────────────────────

    def mkdir(self, path: str) -> None:
        """Make a folder, with those on the way that are missing. NameTaken if something is there."""
        self.http.json("POST", f"{self.at}/files/mkdir", body={"path": _sent(path)})

    def move(self, path: str | Sequence[str], to: str) -> ChangedPaths:
        """One path to another, or several into a folder; nothing is overwritten."""
        body = {**_paths(path), "to": _sent(to)}
        return read(models.ChangedPaths, self.http.json("POST", f"{self.at}/files/move", body=body))

    def copy(self, path: str | Sequence[str], to: str, volume: str | None = None) -> ChangedPaths:
        """One path to another, or several into a folder; of another `volume`, if one is named."""
        body = {**_paths(path), "to": _sent(to), **({"volume": volume} if volume else {})}
        return read(models.ChangedPaths, self.http.json("POST", f"{self.at}/files/copy", body=body))

    def delete(self, path: str | Sequence[str]) -> Trashed:
        """Into the volume's trash."""
        return read(models.Trashed, self.http.json("POST", f"{self.at}/files/delete", body=_paths(path)))

    def trash(self) -> Iterator[TrashEntry]:
        """What was deleted, the latest first."""
        return (read(models.TrashEntry, one) for one in self.http.pages(f"{self.at}/trash"))

    def trash_use(self) -> TrashUse:
        """What the trash takes."""
        told = self.http.json("GET", f"{self.at}/trash", {"limit": 1})["use"]
        return read(models.TrashUse, told or {"whole": True})

    def restore(self, entry: str) -> str:
        """Put it back to where it was, and return that path. NameTaken if something is there again."""
        told = self.http.json("POST", f"{self.at}/trash/{segment(entry)}/restore")
        return os.fsdecode(path_of(told["path"]))

    def empty_trash(self, entry: str | None = None) -> None:
        """Delete everything in the trash for good, or one entry."""
        self.http.json("DELETE", f"{self.at}/trash" + (f"/{segment(entry)}" if entry else ""))


def _sent(path: str) -> str:
    return escaped_path(os.fsencode(path.strip("/")))


def _paths(path: str | Sequence[str]) -> dict[str, object]:
    return {"path": _sent(path)} if isinstance(path, str) else {"paths": [_sent(one) for one in path]}
