"""What a job file requests that no node has, with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from danlu.domain.errors import FieldError
from danlu.domain.isolation import IsolationForm
from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.node import Node
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES, RDMA_LABEL
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc

_TRUE = "true"
_NO_VIEW = Words(
    "tasks here are plain processes, to which nothing can be mounted", "这里的子任务是普通进程，无法挂载"
)
_NEEDS_SANDBOX = Words(
    "an administrator installs bubblewrap (Debian, Ubuntu: apt install bubblewrap) and leaves the setting isolation at "
    "auto; your own folder is $DANLU_PERSONAL_DIR in any case",
    "请管理员安装 bubblewrap（Debian、Ubuntu：apt install bubblewrap），并将设置 isolation 保持为 auto；"
    "个人目录仍可通过 $DANLU_PERSONAL_DIR 使用",
)
_ADD = Words(
    "or ask an administrator to add a Kubernetes cluster: `danlu cluster create`",
    "或请管理员添加 Kubernetes 集群：`danlu cluster create`",
)


def unserved(
    spec: JobSpec, data: Mapping[str, Any], nodes: Sequence[Node], *, all_serve: bool = False
) -> Iterator[FieldError]:
    """What the file requests that no node has, whatever the size."""
    on_clusters = all_serve or any(node.labels.get(ENGINE_LABEL) == KUBERNETES for node in nodes)
    if spec.image != HOST_IMAGE and not on_clusters:
        message = say("image '{image}' cannot run here", "镜像“{image}”无法在这里运行", image=spec.image)
        hint = say(
            "use image: {image}, the machine's own Python environment, {other}",
            "请使用 image: {image}（机器自身的 Python 环境），{other}",
            image=HOST_IMAGE,
            other=_ADD,
        )
        yield FieldError(("image",), "image_not_available", message, spec.image, hint=hint)
    if not all_serve and spec.mounts and _only_processes(spec, nodes):
        yield FieldError(("mounts",), "not_available", _NO_VIEW, hint=_NEEDS_SANDBOX)
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


def _only_processes(spec: JobSpec, nodes: Sequence[Node]) -> bool:
    """Whether all nodes that could mount what it asks for run tasks as plain processes."""
    here = any(mount.cluster == LOCAL_CLUSTER for mount in spec.mounts)
    able = [node for node in nodes if not here or not node.cluster]
    return bool(able) and all(
        node.isolation is not None and node.isolation.form is IsolationForm.PROCESS for node in able
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
