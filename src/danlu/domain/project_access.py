"""What somebody may do with a project: queue in it, and say who belongs to it."""

from __future__ import annotations

from danlu.domain.members import MemberRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Project


def may_queue(caller: Caller, project: Project) -> bool:
    """May they put jobs in it? An open one is everybody's, and who governs projects needs no invitation."""
    role = caller.projects.get(project.name)
    return project.open or (role is not None and role.may_queue) or caller.may(Permission.PROJECT_WRITE)


def governs(caller: Caller, project: str) -> bool:
    """May they say who belongs to it? Its creators may, and whoever may write members everywhere."""
    creator = caller.projects.get(project) is MemberRole.CREATOR and caller.may(Permission.MEMBER_WRITE)
    return creator or caller.may_everywhere(Permission.MEMBER_WRITE)
