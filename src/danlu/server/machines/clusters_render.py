"""Clusters as the JSON that clients get."""

from __future__ import annotations

from danlu.control.machines.clusters import ClusterUse, Report
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_time
from danlu.files.quantities import plain_number
from danlu.server.http.answering import (
    Json,
    finding,
    moment,
)


def cluster(use: ClusterUse, who: Caller) -> Json:
    """How to get there is told to those who may change it; how to sign in, to nobody."""
    one = use.cluster
    return {
        "name": one.name,
        "state": use.state.value,
        "why": use.why,
        "server": one.server if who.may(Permission.CLUSTER_WRITE) else None,
        "namespace": one.namespace,
        "image": one.image,
        "helper": one.helper,
        "dns": one.dns,
        "pull_policy": one.pull_policy,
        "pull_secrets": list(one.pull_secrets),
        "tolerations": list(one.tolerations),
        "rdma_resource": one.rdma_resource,
        "admission_time": show_time(one.admission_time),
        "lost_time": show_time(one.lost_time),
        "description": one.description,
        "in_cluster": use.in_cluster,
        "credentials_at": moment(one.credentials_at or None),
        "nodes": {"ready": use.ready, "total": use.nodes},
        "gpus": [
            {
                "model": gpus.model,
                "total": gpus.total,
                "used": plain_number(gpus.used_milli),
                "others": gpus.others,
            }
            for gpus in use.gpus
        ],
        "tasks": use.tasks,
        "findings": [finding(one) for one in use.findings],
    }


def report(found: Report) -> Json:
    return {
        "ready": found.ready,
        "server": found.server,
        "findings": [finding(one) for one in found.findings],
    }
