"""What the access rules mean for each role and relation; used by the reference and by a test of every route."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from danlu.domain.people import UserRole
from danlu.domain.permissions import TABLE, Permission, Relation
from danlu.server.http.access import REQUEST, TASK, AccessRule, RequestTarget

P = Permission
OWN, IN_PROJECT, OTHER = Relation.OWN, Relation.PROJECT, Relation.OTHER


class Verdict(StrEnum):
    """The answer to a caller; things the caller may not know about are hidden (404), not refused."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    HIDDEN = "hidden"


def verdict(rule: AccessRule, role: UserRole, relation: Relation) -> Verdict:
    """The answer of a route with this rule to a signed-in person without extra permissions from groups."""
    if rule.permission is TASK:
        return Verdict.REFUSED
    if isinstance(rule.permission, P) and rule.permission not in TABLE[role][OWN]:
        return Verdict.REFUSED  # checked first, whatever the request is about
    about = rule.about
    if about.own_only and relation is not OWN:
        return Verdict.HIDDEN
    may, asked = _may(about, role, relation), rule.on_it or rule.permission
    if about.hidden_without is not None and about.hidden_without not in may:
        return Verdict.HIDDEN
    return Verdict.ALLOWED if not isinstance(asked, P) or asked in may else Verdict.REFUSED


def _may(about: RequestTarget, role: UserRole, relation: Relation) -> Collection[Permission]:
    """As the table of permissions says. The exception: a request is decided by the creators of its project, not by its
    owner; who decides it may also read it."""
    may = TABLE[role][relation]
    if about is not REQUEST:
        return may
    decided_here = relation is IN_PROJECT and P.MEMBER_WRITE in TABLE[role][OWN]
    if decided_here or P.MEMBER_WRITE in TABLE[role][OTHER]:
        return may | {P.MEMBER_WRITE, P.REQUEST_READ}
    return may - {P.MEMBER_WRITE}
