"""Datasets, their versions, and the acts that make and check them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.job import Time
from danlu.domain.volumes.volume import Shareable, VolumeShare


@dataclass(frozen=True, slots=True)
class Dataset(Shareable):
    """Versions of data under one name. Who may use it is told as of a volume: `rw` makes versions, `ro` reads them.
    `card` is Markdown; `last` the highest number that a version ever had."""

    id: str
    owner: str
    name: str
    created_at: Time
    changed_at: Time
    description: str = ""
    licence: str = ""
    card: str = ""
    shares: tuple[VolumeShare, ...] = ()
    public: bool = False
    sensitive: bool = False
    last: int = 0
    trashed_at: Time | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """Files of one kind: how many, and their bytes."""

    name: str
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class TableColumn:
    name: str
    type: str | None


@dataclass(frozen=True, slots=True)
class RowsTable:
    """A file of rows, whose columns stand for those like it; `rows` where they could be counted."""

    path: str
    format: str
    columns: tuple[TableColumn, ...]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in a version: by the endings of names, by size, and the columns of its first files of rows. Names are
    spelled for people. What was left out: links that lead out of the folder, and what is no file (pipes, devices);
    `unsettled` files changed whenever they were read, and are as they were read last."""

    endings: tuple[Count, ...] = ()
    sizes: tuple[Count, ...] = ()
    tables: tuple[RowsTable, ...] = ()
    links: int = 0
    links_out: int = 0
    special: int = 0
    unreadable: int = 0
    unsettled: int = 0
    left_out: tuple[str, ...] = ()
    """Some of the paths."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where the files of a version come from: a folder of a volume, as it was called then; or one that a job left."""

    volume: str = ""
    """Its id; `personal` or `archive` for the directories of whoever made the version."""
    title: str = ""
    path: str = ""
    """Escaped as in the API."""
    attempt: int = 0
    """Of the job whose working folder it was, as `run` left it; `title` is the job's then."""
    run: str = ""

    @property
    def place(self) -> str:
        return f"{self.title}:/{self.path}" if self.title else ""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a dataset, which never changes. `root` is the SHA-256 of its uppermost listing, on which all names
    and bytes depend; `stored` is how many bytes were new to the store."""

    id: str
    dataset: str
    number: int
    root: str
    files: int
    folders: int
    bytes: int
    stored: int
    made_by: str
    created_at: Time
    source: SourcePlace = SourcePlace()
    summary: Summary = Summary()
    note: str = ""
    job_id: str = ""
    job: str = ""
    """The name of the job that made it, where one did."""
    verified_at: Time | None = None
    damaged: int = 0
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"v{self.number}"


class ActKind(StrEnum):
    IMPORT = "import"
    """Transfers a public set into a folder; then it becomes a snapshot of that."""
    SNAPSHOT = "snapshot"
    """Makes a version."""
    VERIFY = "verify"
    """Reads a version's files again and compares them."""


class ActState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN_ACTS = frozenset({ActState.WAITING, ActState.RUNNING})


@dataclass(frozen=True, slots=True)
class ImportPart:
    """One transfer of an import: its id, which is known before it is created, so that it is never created twice; where
    it comes from (empty: Danlu writes it), what it must have, and where it goes."""

    transfer: str
    source: str = ""
    target: str = ""
    md5: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class ImportWish:
    """Of a public set: the recipe, how many images a stand-in has (0: it is the original), and its transfers in their
    order."""

    recipe: str = ""
    stand_in: int = 0
    parts: tuple[ImportPart, ...] = ()
    login: str | None = None
    """Sealed: what is told where the archives are."""


@dataclass(frozen=True, slots=True)
class ActWish:
    """What is asked for: the version to make, or the one to verify (`number`)."""

    source: SourcePlace = SourcePlace()
    tags: tuple[str, ...] = ()
    note: str = ""
    number: int = 0
    reread: bool = False
    """Read every file, also those that look unchanged."""
    job_id: str = ""
    job: str = ""
    imported: ImportWish = ImportWish()


@dataclass(frozen=True, slots=True)
class ActProgress:
    """How far it is: looked at so far; of these, read; and bytes that were read and that were new. Of an import: so
    many parts are there, and so much of the next one, of how much."""

    files: int = 0
    bytes: int = 0
    read: int = 0
    stored: int = 0
    damaged: int = 0
    parts: int = 0
    bytes_total: int | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """Something long that the server does with a dataset; after a restart it begins again, from what is stored."""

    id: str
    dataset: str
    kind: ActKind
    by: str
    wish: ActWish
    created_at: Time
    state: ActState = ActState.WAITING
    progress: ActProgress = ActProgress()
    began_at: Time | None = None
    ended_at: Time | None = None
    number: int | None = None
    """The version that was made."""
    error: tuple[str, str] | None = None
    """Why it failed, in English and Chinese."""
    failure: str | None = None
    """The code of that."""
    found: tuple[str, ...] = ()
    """Names of files whose content is damaged."""


@dataclass(frozen=True, slots=True)
class VersionRead:
    """A job that mounts, or mounted, a version; `active` while the version must stay because of it."""

    version: str
    job_id: str
    owner: str
    job: str
    at: Time
    active: bool = False
