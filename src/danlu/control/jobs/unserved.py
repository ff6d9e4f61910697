"""What a job file requests that no node has, with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from danlu.domain.errors import FieldError
from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.node import Node
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES, RDMA_LABEL
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc

_TRUE = "true"
_ADD = Words(
    "or ask an administrator to add a Kubernetes cluster: `danlu cluster create`",
    "或请管理员添加 Kubernetes 集群：`danlu cluster create`",
)


def unserved(
    spec: JobSpec, data: Mapping[str, Any], nodes: Sequence[Node], *, all_serve: bool = False
) -> Iterator[FieldError]:
    """What the file requests that no node has, whatever the size."""
    if not all_serve and not any(node.labels.get(ENGINE_LABEL) == KUBERNETES for node in nodes):
        if spec.image != HOST_IMAGE:
            message = say("image '{image}' cannot run here", "镜像“{image}”无法在这里运行", image=spec.image)
            hint = say(
                "use image: {image}, the machine's own Python environment, {other}",
                "请使用 image: {image}（机器自身的 Python 环境），{other}",
                image=HOST_IMAGE,
                other=_ADD,
            )
            yield FieldError(("image",), "image_not_available", message, spec.image, hint=hint)
        if spec.mounts:
            hint = say(
                "use paths that the machine has, {other}", "请使用机器上已有的路径，{other}", other=_ADD
            )
            yield FieldError(
                ("mounts",),
                "not_available",
                Words("volumes are not available here", "这里没有存储卷"),
                hint=hint,
            )
    if not any(node.labels.get(RDMA_LABEL) == _TRUE for node in nodes):
        for place, role in enumerate(spec.roles):
            if role.resources.rdma:
                hint = say(
                    "leave it out, or label the nodes that have RDMA: `danlu label NODE {label}={value}`",
                    "请去掉它，或为支持 RDMA 的节点加上标签：`danlu label NODE {label}={value}`",
                    label=RDMA_LABEL,
                    value=_TRUE,
                )
                loc = place_of_flavor(place, data) or (*place_of_size(place, data), "rdma")
                yield FieldError(
                    loc, "not_available", Words("no node has RDMA", "没有节点支持 RDMA"), hint=hint
                )


def place_of_size(place: int, data: Mapping[str, Any]) -> Loc:
    """Where in the file the size of a role stands: at the role itself or at the job."""
    return ("roles", place, "resources") if "resources" in role_in(place, data) else ("resources",)


def place_of_flavor(place: int, data: Mapping[str, Any]) -> Loc | None:
    """Where in the file a flavor says the size of a role; None where numbers do."""
    if "flavor" in role_in(place, data):
        return ("roles", place, "flavor")
    return ("flavor",) if "flavor" in data and "resources" not in role_in(place, data) else None


def role_in(place: int, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A role as written in the file, which may itself be invalid."""
    roles = data.get("roles")
    role = roles[place] if isinstance(roles, list) and place < len(roles) else None
    return role if isinstance(role, Mapping) else {}
