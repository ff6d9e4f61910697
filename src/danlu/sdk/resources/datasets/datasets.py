"""Datasets: your own and those shared with you, their versions, and the snapshots that make them."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Iterator, Mapping, NamedTuple, Sequence
from urllib.parse import unquote_to_bytes

from danlu.domain.file_names import escaped_path, path_of
from danlu.domain.words import Words
from danlu.sdk.http.errors import Conflict
from danlu.sdk.http.paths import segment
from danlu.sdk.models.datasets import (
    Dataset,
    DatasetAct,
    DatasetChange,
    DatasetCollected,
    DatasetImport,
    DatasetLineage,
    DatasetRecipe,
    DatasetRow,
    DatasetVersion,
)
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Named

if TYPE_CHECKING:
    from danlu.sdk.models import FileEntry, FilePreview
    from danlu.sdk.resources.downloads import OnBytes

OnAct = Callable[[DatasetAct], None]
_OPEN = ("waiting", "running")
_SOONEST, _LATEST = 0.2, 2.0
_RECIPES = "dataset-recipes"


class ListedFile(NamedTuple):
    """A file of a version; `digest` is the SHA-256 of its content, `target` where a link leads."""

    path: str
    kind: str
    size: int
    digest: str = ""
    executable: bool = False
    target: str = ""


class Datasets(Named[Dataset]):
    """Refer to a dataset by its id, by its name if it is your own, or as `owner:name`; to a version as `name@v3`,
    `name@tag`, or `name` for the newest."""

    path, kind = "datasets", Dataset

    def list(self, owner: str | None = None, trashed: bool = False) -> Items[DatasetRow]:  # type: ignore[override]
        """Your own, those shared with you and public ones; filter by `owner` (`me` is yourself). With `trashed`, those
        in the trash instead."""
        asked = {"owner": owner, "trashed": "true" if trashed else None}
        return [read(DatasetRow, one) for one in self.http.pages(self.path, None, asked)]

    def create(
        self,
        name: str,
        description: str = "",
        licence: str = "",
        card: str = "",
        public: bool = False,
        sensitive: bool = False,
    ) -> Dataset:
        """A dataset of your own, still without a version; `card` is Markdown."""
        body = {"description": description, "licence": licence, "card": card}
        return self._created(name, {**body, "public": public, "sensitive": sensitive})

    # ── public sets ──────────────────────────────────────────────────────────────────────────────────

    def recipes(self) -> Items[DatasetRecipe]:
        """Public sets that can be imported: what is in them, where they come from, what you need."""
        return [read(DatasetRecipe, one) for one in self.http.json("GET", _RECIPES)["items"]]

    def recipe(self, recipe: str) -> DatasetRecipe:
        return read(DatasetRecipe, self.http.json("GET", f"{_RECIPES}/{segment(recipe)}"))

    def import_recipe(
        self,
        recipe: str,
        name: str = "",
        into: str = "",
        source: str = "",
        stand_in: bool = False,
        size: int | None = None,
        checked: bool = True,
        login: tuple[str, str] | None = None,
        wait: bool = True,
        progress: OnAct | None = None,
    ) -> DatasetImport:
        """Import a public set into the dataset `name` (by default called like the recipe), and wait until its version
        is made. Its files go into the folder `into`, `VOLUME:/path`. `source` is a folder with the archives: a URL, or
        `VOLUME:/path`; with `checked=False` they may differ from the originals. With `stand_in`, `size` made-up images
        in the same layout come instead. Conflict says why it failed."""
        body = {"name": name, "into": into, "source": source, "stand_in": stand_in, "size": size}
        told = {"login": {"user": login[0], "secret": login[1]}} if login else {}
        sent = {**body, "checked": checked, **told}
        answer = self.http.json("POST", f"{_RECIPES}/{segment(recipe)}/import", body=sent)
        begun = read(DatasetImport, answer)
        if wait and begun.act is not None:
            return replace(begun, act=self.wait(begun.dataset, begun.act, progress))
        return begun

    def resume_import(
        self, name: str, act: str, wait: bool = True, progress: OnAct | None = None
    ) -> DatasetAct:
        """Go on with an import that failed or was cancelled."""
        begun = self._post(DatasetAct, self._at(name, "acts", segment(act), "resume"))
        return self.wait(name, begun, progress) if wait else begun

    # ── versions ─────────────────────────────────────────────────────────────────────────────────────

    def snapshot(
        self,
        name: str,
        place: str,
        tags: Sequence[str] = (),
        note: str = "",
        reread: bool = False,
        wait: bool = True,
        progress: OnAct | None = None,
    ) -> DatasetAct:
        """Make the next version of what a folder of a volume (`VOLUME:/path`) holds, and wait until it is made. Files
        that look unchanged since the last snapshot are not read again, unless you say `reread`. Conflict says why it
        failed."""
        volume, _, path = place.rpartition(":/") if ":/" in place else (place, "", "")
        body = {"volume": volume, "path": _sent(path), "tags": [*tags], "note": note, "reread": reread}
        act = self._post(DatasetAct, self._at(name, "snapshots"), body)
        return self.wait(name, act, progress) if wait else act

    def versions(self, name: str) -> Iterator[DatasetVersion]:
        """The newest first."""
        return (read(DatasetVersion, one) for one in self.http.pages(self._at(name, "versions")))

    def version(self, ref: str) -> DatasetVersion:
        return read(DatasetVersion, self.http.json("GET", self._version(ref)))

    def delete_version(self, ref: str) -> None:
        """For good; Conflict while a job uses it."""
        self.http.json("DELETE", self._version(ref))

    def tag(self, ref: str, tag: str) -> DatasetVersion:
        """Give a tag to a version; the version that had it loses it."""
        name, version = split(ref)
        body = {"version": version}
        return read(DatasetVersion, self.http.json("PUT", self._at(name, "tags", segment(tag)), body=body))

    def untag(self, name: str, tag: str) -> None:
        self.http.json("DELETE", self._at(name, "tags", segment(tag)))

    def verify(self, ref: str, wait: bool = True, progress: OnAct | None = None) -> DatasetAct:
        """Read all files of a version again; `found` are the names of damaged ones."""
        act = self._post(DatasetAct, f"{self._version(ref)}/verify")
        return self.wait(split(ref)[0], act, progress) if wait else act

    def diff(self, ref: str, old: str | None = None) -> Iterator[DatasetChange]:
        """What is in a version and not, or not the same, in an older one; by default, in the one before it."""
        found = self.http.pages(f"{self._version(ref)}/diff", None, {"old": old})
        return (read(DatasetChange, one) for one in found)

    def lineage(self, ref: str) -> DatasetLineage:
        """Where versions come from and which jobs read them; of all versions unless `ref` names one."""
        name, at, version = ref.partition("@")
        query = {"version": version} if at else None
        return read(DatasetLineage, self.http.json("GET", self._at(name, "lineage"), query))

    # ── files of a version ───────────────────────────────────────────────────────────────────────────

    def ls(
        self, ref: str, path: str = "", sort: str = "name", descending: bool = False
    ) -> Iterator[FileEntry]:
        """What a folder of a version holds, page after page, folders first."""
        from danlu.sdk.models import FileEntry

        query = {"path": _sent(path), "sort": sort, "descending": descending}
        return (read(FileEntry, one) for one in self.http.pages(f"{self._version(ref)}/files", None, query))

    def files(self, ref: str, path: str = "") -> Iterator[ListedFile]:
        """All files of a version below a folder, in the order of their paths."""
        with self.http.stream(
            f"{self._version(ref)}/manifest", {"path": _sent(path)}, headers={"Accept": "*/*"}
        ) as response:
            for line in response:
                told = json.loads(line)
                yield ListedFile(
                    os.fsdecode(path_of(told["path"])),
                    told["kind"],
                    told["size"],
                    told.get("digest", ""),
                    told.get("executable", False),
                    os.fsdecode(unquote_to_bytes(told.get("target", ""))),
                )

    def read(self, ref: str, path: str, offset: int = 0, limit: int | None = None) -> bytes:
        """The bytes of a file of a version, or some of them."""
        if limit == 0:
            return b""
        last = "" if limit is None else str(offset + limit - 1)
        headers = {"Range": f"bytes={offset}-{last}"} if offset or limit is not None else {}
        query = {"path": _sent(path)}
        return self.http.send("GET", f"{self._version(ref)}/file", query, headers=headers)[1]

    def preview(self, ref: str, path: str, rows: int = 50) -> FilePreview:
        """The columns and first rows of a CSV, TSV, JSON Lines or Parquet file of a version."""
        from danlu.sdk.models import FilePreview

        asked = {"path": _sent(path), "rows": rows}
        return read(FilePreview, self.http.json("GET", f"{self._version(ref)}/preview", asked))

    def download(
        self,
        ref: str,
        path: str = "",
        to: str = "",
        overwrite: bool = False,
        progress: OnBytes | None = None,
    ) -> str:
        """Download a version, or a file or folder of it, and return where it is: `to`, by default its own name."""
        from danlu.sdk.resources import downloads

        source = downloads.Source(self.http, f"{self._version(ref)}/file", {"path": _sent(path)})
        own = path.strip("/").rpartition("/")[2] or split(ref)[0].rpartition(":")[2]
        return downloads.fetch(source, to or downloads.safe_name(own), overwrite, progress)

    # ── acts ─────────────────────────────────────────────────────────────────────────────────────────

    def acts(self, name: str) -> Items[DatasetAct]:
        """Snapshots and verifications, the newest first."""
        return [read(DatasetAct, one) for one in self.http.json("GET", self._at(name, "acts"))["items"]]

    def act(self, name: str, act: str) -> DatasetAct:
        return read(DatasetAct, self.http.json("GET", self._at(name, "acts", segment(act))))

    def cancel(self, name: str, act: str) -> DatasetAct:
        return read(DatasetAct, self.http.json("DELETE", self._at(name, "acts", segment(act))))

    def wait(self, name: str, act: DatasetAct, progress: OnAct | None = None) -> DatasetAct:
        """Until it is over; Conflict unless it is done."""
        pause = _SOONEST
        while act.state in _OPEN:
            if progress is not None:
                progress(act)
            time.sleep(pause)
            pause = min(_LATEST, pause * 1.5)
            act = self.act(name, act.id)
        if progress is not None:
            progress(act)
        if act.state != "done":
            raise Conflict(_failure(act))
        return act

    def collect(self) -> DatasetCollected:
        """Remove from the store what no version needs; for administrators."""
        return read(DatasetCollected, self.http.json("POST", "dataset-store/collect"))

    # ── sharing and going ────────────────────────────────────────────────────────────────────────────

    def share_with(self, name: str, shares: Sequence[Mapping[str, str]]) -> Dataset:
        """Share it with exactly these: `{"to": "user" or "project", "name": …, "mode": "ro" or "rw"}`."""
        body = {"shares": [dict(one) for one in shares]}
        return read(Dataset, self.http.json("PUT", self._at(name, "shares"), body=body))

    def delete(self, name: str, forever: bool = False) -> None:
        """Move it to the trash; with `forever`, delete it for good when it is there."""
        self.http.json("DELETE", self._at(name), {"forever": "true"} if forever else None)

    def restore(self, name: str) -> Dataset:
        """Take it out of the trash."""
        return self._post(Dataset, self._at(name, "restore"))

    def _version(self, ref: str) -> str:
        name, version = split(ref)
        return self._at(name, "versions", segment(version))


def split(ref: str) -> tuple[str, str]:
    """The dataset and the version of `name@v3`."""
    name, at, version = ref.partition("@")
    return name, version if at else "latest"


def _sent(path: str) -> str:
    return escaped_path(os.fsencode(path.strip("/")))


def _failure(act: DatasetAct) -> Words:
    if act.error:
        return Words(act.error.get("en", ""), act.error.get("zh", ""))
    return Words("it was cancelled", "已取消")
