"""The labels that a job requires of nodes in addition to its `node_selector`."""

from __future__ import annotations

from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.rules import CLUSTER_LABEL, ENGINE_LABEL, KUBERNETES, RDMA_LABEL, Project
from danlu.domain.volumes.volume import LOCAL_CLUSTER

_TRUE = "true"


def demanded_labels(spec: JobSpec, project: Project | None, *, all_serve: bool = False) -> dict[str, str]:
    """The labels that its project requires, and those of nodes that support its image and RDMA and have its volumes.

    With `all_serve`, every node supports images and has the volumes of this machine."""
    labels = dict(project.node_selector) if project else {}
    if not all_serve and spec.image != HOST_IMAGE:
        labels[ENGINE_LABEL] = KUBERNETES
    if spec.inputs and not all_serve:
        labels[CLUSTER_LABEL] = LOCAL_CLUSTER  # what is fetched is in volumes of this machine
    for mount in spec.mounts:
        if mount.cluster and not (all_serve and mount.cluster == LOCAL_CLUSTER):
            labels[CLUSTER_LABEL] = mount.cluster
    if spec.outputs and not all_serve:
        labels[CLUSTER_LABEL] = LOCAL_CLUSTER  # what tasks leave is kept on this machine alone
    if any(mount.login for mount in spec.mounts) and not all_serve:
        labels[CLUSTER_LABEL] = LOCAL_CLUSTER  # in a cluster, whoever may read pods would read the login
    if any(role.resources.rdma for role in spec.roles):
        labels[RDMA_LABEL] = _TRUE
    return labels
