"""Members of projects and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.job import Time


class MemberRole(StrEnum):
    """A creator manages the members, a member may queue in the project, a viewer may see its page."""

    CREATOR = "creator"
    MEMBER = "member"
    VIEWER = "viewer"

    @property
    def may_queue(self) -> bool:
        return self is not MemberRole.VIEWER


@dataclass(frozen=True, slots=True)
class Membership:
    """A person in a project: since when, and who added them."""

    project: str
    user: str
    role: MemberRole
    since: Time
    by: str = ""
