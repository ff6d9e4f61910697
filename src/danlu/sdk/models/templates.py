"""What the server answers about templates."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass(frozen=True)
class TemplateRow:
    """A template without its job file. `project` is whom it is shared with; `can_edit`: the caller may change
    it."""

    id: str = ""
    owner: str = ""
    name: str = ""
    description: str = ""
    project: str | None = None
    kind: str = ""
    created_at: str = ""
    changed_at: str = ""
    can_edit: bool = False


@dataclass(frozen=True)
class Template(TemplateRow):
    """With its job file."""

    job: Mapping[str, Any] = field(default_factory=dict)
