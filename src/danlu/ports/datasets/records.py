"""Where datasets, their versions and the acts on them are recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Act, Dataset, Version, VersionRead
from danlu.domain.job import Time
from danlu.ports.volumes.records import VolumeSight

DatasetsOf = tuple[Dataset, ...]
"""All datasets of one owner, those in the trash too."""


class DatasetStore(Protocol):
    """Every write by a person is noted in the audit log as `by` did it: its subject, before and after are set."""

    def add_dataset(
        self, one: Dataset, now: Time, *, by: Entry, check: Callable[[DatasetsOf], None]
    ) -> Dataset:
        """`check` sees what the owner has, in the same transaction, and may raise. NameTaken."""

    def dataset(self, dataset_id: str) -> Dataset | None: ...

    def find_dataset(self, owner: str, name: str) -> Dataset | None:
        """None also when it is in the trash."""

    def datasets(self, sight: VolumeSight | None) -> tuple[Dataset, ...]:
        """By name and owner, those in the trash too; None sees everybody's."""

    def edit_dataset(
        self, dataset_id: str, change: Callable[[Dataset], Dataset], now: Time, *, by: Entry
    ) -> Dataset:
        """NotFound, NameTaken; Conflict when it is put in the trash while an active job uses a version of it."""

    def remove_dataset(self, dataset_id: str, now: Time, *, by: Entry) -> bool:
        """Forget one that is in the trash, with its versions."""

    def add_version(
        self, version: Version, tags: Sequence[str], now: Time, *, by: Entry, act: Act
    ) -> Version:
        """With the next number; `act`, which made it, is done with it, in one transaction. If the act is done already,
        the version that it made. NotFound when there is no such dataset."""

    def versions(
        self, dataset_id: str, before: int | None = None, limit: int | None = None
    ) -> tuple[Version, ...]:
        """The newest first, with numbers below `before`."""

    def version(self, dataset_id: str, number: int | None) -> Version | None:
        """None: the newest."""

    def version_by_id(self, version_id: str) -> Version | None: ...

    def tagged(self, dataset_id: str, tag: str) -> Version | None: ...

    def remove_version(self, version: Version, now: Time, *, by: Entry) -> None:
        """Conflict while an active job uses it. What it had stored counts for the next one."""

    def tag_version(self, dataset_id: str, tag: str, number: int | None, now: Time, *, by: Entry) -> None:
        """Give the tag to this version, or to none."""

    def note_verified(self, version_id: str, at: Time, damaged: int) -> None: ...

    def version_roots(self) -> frozenset[str]:
        """The uppermost listings of all versions."""

    def version_roots_in_use(self) -> frozenset[str]:
        """Of versions that active jobs use."""

    def dataset_bytes(self, owner: str) -> int:
        """What the versions of a person's datasets added to the store, together."""

    def add_act(self, act: Act, now: Time, *, by: Entry) -> None: ...

    def act(self, act_id: str) -> Act | None: ...

    def acts(self, dataset_id: str, limit: int = 50) -> tuple[Act, ...]:
        """The newest first."""

    def open_acts(self) -> tuple[Act, ...]:
        """What waits or runs, the oldest first."""

    def save_act(self, act: Act) -> bool:
        """False, and nothing written, when it is over already."""

    def version_reads(self, dataset_id: str) -> tuple[VersionRead, ...]:
        """Which jobs mount or mounted its versions, the newest first, deleted ones too."""

    def reads_of_job(self, job_id: str) -> tuple[VersionRead, ...]: ...
