"""Where things are on an API server."""

from __future__ import annotations

NODES = "/api/v1/nodes"
ALL_PODS = "/api/v1/pods"
PERSISTENT_VOLUMES = "/api/v1/persistentvolumes"
STORAGE_CLASSES = "/apis/storage.k8s.io/v1/storageclasses"


def namespaces(name: str) -> str:
    return f"/api/v1/namespaces/{name}"


def pods(namespace: str, name: str = "", part: str = "") -> str:
    """All pods of a namespace, one, or a part of one (`log`, `exec`, `portforward`)."""
    return _inside(namespace, "pods", name, part)


def services(namespace: str, name: str = "") -> str:
    return _inside(namespace, "services", name)


def claims(namespace: str, name: str = "") -> str:
    """Persistent volume claims."""
    return _inside(namespace, "persistentvolumeclaims", name)


def node_stats(name: str) -> str:
    """What a node's kubelet measures, through the API server."""
    return f"{NODES}/{name}/proxy/stats/summary"


def events(namespace: str) -> str:
    return _inside(namespace, "events")


def resource_of(path: str) -> str:
    """The kind of things at a path: `pods`, `pods/log`, `nodes`; the path itself where there is no such kind."""
    parts = path.strip("/").split("/")
    rest = parts[2:] if parts[0] == "api" else parts[3:] if parts[0] == "apis" else []
    if len(rest) > 2 and rest[0] == "namespaces":
        rest = rest[2:]
    return "/".join(rest[::2]) or path


def _inside(namespace: str, *parts: str) -> str:
    return "/".join((namespaces(namespace), *filter(None, parts)))
