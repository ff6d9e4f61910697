"""How much capacity a person's volumes may have, checked in the transaction that creates or grows one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from danlu.control.quotas.storage import bound_of
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, FieldError, InsufficientQuota
from danlu.domain.quantity import show_size
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import Words
from danlu.ports.volumes.records import VolumesOf

MOST_VOLUMES = 200
"""How many a person may have, those in the trash included."""


class VolumeQuota:
    """`usual` holds for each person and kind where no quota says so."""

    def __init__(self, registry: Registry, usual: int | None) -> None:
        self._registry, self._usual = registry, usual

    def of(self, owner: str, kind: VolumeKind) -> int | None:
        return bound_of(self._registry, owner, kind.value, self._usual)

    def gate(self, one: Volume) -> Callable[[VolumesOf], None]:
        """The check that a volume may come to be, given what its owner has."""

        def check(had: VolumesOf) -> None:
            if len(had) >= MOST_VOLUMES:
                raise Conflict(_TOO_MANY.fill(owner=one.owner, most=MOST_VOLUMES))
            if not one.kind.is_attached:  # that takes no space of Danlu's
                self._check(_CREATING, one, had, one.capacity)

        return check

    def check_growth(self, one: Volume, grown: Volume, had: VolumesOf) -> None:
        if grown.capacity > one.capacity:
            self._check(_GROWING, grown, had, grown.capacity - one.capacity)

    def _check(self, failed: Words, one: Volume, had: VolumesOf, asked: int) -> None:
        bound, used = self.of(one.owner, one.kind), capacity_of(had, one.kind)
        if one.claim_was_there or bound is None or used + asked <= bound:
            return
        trashed = capacity_of((each for each in had if each.trashed_at is not None), one.kind)
        text = failed.fill(
            owner=one.owner,
            kind=kind_said(one.kind),
            used=show_size(used),
            asked=show_size(asked),
            bound=show_size(bound),
        )
        hint = _IN_TRASH.fill(trashed=show_size(trashed)) if trashed else _NEXT
        wrong = FieldError(
            ("capacity",), InsufficientQuota.code, text, show_size(asked), show_size(bound), hint
        )
        raise InsufficientQuota(text, (), (wrong,))


def capacity_of(volumes: Iterable[Volume], kind: VolumeKind) -> int:
    """Of what Danlu made: claims that are attached are counted by their clusters."""
    return sum(one.capacity for one in volumes if one.kind is kind and not one.claim_was_there)


def kind_said(kind: VolumeKind) -> Words:
    return _KINDS[kind]


_KINDS = {
    VolumeKind.BLOCK: Words("block", "块存储"),
    VolumeKind.FILESYSTEM: Words("filesystem", "文件存储"),
    VolumeKind.BUCKET: Words("bucket", "存储桶"),
    VolumeKind.NFS: Words("nfs", "NFS"),
}
_CREATING = Words(
    "creating the volume failed: {owner} has {used} of {bound} in {kind} volumes and asks for {asked} more",
    "创建存储卷失败：{owner} 的{kind}配额为 {bound}，已用 {used}，还需 {asked}",
)
_GROWING = Words(
    "growing the volume failed: {owner} has {used} of {bound} in {kind} volumes and asks for {asked} more",
    "扩容存储卷失败：{owner} 的{kind}配额为 {bound}，已用 {used}，还需 {asked}",
)
_TOO_MANY = Words(
    "{owner} has {most} volumes, which is the most; delete one for good first",
    "{owner} 已有 {most} 个存储卷，达到上限，请先彻底删除一个",
)
_IN_TRASH = Words(
    "{trashed} of it is in the trash: delete that for good, or request more: danlu request quota",
    "其中 {trashed} 在回收站中：请彻底删除，或申请更多配额：danlu request quota",
)
_NEXT = Words(
    "delete a volume that is no longer needed for good, or request more: danlu request quota",
    "请彻底删除不再需要的存储卷，或申请更多配额：danlu request quota",
)
