"""A caller's permissions, combined from role, groups and projects at each request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from danlu.domain.job import Time
from danlu.domain.people import User
from danlu.domain.permissions import PERSONAL, Caller, Permission
from danlu.domain.rules import Group
from danlu.ports.governance import MemberStore


class Rights:
    """Builds callers from people. Groups are rules, which are kept up to date in memory."""

    def __init__(self, members: MemberStore) -> None:
        self._members = members
        self._groups: Callable[[], Mapping[str, Group]] = dict

    def follow(self, groups: Callable[[], Mapping[str, Group]]) -> None:
        self._groups = groups

    def caller(
        self,
        user: User,
        scopes: Iterable[str] = (),
        means: str = "",
        token: str | None = None,
        until: Time | None = None,
    ) -> Caller:
        """The person as a caller; no scopes means all their permissions."""
        return Caller(
            user,
            frozenset(scopes) or None,
            granted=granted_by(self._groups(), user),
            projects={one.project: one.role for one in self._members.memberships(user.name)},
            means=means,
            token=token,
            until=until,
        )


class OwnersAndMembers(MemberStore, Protocol):
    """Accounts by name, and the projects they belong to."""

    def user(self, name: str) -> User | None: ...


def owners_of(
    store: OwnersAndMembers, groups: Callable[[], Mapping[str, Group]]
) -> Callable[[str], Caller | None]:
    """Callers by name, as whom jobs run; None for accounts that are gone."""
    rights = Rights(store)
    rights.follow(groups)

    def as_owner(name: str) -> Caller | None:
        user = store.user(name)
        return rights.caller(user) if user else None

    return as_owner


def granted_by(groups: Mapping[str, Group], user: User) -> frozenset[Permission]:
    """Permissions from the person's groups; unknown permissions are ignored."""
    words = {word for name in user.groups if (group := groups.get(name)) for word in group.permissions}
    return frozenset(Permission(word) for word in words if word in set(Permission)) - PERSONAL
