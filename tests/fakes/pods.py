"""Short ways to say nodes, pods and events as an API server hands them out, and orders for pods."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from danlu.domain.job import Code
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import KubernetesCluster
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from danlu.ports.engine import at as place_of

Json = dict[str, Any]
CLUSTER = KubernetesCluster("east", image="python:3.12-slim", helper="danlu:1")
BORN = 1_714_564_800


def at(second: int) -> str:
    """So many seconds after the pods of these tests were made."""
    return datetime.fromtimestamp(BORN + second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def kube_node(
    name: str = "a1",
    *,
    cpu: str = "64",
    memory: str = "512Gi",
    ready: str = "True",
    said: str = "",
    labels: dict[str, str] | None = None,
    taints: tuple[str, ...] = (),
    cordoned: bool = False,
    **devices: str,
) -> Json:
    """Devices by `nvidia_gpu="8"`, `amd_gpu="8"` or `rdma_hca="4"`; taints as `key=value:Effect`."""
    names = {"nvidia_gpu": "nvidia.com/gpu", "amd_gpu": "amd.com/gpu", "rdma_hca": "rdma/hca"}
    spec: Json = {"taints": [_taint(one) for one in taints]}
    if cordoned:
        spec["unschedulable"] = True
    return {
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {
            "allocatable": {"cpu": cpu, "memory": memory, **{names[key]: n for key, n in devices.items()}},
            "addresses": [
                {"type": "Hostname", "address": name},
                {"type": "InternalIP", "address": "10.1.0.7"},
            ],
            "conditions": [
                {"type": "MemoryPressure", "status": "False"},
                {"type": "Ready", "status": ready, "reason": "KubeletReady", "message": said},
            ],
        },
    }


def _taint(text: str) -> Json:
    key, _, effect = text.partition(":")
    key, _, value = key.partition("=")
    return {"key": key, "effect": effect, **({"value": value} if value else {})}


def foreign_pod(
    name: str = "web-1",
    node: str | None = "a1",
    *requests: dict[str, str],
    init: tuple[Json, ...] = (),
    phase: str = "Running",
    namespace: str = "default",
    **spec: Any,
) -> Json:
    containers = [{"name": f"c{n}", "resources": {"requests": asked}} for n, asked in enumerate(requests)]
    return {
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"nodeName": node, "containers": containers, "initContainers": list(init), **spec},
        "status": {"phase": phase},
    }


def task_pod(
    *,
    node: str | None = "a1",
    phase: str = "Pending",
    task: Json | None = None,
    fetch: Json | None = None,
    fill: Json | None = None,
    conditions: tuple[Json, ...] = (),
    claims: tuple[str, ...] = (),
    deleted: bool = False,
    **status: Any,
) -> Json:
    """A pod of Danlu's; `task`, `fetch` and `fill` are the states of its containers."""
    metadata: Json = {
        "name": "j-1-worker-0",
        "uid": "u-1",
        "creationTimestamp": at(0),
        "labels": {},
        "annotations": {"danlu.io/owner": "lin"},
    }
    if deleted:
        metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"] = at(90), 30
    volumes = [
        {"name": f"mount-{n}", "persistentVolumeClaim": {"claimName": claim}}
        for n, claim in enumerate(claims)
    ]
    spec: Json = {
        "initContainers": [{"name": "fetch", "image": "danlu:1"}],
        "containers": [{"name": "task", "image": "team/train:2"}],
        "volumes": [{"name": "hosts", "downwardAPI": {}}, *volumes],
    }
    if node:
        spec["nodeName"] = node
    told: Json = {"phase": phase, "conditions": list(conditions), **status}
    if task is not None:
        told["containerStatuses"] = [{"name": "task", "image": "team/train:2", "state": task}]
    before = {"fetch": fetch, "mounts": fill}
    found = [
        {"name": name, "image": "danlu:1", "state": state}
        for name, state in before.items()
        if state is not None
    ]
    if found:
        told["initContainerStatuses"] = found
    return {"metadata": metadata, "spec": spec, "status": told}


def waiting(reason: str, message: str = "") -> Json:
    return {"waiting": {"reason": reason, "message": message}}


def running(second: int = 10) -> Json:
    return {"running": {"startedAt": at(second)}}


def terminated(code: int, reason: str = "", message: str = "", **keys: Any) -> Json:
    word = reason or ("Completed" if code == 0 else "Error")
    times = {"startedAt": at(10), "finishedAt": at(60)}
    return {"terminated": {"exitCode": code, "reason": word, "message": message, **times, **keys}}


def condition(name: str, status: str, reason: str = "", message: str = "", second: int = 5) -> Json:
    said = {"reason": reason, "message": message}
    return {"type": name, "status": status, "lastTransitionTime": at(second), **said}


def event(reason: str, message: str = "", second: int = 5) -> Json:
    return {"reason": reason, "message": message, "lastTimestamp": at(second)}


def task_order(name: str = "worker-0", **keys: Any) -> TaskOrder:
    """Sizes by the names of Resources; whatever else a task order has, by its own."""
    sizes: Json = {"cpu_milli": 500, "memory": GIB}
    sizes.update(
        {key: keys.pop(key) for key in ("cpu_milli", "memory", "gpu_milli", "shm", "rdma") if key in keys}
    )
    given: Json = {
        "role": "worker",
        "node": "a1.east",
        "address": "10.1.0.7",
        "gpus": (),
        "resources": Resources(**sizes),
        "command": "python train.py",
        "env": {
            "DANLU_TASK": name,
            "DANLU_URL": "https://danlu.example",
            "DANLU_MASTER_ADDR": place_of("worker-0"),
        },
        "seen": False,
    }
    return TaskOrder(name=name, **{**given, **keys})


def attempt_order(
    *tasks: TaskOrder,
    code: Code | None = None,
    mounts: tuple[MountOrder, ...] = (),
    attempt_id: str = "0rk5v3c9t2m4x-1",
    owner: str = "lin",
    image: str = "host",
    grace: int = 30_000,
) -> AttemptOrder:
    return AttemptOrder(
        attempt_id=attempt_id,
        job_id=attempt_id.rpartition("-")[0],
        number=1,
        owner=owner,
        image=image,
        code=code,
        tasks=tasks or (task_order(),),
        mounts=mounts,
        job_name="train-it",
        project="vision",
        grace=grace,
    )
