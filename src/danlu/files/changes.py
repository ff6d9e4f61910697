"""A few changes to a job's file: what people change of a job that waits, without writing the whole file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobSpec
from danlu.domain.words import listed, say
from danlu.files.writing import job_file_of

_SIZES = ("gpus", "gpu", "cpus", "memory")
_PLAIN = ("project", "priority", "justification", "expected_time", "max_time")
LEFT_OUT = {"node_selector": ("node_selector",), "topology": ("topology", "same"), "max_time": ("max_time",)}
"""What can be taken out, and where the file says it."""


@dataclass(frozen=True, slots=True)
class SpecChanges:
    """New values, as a job file would say them; None stays. Sizes are of one task, or of all together where the
    scheduler divides; fewer GPUs take their part of the CPUs and the memory with them, unless these are named.
    `without` names what is taken out."""

    gpus: float | None = None
    gpu: str | None = None
    cpus: float | None = None
    memory: str | None = None
    tasks: int | None = None
    flavor: str | None = None
    project: str | None = None
    priority: str | None = None
    justification: str | None = None
    expected_time: str | None = None
    max_time: str | None = None
    without: tuple[str, ...] = ()


def changed_file(spec: JobSpec, changes: SpecChanges) -> dict[str, Any]:
    """The job file of this specification with the changes; Invalid where it has several roles with sizes of their
    own."""
    size = {key: value for key in _SIZES if (value := getattr(changes, key)) is not None}
    asked = [*size, *(key for key in ("tasks", "flavor") if getattr(changes, key) is not None)]
    if asked and len(spec.roles) > 1:
        raise Invalid(tuple(_several(spec, key) for key in asked))
    if size:  # a flavor fixes the size: what it gave stays, but for what is changed
        (role,) = spec.roles
        fewer = (
            role.resources if changes.gpus is None else role.resources.with_gpus(round(changes.gpus * 1000))
        )
        spec = replace(spec, roles=(replace(role, flavor=None, resources=fewer),))
    file = job_file_of(spec)
    part = file["roles"][0] if "roles" in file else file
    if size:
        part["resources"] = {**part.get("resources", {}), **size}
    if changes.flavor is not None:
        part.pop("resources", None)
        part["flavor"] = changes.flavor
    if changes.tasks is not None:
        file.pop("min", None)
        part.pop("min", None)
        part["replicas" if "roles" in file else "nodes"] = changes.tasks
    file |= {key: value for key in _PLAIN if (value := getattr(changes, key)) is not None}
    for name in changes.without:
        _leave_out(file, LEFT_OUT[name])
    return file


def _leave_out(file: dict[str, Any], place: tuple[str, ...]) -> None:
    *above, last = place
    for key in above:
        file = file.get(key, {})
    file.pop(last, None)


def _several(spec: JobSpec, key: str) -> FieldError:
    message = say(
        "{name} has several roles ({roles}), each with a size of its own; edit its file",
        "{name} 有多个角色（{roles}），各有自己的规格，请编辑任务文件",
        name=spec.name,
        roles=listed(role.name for role in spec.roles),
    )
    return FieldError((key,), "several_roles", message)
