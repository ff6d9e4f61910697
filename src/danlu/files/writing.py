"""From the job's specification back to the job file, for showing, editing and cloning."""

from __future__ import annotations

import functools
from typing import Any

from danlu.domain.job import Code, JobSpec, Role, Topology
from danlu.domain.quantity import exact_size
from danlu.domain.resources import Resources
from danlu.files.inputs import write_inputs
from danlu.files.job_file import (
    BackoffPart,
    CheckpointPart,
    CodePart,
    JobFile,
    ResourcesPart,
    RolePart,
    TopologyPart,
)
from danlu.files.mounts import write_mounts
from danlu.files.outputs import write_outputs
from danlu.files.packages import write_packages
from danlu.files.quantities import AUTO, plain_number
from danlu.files.reading import default_restarts


def job_file_of(spec: JobSpec) -> dict[str, Any]:
    """The job file that reads as this specification, defaults left out; but for those of its framework, which may be
    others by then."""
    same, of_framework = _one_worker(spec), spec.framework != _blank().framework
    file = _blank().model_copy(
        update={
            "kind": spec.kind.value,
            "name": spec.name,
            "project": spec.project,
            "description": spec.description,
            "image": spec.image,
            "code": _code_of(spec.code) if spec.code else None,
            "command": _plain(same.command) if same else None,
            "resources": _size_of(same.resources) if same and not same.flavor else None,
            "flavor": same.flavor if same else None,
            "nodes": AUTO if spec.total else same.replicas if same and same.replicas > 1 else None,
            "min": spec.min,
            "topology": TopologyPart(same=spec.topology.same, prefer=spec.topology.prefer)
            if spec.topology != Topology()
            else None,
            "roles": None if same else [_role_of(role, of_framework) for role in spec.roles],
            "mounts": write_mounts(spec.mounts),
            "inputs": write_inputs(spec.inputs),
            "outputs": write_outputs(spec.outputs),
            "env": dict(spec.env),
            "priority": spec.priority,
            "justification": spec.justification,
            "node_selector": dict(spec.node_selector),
            "expected_time": spec.expected_time,
            "max_time": spec.max_time,
            "checkpoint": CheckpointPart(path=spec.checkpoint.path).model_copy(
                update={"grace": spec.checkpoint.grace}
            ),
            "on": dict(spec.on),
            "restarts": spec.restarts,
            "framework": spec.framework,
            "strategy": spec.strategy or None,
            "processes": same.processes if same else None,
            "backoff": BackoffPart.model_construct(first=spec.backoff.first, most=spec.backoff.most),
            "hang_after": 0 if of_framework and spec.hang_after is None else spec.hang_after,
            "preemptible": spec.preemptible,
            "network": spec.network,
            "packages": write_packages(spec.packages),
        }
    )
    plain = file.model_dump(mode="json", exclude_defaults=True, exclude_none=True, by_alias=True)
    if same and not same.flavor:
        plain["resources"] = _said(plain.get("resources", {}), same.resources)
    for written, role in zip(plain.get("roles", ()), spec.roles, strict=False):
        if not role.flavor:
            written["resources"] = _said(written.get("resources", {}), role.resources)
    if not of_framework and plain.get("restarts") == default_restarts(file):
        del plain["restarts"]
    return {key: value for key, value in plain.items() if value != {}}


@functools.cache
def _blank() -> JobFile:
    """Made with the first job that is shown: models of job files are not built before."""
    defaults = {
        name: field.get_default(call_default_factory=True) for name, field in JobFile.model_fields.items()
    }
    return JobFile.model_construct(**defaults)


def _one_worker(spec: JobSpec) -> Role | None:
    role = spec.roles[0]
    own = role.env or role.image or role.on or role.restarts is not None or role.serves
    plain = len(spec.roles) == 1 and role.name == "worker" and role.min == role.replicas and not own
    return role if plain else None


def _plain(command: str | tuple[str, ...]) -> str | list[str]:
    return command if isinstance(command, str) else list(command)


def _size_of(resources: Resources) -> ResourcesPart:
    return ResourcesPart.model_construct(
        cpus=resources.cpu_milli,
        memory=resources.memory,
        gpus=resources.gpu_milli,
        gpu=resources.gpu_model,
        shm=resources.shm,
        rdma=resources.rdma,
    )


def _said(size: dict[str, Any], resources: Resources) -> dict[str, Any]:
    """A size with GPUs says its CPUs and memory: left out, they would be the GPUs' part and not the default."""
    if not resources.gpu_milli:
        return size
    return {"cpus": plain_number(resources.cpu_milli), "memory": exact_size(resources.memory), **size}


def _role_of(role: Role, of_framework: bool) -> RolePart:
    return RolePart.model_construct(
        name=role.name,
        replicas=role.replicas,
        min=role.min,
        command=_plain(role.command),
        resources=None if role.flavor else _size_of(role.resources),
        env=dict(role.env),
        flavor=role.flavor,
        image=role.image,
        on=dict(role.on),
        restarts=role.restarts,
        processes=role.processes,
        serves=role.serves if of_framework else role.serves or None,
    )


def _code_of(code: Code) -> CodePart:
    return CodePart.model_construct(
        path=None, archive=code.archive, git=code.git, ref=code.ref, subdir=code.subdir
    )
