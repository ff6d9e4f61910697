"""Datasets: a person's own, and those shared with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from danlu.control.rules.registry import Registry
from danlu.control.volumes.shares import check_shares
from danlu.domain.datasets.access import may_edit, mode_of, sees
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotFound
from danlu.domain.ids import looks_like_id
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.volumes.volume import MountMode, VolumeShare, gone_at
from danlu.domain.words import Words, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock, Ids
from danlu.ports.datasets.records import DatasetsOf, DatasetStore
from danlu.ports.volumes.records import VolumeSight

P = Permission
MOST_DATASETS = 500
"""How many a person may have, those in the trash included."""


class DatasetsAndPeople(DatasetStore, PeopleStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class DatasetStanding:
    """A dataset as somebody sees it: how they may use it, whether they may change it, and its newest version."""

    dataset: Dataset
    mode: MountMode | None
    can_edit: bool
    latest: Version | None
    gone_at: Time | None


class Datasets:
    """The verbs on datasets. Any thread; each is one transaction, noted in the audit log with it."""

    def __init__(
        self, store: DatasetsAndPeople, registry: Registry, clock: Clock, ids: Ids, trash_time: Time
    ) -> None:
        self._store, self._registry = store, registry
        self._clock, self._ids, self._trash_time = clock, ids, trash_time

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def all(self, caller: Caller, owner: str | None = None, trashed: bool = False) -> list[Dataset]:
        """One's own, those shared with one, and public ones; or those in the trash, as far as one may restore them."""
        caller.require(P.DATASET_READ, caller.name)
        everybodys = caller.may_everywhere(P.DATASET_READ)
        found = self._store.datasets(None if everybodys else VolumeSight(caller.name, caller.projects))
        return [
            one
            for one in found
            if owner in (None, one.owner) and (one.trashed_at is not None) == trashed and sees(caller, one)
        ]

    def get(self, caller: Caller, ref: str) -> Dataset:
        """By id, by the name of one of one's own, or as owner:name. What one may not know of does not exist; of what is
        in the trash the latest of that name is found if none else has it."""
        found = self._store.dataset(ref) if looks_like_id(ref) else None
        owner, _, name = ref.rpartition(":")
        found = found or self._store.find_dataset(owner or caller.name, name)
        found = found or self._latest_trashed(owner or caller.name, name)
        if found is None or not sees(caller, found):
            raise NotFound(no_such("dataset", ref))
        return found

    def usable(self, caller: Caller, ref: str, *, write: bool = False) -> Dataset:
        """One whose versions they may read, or to which they may add some. NotFound, NotAllowed; Conflict while it is
        in the trash."""
        one = self.get(caller, ref)
        if one.trashed_at is not None:
            raise Conflict(_IN_TRASH.fill(name=one.name))
        mode = mode_of(caller, one)
        if mode is None:
            raise NotAllowed(_SENSITIVE.fill(name=one.title))
        if write and mode is not MountMode.RW:
            raise NotAllowed(_READ_ONLY.fill(name=one.title))
        return one

    def standing(self, caller: Caller, one: Dataset) -> DatasetStanding:
        return DatasetStanding(
            one,
            mode_of(caller, one),
            may_edit(caller, one),
            self._store.version(one.id, None),
            gone_at(one, self._trash_time),
        )

    # ── coming and changing ──────────────────────────────────────────────────────────────────────────

    def create(self, caller: Caller, name: str, **more: Any) -> Dataset:
        """`more` is its description, licence and card, and whether it is public or sensitive."""
        caller.require(P.DATASET_WRITE, caller.name)
        _check_name(name)
        now = self._clock.now()
        wanted = Dataset(self._ids.new(), caller.name, name, now, now, **more)

        def check(had: DatasetsOf) -> None:
            if len(had) >= MOST_DATASETS:
                raise Conflict(_TOO_MANY.fill(owner=wanted.owner, most=MOST_DATASETS))

        return self._store.add_dataset(wanted, now, by=caller.entry("created", ""), check=check)

    def edit(self, caller: Caller, ref: str, changes: Mapping[str, Any]) -> Dataset:
        """Change what is given: name, description, licence, card, public or sensitive."""
        known = self.own(caller, ref)
        if "name" in changes:
            _check_name(changes["name"])

        def change(one: Dataset) -> Dataset:
            _must_not_be_trashed(one)
            return replace(one, **changes)

        return self._edit(caller, known, change, "edited")

    def share(self, caller: Caller, ref: str, shares: Sequence[VolumeShare]) -> Dataset:
        """With exactly these, and nobody else any more. What runs goes on as it is."""
        known = self.own(caller, ref)

        def change(one: Dataset) -> Dataset:
            _must_not_be_trashed(one)
            projects = self._registry.projects()
            return replace(one, shares=check_shares(caller, one, shares, self._store, projects, "dataset"))

        return self._edit(caller, known, change, "shared")

    # ── going ────────────────────────────────────────────────────────────────────────────────────────

    def trash(self, caller: Caller, ref: str) -> Dataset:
        """Conflict while an active job uses a version. One that is there already stays as long as it would have."""
        known, now = self.own(caller, ref), self._clock.now()
        return self._edit(
            caller, known, lambda one: replace(one, trashed_at=one.trashed_at or now), "trashed"
        )

    def restore(self, caller: Caller, ref: str) -> Dataset:
        """Take it out of the trash; NameTaken when another has its name by now."""
        known = self.own(caller, ref, trashed=True)
        if known.trashed_at is None:
            raise Conflict(_NOT_IN_TRASH.fill(name=known.name))
        return self._edit(caller, known, lambda one: replace(one, trashed_at=None), "restored")

    def delete(self, caller: Caller, ref: str) -> None:
        """For good, from the trash, with its versions; what only they needed is collected later."""
        known = self.own(caller, ref, trashed=True)
        if known.trashed_at is None:
            raise Conflict(_FIRST_TRASH.fill(name=known.name))
        if not self._store.remove_dataset(known.id, self._clock.now(), by=caller.entry("deleted", "")):
            raise NotFound(no_such("dataset", known.name))

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def own(self, caller: Caller, ref: str, *, trashed: bool = False) -> Dataset:
        """One that they may change; with `trashed`, of those with the same name the one in the trash."""
        found = self.get(caller, ref)
        caller.require(P.DATASET_WRITE, found.owner)
        if not may_edit(caller, found):
            caller.require(P.VOLUME_SENSITIVE, found.owner)
        if trashed and found.trashed_at is None and found.id != ref:
            found = self._latest_trashed(found.owner, found.name) or found
        return found

    def _latest_trashed(self, owner: str, name: str) -> Dataset | None:
        own = (one for one in self._store.datasets(VolumeSight(owner)) if one.owner == owner)
        named = [one for one in own if one.name == name and one.trashed_at is not None]
        return max(named, key=lambda one: (one.trashed_at or 0, one.id), default=None)

    def _edit(
        self, caller: Caller, known: Dataset, change: Callable[[Dataset], Dataset], act: str
    ) -> Dataset:
        now = self._clock.now()
        return self._store.edit_dataset(
            known.id, lambda one: replace(change(one), changed_at=now), now, by=caller.entry(act, "")
        )


