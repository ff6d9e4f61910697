"""The labels that a job requires of nodes in addition to its `node_selector`."""

from __future__ import annotations

from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES, RDMA_LABEL, Project

_TRUE = "true"


def demanded_labels(spec: JobSpec, project: Project | None, *, all_serve: bool = False) -> dict[str, str]:
    """The labels that its project requires, and those of nodes that support its image, mounts and RDMA.

    With `all_serve`, every node supports images and volumes."""
    labels = dict(project.node_selector) if project else {}
    if not all_serve and (spec.image != HOST_IMAGE or spec.mounts):
        labels[ENGINE_LABEL] = KUBERNETES
    if any(role.resources.rdma for role in spec.roles):
        labels[RDMA_LABEL] = _TRUE
    return labels
