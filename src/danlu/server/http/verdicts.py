"""What the rules mean: may somebody of a role, with a thing that stands so to them? For the reference, and for the test
that asks every route."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from danlu.domain.people import UserRole
from danlu.domain.permissions import TABLE, Permission, Relation
from danlu.server.http.access import REQUEST, TASK, AccessRule, RequestTarget

P = Permission
OWN, IN_PROJECT, OTHER = Relation.OWN, Relation.PROJECT, Relation.OTHER


class Verdict(StrEnum):
    """What one may not know of does not exist for one: it is hidden, not refused."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    HIDDEN = "hidden"


def verdict(rule: AccessRule, role: UserRole, relation: Relation) -> Verdict:
    """What a signed-in person whom no group grants more is told by a route with this rule."""
    if rule.permission is TASK:
        return Verdict.REFUSED
    if isinstance(rule.permission, P) and rule.permission not in TABLE[role][OWN]:
        return Verdict.REFUSED  # at the door, whatever it is about
    about = rule.about
    if about.own_only and relation is not OWN:
        return Verdict.HIDDEN
    may, asked = _may(about, role, relation), rule.on_it or rule.permission
    if about.hidden_without is not None and about.hidden_without not in may:
        return Verdict.HIDDEN
    return Verdict.ALLOWED if not isinstance(asked, P) or asked in may else Verdict.REFUSED


def _may(about: RequestTarget, role: UserRole, relation: Relation) -> Collection[Permission]:
    """As the table has it. Only a request is not decided by whoever it belongs to, but by the creators of the project
    that it is about; whoever decides it also reads it."""
    may = TABLE[role][relation]
    if about is not REQUEST:
        return may
    decided_here = relation is IN_PROJECT and P.MEMBER_WRITE in TABLE[role][OWN]
    if decided_here or P.MEMBER_WRITE in TABLE[role][OTHER]:
        return may | {P.MEMBER_WRITE, P.REQUEST_READ}
    return may - {P.MEMBER_WRITE}
