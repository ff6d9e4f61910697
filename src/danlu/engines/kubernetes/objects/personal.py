"""A person's own directories in pods: folders of one claim that the cluster has for all, or a claim of their own."""

from __future__ import annotations

from danlu.domain.people import USER_NAME
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.claims import personal_claim_name
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import ClaimOrder

_VOLUME = "personal"


def personal_order(cluster: KubernetesCluster, owner: str) -> ClaimOrder | None:
    """The claim that this person is to have in a cluster without one for all."""
    if cluster.personal_claim or not _has_one(cluster, owner):
        return None
    name = personal_claim_name(owner)
    return ClaimOrder(name, cluster.filesystem_class, cluster.personal_size, True, owner)


def personal_env(cluster: KubernetesCluster, owner: str) -> dict[str, str]:
    if not _has_one(cluster, owner):
        return {}
    return {"DANLU_PERSONAL_DIR": f"/mnt/{owner}", "DANLU_ARCHIVE_DIR": f"/archives/{owner}"}


def personal_volumes(cluster: KubernetesCluster, owner: str) -> list[Json]:
    if not _has_one(cluster, owner):
        return []
    claim = cluster.personal_claim or personal_claim_name(owner)
    return [{"name": _VOLUME, "persistentVolumeClaim": {"claimName": claim}}]


def personal_mounts(cluster: KubernetesCluster, owner: str) -> list[Json]:
    """Of the claim for all, only this person's folders: who asks for them has no say in what they are called."""
    if not _has_one(cluster, owner):
        return []
    below = f"/{owner}" if cluster.personal_claim else ""
    return [
        {"name": _VOLUME, "mountPath": f"/mnt/{owner}", "subPath": f"personal{below}"},
        {"name": _VOLUME, "mountPath": f"/archives/{owner}", "subPath": f"archive{below}"},
    ]


def _has_one(cluster: KubernetesCluster, owner: str) -> bool:
    """Whose name could lead elsewhere has none, whoever let them in."""
    there = bool(cluster.personal_claim or cluster.filesystem_class)
    return there and USER_NAME.fullmatch(owner) is not None
