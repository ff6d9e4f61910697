"""What the server answers about volumes."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.problems import Finding
from danlu.sdk.models.reading import READERS, each, one, rows


@dataclass(frozen=True)
class VolumeFindings:
    """A look at the place outside, step by step up to the first that fails: name, route, login, bucket, right; of
    an NFS export name, route, export, right."""

    ready: bool = False
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class VolumeOutside:
    """Where the data of an attached volume is."""

    address: str = ""
    endpoint: str = ""
    region: str = ""
    writable: bool = False
    private: bool = False


@dataclass(frozen=True)
class VolumeShare:
    to: str = ""
    name: str = ""
    mode: str = ""


@dataclass(frozen=True)
class VolumeMount:
    """An active job that mounts the volume; `job` and `id` are null if the caller may not read it."""

    id: str | None = None
    job: str | None = None
    owner: str = ""
    read_only: bool = False


@dataclass(frozen=True)
class VolumeClaim:
    """The claim that Danlu makes for a volume: what became of it, in `text` too; whether it can grow (null: not
    known yet), whether its data stays in the cluster when the volume is deleted, and labels of the only nodes that
    have it."""

    state: str = ""
    note: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    capacity: int = 0
    expandable: bool | None = None
    kept: bool = False
    nodes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VolumeRow:
    """A volume, in bytes. `used` is what it took at `used_at`, with its own trash (null: not counted yet), and
    there is more unless `complete`. `enforcement` says what happens at the capacity: the cluster's storage holds to
    it or not (`storage`); it is measured, and jobs that go on writing beyond `most` are ended (`ending_jobs`); it
    is only measured; or the data is outside (`none`). `enforced`: the file system itself holds to it. `mode` is how
    the caller may use its files, null: not at all. In the trash since `trashed_at`, gone for good at `gone_at`.
    `made` is what became of the claim of a volume that Danlu creates in a cluster, with a `storage_class` there.
    `mounts`: so many active jobs mount it; `mounted_by` are the first of them that the caller may read."""

    id: str = ""
    owner: str = ""
    name: str = ""
    title: str = ""
    kind: str = ""
    capacity: int = 0
    used: int | None = None
    used_at: str | None = None
    entries: int | None = None
    complete: bool = False
    enforced: bool = False
    enforcement: str = ""
    most: int | None = None
    description: str = ""
    cluster: str = ""
    claim: str = ""
    storage_class: str = ""
    made: VolumeClaim | None = None
    source: VolumeOutside | None = None
    shares: tuple[VolumeShare, ...] = ()
    public: bool = False
    sensitive: bool = False
    has_login: bool = False
    created_at: str = ""
    changed_at: str = ""
    trashed_at: str | None = None
    gone_at: str | None = None
    mode: str | None = None
    can_edit: bool = False
    mounts: int = 0
    mounted_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileFailure:
    """What could not be done with a path, and why."""

    path: str = ""
    code: str = ""
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChangedPath:
    """What was moved or copied, and where it is now."""

    path: str = ""
    to: str = ""


@dataclass(frozen=True)
class ChangedPaths:
    items: tuple[ChangedPath, ...] = ()
    failed: tuple[FileFailure, ...] = ()


@dataclass(frozen=True)
class TrashEntry:
    """Something that was deleted: `path` is where it was, `name` its name for people. It stays until it is
    restored, deleted for good, or gone at `gone_at`; null: it stays. `size` is null for what is no file, and for a
    folder until it was counted."""

    id: str = ""
    path: str = ""
    name: str = ""
    kind: str = ""
    size: int | None = None
    deleted_at: str = ""
    deleted_by: str = ""
    gone_at: str | None = None


@dataclass(frozen=True)
class TrashUse:
    """What the trash takes, and how many things are in it. Not `whole`: so much at least, as some of it is not
    counted yet."""

    size: int = 0
    entries: int = 0
    whole: bool = False


@dataclass(frozen=True)
class Trashed:
    """What is in the trash now, and what could not be deleted."""

    items: tuple[TrashEntry, ...] = ()
    failed: tuple[FileFailure, ...] = ()


@dataclass(frozen=True)
class Restored:
    """Where it is again."""

    path: str = ""


@dataclass(frozen=True)
class Upload:
    """An unfinished upload: how many bytes of how many are here; `modified` is when the file was changed, if that
    was told."""

    id: str = ""
    path: str = ""
    name: str = ""
    size: int = 0
    offset: int = 0
    overwrite: bool = False
    modified: str | None = None
    began_at: str = ""


@dataclass(frozen=True)
class FileLink:
    """Where the console shows a file or folder to those who may read the volume; others are asked to sign in, or
    told that there is no such volume. It stays the same when the volume is renamed."""

    url: str = ""
    volume: str = ""
    kind: str = ""


@dataclass(frozen=True)
class PreviewColumn:
    """`type` is what its values look like: integer, number, boolean, text, list, mapping, or null where all are
    missing; of Parquet what the file says. `shown` is false where the values could not be read: nested ones, rare
    encodings, and what is beyond the bounds of a preview."""

    name: str = ""
    type: str | None = None
    shown: bool = False


@dataclass(frozen=True)
class FilePreview:
    """The first rows of a CSV, TSV, JSON Lines or Parquet file. `whole`: these are all rows, and all columns are
    shown. Values longer than 500 characters are cut."""

    format: str = ""
    columns: tuple[PreviewColumn, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    total: int | None = None
    whole: bool = False


@dataclass(frozen=True)
class Volume(VolumeRow):
    """With the active jobs that mount it."""

    uses: tuple[VolumeMount, ...] = ()


READERS.update(
    {
        VolumeFindings: {"findings": ("findings", each(Finding))},
        VolumeRow: {
            "made": ("made", one(VolumeClaim)),
            "source": ("source", one(VolumeOutside)),
            "shares": ("shares", each(VolumeShare)),
            "mounted_by": ("mounted_by", tuple),
        },
        ChangedPaths: {"items": ("items", each(ChangedPath)), "failed": ("failed", each(FileFailure))},
        Trashed: {"items": ("items", each(TrashEntry)), "failed": ("failed", each(FileFailure))},
        FilePreview: {"columns": ("columns", each(PreviewColumn)), "rows": ("rows", rows)},
        Volume: {
            "made": ("made", one(VolumeClaim)),
            "source": ("source", one(VolumeOutside)),
            "shares": ("shares", each(VolumeShare)),
            "mounted_by": ("mounted_by", tuple),
            "uses": ("uses", each(VolumeMount)),
        },
    }
)
