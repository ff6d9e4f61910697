"""The permissions that Danlu needs in a cluster: one table, for the roles and for the check."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.engines.kubernetes.api.answers import Json

JOBS = "danlu-jobs"
"""The default namespace of jobs."""


@dataclass(frozen=True, slots=True)
class ClusterPermission:
    """What may be done with resources of an API group: everywhere, or in the namespace of jobs alone. `name` narrows
    it to the one object of that name; `{namespace}` stands for the namespace of jobs. What is only `for_volumes` jobs
    run without."""

    group: str
    resources: tuple[str, ...]
    verbs: tuple[str, ...]
    everywhere: bool = False
    name: str = ""
    for_volumes: bool = False


RULES: tuple[ClusterPermission, ...] = (
    ClusterPermission("", ("nodes",), ("list", "watch"), everywhere=True),
    # Other people's pods count as used.
    ClusterPermission("", ("pods",), ("list", "watch"), everywhere=True),
    # Everywhere, though it is about one: of a namespace that is not there nothing can be allowed inside it.
    ClusterPermission("", ("namespaces",), ("get",), everywhere=True, name="{namespace}"),
    ClusterPermission("storage.k8s.io", ("storageclasses",), ("list",), everywhere=True),
    # Which nodes have a volume, and whether it outlives its claim.
    ClusterPermission("", ("persistentvolumes",), ("list",), everywhere=True, for_volumes=True),
    ClusterPermission("", ("pods",), ("get", "create", "delete", "patch")),
    ClusterPermission("", ("pods/log",), ("get",)),
    ClusterPermission("", ("pods/exec", "pods/portforward"), ("get", "create")),
    ClusterPermission("", ("services",), ("get", "list", "create", "delete")),
    ClusterPermission("", ("events",), ("list", "watch")),
    ClusterPermission("", ("persistentvolumeclaims",), ("get", "list")),
    ClusterPermission("", ("persistentvolumeclaims",), ("create", "patch", "delete"), for_volumes=True),
)
SIZES = ClusterPermission("", ("nodes/proxy",), ("get",), everywhere=True, for_volumes=True)
"""To read how much of a volume is used. Not among the others: who has it may do more on nodes than Danlu needs."""


def cluster_role(name: str, namespace: str = JOBS) -> Json:
    """What must be allowed everywhere, as a ClusterRole."""
    rules = [_rule(one, namespace) for one in RULES if one.everywhere]
    return _manifest("ClusterRole", {"name": name}, rules)


def role(name: str, namespace: str = JOBS) -> Json:
    """What must be allowed in the namespace of jobs, as a Role there."""
    rules = [_rule(one, namespace) for one in RULES if not one.everywhere]
    return _manifest("Role", {"name": name, "namespace": namespace}, rules)


def _manifest(kind: str, metadata: Json, rules: list[Json]) -> Json:
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata, "rules": rules}


def _rule(permission: ClusterPermission, namespace: str) -> Json:
    rule: Json = {
        "apiGroups": [permission.group],
        "resources": list(permission.resources),
        "verbs": list(permission.verbs),
    }
    if permission.name:
        rule["resourceNames"] = [permission.name.format(namespace=namespace)]
    return rule
