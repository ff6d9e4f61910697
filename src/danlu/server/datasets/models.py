"""Datasets as sent and answered."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictStr

from danlu.control.datasets import datasets as control
from danlu.control.datasets import lineage
from danlu.control.datasets.lineage import EdgeKind, NodeKind
from danlu.domain.datasets import dataset as domain
from danlu.domain.datasets.dataset import ActKind, ActState
from danlu.domain.file_names import escaped_path, shown_name
from danlu.domain.volumes.volume import MountMode
from danlu.files.forms import NEW_DATASET
from danlu.files.rulings import Ruling, ShortText
from danlu.ports.datasets import contents
from danlu.ports.datasets.contents import ChangeKind
from danlu.server.files.models import FileEntry
from danlu.server.http.models import Answer, ListQuery, Moment, RequestBody, Text
from danlu.server.http.rendering import GIVEN, At, By, Via
from danlu.server.volumes.models import VolumeShare

LONGEST_ESCAPED = 3 * 4096
DatasetName = Annotated[StrictStr, Field(pattern=NEW_DATASET)]
TagName = Annotated[StrictStr, Field(min_length=1, max_length=63)]
VersionName = Annotated[StrictStr, Field(min_length=1, max_length=63)]
Card = Annotated[StrictStr, Field(max_length=100_000)]
Licence = Annotated[StrictStr, Field(max_length=200)]


class DatasetListQuery(ListQuery):
    """Which datasets."""

    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    trashed: bool = Field(False, description="Those in the trash instead.")


class DatasetEdit(Ruling):
    """What to change of a dataset; its versions never change."""

    name: DatasetName | None = None
    description: ShortText | None = None
    licence: Licence | None = Field(None, description="Under which its data may be used, such as CC-BY-4.0.")
    card: Card | None = Field(None, description="What it is, in Markdown.")
    public: StrictBool | None = Field(None, description="Everybody may read it.")
    sensitive: StrictBool | None = Field(
        None, description="Everybody but its owner needs volume:sensitive to use its files."
    )


class DatasetCreate(Ruling):
    """A dataset of one's own, without a version yet."""

    name: DatasetName
    description: ShortText = ""
    licence: Licence = ""
    card: Card = ""
    public: StrictBool = False
    sensitive: StrictBool = False


class SnapshotCreate(RequestBody):
    """What becomes the next version."""

    volume: Annotated[StrictStr, Field(min_length=1, max_length=100)] = Field(
        description="A volume: by id, NAME or OWNER:NAME; `personal` and `archive` are one's own directories."
    )
    path: Annotated[StrictStr, Field(max_length=LONGEST_ESCAPED)] = Field(
        "", description="The folder in it, escaped as in lists of files; empty: all of it."
    )
    tags: Annotated[list[TagName], Field(max_length=20)] = Field(
        default_factory=list, description="Tags that the version gets."
    )
    note: Annotated[StrictStr, Field(max_length=500)] = ""
    reread: StrictBool = Field(
        False, description="Read every file, also those that look unchanged since the last snapshot."
    )


class TagSet(RequestBody):
    """Which version gets the tag."""

    version: VersionName = Field("latest", description="v3, 3, another tag, or latest.")


class VersionsQuery(ListQuery):
    """A page of versions, the newest first."""


class DiffQuery(ListQuery):
    """What to compare a version with."""

    old: VersionName | None = Field(
        None, description="The older version; default: the one before, or nothing of the first."
    )


class LineageQuery(RequestBody):
    version: VersionName | None = Field(None, description="Of this version alone.")


class DatasetQuery(RequestBody):
    """How to delete."""

    forever: bool = Field(False, description="For good: only what is in the trash.")


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────


class DatasetCount(Answer, of=domain.Count):
    """Files whose names end the same (`` : no ending), or of a range of sizes."""

    name: str
    files: int
    bytes: int


class DatasetColumn(Answer, of=domain.TableColumn):
    name: str
    type: str | None


class DatasetTable(Answer, of=domain.RowsTable):
    """A file of rows that stands for those like it."""

    path: str
    format: str
    columns: list[DatasetColumn]
    rows: int | None


class DatasetSummary(Answer, of=domain.Summary):
    """What is in a version. Left out were links that lead out of the folder, what is no file and what could not be
    read; `unsettled` files changed whenever they were read. `left_out` are some of the paths."""

    endings: list[DatasetCount]
    sizes: list[DatasetCount]
    tables: list[DatasetTable]
    links: int
    links_out: int
    special: int
    unreadable: int
    unsettled: int
    left_out: list[str]


class DatasetVersion(Answer, of=domain.Version):
    """A state of a dataset, which never changes. `digest` is the SHA-256 on which all names and bytes depend; `stored`
    are the bytes that were new to the store. `tags` has `latest` for the newest. `place` is where its files come from;
    `job`, `job_id` and `attempt` tell of the job that made it. `damaged` contents were found at `verified_at`."""

    id: str
    number: int
    version: Annotated[str, At("name")]
    digest: Annotated[str, At("root")]
    files: int
    folders: int
    bytes: int
    stored: int
    tags: Annotated[list[str], GIVEN]
    note: str
    place: Annotated[str, At("source.place")]
    made_by: str
    job_id: Annotated[str | None, Via(lambda text: text or None)]
    job: Annotated[str | None, Via(lambda text: text or None)]
    attempt: Annotated[int | None, At("source.attempt"), Via(lambda number: number or None)]
    created_at: Moment
    verified_at: Moment | None
    damaged: int
    summary: DatasetSummary


