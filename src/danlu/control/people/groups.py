"""Groups: people who may do more, and their members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from danlu.control.people.granting import require_grantable
from danlu.control.people.roster import Enlisted, Roster, UnknownName, recognize
from danlu.control.rules.registry import Registry
from danlu.domain.people import User
from danlu.domain.permissions import PERSONAL, Caller, Permission
from danlu.domain.rules import Group
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock

P = Permission


@dataclass(frozen=True, slots=True)
class GroupMembers:
    """A group and its number of members; `names` are the members that the caller may see."""

    group: Group
    count: int
    names: tuple[str, ...] = ()


class Groups:
    """Use cases of groups. Nobody can give a group permissions that they do not have, or add people to a group that
    has such."""

    def __init__(self, registry: Registry, people: PeopleStore, clock: Clock) -> None:
        self._registry, self._people, self._clock = registry, people, clock

    def all(self, caller: Caller) -> tuple[GroupMembers, ...]:
        groups = self._registry.all(caller, Group)
        counts = Counter(name for user in self._people.users() for name in user.groups)
        return tuple(GroupMembers(group, counts[group.name]) for group in groups)

    def one(self, caller: Caller, name: str) -> GroupMembers:
        """A group: everybody sees themselves in it; those who may read people see all its members."""
        group = self._registry.one(caller, Group, name)
        names = tuple(user.name for user in self._people.users() if name in user.groups)
        shown = tuple(one for one in names if caller.may(P.USER_READ, one))
        return GroupMembers(group, len(names), shown)

    def add(self, caller: Caller, group: Group) -> GroupMembers:
        self._grantable(caller, group.permissions)
        return self.one(caller, self._registry.add(caller, group).name)

    def edit(self, caller: Caller, name: str, changes: Mapping[str, Any]) -> GroupMembers:
        known = self._registry.one(caller, Group, name)
        self._grantable(caller, set(changes.get("permissions", ())) - set(known.permissions))
        self._registry.edit(caller, Group, name, changes)
        return self.one(caller, name)

    def remove(self, caller: Caller, name: str) -> None:
        """Take a group away, and its members out of it; Conflict when a priority class or a quota names it."""
        self._registry.remove(caller, Group, name)

    def set_members(
        self, caller: Caller, name: str, roster: Roster, *, remove: bool = False, preview: bool = False
    ) -> Enlisted:
        """Put everybody on the roster into the group, or take them out; a preview only tells what would happen."""
        caller.require(P.GROUP_WRITE)
        group = self._registry.one(caller, Group, name)
        if not remove:
            self._grantable(caller, group.permissions)
        found = recognize(roster, self._people.users())
        people = [user for user, _ in found.people]
        if preview:
            return _change(people, found.strangers, name, remove)
        meant = [user.name for user in people]
        told: list[Enlisted] = []

        def changed(everybody: tuple[User, ...]) -> list[User]:
            now = {user.name: user for user in everybody}
            change = _change([now[one] for one in meant if one in now], found.strangers, name, remove)
            told.append(change)
            put = _out_of if remove else _into
            return [put(now[one], name) for one in change.changed]

        self._people.edit_users(changed, self._clock.now(), by=caller.entry("edited", ""))
        return told[-1]

    def _grantable(self, caller: Caller, words: Iterable[str]) -> None:
        """Permissions that no group can give are reported by the registry as an error of the rule."""
        caller.require(P.GROUP_WRITE)
        require_grantable(caller, [P(word) for word in words if word in set(P) - PERSONAL])


def _change(people: Iterable[User], strangers: tuple[UnknownName, ...], group: str, remove: bool) -> Enlisted:
    concerned = {user.name: (group in user.groups) is remove for user in people}
    changed = tuple(name for name, is_ in concerned.items() if is_)
    return Enlisted(changed, tuple(name for name, is_ in concerned.items() if not is_), strangers)


def _into(user: User, group: str) -> User:
    return replace(user, groups=(*user.groups, group))


def _out_of(user: User, group: str) -> User:
    return replace(user, groups=tuple(name for name in user.groups if name != group))
