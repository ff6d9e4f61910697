"""The containers of a pod that bring what its task needs, before it begins: code, datasets, buckets."""

from __future__ import annotations

import json

from danlu.domain.job import Code
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.containers import UNPRIVILEGED, both, processor_and_memory, written
from danlu.engines.kubernetes.objects.filling import (
    FILL_CONTAINER,
    disk_request,
    fill_container_env,
    fill_container_mounts,
    filled,
)
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import AttemptOrder, TaskOrder

FETCH_CONTAINER = "fetch"
CODE_DIR = "/danlu/code"


def containers_before(
    cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder, counts_disk: bool
) -> list[Json]:
    """One after the other."""
    found = [] if order.code is None else [_fetch_container(cluster, order.code, task)]
    return found + ([_fill_container(cluster, order, task, counts_disk)] if filled(order) else [])


def _fetch_container(cluster: KubernetesCluster, code: Code, task: TaskOrder) -> Json:
    """Brings the code before the task begins; it asks for no more than the task, so it takes no room of its own."""
    parts = {"archive": code.archive, "git": code.git, "ref": code.ref, "subdir": code.subdir}
    wanted = {name: part for name, part in parts.items() if part is not None}
    passed = {name: task.env[name] for name in ("DANLU_URL", "DANLU_TASK_TOKEN") if name in task.env}
    env = {**passed, "DANLU_CODE": json.dumps(wanted), "DANLU_CODE_DIR": CODE_DIR}
    mounts = [{"name": "code", "mountPath": CODE_DIR}]
    return _container_before(cluster, task, FETCH_CONTAINER, "danlu.runtime.fetch", env, mounts)


def _fill_container(
    cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder, counts_disk: bool
) -> Json:
    """Brings datasets and buckets."""
    env, mounts = fill_container_env(cluster, order, task), fill_container_mounts(order)
    container = _container_before(cluster, task, FILL_CONTAINER, "danlu.runtime.fill", env, mounts)
    container["resources"]["requests"] = {
        **container["resources"]["requests"],
        **disk_request(order, counts_disk),
    }
    return container


def _container_before(
    cluster: KubernetesCluster,
    task: TaskOrder,
    name: str,
    module: str,
    env: dict[str, str],
    mounts: list[Json],
) -> Json:
    return {
        "name": name,
        "image": cluster.helper or cluster.image,
        "imagePullPolicy": cluster.pull_policy,
        "command": ["python3", "-m", module],
        "env": written(env),
        "resources": both(processor_and_memory(task)),
        "securityContext": UNPRIVILEGED,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": mounts,
    }
