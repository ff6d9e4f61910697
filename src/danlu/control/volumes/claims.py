"""Claims of Kubernetes clusters that are attached as volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from danlu.domain.errors import FieldError, Invalid, NotAllowed
from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.domain.words import Words, say


class Claim(NamedTuple):
    """Where a new volume is to be; empty `name`: no claim."""

    cluster: str
    name: str

    def check(self, caller: Caller, clusters: Sequence[str]) -> None:
        """Invalid or NotAllowed. Only administrators of clusters attach claims: nobody mounts another's by its name."""
        if self.cluster == LOCAL_CLUSTER:
            if self.name:
                raise Invalid(
                    (FieldError(("claim",), "contradiction", _LOCAL, self.name, hint=_NAME_CLUSTER),)
                )
            return
        if self.cluster not in clusters:
            text = say("there is no cluster '{cluster}'", "没有名为“{cluster}”的集群", cluster=self.cluster)
            known = [LOCAL_CLUSTER, *clusters]
            raise Invalid((FieldError(("cluster",), "not_one_of", text, self.cluster, known),))
        if not caller.may_everywhere(Permission.CLUSTER_WRITE):
            raise NotAllowed(_ADMINISTRATORS)
        if not self.name:
            text = _NO_CLAIM.fill(cluster=self.cluster)
            raise Invalid((FieldError(("claim",), "missing", text, hint=_NAME_CLAIM),))


_LOCAL = Words("volumes on this machine have no claim", "本机的存储卷没有 PVC")
_NAME_CLUSTER = Words("name the cluster that has the claim too", "请同时填写该 PVC 所在的集群")
_ADMINISTRATORS = Words(
    "only administrators attach claims of clusters as volumes; they can share them with you",
    "只有管理员可以将集群的 PVC 挂接为存储卷，再共享给你",
)
_NO_CLAIM = Words(
    "volumes in cluster {cluster} are claims that exist there: which one?",
    "集群 {cluster} 中的存储卷须是已有的 PVC，请指明",
)
_NAME_CLAIM = Words("give the name of the PersistentVolumeClaim", "请填写 PersistentVolumeClaim 的名称")