def _check_name(name: str) -> None:
    if looks_like_id(name):
        text = say("a dataset cannot be named {name}", "数据集不能命名为 {name}", name=name)
        raise Invalid((FieldError(("name",), "reserved", text, name, hint=_RESERVED),))


def _must_not_be_trashed(one: Dataset) -> None:
    if one.trashed_at is not None:
        raise Conflict(_IN_TRASH.fill(name=one.name))


_RESERVED = Words("ids are given by Danlu; choose another name", "编号由丹炉分配，请换一个名称")
_IN_TRASH = Words(
    "dataset {name} is in the trash; restore it first: danlu dataset restore {name}",
    "数据集 {name} 在回收站中，请先恢复：danlu dataset restore {name}",
)
_NOT_IN_TRASH = Words("dataset {name} is not in the trash", "数据集 {name} 不在回收站中")
_FIRST_TRASH = Words(
    "dataset {name} is not in the trash: put it there first, then delete it for good",
    "数据集 {name} 不在回收站中：请先移入回收站，再彻底删除",
)
_SENSITIVE = Words(
    "dataset {name} is sensitive: its files need the permission volume:sensitive",
    "数据集 {name} 含敏感数据，访问其文件需要 volume:sensitive 权限",
)
_READ_ONLY = Words(
    "you may read dataset {name} and not add versions to it; ask its owner to share it with mode rw",
    "你只能读取数据集 {name}，不能新增版本；可请所有者以 rw 方式共享",
)
_TOO_MANY = Words(
    "{owner} has {most} datasets, which is the most; delete one for good first",
    "{owner} 已有 {most} 个数据集，达到上限，请先彻底删除一个",
)
