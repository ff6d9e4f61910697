"""How the tasks of an attempt find each other: by name, by address, or not at all when there is one."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.names import service_name
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import AttemptOrder, addressed

HOSTS_ANNOTATION = "danlu.io/hosts"
"""A line `address host` for every task, rank 0 first; the kubelet keeps it in a file of every task."""

_DOMAIN = "cluster.local"
_LOOPBACK = "127.0.0.1"


def needs_service(cluster: KubernetesCluster, order: AttemptOrder) -> bool:
    """Whether tasks find each other by name."""
    return cluster.dns and len(order.tasks) > 1


def needs_addresses(cluster: KubernetesCluster, order: AttemptOrder) -> bool:
    """Whether tasks wait to be told each other's addresses (`addresses_patch`) once all of them have one."""
    return not cluster.dns and len(order.tasks) > 1


def known_hosts(cluster: KubernetesCluster, order: AttemptOrder) -> dict[str, str] | None:
    """Where each task will be found, by its host name; None when only the running pods can tell."""
    if needs_addresses(cluster, order):
        return None
    if not needs_service(cluster, order):
        return {task.hostname: _LOOPBACK for task in order.tasks}
    domain = f"{service_name(order.attempt_id)}.{cluster.namespace}.svc"
    return {task.hostname: f"{task.hostname}.{domain}" for task in order.tasks}


def filled_in(cluster: KubernetesCluster, order: AttemptOrder, text: str) -> str:
    """A text of the task's with the addresses of tasks in their places: bare host names where tasks wait to be told
    addresses, for those are in their hosts file by then."""
    return addressed(text, known_hosts(cluster, order) or {})


def hosts_text(order: AttemptOrder, addresses: Mapping[str, str]) -> str:
    """The hosts file, given the addresses of tasks by their host names; one that has none is left out."""
    found = ((addresses.get(task.hostname), task.hostname) for task in order.tasks)
    return "".join(f"{address} {host}\n" for address, host in found if address)


def addresses_patch(order: AttemptOrder, addresses: Mapping[str, str]) -> Json:
    """The merge patch that tells a pod where all tasks are."""
    return {"metadata": {"annotations": {HOSTS_ANNOTATION: hosts_text(order, addresses)}}}


def naming(cluster: KubernetesCluster, order: AttemptOrder, hostname: str) -> Json:
    """The part of a pod's specification that gives it a name to be found by.

    The search entry makes the bare names of tasks work too, where the cluster has the usual domain."""
    if not cluster.dns:
        return {"hostname": hostname, "dnsPolicy": "Default"}
    service = service_name(order.attempt_id)
    search = [f"{service}.{cluster.namespace}.svc.{_DOMAIN}"]
    found_by_name = {"dnsConfig": {"searches": search}} if needs_service(cluster, order) else {}
    return {"hostname": hostname, "subdomain": service, **found_by_name}
