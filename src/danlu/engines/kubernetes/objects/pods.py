"""The objects Danlu makes in a cluster: a pod for every task, a service for every gang, and tombstones.

Everything here is in Kubernetes 1.20 and in today's releases alike."""

from __future__ import annotations

import posixpath

from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.before import CODE_DIR, containers_before
from danlu.engines.kubernetes.objects.containers import (
    UNPRIVILEGED,
    both,
    literally,
    processor_and_memory,
    written,
)
from danlu.engines.kubernetes.objects.filling import fill_env, fill_mounts, fill_volumes
from danlu.engines.kubernetes.objects.gpu_models import NVIDIA
from danlu.engines.kubernetes.objects.names import (
    ATTEMPT,
    DANLU,
    JOB,
    MANAGED_BY,
    OWNER,
    TASK,
    TOMBSTONE,
    label_value,
    pod_name,
    service_name,
)
from danlu.engines.kubernetes.objects.objects import Json
from danlu.engines.kubernetes.objects.packages import PLACE, with_packages
from danlu.engines.kubernetes.objects.personal import personal_env, personal_mounts, personal_volumes
from danlu.engines.kubernetes.objects.rendezvous import (
    HOSTS_ANNOTATION,
    filled_in,
    hosts_text,
    known_hosts,
    naming,
)
from danlu.engines.kubernetes.objects.wrapper import HOSTS, wrapped
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder

TASK_CONTAINER = "task"
NOBODY_SCHEDULES = "danlu-never"

_HOST_IMAGE = "host"
_ASKS_FOR_CARDS = "NVIDIA_VISIBLE_DEVICES"
_NODE_TROUBLE = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def pod_of(
    cluster: KubernetesCluster,
    order: AttemptOrder,
    task: TaskOrder,
    *,
    node: str,
    gpu_resource: str = NVIDIA,
    counts_disk: bool = False,
) -> Json:
    """The pod for one task. `node` is the planned node by the cluster's own name for it; kube-scheduler still has its
    say, so that taints, quotas and the places of volumes are respected. `counts_disk`: it knows the node's disk."""
    hosts = known_hosts(cluster, order)
    annotations = {OWNER: order.owner, "danlu.io/job-name": order.job_name, "danlu.io/project": order.project}
    if hosts is not None:
        annotations[HOSTS_ANNOTATION] = hosts_text(order, hosts)
    spec: Json = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": max(1, -(-order.grace // 1000)),
        "affinity": {"nodeAffinity": _only_on(node)},
        "tolerations": _tolerations(cluster),
        "imagePullSecrets": [{"name": name} for name in cluster.pull_secrets],
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        **naming(cluster, order, task.hostname),
        "containers": [_task_container(cluster, order, task, gpu_resource)],
        "volumes": [*_volumes(order, task), *personal_volumes(cluster, order.owner)],
    }
    if before := containers_before(cluster, order, task, counts_disk):
        spec["initContainers"] = before
    return _pod(cluster, order, task.name, spec, annotations=annotations)


def service_of(cluster: KubernetesCluster, order: AttemptOrder) -> Json:
    """What gives the tasks of an attempt names, from when they have addresses on."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": service_name(order.attempt_id),
            "namespace": cluster.namespace,
            "labels": _attempt_labels(order),
        },
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": {MANAGED_BY: DANLU, ATTEMPT: order.attempt_id},
        },
    }


def tombstone_of(cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder) -> Json:
    """A pod that never runs: while it exists, the task's real pod cannot be created."""
    spec: Json = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 0,
        "schedulerName": NOBODY_SCHEDULES,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": TASK_CONTAINER,
                "image": cluster.image,
                "command": ["/bin/false"],
                "resources": both({"cpu": "1m", "memory": "1Mi"}),
                "securityContext": UNPRIVILEGED,
            }
        ],
    }
    return _pod(cluster, order, task.name, spec, labels={TOMBSTONE: "true"})


def image_of(cluster: KubernetesCluster, image: str) -> str:
    """What a job's image means here; one that names none, or the machine's own, gets the cluster's."""
    return cluster.image if image in ("", _HOST_IMAGE) else image


def _pod(
    cluster: KubernetesCluster,
    order: AttemptOrder,
    task: str,
    spec: Json,
    *,
    labels: dict[str, str] | None = None,
    annotations: dict[str, str] | None = None,
) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod_name(order.attempt_id, task),
            "namespace": cluster.namespace,
            "labels": {**_attempt_labels(order), TASK: task, **(labels or {})},
            "annotations": annotations or {},
        },
        "spec": spec,
    }


def _attempt_labels(order: AttemptOrder) -> dict[str, str]:
    return {
        MANAGED_BY: DANLU,
        ATTEMPT: order.attempt_id,
        JOB: order.job_id,
        OWNER: label_value(order.owner),
    }


def _only_on(node: str) -> Json:
    here = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [here]}}


def _tolerations(cluster: KubernetesCluster) -> list[Json]:
    """Danlu itself decides when a node is lost, so Kubernetes must not evict its pods for that."""
    allowed: list[Json] = [{"key": key, "operator": "Exists"} for key in cluster.tolerations]
    return allowed + [{"key": key, "operator": "Exists", "effect": "NoExecute"} for key in _NODE_TROUBLE]


