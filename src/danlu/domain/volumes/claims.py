"""Claims that Danlu makes in Kubernetes clusters for volumes: what became of each, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from danlu.domain.job import Time
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import Words, one_line, same

VOLUME_CLAIM, PERSONAL_CLAIM = "danlu-volume-", "danlu-personal-"
"""What the names of claims that Danlu makes begin with; none such is attached."""
_LONGEST = 300


class ClaimState(StrEnum):
    """Pending: there is no storage behind it yet. Lost: there was, and it is gone."""

    PENDING = "pending"
    BOUND = "bound"
    LOST = "lost"


class ClaimNote(StrEnum):
    """What is to be said of a claim besides its state."""

    NONE = ""
    MAKING = "making"
    FIRST_JOB = "first_job"
    PROVISIONING = "provisioning"
    NO_CLASS = "no_class"
    FAILED = "failed"
    REFUSED = "refused"
    NOT_ALLOWED = "not_allowed"
    UNREACHABLE = "unreachable"
    GROWING = "growing"
    NOT_GROWN = "not_grown"
    TAKEN = "taken"
    BEING_DELETED = "being_deleted"
    VANISHED = "vanished"
    NO_STORAGE = "no_storage"


@dataclass(frozen=True, slots=True)
class VolumeClaim:
    """The claim of a volume, as it was found when it was last looked at. `told` are the cluster's own words. `uid` is
    empty until it was made. `expandable` and `reclaim` are what its class says, None and empty while nobody knows.
    `nodes` are labels of the nodes that it can be mounted on, none: of all. With `leaving` the volume is gone for good,
    and the claim is to be."""

    volume: str
    cluster: str
    name: str
    state: ClaimState = ClaimState.PENDING
    note: ClaimNote = ClaimNote.MAKING
    told: str = ""
    uid: str = ""
    capacity: int = 0
    expandable: bool | None = None
    reclaim: str = ""
    used: int | None = None
    used_at: Time | None = None
    nodes: Mapping[str, str] = field(default_factory=dict)
    leaving: bool = False

    @property
    def kept_by_cluster(self) -> bool:
        """Whether the cluster keeps the data when the claim is deleted."""
        return self.reclaim == "Retain"

    def said(self, storage_class: str) -> Words:
        """In one sentence, how it stands."""
        told = same(f": {self.told}") if self.told else Words("", "")
        return _NOTES[self.note].fill(cluster=self.cluster, storage_class=storage_class, told=told)


def claim_name(volume_id: str) -> str:
    """The only name that the claim of a volume can have: nobody chooses it."""
    return f"{VOLUME_CLAIM}{volume_id.lower()}"


def is_shared(one: Volume) -> bool:
    """Whether pods on several nodes mount its claim at a time."""
    return one.kind is VolumeKind.FILESYSTEM


def shortened(message: str) -> str:
    """The words of a cluster, fit to be kept and shown: one line of limited length."""
    line = one_line(message)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2]} …"


_NOTES = {
    ClaimNote.NONE: Words("ready", "可用"),
    ClaimNote.MAKING: Words("cluster {cluster} is about to be asked for it", "即将向集群 {cluster} 申请"),
    ClaimNote.FIRST_JOB: Words(
        "storage class {storage_class} makes it where the first job that mounts it runs",
        "存储类 {storage_class} 会在首个挂载它的任务所在之处创建",
    ),
    ClaimNote.PROVISIONING: Words(
        "cluster {cluster} is making it with storage class {storage_class}{told}",
        "集群 {cluster} 正在用存储类 {storage_class} 创建{told}",
    ),
    ClaimNote.NO_CLASS: Words(
        "cluster {cluster} has no storage class {storage_class} any more, and no volume of it that is free",
        "集群 {cluster} 中已没有存储类 {storage_class}，也没有属于它的空闲存储",
    ),
    ClaimNote.FAILED: Words(
        "cluster {cluster} cannot make it with storage class {storage_class}{told}",
        "集群 {cluster} 无法用存储类 {storage_class} 创建{told}",
    ),
    ClaimNote.REFUSED: Words("cluster {cluster} refuses it{told}", "集群 {cluster} 拒绝创建{told}"),
    ClaimNote.NOT_ALLOWED: Words(
        "Danlu may not manage claims in cluster {cluster} (danlu cluster check {cluster}){told}",
        "丹炉在集群 {cluster} 中没有管理 PVC 的权限（danlu cluster check {cluster}）{told}",
    ),
    ClaimNote.UNREACHABLE: Words("cluster {cluster} does not answer{told}", "集群 {cluster} 没有响应{told}"),
    ClaimNote.GROWING: Words(
        "the storage is growing; some kinds finish when a job mounts it{told}",
        "正在扩容；有些存储要到任务挂载时才会完成{told}",
    ),
    ClaimNote.NOT_GROWN: Words(
        "cluster {cluster} has not enlarged it{told}", "集群 {cluster} 未能扩容{told}"
    ),
    ClaimNote.TAKEN: Words(
        "cluster {cluster} has a claim of its name that is not Danlu's",
        "集群 {cluster} 中有同名但不属于丹炉的 PVC",
    ),
    ClaimNote.BEING_DELETED: Words(
        "others are deleting its claim in cluster {cluster}: it goes when no job mounts it any more, with its data",
        "它的 PVC 正被他人从集群 {cluster} 中删除：没有任务挂载后即消失，数据随之失去",
    ),
    ClaimNote.VANISHED: Words(
        "its claim was deleted from cluster {cluster} by others, and what was in it is out of reach; delete the "
        "volume, or have the claim restored there under the same name",
        "它的 PVC 已被他人从集群 {cluster} 中删除，其中的数据无法访问；请删除该存储卷，或在集群中恢复同名的 PVC",
    ),
    ClaimNote.NO_STORAGE: Words(
        "the storage behind it is gone from cluster {cluster}{told}",
        "集群 {cluster} 中承载它的存储已不存在{told}",
    ),
}
