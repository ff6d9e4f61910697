"""No escalation: nobody gives others, or gets hold of, more than they may do themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from danlu.control.people.rights import granted_by
from danlu.domain.errors import NotAllowed
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import TABLE, Caller, Permission, Relation
from danlu.domain.rules import Group


def require_grantable(caller: Caller, permissions: Iterable[Permission]) -> None:
    """NotAllowed unless the caller may do all of this with everybody's things."""
    beyond = sorted(one for one in permissions if not caller.may_everywhere(one))
    if beyond:
        raise NotAllowed(f"{', '.join(beyond)}: nobody gives what they may not do themselves")


def require_over(caller: Caller, user: User, groups: Mapping[str, Group]) -> None:
    """NotAllowed to change the account of somebody who may do more than the caller: a new password or link would
    hand over all of it."""
    if user.role is UserRole.ADMINISTRATOR and caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed(f"{user.name} is an administrator, whom only administrators change")
    beyond = sorted(one for one in powers(user, groups) if not caller.may_everywhere(one))
    if beyond:
        raise NotAllowed(f"{user.name} may do more than you ({', '.join(beyond)}): ask an administrator")


def require_heir(caller: Caller, user: User) -> None:
    """NotAllowed to open the way into an account (a password, a link) to somebody who may do less with their own things
    than its owner: a viewer, or whoever holds a token with scopes."""
    caller.require_whole("open the way into an account")
    if _does_more(user.role, caller):
        raise NotAllowed(
            f"a {caller.user.role} cannot open the account of somebody {user.role}, who may do more"
        )


def require_role(caller: Caller, role: UserRole) -> None:
    """NotAllowed to make somebody what one is not: with their own things they would do more than the caller."""
    if role is UserRole.ADMINISTRATOR and caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed("only administrators make administrators")
    if _does_more(role, caller):
        raise NotAllowed(f"a {caller.user.role} cannot make somebody {role}, who may do more")


def require_to_tie(caller: Caller) -> None:
    """NotAllowed to say who somebody is to the provider: whoever signs in there brings what the provider gives them
    into the account, which can be more than whoever tied it has."""
    caller.require_whole("tie an account to the provider")
    if caller.user.role is not UserRole.ADMINISTRATOR:
        raise NotAllowed("only administrators tie accounts to the provider")


def _does_more(role: UserRole, caller: Caller) -> bool:
    return not TABLE[role][Relation.OWN] <= TABLE[caller.user.role][Relation.OWN] | caller.granted


def powers(user: User, groups: Mapping[str, Group]) -> frozenset[Permission]:
    """What a person may do with everybody's things, beyond what everybody may."""
    everybody = TABLE[UserRole.VIEWER][Relation.OTHER]
    return (TABLE[user.role][Relation.OTHER] | granted_by(groups, user)) - everybody
