"""What the server answers about events."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import ByKind


@dataclass(frozen=True)
class Event(ByKind):
    """Something that happened; `seq` grows and is never reused."""

    seq: int = 0
    time: str = ""
    kind: str = ""
    job_id: str | None = None
    actor: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)
