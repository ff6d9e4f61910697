"""Who belongs to which project, and as what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.job import Time


class MemberRole(StrEnum):
    """A creator says who belongs to it, a member queues in it, a viewer looks at its page."""

    CREATOR = "creator"
    MEMBER = "member"
    VIEWER = "viewer"

    @property
    def may_queue(self) -> bool:
        return self is not MemberRole.VIEWER


@dataclass(frozen=True, slots=True)
class Membership:
    """A person in a project: since when, and by whose act."""

    project: str
    user: str
    role: MemberRole
    since: Time
    by: str = ""
