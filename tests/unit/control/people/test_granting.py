"""Nobody gives others, or gets hold of, more than they may do themselves."""

from __future__ import annotations

import pytest

from danlu.control.people.granting import powers, require_grantable, require_over, require_role
from danlu.control.people.rights import granted_by
from danlu.domain.errors import NotAllowed
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Group

GROUPS = {
    "helpdesk": Group("helpdesk", ("user:read", "user:write", "group:write")),
    "pins": Group("pins", ("queue:pin",)),
    "odd": Group("odd", ("token:read", "job:fly")),
}


def person(role: UserRole, *groups: str, name: str = "somebody") -> User:
    return User(name, role, 0, groups=groups)


def caller(role: UserRole, *groups: str, scopes: frozenset[str] | None = None) -> Caller:
    user = person(role, *groups, name="lin")
    return Caller(user, scopes, granted=granted_by(GROUPS, user))


ADMIN, DESK = caller(UserRole.ADMINISTRATOR), caller(UserRole.ENGINEER, "helpdesk")


def test_plain_people_have_no_powers_and_personal_words_give_none() -> None:
    assert powers(person(UserRole.ENGINEER), GROUPS) == frozenset()
    assert powers(person(UserRole.VIEWER, "odd", "gone"), GROUPS) == frozenset()
    assert powers(person(UserRole.ENGINEER, "pins"), GROUPS) == {Permission.QUEUE_PIN}


def test_a_permission_is_given_by_those_who_have_it_everywhere() -> None:
    require_grantable(ADMIN, [Permission.QUEUE_PIN, Permission.USER_WRITE])
    require_grantable(DESK, [Permission.USER_WRITE])
    with pytest.raises(NotAllowed, match="queue:pin: you cannot grant"):
        require_grantable(DESK, [Permission.QUEUE_PIN, Permission.USER_WRITE])
    with pytest.raises(NotAllowed, match="job:stop"):
        require_grantable(DESK, [Permission.JOB_STOP])  # theirs on their own jobs only


@pytest.mark.parametrize("target", [person(UserRole.ADMINISTRATOR), person(UserRole.OPERATOR)])
def test_the_account_of_somebody_who_may_do_more_is_not_theirs_to_change(target: User) -> None:
    require_over(ADMIN, target, GROUPS)
    with pytest.raises(NotAllowed):
        require_over(DESK, target, GROUPS)


def test_a_group_that_gives_more_protects_its_members_too() -> None:
    require_over(DESK, person(UserRole.ENGINEER, "helpdesk"), GROUPS)
    with pytest.raises(NotAllowed, match=r"has permissions that you do not have \(queue:pin\)"):
        require_over(DESK, person(UserRole.ENGINEER, "pins"), GROUPS)


def test_all_permissions_together_make_no_administrator() -> None:
    everything = Caller(person(UserRole.OPERATOR, name="lin"), granted=frozenset(Permission))
    with pytest.raises(NotAllowed, match="only administrators can make"):
        require_role(everything, UserRole.ADMINISTRATOR)
    with pytest.raises(NotAllowed, match="only administrators may change"):
        require_over(everything, person(UserRole.ADMINISTRATOR), GROUPS)


def test_a_viewer_makes_no_engineer() -> None:
    require_role(DESK, UserRole.ENGINEER)
    require_role(DESK, UserRole.VIEWER)
    with pytest.raises(NotAllowed, match="a viewer cannot give the role engineer"):
        require_role(caller(UserRole.VIEWER, "helpdesk"), UserRole.ENGINEER)
    with pytest.raises(NotAllowed, match="operator"):
        require_role(DESK, UserRole.OPERATOR)


def test_a_narrow_token_of_an_administrator_changes_plain_people_only() -> None:
    narrow = caller(UserRole.ADMINISTRATOR, scopes=frozenset({"user:write"}))
    require_over(narrow, person(UserRole.ENGINEER), GROUPS)
    for target in (person(UserRole.ADMINISTRATOR), person(UserRole.OPERATOR)):
        with pytest.raises(NotAllowed, match="has permissions that you do not have"):
            require_over(narrow, target, GROUPS)
