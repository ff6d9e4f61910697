"""Who may do what, by role and ownership."""

from __future__ import annotations

import pytest

from danlu.domain.errors import NotAllowed
from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import PERSONAL, TABLE, Caller, Permission, Relation


def caller(role: UserRole, *scopes: str) -> Caller:
    return Caller(User("lin", role, 0), frozenset(scopes) or None, projects={"nlp": MemberRole.VIEWER})


def test_every_role_has_a_row_for_every_relation() -> None:
    assert set(TABLE) == set(UserRole)
    assert all(set(row) == set(Relation) for row in TABLE.values())


@pytest.mark.parametrize("permission", [p for p in Permission if p.value.startswith("job:")])
def test_an_engineer_may_nothing_with_the_jobs_of_others(permission: Permission) -> None:
    assert caller(UserRole.ENGINEER).may(permission, "lin")
    assert not caller(UserRole.ENGINEER).may(permission, "wang", "vision")
    assert not caller(UserRole.ENGINEER).may(permission, "wang", "nlp")


def test_a_viewer_changes_nothing() -> None:
    verbs = {Permission.JOB_WRITE, Permission.JOB_STOP, Permission.JOB_DELETE, Permission.JOB_EXEC}
    assert not any(caller(UserRole.VIEWER).may(verb, "lin") for verb in verbs)


def test_an_administrator_sees_all_jobs_but_no_ones_tokens() -> None:
    admin = caller(UserRole.ADMINISTRATOR)
    assert admin.may(Permission.JOB_READ, "wang")
    assert not admin.may(Permission.TOKEN_READ, "wang")


@pytest.mark.parametrize("permission", sorted(PERSONAL))
def test_nobody_acts_in_the_name_of_somebody_else(permission: Permission) -> None:
    assert not any(caller(role).may(permission, "wang", "nlp") for role in UserRole)


def test_an_operator_helps_everybody_and_governs_nobody() -> None:
    operator = caller(UserRole.OPERATOR)
    helps = {Permission.JOB_READ, Permission.JOB_STOP, Permission.JOB_RESET, Permission.NODE_WRITE}
    assert all(operator.may_everywhere(permission) for permission in helps)
    governs = {
        Permission.USER_WRITE,
        Permission.GROUP_WRITE,
        Permission.QUOTA_WRITE,
        Permission.PROJECT_WRITE,
    }
    enters = {Permission.JOB_EXEC, Permission.JOB_DELETE, Permission.AUDIT_READ, Permission.QUEUE_PIN}
    assert not any(operator.may_everywhere(permission) for permission in governs | enters)


RULED = ("project", "pool", "flavor", "priority", "limit", "node", "cluster", "group")


@pytest.mark.parametrize("role", UserRole)
@pytest.mark.parametrize("noun", RULED)
def test_everybody_reads_the_rules_and_administrators_write_them(role: UserRole, noun: str) -> None:
    writers = {UserRole.ADMINISTRATOR, *([UserRole.OPERATOR] if noun == "node" else [])}
    assert caller(role).may(Permission(f"{noun}:read"), "wang")
    assert caller(role).may(Permission(f"{noun}:write")) is (role in writers)


@pytest.mark.parametrize(
    ("permission", "own", "in_project", "others"),
    [
        (Permission.PROJECT_CREATE, "aoe", "a", "a"),
        (Permission.QUEUE_READ, "aoev", "aoev", "aoev"),
        (Permission.QUEUE_PIN, "a", "a", "a"),
        (Permission.QUEUE_ORDER, "aoe", "", ""),
        (Permission.SCORE_READ, "aoev", "ao", "ao"),
        (Permission.MEMBER_READ, "aoev", "aoev", "ao"),
        (Permission.MEMBER_WRITE, "aoe", "a", "a"),
        (Permission.USAGE_READ, "aoev", "aoev", "ao"),
        (Permission.USER_READ, "aoev", "ao", "ao"),
        (Permission.USER_WRITE, "a", "a", "a"),
        (Permission.QUOTA_READ, "aoev", "ao", "ao"),
        (Permission.REQUEST_READ, "aoev", "ao", "ao"),
        (Permission.KEY_READ, "aoev", "a", "a"),
        (Permission.AUDIT_READ, "a", "a", "a"),
    ],
)
def test_who_may_what(permission: Permission, own: str, in_project: str, others: str) -> None:
    for role in UserRole:
        assert caller(role).may(permission, "lin") is (role[0] in own)
        assert caller(role).may(permission, "wang", "nlp") is (role[0] in in_project)
        assert caller(role).may(permission, "wang", "vision") is (role[0] in others)


def test_a_group_gives_what_it_says_on_everybodys_things() -> None:
    user = User("lin", UserRole.VIEWER, 0)
    granted = Caller(user, granted=frozenset({Permission.QUEUE_PIN}))
    assert granted.may(Permission.QUEUE_PIN, "wang")
    assert not Caller(user, frozenset({"job:read"}), granted=granted.granted).may(
        Permission.QUEUE_PIN, "wang"
    )


def test_a_refusal_tells_a_narrow_token_from_a_person_without_the_right() -> None:
    with pytest.raises(
        NotAllowed,
        match="this token does not have the permission job:write, though its owner does; use a token with that scope",
    ):
        caller(UserRole.ENGINEER, "job:read").require(Permission.JOB_WRITE)
    with pytest.raises(NotAllowed, match="lin does not have the permission job:stop on resources of wang"):
        caller(UserRole.ENGINEER).require(Permission.JOB_STOP, "wang")
    caller(UserRole.ADMINISTRATOR).require(Permission.JOB_STOP, "wang")


def test_a_token_may_do_no_more_than_its_scopes_nor_than_its_owner() -> None:
    scoped = caller(UserRole.ENGINEER, "job:read", "user:write")
    assert scoped.may(Permission.JOB_READ)
    assert not scoped.may(Permission.JOB_WRITE)
    assert not scoped.may(Permission.USER_WRITE)
