"""The labels that a job demands of its nodes beyond what its file's `node_selector` says."""

from __future__ import annotations

from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES, RDMA_LABEL, Project

_TRUE = "true"


def demanded_labels(spec: JobSpec, project: Project | None, *, all_serve: bool = False) -> dict[str, str]:
    """The labels its project demands, and those of nodes that can give it its image, mounts and RDMA.

    With `all_serve`, images and volumes are to be had on every node."""
    labels = dict(project.node_selector) if project else {}
    if not all_serve and (spec.image != HOST_IMAGE or spec.mounts):
        labels[ENGINE_LABEL] = KUBERNETES
    if any(role.resources.rdma for role in spec.roles):
        labels[RDMA_LABEL] = _TRUE
    return labels