class DatasetVersionList(Answer):
    items: list[DatasetVersion]
    next_cursor: str | None


def _version(one: control.DatasetStanding) -> str | None:
    return one.latest.name if one.latest else None


def _files(one: control.DatasetStanding) -> int:
    return one.latest.files if one.latest else 0


def _bytes(one: control.DatasetStanding) -> int:
    return one.latest.bytes if one.latest else 0


def _latest_at(one: control.DatasetStanding) -> int | None:
    return one.latest.created_at if one.latest else None


class DatasetRow(Answer, of=control.DatasetStanding):
    """A dataset; `latest`, `files` and `bytes` are of its newest version, null and 0 before there is one. `mode` is how
    the caller may use it: `ro` reads versions, `rw` makes them too; null: not at all. In the trash since `trashed_at`,
    gone for good at `gone_at`."""

    id: Annotated[str, At("dataset.id")]
    owner: Annotated[str, At("dataset.owner")]
    name: Annotated[str, At("dataset.name")]
    title: Annotated[str, At("dataset.title")]
    description: Annotated[str, At("dataset.description")]
    licence: Annotated[str, At("dataset.licence")]
    latest: Annotated[str | None, By(_version)]
    latest_at: Annotated[Moment | None, By(_latest_at)]
    files: Annotated[int, By(_files)]
    bytes: Annotated[int, By(_bytes)]
    shares: Annotated[list[VolumeShare], At("dataset.shares")]
    public: Annotated[bool, At("dataset.public")]
    sensitive: Annotated[bool, At("dataset.sensitive")]
    created_at: Annotated[Moment, At("dataset.created_at")]
    changed_at: Annotated[Moment, At("dataset.changed_at")]
    trashed_at: Annotated[Moment | None, At("dataset.trashed_at")]
    gone_at: Moment | None
    mode: MountMode | None
    can_edit: bool


class Dataset(DatasetRow, of=control.DatasetStanding):
    """With its card, in Markdown."""

    card: Annotated[str, At("dataset.card")]


class DatasetList(Answer):
    items: list[DatasetRow]
    next_cursor: str | None


class DatasetAct(Answer, of=domain.Act):
    """An import, a snapshot, or a verification of `version`; `version` is the one made or verified, null before it is
    made. So many files were looked at, so many of these read, and so many bytes were new to the store. An import has
    the `recipe` of a public set; of its `parts` so many are there, files and bytes are those of `transfer`, and when
    all are there it becomes a snapshot. `error` says why it failed; `found` are names of files whose content is
    damaged, of `damaged` in all."""

    id: str
    kind: ActKind
    state: ActState
    by: str
    place: Annotated[str, At("wish.source.place")]
    tags: Annotated[list[str], At("wish.tags")]
    note: Annotated[str, At("wish.note")]
    version: Annotated[str | None, GIVEN]
    recipe: Annotated[str | None, At("wish.imported.recipe"), Via(lambda text: text or None)]
    transfer: Annotated[str | None, GIVEN]
    parts: Annotated[int, At("progress.parts")]
    parts_total: Annotated[int, At("wish.imported.parts"), Via(len)]
    files: Annotated[int, At("progress.files")]
    bytes: Annotated[int, At("progress.bytes")]
    bytes_total: Annotated[int | None, At("progress.bytes_total")]
    read: Annotated[int, At("progress.read")]
    stored: Annotated[int, At("progress.stored")]
    damaged: Annotated[int, At("progress.damaged")]
    found: list[str]
    error: Annotated[Text | None, GIVEN]
    created_at: Moment
    began_at: Moment | None
    ended_at: Moment | None


class DatasetActList(Answer):
    items: list[DatasetAct]


class DatasetFileList(Answer):
    """A page of a folder of a version; `total` is how many entries it has."""

    items: list[FileEntry]
    next_cursor: str | None
    total: int
    whole: bool


class DatasetChange(Answer, of=contents.VersionChange):
    """A file that is not the same in two versions; `path` for the API, `name` for people."""

    path: Annotated[str, Via(escaped_path)]
    name: Annotated[str, At("path"), Via(shown_name)]
    kind: ChangeKind
    old_size: int | None
    new_size: int | None


class DatasetDiffPage(Answer):
    """Between `old` (null: nothing) and `new`, by path."""

    old: str | None
    new: str
    items: list[DatasetChange]
    next_cursor: str | None


class LineageNode(Answer, of=lineage.LineageNode):
    """A version, a job, or the place that files come from. `ref` leads to it: `OWNER:NAME@v3` or the job's id; null
    where the caller may see nothing there (any more)."""

    id: str
    kind: NodeKind
    name: str
    owner: str
    ref: str | None
    at: Moment | None


class LineageEdge(Answer, of=lineage.LineageEdge):
    """`made`: from a place or job to a version, or from a job to the place that it wrote to; `read`: from a version to
    a job."""

    source: str
    target: str
    kind: EdgeKind


class DatasetLineage(Answer):
    nodes: list[LineageNode]
    edges: list[LineageEdge]


class DatasetStoreFigure(Answer):
    """What the store of all versions has: contents, each once, and their bytes."""

    objects: int
    bytes: int


class DatasetCollected(Answer, of=contents.Collected):
    """What no version needed, and is gone."""

    objects: int
    bytes: int
