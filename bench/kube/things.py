"""Nodes and pods of a large cluster, as wordy as an API server hands them out."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
JOBS = "danlu-jobs"
BORN = "2026-01-01T00:00:00Z"
POD_CPU_MILLI = 250
"""What a pod of others asks for."""
_GPUS = 8


def node(name: str) -> Json:
    """About 17 kB, as one of a GPU cluster with feature discovery."""
    labels = {f"feature.node.kubernetes.io/cpu-cpuid.FEATURE{n}": "true" for n in range(40)}
    labels |= {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{name[-1]}"}
    labels |= {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory": "81920"}
    room = {"cpu": "128", "memory": "1055762868Ki", "pods": "110", "ephemeral-storage": "1Ti"}
    room["nvidia.com/gpu"] = str(_GPUS)
    conditions = {"Ready": "True", "MemoryPressure": "False", "DiskPressure": "False", "PIDPressure": "False"}
    image = {"names": ["registry.example/team/image@sha256:" + "a" * 64, "registry.example/team/image:1"]}
    made: Json = {
        "metadata": {"name": name, "labels": labels, "annotations": {"heard": "0"}},
        "spec": {"podCIDR": "10.0.0.0/24", "taints": []},
        "status": {
            "capacity": room,
            "allocatable": room,
            "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
            "conditions": [
                {
                    "type": kind,
                    "status": value,
                    "lastHeartbeatTime": BORN,
                    "lastTransitionTime": BORN,
                    "reason": "KubeletSaysSo",
                    "message": "kubelet is posting ready status",
                }
                for kind, value in conditions.items()
            ],
            "nodeInfo": {"kernelVersion": "6.1", "osImage": "Debian", "kubeletVersion": "v1.30.0"},
            "images": [{**image, "sizeBytes": 10**9 + n} for n in range(50)],
        },
    }
    return _managed(made)


def other_pod(number: int, place: str) -> Json:
    """About 7 kB: a service of somebody else's."""
    name, namespace = f"service-{number:06d}", f"team-{number % 20}"
    env = [{"name": f"SETTING_{n}", "value": f"something of {n} letters"} for n in range(15)]
    requests = {"cpu": f"{POD_CPU_MILLI}m", "memory": "256Mi"}
    mounts = [{"name": f"volume-{n}", "mountPath": f"/var/lib/volume-{n}"} for n in range(4)]
    made: Json = {
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {"app": f"service-{number % 50}", "pod-template-hash": "5d8f9c7b6d"},
            "annotations": {"changed": "0"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": f"service-{number % 50}", "uid": "1"}],
        },
        "spec": {
            "nodeName": place,
            "containers": [
                {
                    "name": "main",
                    "image": "registry.example/team/service:1",
                    "env": env,
                    "resources": {"requests": requests, "limits": requests},
                    "volumeMounts": mounts,
                }
            ],
            "volumes": [
                {"name": one["name"], "configMap": {"name": one["name"], "defaultMode": 420}}
                for one in mounts
            ],
            "tolerations": [{"key": f"key-{n}", "operator": "Exists"} for n in range(4)],
        },
        "status": status("main"),
    }
    return _managed(made)


def status(container: str) -> Json:
    conditions = ("Initialized", "Ready", "ContainersReady", "PodScheduled")
    state = {"name": container, "ready": True, "restartCount": 0, "image": "registry.example/team/service:1"}
    return {
        "phase": "Running",
        "podIP": "10.1.2.3",
        "hostIP": "10.0.0.1",
        "startTime": BORN,
        "conditions": [{"type": kind, "status": "True", "lastTransitionTime": BORN} for kind in conditions],
        "containerStatuses": [{**state, "state": {"running": {"startedAt": BORN}}, "lastState": {}}],
    }


def _managed(one: Json) -> Json:
    """Who wrote which field, as the API server notes it down beside everything."""
    fields = {f"f:{part}": _fields(one[part]) for part in ("metadata", "spec", "status")}
    writer = {"manager": "kubelet", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": fields}
    one["metadata"]["managedFields"] = [writer]
    return one


def _fields(value: Any) -> Json:
    if isinstance(value, dict):
        return {f"f:{name}": _fields(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return {f'k:{{"place":"{place}"}}': _fields(inner) for place, inner in enumerate(value)}
    return {}
