"""Clusters as the JSON that clients get."""

from __future__ import annotations

from danlu.control.machines.clusters import ClusterUse
from danlu.domain.permissions import Caller, Permission
from danlu.server.http.answering import Json
from danlu.server.machines.clusters_models import Cluster


def cluster(use: ClusterUse, who: Caller) -> Json:
    """The address is shown to those who may change the cluster; credentials to nobody."""
    server = use.cluster.server if who.may(Permission.CLUSTER_WRITE) else None
    return Cluster.render(use, server=server)
