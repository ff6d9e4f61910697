"""Who may queue in a project, and who says who belongs to it."""

from __future__ import annotations

import pytest

from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import governs, may_queue
from danlu.domain.rules import Project

CREATOR, MEMBER, VIEWER = MemberRole
NLP, PUBLIC = Project("nlp"), Project("public", open=True)


def caller(role: UserRole, member: MemberRole | None = None, **more: frozenset[Permission]) -> Caller:
    projects = {} if member is None else {"nlp": member}
    return Caller(User("lin", role, 0), projects=projects, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", UserRole)
@pytest.mark.parametrize("member", [None, *MemberRole])
def test_an_open_project_is_everybodys_and_another_its_members(
    role: UserRole, member: MemberRole | None
) -> None:
    who = caller(role, member)
    assert may_queue(who, PUBLIC)
    assert may_queue(who, NLP) is (role is UserRole.ADMINISTRATOR or member in (CREATOR, MEMBER))


@pytest.mark.parametrize("role", UserRole)
@pytest.mark.parametrize("member", [None, *MemberRole])
def test_creators_who_run_jobs_and_administrators_govern(role: UserRole, member: MemberRole | None) -> None:
    created = member is CREATOR and role is not UserRole.VIEWER
    assert governs(caller(role, member), "nlp") is (role is UserRole.ADMINISTRATOR or created)
    assert governs(caller(role, member), "vision") is (role is UserRole.ADMINISTRATOR)


def test_a_token_that_is_too_narrow_governs_nothing() -> None:
    assert not governs(caller(UserRole.ENGINEER, CREATOR, scopes=frozenset({Permission.JOB_WRITE})), "nlp")
    assert governs(caller(UserRole.ENGINEER, CREATOR, scopes=frozenset({Permission.MEMBER_WRITE})), "nlp")


def test_a_group_may_let_people_govern_and_queue_everywhere() -> None:
    granted = frozenset({Permission.MEMBER_WRITE, Permission.PROJECT_WRITE})
    assert governs(caller(UserRole.ENGINEER, granted=granted), "nlp")
    assert may_queue(caller(UserRole.ENGINEER, granted=granted), NLP)
