"""What somebody may do with a project: queue in it, and manage its members."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.members import MemberRole
from danlu.domain.people import User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import PriorityClass, Project


def may_queue(caller: Caller, project: Project) -> bool:
    """Whether they may queue jobs in it: everybody in an open project, and those who may write projects in any."""
    role = caller.projects.get(project.name)
    return project.open or (role is not None and role.may_queue) or caller.may(Permission.PROJECT_WRITE)


def governs(caller: Caller, project: str) -> bool:
    """Whether they may manage its members: its creators may, and those with `member:write` on everybody's things."""
    creator = caller.projects.get(project) is MemberRole.CREATOR and caller.may(Permission.MEMBER_WRITE)
    return creator or caller.may_everywhere(Permission.MEMBER_WRITE)


def usable_priorities(
    user: User, project: str, projects: Mapping[str, Project], classes: Mapping[str, PriorityClass]
) -> list[str]:
    """The priority classes that a person may use in a project: limits of the project and of the one whose share it
    draws on apply."""
    known = projects.get(project)
    accounts = (project, known.account) if known else (project,)
    bounds = [one for name in accounts if (one := projects.get(name))]
    return sorted(
        name
        for name, each in classes.items()
        if each.open_to(user, project) and all(one.allows(name) for one in bounds)
    )
