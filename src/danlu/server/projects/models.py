"""Members of projects, and a project's current use of its share."""

from __future__ import annotations

from typing import Annotated

from danlu.control.projects import members
from danlu.control.queue import standing
from danlu.domain.members import MemberRole
from danlu.scheduler.standing import Share
from danlu.server.http.answering import resource_number
from danlu.server.http.models import Answer, Moment, RequestBody
from danlu.server.http.rendering import At, Json
from danlu.server.people.models import RosterPart


class MemberSet(RequestBody):
    """The role of a member."""

    role: MemberRole


class MemberRoster(RosterPart):
    """Many members at once, as for groups; a column `role` in a table overrides `role`."""

    role: MemberRole = MemberRole.MEMBER


class Member(Answer, of=members.Member):
    """A member of a project: their role, since when, and who added them."""

    user: Annotated[str, At("membership.user")]
    display_name: str
    role: Annotated[MemberRole, At("membership.role")]
    since: Annotated[Moment, At("membership.since")]
    by: Annotated[str, At("membership.by")]


class MemberList(Answer):
    items: list[Member]


class ShareAmount(Answer, of=Share):
    """One resource of a project: GPUs and CPUs as numbers, memory in bytes. `deserved` is its fair part of what all
    projects use and wait for now; null if it draws on another project's share. `level` is how much of that it uses."""

    resource: str
    held: float
    queued: float
    guarantee: float | None
    cap: float | None
    deserved: float | None
    level: float | None

    @staticmethod
    def render(one: Share) -> Json:
        def shown(amount: int | None) -> float | None:
            return None if amount is None else resource_number(one.resource, amount)

        return {
            "resource": one.resource,
            "held": shown(one.held),
            "queued": shown(one.queued),
            "guarantee": shown(one.guarantee),
            "cap": shown(one.cap),
            "deserved": shown(one.deserved),
            "level": one.held / one.deserved if one.deserved else None,
        }


class Standing(Answer, of=standing.Standing):
    """A project's current use of its share; `account` is the project whose share its jobs draw on."""

    at: Moment
    project: Annotated[str, At("project.name")]
    weight: Annotated[float | None, At("project.weight")]
    account: Annotated[str, At("project.account")]
    amounts: Annotated[list[ShareAmount], At("shares")]
    running: int
    queued: int
