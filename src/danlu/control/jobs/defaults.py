"""What job files leave out: a name, and their project's defaults of size and image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from danlu.domain.names import name_of_command
from danlu.domain.rules import PUBLIC, Flavor, Project
from danlu.files.reading import read_job_file

_SIZES = ("flavor", "resources", "roles")


def with_defaults(data: Any, projects: Mapping[str, Project], flavors: Mapping[str, Flavor]) -> Any:
    """The job file with a name made from its command, if it has none; with its project's default flavor, if it names no
    size and the flavor is for jobs of its class; and with its default image, if it names none. Of an unknown project
    nothing is known."""
    if not isinstance(data, Mapping):
        return data
    if data.get("name") is None and (made := name_of_command(data.get("command"))):
        data = {**data, "name": made}
    name = data.get("project") or PUBLIC
    project = projects.get(name) if isinstance(name, str) else None
    if project is None:
        return data
    given = {}
    if project.default_image and data.get("image") is None:
        given["image"] = project.default_image
    flavor = flavors.get(project.default_flavor)
    if flavor is not None and all(data.get(key) is None for key in _SIZES) and _fits(flavor, data):
        given["flavor"] = flavor.name
    return {**data, **given} if given else data


def _fits(flavor: Flavor, data: Mapping[str, Any]) -> bool:
    if not flavor.classes:
        return True
    spec = read_job_file(data).spec
    return spec is not None and spec.job_class in flavor.classes
