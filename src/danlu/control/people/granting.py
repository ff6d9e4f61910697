"""No privilege escalation: nobody can give, or get, more permissions than they have themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from danlu.control.people.rights import granted_by
from danlu.domain.errors import NotAllowed
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import TABLE, Caller, Permission, Relation
from danlu.domain.rules import Group
from danlu.domain.terms import role_said
from danlu.domain.words import Words, listed, say


def require_grantable(caller: Caller, permissions: Iterable[Permission]) -> None:
    """NotAllowed unless the caller may do all of this with everybody's things."""
    beyond = sorted(one for one in permissions if not caller.may_everywhere(one))
    if beyond:
        raise NotAllowed(
            say(
                "{beyond}: you cannot grant permissions that you do not have yourself",
                "{beyond}：不能授予自己没有的权限",
                beyond=listed(beyond),
            )
        )


def require_over(caller: Caller, user: User, groups: Mapping[str, Group]) -> None:
    """NotAllowed to change the account of somebody with more permissions than the caller: a new password or link would
    give the caller all of them."""
    if user.role is UserRole.ADMINISTRATOR and caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed(
            say(
                "{name} is an administrator; only administrators may change the account",
                "{name} 是管理员，只有管理员才能修改该账号",
                name=user.name,
            )
        )
    beyond = sorted(one for one in powers(user, groups) if not caller.may_everywhere(one))
    if beyond:
        raise NotAllowed(
            say(
                "{name} has permissions that you do not have ({beyond}): ask an administrator",
                "{name} 的权限比你多（{beyond}），请联系管理员",
                name=user.name,
                beyond=listed(beyond),
            )
        )


def require_heir(caller: Caller, user: User) -> None:
    """NotAllowed to give access to an account (by password or link) for callers who may do less with their own things
    than its owner: viewers, and tokens with scopes."""
    caller.require_whole(Words("give access to an account", "设置账号的登录方式"))
    if _does_more(user.role, caller):
        raise NotAllowed(
            say(
                "a {role} cannot give access to accounts with the role {other}, which has more permissions",
                "{role}不能设置{other}账号的登录方式：后者的权限更多",
                role=role_said(caller.user.role),
                other=role_said(user.role),
            )
        )


def require_role(caller: Caller, role: UserRole) -> None:
    """NotAllowed to give a role that may do more than the caller's own role."""
    if role is UserRole.ADMINISTRATOR and caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed(
            Words("only administrators can make somebody an administrator", "只有管理员才能将他人设为管理员")
        )
    if _does_more(role, caller):
        raise NotAllowed(
            say(
                "a {role} cannot give the role {other}, which has more permissions",
                "{role}不能授予角色“{other}”：后者的权限更多",
                role=role_said(caller.user.role),
                other=role_said(role),
            )
        )


def require_to_tie(caller: Caller) -> None:
    """NotAllowed to link an account to the identity provider: the provider may give the account more permissions than
    the caller has."""
    caller.require_whole(Words("link an account to the identity provider", "将账号与统一认证绑定"))
    if caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed(
            Words(
                "only administrators can link accounts to the identity provider",
                "只有管理员才能将账号与统一认证绑定",
            )
        )


def _does_more(role: UserRole, caller: Caller) -> bool:
    return not TABLE[role][Relation.OWN] <= TABLE[caller.user.role][Relation.OWN] | caller.granted


def powers(user: User, groups: Mapping[str, Group]) -> frozenset[Permission]:
    """A person's permissions on everybody's things, beyond what everybody has."""
    everybody = TABLE[UserRole.VIEWER][Relation.OTHER]
    return (TABLE[user.role][Relation.OTHER] | granted_by(groups, user)) - everybody
