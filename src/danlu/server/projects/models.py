"""Members of projects, and how a project stands."""

from __future__ import annotations

from danlu.domain.members import MemberRole
from danlu.server.http.models import Answer, Moment, Request
from danlu.server.people.models import RosterPart


class MemberSet(Request):
    """As what somebody belongs to a project."""

    role: MemberRole


class MemberRoster(RosterPart):
    """Many at once, as for groups; a column `role` in a table wins over `role`."""

    role: MemberRole = MemberRole.MEMBER


class Member(Answer):
    """A person in a project: as what, since when, and by whose act."""

    user: str
    display_name: str
    role: MemberRole
    since: Moment
    by: str


class MemberList(Answer):
    items: list[Member]


class ShareAmount(Answer):
    """One resource of a project: GPUs and CPUs as numbers, memory in bytes. `deserved` is its part of what all hold
    and wait for now; null where it draws on another project's share. `level` is how much of that it holds."""

    resource: str
    held: float
    queued: float
    guarantee: float | None
    cap: float | None
    deserved: float | None
    level: float | None


class Standing(Answer):
    """How a project stands now; `account` is the project whose share its jobs draw on."""

    at: Moment
    project: str
    weight: float | None
    account: str
    amounts: list[ShareAmount]
    running: int
    queued: int
