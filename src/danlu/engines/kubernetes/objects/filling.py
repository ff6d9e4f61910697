"""Datasets and buckets in pods: folders of the pod's own, filled by a container that runs before the task.

What is kept on a node across pods would need the node's own paths, which pods that nobody has to trust may not have."""

from __future__ import annotations

import json
from collections.abc import Sequence

from danlu.domain.reasons import DatasetNotCopied
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from danlu.ports.filling import BUCKET, DATASET

FILL_CONTAINER = "mounts"
PATIENCE = 2
"""How many admission times a starting pod may come no further: while a registry does not answer, or Danlu."""
_PLACE = "/danlu/mounts"
_BLOCK, _NOTE, _SLACK = 4096, 4096, 64 << 20
"""What a file takes beside its bytes at most, on disk and in the list of what is fetched; and what nobody counted."""


def filled(order: AttemptOrder) -> list[MountOrder]:
    """The mounts that are fetched."""
    return [mount for mount in order.mounts if mount.tree or mount.bucket]


def fill_volumes(order: AttemptOrder) -> list[Json]:
    """Each may take what it needs and no more: a pod that took a node's disk would drive out others."""
    return [
        {
            "name": _name(mount),
            "emptyDir": {"sizeLimit": str(_most(mount))} if mount.size or mount.tree else {},
        }
        for mount in filled(order)
    ]


def fill_mounts(order: AttemptOrder) -> list[Json]:
    """In the task: nobody writes there."""
    return [{"name": _name(mount), "mountPath": mount.path, "readOnly": True} for mount in filled(order)]


def fill_env(order: AttemptOrder) -> dict[str, str]:
    """Where `danlu.dataset` finds versions, by their names."""
    found = {mount.title: mount.path for mount in order.mounts if mount.tree}
    return {"DANLU_DATASETS": json.dumps(found)} if found else {}


def fill_container_env(cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder) -> dict[str, str]:
    """As long as a pod that comes no further is waited for, so long its container waits for Danlu."""
    wishes = [
        {
            "number": mount.number,
            "into": f"{_PLACE}/{mount.number}",
            "kind": DATASET if mount.tree else BUCKET,
            "title": mount.title,
            "bound": mount.size if mount.bucket else 0,
        }
        for mount in filled(order)
    ]
    passed = {name: task.env[name] for name in ("DANLU_URL", "DANLU_TASK_TOKEN") if name in task.env}
    patience = str(PATIENCE * cluster.admission_time / 1000)
    return {**passed, "DANLU_MOUNTS": json.dumps(wishes), "DANLU_PATIENCE": patience}


def fill_container_mounts(order: AttemptOrder) -> list[Json]:
    return [{"name": _name(mount), "mountPath": f"{_PLACE}/{mount.number}"} for mount in filled(order)]


def disk_wanted(mounts: Sequence[MountOrder]) -> int:
    """Bytes that versions take on the node; of buckets nobody knows before they are listed."""
    return sum(mount.size + mount.files * _BLOCK for mount in mounts if mount.tree)


def too_large(order: AttemptOrder, task: TaskOrder, disk: int | None) -> DatasetNotCopied | None:
    """Of versions that the planned node could not hold if it were empty."""
    wanted = disk_wanted(order.mounts)
    if disk is None or wanted <= disk:
        return None
    largest = max((mount for mount in order.mounts if mount.tree), key=lambda mount: mount.size)
    return DatasetNotCopied(task.name, largest.title, "too_large", wanted, disk, node=task.node)


def disk_request(order: AttemptOrder, cluster_counts: bool) -> dict[str, str]:
    """So that the cluster's scheduler sends the pod nowhere where it does not fit, where nodes count their disks."""
    wanted = disk_wanted(order.mounts)
    return {"ephemeral-storage": str(wanted)} if wanted and cluster_counts else {}


def _most(mount: MountOrder) -> int:
    return mount.size + mount.files * (_BLOCK + _NOTE) + _SLACK


def _name(mount: MountOrder) -> str:
    return f"filled-{mount.number}"
