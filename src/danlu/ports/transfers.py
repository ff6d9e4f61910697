"""Transfers: their records, and the processes that carry them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.job import Time
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import (
    Transfer,
    TransferEnd,
    TransferProgress,
    TransferSchedule,
    TransferWish,
    WebLogin,
)
from danlu.domain.volumes.source import BucketAddress
from danlu.domain.volumes.source import Login as BucketLogin
from danlu.ports.files import PlaceBelow
from danlu.ports.volumes.changing import OpenVolume, VolumeFolders


class TransferStore(Protocol):
    """What people do is noted in the audit log as `by` did it; Danlu's own steps are not."""

    def add_transfer(self, one: Transfer, now: Time, *, by: Entry | None, most: int | None = None) -> None:
        """Conflict when its owner has `most` unfinished ones already."""

    def transfer(self, transfer_id: str) -> Transfer | None: ...

    def transfers(self, owner: str | None, after: str | None = None, limit: int = 200) -> list[Transfer]:
        """The latest first; None: everybody's. `after` is the id of the last one before."""

    def unfinished_transfers(self) -> list[Transfer]:
        """Everybody's, by when they were created."""

    def edit_transfer(
        self,
        transfer_id: str,
        change: Callable[[Transfer], Transfer],
        now: Time,
        *,
        by: Entry | None = None,
    ) -> Transfer:
        """Write what `change` makes of it; no other edit comes between. NotFound."""

    def remove_transfer(self, transfer_id: str, now: Time, *, by: Entry) -> bool:
        """Conflict while it is unfinished."""

    def forget_transfers(self, before: Time) -> int:
        """Those that ended before; how many."""


class ScheduleStore(Protocol):
    """As `TransferStore`."""

    def add_schedule(
        self, one: TransferSchedule, now: Time, *, by: Entry, most: int | None = None
    ) -> None: ...

    def schedule(self, schedule_id: str) -> TransferSchedule | None: ...

    def schedules(self, owner: str | None) -> list[TransferSchedule]:
        """By when they were created."""

    def due_schedules(self, now: Time) -> list[TransferSchedule]: ...

    def edit_schedule(
        self,
        schedule_id: str,
        change: Callable[[TransferSchedule], TransferSchedule],
        now: Time,
        *,
        by: Entry | None = None,
    ) -> TransferSchedule: ...

    def remove_schedule(self, schedule_id: str, now: Time, *, by: Entry) -> bool: ...


@dataclass(frozen=True, slots=True)
class OrderEnd:
    """One end, as the worker opens it; `volume` only where it is in one on disk, `bucket` where it is in a bucket, with
    what is told there, `left` where it is the working folder that a task left."""

    end: TransferEnd
    volume: OpenVolume | None = None
    bucket: BucketAddress | None = None
    key: BucketLogin | None = None
    left: PlaceBelow | None = None


@dataclass(frozen=True, slots=True)
class TransferOrder:
    """What a worker is to do. `most`: bytes that may still be written to a volume of capacity `bound`, None: any
    number."""

    id: str
    source: OrderEnd
    target: OrderEnd
    wish: TransferWish
    most: int | None = None
    bound: int = 0
    login: WebLogin | None = None


class TransferRun(Protocol):
    """One worker's process. Any thread."""

    def progress(self) -> TransferProgress: ...

    def ended(self) -> bool: ...

    def problem(self) -> Problem | None:
        """After its end: why it is not complete."""

    def stop(self) -> None:
        """Its process is gone when this returns; what came is kept. Idempotent."""


class TransferWorkers(Protocol):
    """Starts processes that transfer, each of which ends with the one that started it. Any thread."""

    def start(self, order: TransferOrder) -> TransferRun:
        """TransferStopped where none can be started."""

    def tidy(self, transfer_id: str, at: VolumeFolders) -> None:
        """What came of a transfer that is over is not needed any more. Idempotent."""


class Logins(Protocol):
    """Logins as text that tells nothing to who has no key. Any thread, any process of one data directory."""

    def seal(self, login: WebLogin) -> str: ...

    def opened(self, sealed: str) -> WebLogin | None:
        """None if it was sealed with another key."""
