"""Volumes whose data is at an address outside: who may attach them, whether they can be used, their logins."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotAttachable
from danlu.domain.findings import Finding, Level
from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.volumes.source import BucketAddress, Login, VolumeOutside
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import BadValue, Words
from danlu.ports.objects import ObjectStore, ObjectStores
from danlu.ports.volumes.outside import LoginSeal, OutsideCheck
from danlu.ports.volumes.records import LoginStore

_KEPT_OPEN = 64


@dataclass(frozen=True, slots=True)
class MeansOutside:
    """What is needed from the outside."""

    check: OutsideCheck
    seal: LoginSeal
    objects: ObjectStores


class Attached:
    """Any thread; what asks a place outside takes seconds, and is done outside of transactions."""

    def __init__(self, store: LoginStore, outside: MeansOutside) -> None:
        self._store, self._outside = store, outside
        self._opened: dict[tuple[str, VolumeOutside, bytes | None], ObjectStore] = {}
        self._lock = threading.Lock()

    def source(self, caller: Caller, kind: VolumeKind, said: VolumeOutside) -> VolumeOutside:
        """As it is kept. Invalid; NotAllowed to attach what can be shared without the permission for that, and to
        read an export as somebody: whoever may would read what is anybody's."""
        try:
            kept = _kept(kind, said)
        except BadValue as error:
            raise Invalid((FieldError(("source",), "bad_address", error.text),)) from None
        if caller.may_everywhere(Permission.VOLUME_ATTACH):
            return kept
        if not kept.private:
            raise NotAllowed(_SHAREABLE)
        place = kept.place
        if isinstance(place, ExportAddress) and place.is_somebody:
            raise NotAllowed(_AS_SOMEBODY)
        return kept

    def require_usable(self, source: VolumeOutside, login: Login | None) -> None:
        """NotAttachable with the verdict."""
        found = self._outside.check.check(source, login)
        wrong = [one for one in found if one.level is not Level.OK]
        if wrong:
            raise NotAttachable(wrong[0].text, found)

    def seal(self, volume_id: str, login: Login | None) -> bytes | None:
        return None if login is None else self._outside.seal.seal(volume_id, login)

    def check(self, one: Volume) -> tuple[Finding, ...]:
        return self._outside.check.check(source_of(one), self.login(one))

    def login(self, one: Volume) -> Login | None:
        sealed = self._store.volume_login(one.id)
        return None if sealed is None else self._outside.seal.unseal(one.id, sealed)

    def has_login(self, one: Volume) -> bool:
        return self._store.volume_login(one.id) is not None

    def open(self, one: Volume) -> ObjectStore:
        """The bucket of a volume; who may use it has been decided."""
        sealed = self._store.volume_login(one.id)
        key = (one.id, source_of(one), sealed)
        with self._lock:
            known = self._opened.get(key)
        if known is None:
            login = None if sealed is None else self._outside.seal.unseal(one.id, sealed)
            known = self._outside.objects.open(source_of(one).place, login)
            with self._lock:
                while len(self._opened) >= _KEPT_OPEN:
                    del self._opened[next(iter(self._opened))]
                self._opened[key] = known
        return known


def _kept(kind: VolumeKind, said: VolumeOutside) -> VolumeOutside:
    """BadValue."""
    if kind is not VolumeKind.NFS:
        address = BucketAddress.parse(said.address, said.endpoint, said.region)
        return VolumeOutside(str(address), address.endpoint, address.region, said.writable, said.private)
    export = ExportAddress.parse(said.address)
    if said.writable or said.endpoint or said.region:
        raise BadValue(_EXPORTS_HAVE_NONE)
    return VolumeOutside(str(export), private=said.private)


def source_of(one: Volume) -> VolumeOutside:
    """Conflict unless it is attached."""
    if one.source is None:
        raise Conflict(_NOT_ATTACHED.fill(name=one.title))
    return one.source


def require_login(one: Volume) -> None:
    """Conflict where there is none to have."""
    if one.kind is VolumeKind.NFS:
        raise Conflict(_NO_LOGIN.fill(name=one.title))


def require_private_alone(one: Volume) -> None:
    """Conflict where somebody else would see what is private."""
    if one.is_private and (one.shares or one.public):
        raise Conflict(_PRIVATE.fill(name=one.name))


_SHAREABLE = Words(
    "attaching a volume that can be shared needs the permission volume:attach; attach it as private, which only you "
    "see, or ask an administrator",
    "接入可共享的存储卷需要 volume:attach 权限；可接入为仅自己可见的私有存储卷，或联系管理员",
)
_AS_SOMEBODY = Words(
    "reading an NFS export as a user of one's choice (uid, gid) needs the permission volume:attach; leave them out, "
    "which reads what everybody may, or ask an administrator",
    "以指定的用户（uid、gid）读取 NFS 导出目录需要 volume:attach 权限；"
    "可不指定（只能读取对所有人开放的内容），或联系管理员",
)
_EXPORTS_HAVE_NONE = Words(
    "an NFS export is only read, and has neither endpoint nor region: leave out writable, endpoint and region",
    "NFS 导出目录只能读取，也没有 endpoint 和区域：请去掉 writable、endpoint 和 region",
)
_NO_LOGIN = Words(
    "volume {name} is in an NFS export, which knows no login: uid and gid are part of its address",
    "存储卷 {name} 位于 NFS 导出目录，无需登录凭据；uid 和 gid 写在地址中",
)
_NOT_ATTACHED = Words(
    "volume {name} lies on Danlu's own disk: there is no address to check and no login",
    "存储卷 {name} 位于丹炉自己的磁盘上，没有外部地址和登录凭据",
)
_PRIVATE = Words(
    "volume {name} was attached as private: nobody else may see it, so it cannot be shared or public",
    "存储卷 {name} 为私有接入，仅自己可见，不能共享或公开",
)
