"""What the server answers about volumes."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass

from danlu.sdk.models.reading import READERS, each


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
class VolumeRow:
    """A volume, in bytes. `used` is what it took at `used_at`, with its own trash (null: not counted yet), and
    there is more unless `complete`. `enforced`: the file system itself holds to the capacity; otherwise it is
    measured. `mode` is how the caller may use its files, null: not at all. In the trash since `trashed_at`, gone
    for good at `gone_at`."""

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
    description: str = ""
    cluster: str = ""
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
class Volume(VolumeRow):
    """With the active jobs that mount it."""

    uses: tuple[VolumeMount, ...] = ()


READERS.update(
    {
        VolumeRow: {"shares": ("shares", each(VolumeShare))},
        Volume: {"shares": ("shares", each(VolumeShare)), "uses": ("uses", each(VolumeMount))},
    }
)