def _task_container(
    cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder, gpu_resource: str
) -> Json:
    argv = wrapped(_command(cluster, order, task), addresses_come=known_hosts(cluster, order) is None)
    resources = {**processor_and_memory(task), **_devices(cluster, task, gpu_resource)}
    container: Json = {
        "name": TASK_CONTAINER,
        "image": image_of(cluster, task.image or order.image),
        "imagePullPolicy": cluster.pull_policy,
        "command": [literally(word) for word in argv],
        "env": written({**_environment(cluster, order, task), **personal_env(cluster, order.owner)}),
        "resources": both(resources),
        "securityContext": UNPRIVILEGED,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [*_volume_mounts(order, task), *personal_mounts(cluster, order.owner)],
    }
    if order.code is not None:
        subdir = posixpath.normpath(posixpath.join("/", order.code.subdir or ""))
        container["workingDir"] = posixpath.normpath(CODE_DIR + subdir)
    return container


def _command(cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder) -> str | list[str]:
    command: str | list[str]
    if isinstance(task.command, str):
        command = filled_in(cluster, order, task.command)
    else:
        command = [filled_in(cluster, order, word) for word in task.command]
    return command if order.packages is None else with_packages(order.packages, command)


def _environment(cluster: KubernetesCluster, order: AttemptOrder, task: TaskOrder) -> dict[str, str]:
    """What the task is told, as on any engine; inside a container its cards are always the first ones."""
    cards = ",".join(str(index) for index in range(task.resources.whole_gpus))
    env = {
        "PYTHONUNBUFFERED": "1",
        "CUDA_VISIBLE_DEVICES": cards,
        **{name: filled_in(cluster, order, value) for name, value in task.env.items()},
        **fill_env(order),
        "DANLU_GPUS": cards,
        "DANLU_HOSTS": HOSTS,
    }
    if known_hosts(cluster, order) is None:
        env.pop("DANLU_MASTER_ADDR", None)  # the wrapper knows its address, which is more than a name
    # NVIDIA's runtime gives access to the cards in this variable, and GPU images ask for all of them. Only the device
    # plugin may set it, for tasks that have their own cards.
    env.pop(_ASKS_FOR_CARDS, None)
    if not cards:
        env[_ASKS_FOR_CARDS] = "void"
    return env


def _devices(cluster: KubernetesCluster, task: TaskOrder, gpu_resource: str) -> dict[str, str]:
    cards = {gpu_resource: str(task.resources.whole_gpus)} if task.resources.whole_gpus else {}
    return {**cards, cluster.rdma_resource: "1"} if task.resources.rdma else cards


def _volumes(order: AttemptOrder, task: TaskOrder) -> list[Json]:
    hosts = {"path": "hosts", "fieldRef": {"fieldPath": f"metadata.annotations['{HOSTS_ANNOTATION}']"}}
    volumes: list[Json] = [{"name": "hosts", "downwardAPI": {"items": [hosts]}}]
    if task.resources.shm:
        memory = {"medium": "Memory", "sizeLimit": str(task.resources.shm)}
        volumes.append({"name": "shm", "emptyDir": memory})
    if order.code is not None:
        volumes.append({"name": "code", "emptyDir": {}})
    if order.packages is not None:
        volumes.append({"name": "packages", "emptyDir": {}})
    for claim, name in _claims(order).items():
        read_only = all(mount.read_only for mount in order.mounts if mount.claim == claim)
        volumes.append({"name": name, "persistentVolumeClaim": {"claimName": claim, "readOnly": read_only}})
    for number, mount in enumerate(_own(order)):
        size = {"sizeLimit": str(mount.local)} if mount.local else {}
        volumes.append({"name": f"local-{number}", "emptyDir": size})
    return volumes + fill_volumes(order)


def _volume_mounts(order: AttemptOrder, task: TaskOrder) -> list[Json]:
    mounts: list[Json] = [{"name": "hosts", "mountPath": posixpath.dirname(HOSTS), "readOnly": True}]
    if task.resources.shm:
        mounts.append({"name": "shm", "mountPath": "/dev/shm"})
    if order.code is not None:
        mounts.append({"name": "code", "mountPath": CODE_DIR})
    if order.packages is not None:
        mounts.append({"name": "packages", "mountPath": PLACE})
    claims = _claims(order)
    mounts += [_volume_mount(claims[mount.claim], mount) for mount in _claimed(order)]
    mounts += [_volume_mount(f"local-{number}", mount) for number, mount in enumerate(_own(order))]
    return mounts + fill_mounts(order)


def _volume_mount(name: str, mount: MountOrder) -> Json:
    return {"name": name, "mountPath": mount.path, "readOnly": mount.read_only}


def _own(order: AttemptOrder) -> list[MountOrder]:
    """Folders of each task's own, gone with the pod."""
    return [mount for mount in order.mounts if mount.local is not None]


def _claimed(order: AttemptOrder) -> list[MountOrder]:
    """One without a claim is not left out: the cluster refuses its pod."""
    return [mount for mount in order.mounts if mount.local is None and not (mount.tree or mount.bucket)]


def _claims(order: AttemptOrder) -> dict[str, str]:
    """What each claim that is mounted is called within the pod; one that is mounted twice is one volume."""
    claims = dict.fromkeys(mount.claim for mount in _claimed(order))
    return {claim: f"mount-{number}" for number, claim in enumerate(claims)}
