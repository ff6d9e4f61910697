"""Volumes: places for data that stay after a job, and who may use them how."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from danlu.domain.job import Time
from danlu.domain.volumes.source import VolumeOutside

LOCAL_CLUSTER = "local"
"""The machine that Danlu runs on, as clusters are named."""
RESERVED_NAMES = frozenset({"personal", "archive"})
"""Of directories that everybody has without creating them."""
CLAIM = r"^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$"
"""What Kubernetes takes as the name of a claim; empty: none."""
FIRST_VOLUME_GID, LAST_VOLUME_GID = 0x6000_0000, 0x6FFF_FFFF
"""Each volume has a group id of its own on machines that run tasks, below the ids of people's tasks: whoever mounts it
to write is in that group."""


class VolumeKind(StrEnum):
    """What a volume is for, and who may mount it at the same time."""

    BLOCK = "block"
    """One job that writes, or any number that read; never both."""
    FILESYSTEM = "filesystem"
    """Any number of jobs read and write."""
    BUCKET = "bucket"
    """A part of a bucket at an address outside; jobs read a copy of it near them."""

    NFS = "nfs"
    """A folder of an NFS export; jobs read a copy of it near them."""

    @property
    def is_attached(self) -> bool:
        """Whether the data is at an address outside: nothing of it takes space or is deleted here."""
        return self in (VolumeKind.BUCKET, VolumeKind.NFS)


class MountMode(StrEnum):
    RO = "ro"
    RW = "rw"


class SharedWith(StrEnum):
    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, order=True)
class VolumeShare:
    """Somebody besides the owner who may mount a volume and see its files."""

    to: SharedWith
    name: str
    mode: MountMode


class Shareable:
    """What somebody owns and may share. With `public`, everybody may read it; what is `sensitive` needs a permission
    besides, for everybody but its owner. With `trashed_at` it is in the trash."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def owner(self) -> str: ...

        @property
        def name(self) -> str: ...

        @property
        def shares(self) -> tuple[VolumeShare, ...]: ...

        @property
        def public(self) -> bool: ...

        @property
        def sensitive(self) -> bool: ...

        @property
        def trashed_at(self) -> Time | None: ...

    @property
    def title(self) -> str:
        """The name by which anybody finds it."""
        return f"{self.owner}:{self.name}"

    @property
    def is_private(self) -> bool:
        """Whether its owner alone may use it, whatever others may do."""
        return False

    @property
    def is_writable(self) -> bool:
        """Whether anybody may write to it."""
        return True

    def mode_for(self, user: str, projects: Collection[str], *, sensitive: bool = False) -> MountMode | None:
        """How a person in these projects may use it, None: not at all; `sensitive` if they may see sensitive data."""
        if user == self.owner:
            return MountMode.RW
        if self.is_private or (self.sensitive and not sensitive):
            return None
        modes = {
            share.mode
            for share in self.shares
            if share.name in ((user,) if share.to is SharedWith.USER else projects)
        }
        if MountMode.RW in modes:
            return MountMode.RW
        return MountMode.RO if modes or self.public else None


@dataclass(frozen=True, slots=True)
class Volume(Shareable):
    """A place for data. `capacity` is in bytes. `claim` is the PersistentVolumeClaim on a Kubernetes cluster: made by
    Danlu if it has a `storage_class`, otherwise one that was there and is attached. With `trashed_at` it is mounted
    nowhere, and gone for good after a while."""

    id: str
    owner: str
    name: str
    kind: VolumeKind
    capacity: int
    created_at: Time
    changed_at: Time
    cluster: str = LOCAL_CLUSTER
    description: str = ""
    shares: tuple[VolumeShare, ...] = ()
    public: bool = False
    sensitive: bool = False
    claim: str = ""
    gid: int = 0
    """Given by the store."""
    trashed_at: Time | None = None
    storage_class: str = ""
    source: VolumeOutside | None = None
    """Where the data is, of kinds that are attached."""

    @property
    def claim_was_there(self) -> bool:
        """Whether somebody else made its storage, whose capacity is theirs to count: a claim, a bucket, an export."""
        return self.source is not None or (bool(self.claim) and not self.storage_class)

    @property
    def is_private(self) -> bool:
        return self.source is not None and self.source.private

    @property
    def is_writable(self) -> bool:
        return self.source is None or self.source.writable


def gone_at(one: Shareable, trash_time: Time) -> Time | None:
    """When what is in the trash is gone for good; None: not by itself."""
    return one.trashed_at + trash_time if one.trashed_at is not None and trash_time else None
