"""Members of projects, and a project's current use of its share."""

from typing import Annotated

from pydantic import Field

from danlu.control.projects import members
from danlu.control.queue import standing
from danlu.domain.job import JobClass
from danlu.domain.members import MemberRole
from danlu.domain.quota import Left
from danlu.scheduler.standing import Share
from danlu.server.http.answering import moment, resource_number
from danlu.server.http.models import Answer, Moment, RequestBody
from danlu.server.http.rendering import GIVEN, At, Json
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


class UsableProject(Answer, of=members.UsableProject):
    """A project in which the caller may queue jobs. `priorities` are the classes that they may use in it; the jobs of a
    closed project do not start."""

    name: Annotated[str, At("project.name")]
    description: Annotated[str, At("project.description")]
    open: Annotated[bool, At("project.open")]
    closed: Annotated[bool, At("project.closed")]
    node_selector: Annotated[dict[str, str], At("project.node_selector")]
    default_flavor: Annotated[str, At("project.default_flavor")]
    default_image: Annotated[str, At("project.default_image")]
    priorities: list[str]
    my_role: Annotated[MemberRole | None, GIVEN]


class QuotaLeft(Answer):
    """What jobs of a class may still take of a resource before a quota refuses a start; of several quotas, the one that
    leaves the least. GPUs and CPUs as numbers, memory in bytes."""

    job_class: JobClass = Field(alias="class")
    resource: str
    left: float
    limit: float
    used: float
    quota: str
    until: Moment | None

    @staticmethod
    def render(one: Left) -> Json:
        bound, resource = one.bound, one.bound.resource
        return {
            "class": one.job_class,
            "resource": resource,
            "left": resource_number(resource, one.amount),
            "limit": resource_number(resource, bound.limit or 0),
            "used": resource_number(resource, one.used),
            "quota": bound.quota,
            "until": moment(bound.until),
        }


class UsableProjects(Answer):
    """Where the caller may queue jobs, and what their quotas leave; what is not listed in `left` is unlimited."""

    items: list[UsableProject]
    left: list[QuotaLeft]


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
