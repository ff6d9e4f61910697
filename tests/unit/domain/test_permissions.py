"""Who may do what, by role and ownership."""

from __future__ import annotations

import pytest

from danlu.domain.errors import NotAllowed
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import TABLE, Caller, Permission, Relation


def caller(role: UserRole, *scopes: str) -> Caller:
    return Caller(User("lin", role, 0), frozenset(scopes) or None)


def test_every_role_has_a_row_for_every_relation() -> None:
    assert set(TABLE) == set(UserRole)
    assert all(set(row) == set(Relation) for row in TABLE.values())


@pytest.mark.parametrize("permission", [p for p in Permission if p.value.startswith("job:")])
def test_an_engineer_may_nothing_with_the_jobs_of_others(permission: Permission) -> None:
    assert caller(UserRole.ENGINEER).may(permission, "lin")
    assert not caller(UserRole.ENGINEER).may(permission, "wang")


def test_a_viewer_changes_nothing() -> None:
    verbs = {Permission.JOB_WRITE, Permission.JOB_STOP, Permission.JOB_DELETE, Permission.JOB_EXEC}
    assert not any(caller(UserRole.VIEWER).may(verb, "lin") for verb in verbs)


def test_an_administrator_sees_all_jobs_but_no_ones_tokens() -> None:
    admin = caller(UserRole.ADMINISTRATOR)
    assert admin.may(Permission.JOB_READ, "wang")
    assert not admin.may(Permission.TOKEN_READ, "wang")


RULED = ("project", "pool", "flavor", "priority", "limit", "node", "cluster")


@pytest.mark.parametrize("role", UserRole)
@pytest.mark.parametrize("noun", RULED)
def test_everybody_reads_the_rules_and_administrators_write_them(role: UserRole, noun: str) -> None:
    assert caller(role).may(Permission(f"{noun}:read"), "wang")
    assert caller(role).may(Permission(f"{noun}:write")) is (role is UserRole.ADMINISTRATOR)


@pytest.mark.parametrize(
    ("permission", "own", "others"),
    [
        (Permission.PROJECT_CREATE, "ae", "a"),
        (Permission.QUEUE_READ, "aev", "aev"),
        (Permission.QUEUE_PIN, "a", "a"),
        (Permission.QUEUE_ORDER, "ae", ""),
        (Permission.SCORE_READ, "aev", "a"),
    ],
)
def test_who_may_what_with_the_queue(permission: Permission, own: str, others: str) -> None:
    for role in UserRole:
        assert caller(role).may(permission, "lin") is (role[0] in own)
        assert caller(role).may(permission, "wang") is (role[0] in others)


def test_a_refusal_tells_a_narrow_token_from_a_person_without_the_right() -> None:
    with pytest.raises(NotAllowed, match="this token does not have job:write; its owner does"):
        caller(UserRole.ENGINEER, "job:read").require(Permission.JOB_WRITE)
    with pytest.raises(NotAllowed, match="job:stop on what belongs to wang is not granted to lin"):
        caller(UserRole.ENGINEER).require(Permission.JOB_STOP, "wang")
    caller(UserRole.ADMINISTRATOR).require(Permission.JOB_STOP, "wang")


def test_a_token_may_do_no_more_than_its_scopes_nor_than_its_owner() -> None:
    scoped = caller(UserRole.ENGINEER, "job:read", "user:write")
    assert scoped.may(Permission.JOB_READ)
    assert not scoped.may(Permission.JOB_WRITE)
    assert not scoped.may(Permission.USER_WRITE)
