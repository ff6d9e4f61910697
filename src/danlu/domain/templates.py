"""Templates: job files that people keep to start from, and may share with a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.job import Time


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template as lists have it. `project` is the project whose people may use it; None keeps it to its owner."""

    id: str
    owner: str
    name: str
    description: str
    project: str | None
    kind: str
    created_at: Time
    changed_at: Time


@dataclass(frozen=True, slots=True)
class Template(TemplateRow):
    """With its job file, which may lack the job's name."""

    job: Mapping[str, Any]
