"""Where volumes are kept: their records in the database, their files on a disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.job import Time
from danlu.domain.volumes.volume import Volume
from danlu.ports.files import PlaceBelow
from danlu.ports.storage import DiskFigure

VolumesOf = tuple[Volume, ...]
"""All volumes of one owner, those in the trash too."""


@dataclass(frozen=True, slots=True)
class VolumeSight:
    """Whose volumes somebody sees: their own, those shared with them or with these projects, and public ones."""

    user: str
    projects: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class VolumeUse:
    """An active job that mounts a volume."""

    job_id: str
    owner: str
    name: str
    read_only: bool


@dataclass(frozen=True, slots=True)
class VolumeLoad:
    """How many active jobs mount a volume, and the first of them."""

    jobs: int
    first: tuple[VolumeUse, ...]


UNUSED = VolumeLoad(0, ())


class VolumeStore(Protocol):
    """Every write is noted in the audit log as `by` did it: its subject, before and after are set."""

    def add_volume(
        self,
        volume: Volume,
        now: Time,
        *,
        by: Entry,
        check: Callable[[VolumesOf], None],
        login: bytes | None = None,
    ) -> Volume:
        """With the group id it got, and its sealed login if it has one. `check` sees what the owner has, in the same
        transaction, and may raise. NameTaken when the owner has one of that name that is not in the trash, Conflict
        when another has its claim."""

    def volume(self, volume_id: str) -> Volume | None: ...

    def find_volume(self, owner: str, name: str) -> Volume | None:
        """None also when it is in the trash."""

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]:
        """By name and owner, those in the trash too; None sees everybody's."""

    def edit_volume(
        self, volume_id: str, change: Callable[[Volume, VolumesOf], Volume], now: Time, *, by: Entry
    ) -> Volume:
        """Write what `change` makes of it, given all that its owner has; no other edit comes between. NotFound when
        there is none, NameTaken as in `add_volume`, Conflict when it is put in the trash while an active job mounts
        it."""

    def remove_volume(self, volume_id: str, now: Time, *, by: Entry) -> bool:
        """Forget one that is in the trash; its group id is not given again."""

    def volume_uses(self, volume_id: str) -> tuple[VolumeUse, ...]:
        """Which jobs mount it that are active or still have tasks, by creation."""

    def volume_loads(self, volume_ids: Collection[str], most: int) -> Mapping[str, VolumeLoad]:
        """The same of many at once, each with `most` jobs at most; without those that no job mounts."""


class LoginStore(Protocol):
    """Sealed logins of attached volumes; they go with them."""

    def volume_login(self, volume_id: str) -> bytes | None: ...

    def set_volume_login(self, volume_id: str, login: bytes | None, now: Time, *, by: Entry) -> None:
        """Noted without its content. None forgets it; NotFound if there is no such volume."""


class VolumeDisk(Protocol):
    """The files of volumes on Danlu's own machine. Any thread."""

    def make(self, volume: Volume) -> None:
        """Make its folder, as its group may use it. Idempotent; DiskFull, Unavailable."""

    def place(self, volume_id: str) -> PlaceBelow:
        """Where its files are; it need not exist."""

    def let_go(self, volume_id: str) -> None:
        """Before its record is removed: once there is none, its files are removed in the background. Idempotent."""

    def remove(self, volume_id: str) -> None:
        """Delete all of it, whatever a task left there. Idempotent; may take long."""

    def figure(self, volume_id: str) -> DiskFigure | None:
        """What it took when it was last counted; None if it was not counted yet."""
