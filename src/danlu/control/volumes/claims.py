"""Volumes in Kubernetes clusters: claims that Danlu makes there, and those that administrators attach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from danlu.control.volumes.quota import kind_said
from danlu.domain.errors import FieldError, Invalid, NotAllowed
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_size
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import PERSONAL_CLAIM, VOLUME_CLAIM, VolumeClaim
from danlu.domain.volumes.volume import LOCAL_CLUSTER, Volume, VolumeKind
from danlu.domain.words import Words, say


class ClaimWish(NamedTuple):
    """Where a new volume is to be, and with which claim; empty `name`: none, or one that Danlu makes."""

    cluster: str
    name: str
    kind: VolumeKind

    def storage_class(self, caller: Caller, clusters: Mapping[str, KubernetesCluster]) -> str:
        """Of the claim that Danlu is to make, empty: none. Invalid or NotAllowed: only administrators of clusters
        attach claims, so that nobody mounts another's by its name."""
        if self.cluster == LOCAL_CLUSTER:
            if self.name:
                raise Invalid(
                    (FieldError(("claim",), "contradiction", _LOCAL, self.name, hint=_NAME_CLUSTER),)
                )
            return ""
        if self.cluster not in clusters:
            text = say("there is no cluster '{cluster}'", "没有名为“{cluster}”的集群", cluster=self.cluster)
            known = [LOCAL_CLUSTER, *sorted(clusters)]
            raise Invalid((FieldError(("cluster",), "not_one_of", text, self.cluster, known),))
        if self.kind.is_attached:
            text = _OUTSIDE.fill(kind=kind_said(self.kind), cluster=self.cluster)
            raise Invalid((FieldError(("cluster",), "contradiction", text, self.cluster, hint=_LEAVE_OUT),))
        if not self.name:
            return self._made_by(clusters[self.cluster])
        if self.name.startswith((VOLUME_CLAIM, PERSONAL_CLAIM)):
            raise Invalid((FieldError(("claim",), "reserved", _MADE, self.name, hint=_FROM_DANLU),))
        if not caller.may_everywhere(Permission.CLUSTER_WRITE):
            raise NotAllowed(_ADMINISTRATORS)
        if self.name == clusters[self.cluster].personal_claim:
            raise Invalid((FieldError(("claim",), "reserved", _PERSONAL, self.name, hint=_FROM_DANLU),))
        return ""

    def _made_by(self, cluster: KubernetesCluster) -> str:
        found = class_for(cluster, self.kind)
        if not found:
            text = _NO_CLASS.fill(cluster=cluster.name, kind=kind_said(self.kind))
            hint = _SET_CLASS.fill(cluster=cluster.name, kind=self.kind.value)
            raise Invalid((FieldError(("cluster",), "no_storage_class", text, cluster.name, hint=hint),))
        return found


def class_for(cluster: KubernetesCluster, kind: VolumeKind) -> str:
    """The storage class of volumes that people create there; empty: they cannot."""
    return cluster.block_class if kind is VolumeKind.BLOCK else cluster.filesystem_class


def require_growable(one: Volume, claim: VolumeClaim | None) -> None:
    """Invalid where the storage of a volume is known not to grow."""
    if one.storage_class and claim is not None and claim.expandable is False:
        text = _NOT_EXPANDABLE.fill(
            name=one.name, storage_class=one.storage_class, cluster=one.cluster, has=show_size(one.capacity)
        )
        raise Invalid((FieldError(("capacity",), "not_expandable", text, hint=_INSTEAD),))


_LOCAL = Words("volumes on this machine have no claim", "本机的存储卷没有 PVC")
_NAME_CLUSTER = Words("name the cluster that has the claim too", "请同时填写该 PVC 所在的集群")
_ADMINISTRATORS = Words(
    "only administrators attach claims of clusters as volumes; they can share them with you",
    "只有管理员可以将集群的 PVC 挂接为存储卷，再共享给你",
)
_OUTSIDE = Words(
    "the data of {kind} volumes is at an address outside, not in cluster {cluster}",
    "{kind}卷的数据在外部地址，不在集群 {cluster} 中",
)
_LEAVE_OUT = Words("leave the cluster out", "请不要填写集群")
_NO_CLASS = Words(
    "cluster {cluster} has no storage class for {kind} volumes", "集群 {cluster} 没有用于{kind}的存储类"
)
_SET_CLASS = Words(
    "an administrator sets one: danlu cluster edit {cluster} --{kind}-class NAME; or choose another cluster",
    "可由管理员设置：danlu cluster edit {cluster} --{kind}-class NAME；或选择其他集群",
)
_MADE = Words("claims of this name are made by Danlu", "此类名称的 PVC 由丹炉创建")
_PERSONAL = Words("everybody's personal directories are in this claim", "所有人的个人目录都在这个 PVC 中")
_FROM_DANLU = Words(
    "leave it out to create a volume, or name a claim that was made by others",
    "新建存储卷时无需填写；挂接则请填写由他人创建的 PVC",
)
_NOT_EXPANDABLE = Words(
    "volume {name} cannot grow beyond {has}: storage class {storage_class} of cluster {cluster} does not allow it",
    "存储卷 {name} 的容量不能超过 {has}：集群 {cluster} 的存储类 {storage_class} 不支持扩容",
)
_INSTEAD = Words(
    "create a larger volume and copy the files in a job, or ask an administrator to set allowVolumeExpansion",
    "请创建更大的存储卷并在任务中复制文件，或请管理员为存储类设置 allowVolumeExpansion",
)
