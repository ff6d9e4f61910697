"""Volumes: a person's own, and those shared with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from danlu.control.rules.registry import Registry
from danlu.control.volumes.attached import Attached, require_login, require_private_alone, source_of
from danlu.control.volumes.claims import ClaimWish, require_growable
from danlu.control.volumes.quota import VolumeQuota
from danlu.control.volumes.shares import check_shares
from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotFound, Unavailable
from danlu.domain.findings import Finding
from danlu.domain.ids import looks_like_id
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_size
from danlu.domain.terms import no_such
from danlu.domain.volumes.access import may_edit, mode_of, sees
from danlu.domain.volumes.capacity import Enforcement, enforcement_of, most_of
from danlu.domain.volumes.claims import VolumeClaim, claim_name
from danlu.domain.volumes.source import Login, VolumeOutside
from danlu.domain.volumes.volume import (
    LOCAL_CLUSTER,
    RESERVED_NAMES,
    MountMode,
    Volume,
    VolumeKind,
    VolumeShare,
    gone_at,
)
from danlu.domain.words import Words, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock, Ids
from danlu.ports.objects import ObjectStore
from danlu.ports.storage import DiskFigure
from danlu.ports.volumes.claims import ClaimStore
from danlu.ports.volumes.records import (
    UNUSED,
    LoginStore,
    VolumeDisk,
    VolumeLoad,
    VolumeSight,
    VolumesOf,
    VolumeStore,
    VolumeUse,
)

P = Permission
_MOST_NAMED = 5


class VolumesAndPeople(VolumeStore, ClaimStore, LoginStore, PeopleStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class VolumeStanding:
    """A volume as somebody sees it: how they may use it, whether they may change it, what it took when it was last
    counted, and what became of the claim that Danlu makes for it."""

    volume: Volume
    mode: MountMode | None
    can_edit: bool
    figure: DiskFigure | None
    gone_at: Time | None
    claim: VolumeClaim | None = None
    has_login: bool = False
    load: VolumeLoad = UNUSED
    enforcement: Enforcement = Enforcement.MEASURED
    most: int | None = None
    """Beyond this, in bytes, jobs that go on writing to it are ended."""


class Volumes:
    """The verbs on volumes. Any thread; each is one transaction, noted in the audit log with it."""

    def __init__(
        self,
        store: VolumesAndPeople,
        registry: Registry,
        quota: VolumeQuota,
        disk: VolumeDisk,
        clock: Clock,
        ids: Ids,
        trash_time: Time,
        attached: Attached,
        tolerance: int = 0,
    ) -> None:
        """`tolerance` as of `domain.volumes.capacity.most_of`."""
        self.attached, self._tolerance = attached, tolerance
        self._store, self._registry, self._quota, self._disk = store, registry, quota, disk
        self._clock, self._ids, self._trash_time = clock, ids, trash_time

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def all(
        self,
        caller: Caller,
        owner: str | None = None,
        kind: VolumeKind | None = None,
        trashed: bool = False,
    ) -> list[Volume]:
        """One's own, those shared with one, and public ones; or those in the trash, as far as one may restore them."""
        caller.require(P.VOLUME_READ, caller.name)
        everybodys = caller.may_everywhere(P.VOLUME_READ)
        found = self._store.volumes(None if everybodys else VolumeSight(caller.name, caller.projects))
        return [
            one
            for one in found
            if owner in (None, one.owner)
            and kind in (None, one.kind)
            and (one.trashed_at is not None) == trashed
            and sees(caller, one)
        ]

    def get(self, caller: Caller, ref: str) -> Volume:
        """By id, by the name of one of one's own, or as owner:name. What one may not know of does not exist; of what is
        in the trash the latest of that name is found if none else has it."""
        found = self._store.volume(ref) if looks_like_id(ref) else None
        owner, _, name = ref.rpartition(":")
        found = found or self._store.find_volume(owner or caller.name, name)
        found = found or self._latest_trashed(owner or caller.name, name)
        if found is None or not sees(caller, found):
            raise NotFound(no_such("volume", ref))
        return found

    def standing(self, caller: Caller, one: Volume) -> VolumeStanding:
        claim, enforcement = self._claim(one), enforcement_of(one, self._tolerance)
        ends = enforcement is Enforcement.ENDING_JOBS
        return VolumeStanding(
            one,
            mode_of(caller, one),
            may_edit(caller, one),
            self._disk.figure(one.id) if one.cluster == LOCAL_CLUSTER else _figure(claim),
            gone_at(one, self._trash_time),
            claim,
            one.source is not None and self.attached.has_login(one),
            enforcement=enforcement,
            most=most_of(one.capacity, self._tolerance) if ends else None,
        )

    def standings(self, caller: Caller, some: Sequence[Volume]) -> list[VolumeStanding]:
        """With how many jobs mount them."""
        loads = self._store.volume_loads([one.id for one in some], _MOST_NAMED)
        return [replace(self.standing(caller, one), load=loads.get(one.id, UNUSED)) for one in some]

    def uses(self, one: Volume) -> tuple[VolumeUse, ...]:
        """Which active jobs mount it."""
        return self._store.volume_uses(one.id)

    # ── coming and changing ──────────────────────────────────────────────────────────────────────────

    def create(self, caller: Caller, name: str, kind: VolumeKind, capacity: int, **more: Any) -> Volume:
        """`more` is its description, cluster and claim there, and whether it is public or sensitive; of an attached
        volume its source and the login for it too. NotAttachable where that cannot be used."""
        caller.require(P.VOLUME_WRITE, caller.name)
        _check_name(name)
        wish = ClaimWish(more.get("cluster", LOCAL_CLUSTER), more.get("claim", ""), kind)
        storage_class = wish.storage_class(caller, self._registry.clusters())
        login: Login | None = more.pop("login", None)
        source: VolumeOutside | None = more.pop("source", None)
        if source is not None:
            source = self.attached.source(caller, kind, source)
        now = self._clock.now()
        wanted = Volume(self._ids.new(), caller.name, name, kind, capacity, now, now, source=source, **more)
        if storage_class:
            wanted = replace(wanted, storage_class=storage_class, claim=claim_name(wanted.id))
        require_private_alone(wanted)
        if source is not None:
            self.attached.require_usable(source, login)
        made = self._store.add_volume(
            wanted,
            now,
            by=caller.entry("created", ""),
            check=self._quota.gate(wanted),
            login=self.attached.seal(wanted.id, login),
        )
        if made.cluster != LOCAL_CLUSTER or made.source is not None:
            return made
        try:
            self._disk.make(made)
        except Unavailable:
            self._trash(caller, made)
            self._delete(caller, made)
            raise
        return made

    def edit(self, caller: Caller, ref: str, changes: Mapping[str, Any]) -> Volume:
        """Change what is given: name, description, capacity (which only grows), public or sensitive."""
        known = self._own(caller, ref)
        known_claim = self._claim(known)
        if "name" in changes:
            _check_name(changes["name"])
        if "capacity" in changes and known.source is not None:
            raise Invalid((FieldError(("capacity",), "contradiction", _OUTSIDE),))

        def change(one: Volume, had: VolumesOf) -> Volume:
            _must_not_be_trashed(one)
            changed = replace(one, **changes)
            _must_not_shrink(one, changed)
            if changed.capacity > one.capacity:
                require_growable(one, known_claim)
            require_private_alone(changed)
            self._quota.check_growth(one, changed, had)
            return changed

        return self._edit(caller, known, change, "edited")

    def share(self, caller: Caller, ref: str, shares: Sequence[VolumeShare]) -> Volume:
        """With exactly these, and nobody else any more. What runs goes on as it is."""
        known = self._own(caller, ref)

        def change(one: Volume, _: VolumesOf) -> Volume:
            _must_not_be_trashed(one)
            checked = check_shares(caller, one, shares, self._store, self._registry.projects())
            shared = replace(one, shares=checked)
            require_private_alone(shared)
            return shared

        return self._edit(caller, known, change, "shared")

    # ── places outside ───────────────────────────────────────────────────────────────────────────────

    def check(self, caller: Caller, ref: str) -> tuple[Finding, ...]:
        """Whether the place that a volume is attached to can be used now, step by step."""
        return self.attached.check(self._own(caller, ref))

    def open_bucket(self, volume_id: str) -> ObjectStore:
        """For who was let at its files just now."""
        return self.attached.open(self.stored(volume_id))

    def stored(self, volume_id: str) -> Volume:
        one = self._store.volume(volume_id)
        if one is None:
            raise NotFound(no_such("volume", volume_id))
        return one

    def set_login(self, caller: Caller, ref: str, login: Login | None) -> Volume:
        """Sign in with another login from now on, or with none; NotAttachable, and nothing changed, if that fails."""
        known = self._own(caller, ref)
        require_login(known)
        self.attached.require_usable(source_of(known), login)
        sealed = self.attached.seal(known.id, login)
        by = caller.entry("login changed" if login else "login removed", "")
        self._store.set_volume_login(known.id, sealed, self._clock.now(), by=by)
        return known

    # ── going ────────────────────────────────────────────────────────────────────────────────────────

    def trash(self, caller: Caller, ref: str) -> Volume:
        """Conflict while an active job mounts it. One that is there already stays as long as it would have."""
        return self._trash(caller, self._own(caller, ref))

    def restore(self, caller: Caller, ref: str) -> Volume:
        """Take it out of the trash; NameTaken when another has its name by now."""
        known = self._own(caller, ref, trashed=True)
        if known.trashed_at is None:
            raise Conflict(_NOT_IN_TRASH.fill(name=known.name))
        return self._edit(caller, known, lambda one, _: replace(one, trashed_at=None), "restored")

    def delete(self, caller: Caller, ref: str) -> None:
        """For good, from the trash; its files are removed soon."""
        known = self._own(caller, ref, trashed=True)
        if known.trashed_at is None:
            raise Conflict(_FIRST_TRASH.fill(name=known.name))
        self._delete(caller, known)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _own(self, caller: Caller, ref: str, *, trashed: bool = False) -> Volume:
        """One that they may change; with `trashed`, of those with the same name the one in the trash."""
        found = self.get(caller, ref)
        caller.require(P.VOLUME_WRITE, found.owner)
        if found.is_private and caller.name != found.owner:
            raise NotAllowed(_OWNERS_ALONE.fill(name=found.title))
        if not may_edit(caller, found):
            caller.require(P.VOLUME_SENSITIVE, found.owner)
        if trashed and found.trashed_at is None and found.id != ref:
            found = self._latest_trashed(found.owner, found.name) or found
        return found

    def _claim(self, one: Volume) -> VolumeClaim | None:
        if not one.storage_class:
            return None
        return self._store.volume_claim(one.id) or VolumeClaim(one.id, one.cluster, one.claim)

    def _latest_trashed(self, owner: str, name: str) -> Volume | None:
        own = (one for one in self._store.volumes(VolumeSight(owner)) if one.owner == owner)
        named = [one for one in own if one.name == name and one.trashed_at is not None]
        return max(named, key=lambda one: (one.trashed_at or 0, one.id), default=None)

    def _trash(self, caller: Caller, known: Volume) -> Volume:
        now = self._clock.now()
        return self._edit(
            caller, known, lambda one, _: replace(one, trashed_at=one.trashed_at or now), "trashed"
        )

    def _delete(self, caller: Caller, known: Volume) -> None:
        self._disk.let_go(known.id)
        if not self._store.remove_volume(known.id, self._clock.now(), by=caller.entry("deleted", "")):
            raise NotFound(no_such("volume", known.name))

    def _edit(
        self, caller: Caller, known: Volume, change: Callable[[Volume, VolumesOf], Volume], act: str
    ) -> Volume:
        now = self._clock.now()
        return self._store.edit_volume(
            known.id,
            lambda one, had: replace(change(one, had), changed_at=now),
            now,
            by=caller.entry(act, ""),
        )


