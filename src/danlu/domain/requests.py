"""Requests: to join a project, or for more quota."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from danlu.domain.job import Time


class RequestKind(StrEnum):
    JOIN = "join"
    QUOTA = "quota"


class RequestState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Request:
    """`subject` is the project to join, or the quota. `asked` are the details: for a quota, amounts by class as in the
    quota, and `life`, the duration in milliseconds."""

    id: str
    kind: RequestKind
    user: str
    subject: str
    created_at: Time
    note: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    state: RequestState = RequestState.OPEN
    decided_by: str = ""
    decided_at: Time | None = None
    answer: str = ""

    @property
    def open(self) -> bool:
        return self.state is RequestState.OPEN
