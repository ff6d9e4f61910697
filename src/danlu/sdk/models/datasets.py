"""What the server answers about datasets."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping

from danlu.sdk.models.reading import READERS, each, one
from danlu.sdk.models.volumes import VolumeShare


@dataclass(frozen=True)
class DatasetCount:
    """Files whose names end the same (`` : no ending), or of a range of sizes."""

    name: str = ""
    files: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class DatasetColumn:
    name: str = ""
    type: str | None = None


@dataclass(frozen=True)
class DatasetTable:
    """A file of rows that stands for those like it."""

    path: str = ""
    format: str = ""
    columns: tuple[DatasetColumn, ...] = ()
    rows: int | None = None


@dataclass(frozen=True)
class DatasetSummary:
    """What is in a version. Left out were links that lead out of the folder, what is no file and what could not be
    read; `unsettled` files changed whenever they were read. `left_out` are some of the paths."""

    endings: tuple[DatasetCount, ...] = ()
    sizes: tuple[DatasetCount, ...] = ()
    tables: tuple[DatasetTable, ...] = ()
    links: int = 0
    links_out: int = 0
    special: int = 0
    unreadable: int = 0
    unsettled: int = 0
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class DatasetVersion:
    """A state of a dataset, which never changes. `digest` is the SHA-256 on which all names and bytes depend;
    `stored` are the bytes that were new to the store. `tags` has `latest` for the newest. `place` is where its
    files come from; `job`, `job_id` and `attempt` tell of the job that made it. `damaged` contents were found at
    `verified_at`."""

    id: str = ""
    number: int = 0
    version: str = ""
    digest: str = ""
    files: int = 0
    folders: int = 0
    bytes: int = 0
    stored: int = 0
    tags: tuple[str, ...] = ()
    note: str = ""
    place: str = ""
    made_by: str = ""
    job_id: str | None = None
    job: str | None = None
    attempt: int | None = None
    created_at: str = ""
    verified_at: str | None = None
    damaged: int = 0
    summary: DatasetSummary = DatasetSummary()


@dataclass(frozen=True)
class DatasetRow:
    """A dataset; `latest`, `files` and `bytes` are of its newest version, null and 0 before there is one. `mode` is
    how the caller may use it: `ro` reads versions, `rw` makes them too; null: not at all. In the trash since
    `trashed_at`, gone for good at `gone_at`."""

    id: str = ""
    owner: str = ""
    name: str = ""
    title: str = ""
    description: str = ""
    licence: str = ""
    latest: str | None = None
    latest_at: str | None = None
    files: int = 0
    bytes: int = 0
    shares: tuple[VolumeShare, ...] = ()
    public: bool = False
    sensitive: bool = False
    created_at: str = ""
    changed_at: str = ""
    trashed_at: str | None = None
    gone_at: str | None = None
    mode: str | None = None
    can_edit: bool = False


@dataclass(frozen=True)
class DatasetAct:
    """An import, a snapshot, or a verification of `version`; `version` is the one made or verified, null before it
    is made. So many files were looked at, so many of these read, and so many bytes were new to the store. An import
    has the `recipe` of a public set; of its `parts` so many are there, files and bytes are those of `transfer`, and
    when all are there it becomes a snapshot. `error` says why it failed; `found` are names of files whose content
    is damaged, of `damaged` in all."""

    id: str = ""
    kind: str = ""
    state: str = ""
    by: str = ""
    place: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    version: str | None = None
    recipe: str | None = None
    transfer: str | None = None
    parts: int = 0
    parts_total: int = 0
    files: int = 0
    bytes: int = 0
    bytes_total: int | None = None
    read: int = 0
    stored: int = 0
    damaged: int = 0
    found: tuple[str, ...] = ()
    error: Mapping[str, str] | None = None
    created_at: str = ""
    began_at: str | None = None
    ended_at: str | None = None


@dataclass(frozen=True)
class DatasetChange:
    """A file that is not the same in two versions; `path` for the API, `name` for people."""

    path: str = ""
    name: str = ""
    kind: str = ""
    old_size: int | None = None
    new_size: int | None = None


@dataclass(frozen=True)
class LineageNode:
    """A version, a job, or the place that files come from. `ref` leads to it: `OWNER:NAME@v3` or the job's id; null
    where the caller may see nothing there (any more)."""

    id: str = ""
    kind: str = ""
    name: str = ""
    owner: str = ""
    ref: str | None = None
    at: str | None = None


@dataclass(frozen=True)
class LineageEdge:
    """`made`: from a place or job to a version, or from a job to the place that it wrote to; `read`: from a version
    to a job."""

    source: str = ""
    target: str = ""
    kind: str = ""


@dataclass(frozen=True)
class DatasetLineage:
    nodes: tuple[LineageNode, ...] = ()
    edges: tuple[LineageEdge, ...] = ()


@dataclass(frozen=True)
class DatasetStoreFigure:
    """What the store of all versions has: contents, each once, and their bytes."""

    objects: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class DatasetCollected:
    """What no version needed, and is gone."""

    objects: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class RecipeArchive:
    """An archive of the set; about `size` bytes come. `url` and `md5` are empty where they are not known."""

    name: str = ""
    size: int = 0
    url: str = ""
    md5: str = ""


@dataclass(frozen=True)
class RecipePath:
    """What is where, in the original and its stand-in."""

    path: str = ""
    holds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StandInSize:
    """How many images a stand-in has, and may have."""

    usual: int = 0
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class DatasetRecipe:
    """A public set. About `size` bytes come, and there are about `unpacked` in the end; `own`: you bring the
    archives yourself, and `needs` says what for. `task` is what it is for."""

    id: str = ""
    title: str = ""
    task: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    licence: str = ""
    home: str = ""
    needs: Mapping[str, str] = field(default_factory=dict)
    own: bool = False
    size: int = 0
    unpacked: int = 0
    archives: tuple[RecipeArchive, ...] = ()
    layout: tuple[RecipePath, ...] = ()
    classes: Mapping[str, str] = field(default_factory=dict)
    some_classes: bool = False
    stand_in: StandInSize = StandInSize()


@dataclass(frozen=True)
class DatasetImport:
    """The dataset that gets the set, by id and as OWNER:NAME, and the act that tells how far it is."""

    dataset: str = ""
    title: str = ""
    act: DatasetAct = DatasetAct()


@dataclass(frozen=True)
class Dataset(DatasetRow):
    """With its card, in Markdown."""

    card: str = ""


READERS.update(
    {
        DatasetTable: {"columns": ("columns", each(DatasetColumn))},
        DatasetSummary: {
            "endings": ("endings", each(DatasetCount)),
            "sizes": ("sizes", each(DatasetCount)),
            "tables": ("tables", each(DatasetTable)),
            "left_out": ("left_out", tuple),
        },
        DatasetVersion: {"tags": ("tags", tuple), "summary": ("summary", one(DatasetSummary))},
        DatasetRow: {"shares": ("shares", each(VolumeShare))},
        DatasetAct: {"tags": ("tags", tuple), "found": ("found", tuple)},
        DatasetLineage: {"nodes": ("nodes", each(LineageNode)), "edges": ("edges", each(LineageEdge))},
        DatasetRecipe: {
            "archives": ("archives", each(RecipeArchive)),
            "layout": ("layout", each(RecipePath)),
            "stand_in": ("stand_in", one(StandInSize)),
        },
        DatasetImport: {"act": ("act", one(DatasetAct))},
        Dataset: {"shares": ("shares", each(VolumeShare))},
    }
)
