"""Volumes whose data is at an address outside: who may attach them, whether they can be used, their logins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotAttachable
from danlu.domain.findings import Finding, Level
from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.source import BucketAddress, Login, VolumeOutside
from danlu.domain.volumes.volume import Volume
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
    objects: Callable[[], ObjectStores]
    """Loaded with the first bucket that is opened."""


class Attached:
    """Any thread; what asks a place outside takes seconds, and is done outside of transactions."""

    def __init__(self, store: LoginStore, outside: MeansOutside) -> None:
        self._store, self._outside = store, outside
        self._opened: dict[tuple[str, VolumeOutside, bytes | None], ObjectStore] = {}
        self._lock = threading.Lock()

    def source(self, caller: Caller, said: VolumeOutside) -> VolumeOutside:
        """As it is kept. Invalid; NotAllowed to attach what can be shared without the permission for that."""
        try:
            address = BucketAddress.parse(said.address, said.endpoint, said.region)
        except BadValue as error:
            raise Invalid((FieldError(("source",), "bad_address", error.text),)) from None
        kept = VolumeOutside(str(address), address.endpoint, address.region, said.writable, said.private)
        if not kept.private and not caller.may_everywhere(Permission.VOLUME_ATTACH):
            raise NotAllowed(_SHAREABLE)
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
            known = self._outside.objects().open(source_of(one).bucket, login)
            with self._lock:
                while len(self._opened) >= _KEPT_OPEN:
                    del self._opened[next(iter(self._opened))]
                self._opened[key] = known
        return known


def source_of(one: Volume) -> VolumeOutside:
    """Conflict unless it is attached."""
    if one.source is None:
        raise Conflict(_NOT_ATTACHED.fill(name=one.title))
    return one.source


def require_private_alone(one: Volume) -> None:
    """Conflict where somebody else would see what is private."""
    if one.is_private and (one.shares or one.public):
        raise Conflict(_PRIVATE.fill(name=one.name))


_SHAREABLE = Words(
    "attaching a volume that can be shared needs the permission volume:attach; attach it as private, which only you "
    "see, or ask an administrator",
    "接入可共享的存储卷需要 volume:attach 权限；可接入为仅自己可见的私有存储卷，或联系管理员",
)
_NOT_ATTACHED = Words(
    "volume {name} lies on Danlu's own disk: there is no address to check and no login",
    "存储卷 {name} 位于丹炉自己的磁盘上，没有外部地址和登录凭据",
)
_PRIVATE = Words(
    "volume {name} was attached as private: nobody else may see it, so it cannot be shared or public",
    "存储卷 {name} 为私有接入，仅自己可见，不能共享或公开",
)