def _check_name(name: str) -> None:
    if name in RESERVED_NAMES or looks_like_id(name):
        text = say("a volume cannot be named {name}", "存储卷不能命名为 {name}", name=name)
        raise Invalid((FieldError(("name",), "reserved", text, name, hint=_RESERVED),))


def _figure(claim: VolumeClaim | None) -> DiskFigure | None:
    if claim is None or claim.used is None or claim.used_at is None:
        return None
    return DiskFigure(claim.used, 0, claim.used_at)


def _must_not_be_trashed(one: Volume) -> None:
    if one.trashed_at is not None:
        raise Conflict(_IN_TRASH.fill(name=one.name))


def _must_not_shrink(one: Volume, changed: Volume) -> None:
    if changed.capacity < one.capacity:
        now = show_size(one.capacity)
        text = _SHRINKS.fill(capacity=now)
        raise Invalid((FieldError(("capacity",), "shrinks", text, show_size(changed.capacity), now),))


_RESERVED = Words(
    "personal and archive are everybody's own directories, and ids are given by Danlu; choose another name",
    "personal 和 archive 是每个人自己的目录，编号由丹炉分配，请换一个名称",
)
_SHRINKS = Words(
    "a volume only grows: it has {capacity} already", "存储卷只能扩容，不能缩小；当前容量为 {capacity}"
)
_OWNERS_ALONE = Words(
    "volume {name} was attached as private: it is its owner's alone, and nobody else uses or changes it",
    "存储卷 {name} 为私有接入，仅所有者可使用和修改",
)
_OUTSIDE = Words(
    "the data of this volume is outside: it has no capacity here", "该存储卷的数据在外部，没有容量可设置"
)
_IN_TRASH = Words(
    "volume {name} is in the trash; restore it first: danlu volume restore {name}",
    "存储卷 {name} 在回收站中，请先恢复：danlu volume restore {name}",
)
_NOT_IN_TRASH = Words("volume {name} is not in the trash", "存储卷 {name} 不在回收站中")
_FIRST_TRASH = Words(
    "volume {name} is not in the trash: put it there first, then delete it for good",
    "存储卷 {name} 不在回收站中：请先移入回收站，再彻底删除",
)
