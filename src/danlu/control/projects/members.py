"""Members of projects: who may queue there, and who manages them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.control.people.roster import Enlisted, Roster, recognize
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotFound
from danlu.domain.job import Time
from danlu.domain.members import MemberRole, Membership
from danlu.domain.people import User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import governs, may_queue, usable_priorities
from danlu.domain.rules import Project
from danlu.domain.terms import no_such
from danlu.domain.words import listed, say
from danlu.files.mistakes import did_you_mean
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock
from danlu.ports.governance import MemberStore

Memberships = tuple[Membership, ...]
MembersChange = Callable[[Memberships], Sequence[Membership]]
"""What an act makes of a project's members."""


class MembersAndPeople(MemberStore, PeopleStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member, and what they are called."""

    membership: Membership
    display_name: str


@dataclass(frozen=True, slots=True)
class UsableProject:
    """A project in which somebody may queue jobs, and the priority classes that they may use there."""

    project: Project
    priorities: Sequence[str]


class Members:
    """Use cases of memberships. Any thread; every change is one transaction, with its audit entry."""

    def __init__(self, store: MembersAndPeople, registry: Registry, clock: Clock) -> None:
        self._store, self._registry, self._clock = store, registry, clock

    def counts(self) -> Mapping[str, int]:
        """How many belong to each project that has any."""
        return self._store.member_counts()

    def mine(self, caller: Caller) -> Mapping[str, MemberRole]:
        """The projects of a person, as stored now."""
        return {one.project: one.role for one in self._store.memberships(caller.name)}

    def usable(self, caller: Caller) -> tuple[UsableProject, ...]:
        """The projects in which a person may queue jobs, by name."""
        caller.require(Permission.PROJECT_READ)
        projects, classes = self._registry.projects(), self._registry.priorities()
        return tuple(
            UsableProject(one, usable_priorities(caller.user, name, projects, classes))
            for name, one in sorted(projects.items())
            if may_queue(caller, one)
        )

    def of(self, caller: Caller, project: str) -> tuple[Member, ...]:
        """A project's, creators first: for those who belong to it, and for who may read members everywhere."""
        self._registry.one(caller, Project, project)
        caller.require(Permission.MEMBER_READ, f"project {project}", project)
        return tuple(self._listed(self._store.members(project)))

    def set(self, caller: Caller, project: str, user: str, role: MemberRole) -> Member:
        """Add a member, or change their role."""
        self._must_govern(caller, project)
        if self._store.user(user) is None:
            raise NotFound(no_such("user", user))
        now = self._clock.now()
        after = self._edit(
            caller, project, "member_set", lambda known: _with(known, project, {user: role}, now, caller.name)
        )
        return next(one for one in self._listed(after) if one.membership.user == user)

    def remove(self, caller: Caller, project: str, user: str) -> None:
        """Remove a member, or leave oneself. Their running jobs continue."""
        self._registry.one(caller, Project, project)
        if user == caller.name:
            caller.require(Permission.REQUEST_WRITE, caller.name)
        else:
            self._must_govern(caller, project)

        def without(known: Memberships) -> Sequence[Membership]:
            if all(one.user != user for one in known):
                raise NotFound(
                    say(
                        "{user} is not a member of project {project}",
                        "{user} 不是项目组 {project} 的成员",
                        user=user,
                        project=project,
                    )
                )
            return [one for one in known if one.user != user]

        self._edit(caller, project, "left" if user == caller.name else "member_set", without)

    def enlist(
        self,
        caller: Caller,
        project: str,
        roster: Roster,
        role: MemberRole = MemberRole.MEMBER,
        *,
        remove: bool = False,
        preview: bool = False,
    ) -> Enlisted:
        """Add (or remove) many at once, all known names or none. A role beside a name is set; without one, people join
        as `role`, and keep a higher role that they have. Unknown names are reported and do not stop the rest. A
        preview writes nothing."""
        self._must_govern(caller, project)
        meant = recognize(roster, self._store.users())
        said = dict(_said(meant.people))
        changed: list[str] = []

        def enlisted(known: Memberships) -> Sequence[Membership]:
            roles = {one.user: one.role for one in known}
            wanted = {name: new or _more(roles.get(name), role) for name, new in said.items()}
            changed[:] = [
                name
                for name, new in wanted.items()
                if (name in roles if remove else roles.get(name) is not new)
            ]
            if remove:
                return [one for one in known if one.user not in changed]
            return _with(known, project, {name: wanted[name] for name in changed}, now, caller.name)

        now = self._clock.now()
        if preview:
            known = self._store.members(project)
            _keeping_a_creator(caller, project, known, enlisted(known))
        else:
            self._edit(caller, project, "member_set", enlisted)
        already = tuple(name for name in said if name not in changed)
        return Enlisted(tuple(changed), already, meant.strangers)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _must_govern(self, caller: Caller, project: str) -> None:
        self._registry.one(caller, Project, project)
        if not governs(caller, project):
            raise NotAllowed(
                say(
                    "only creators of project {project} and administrators can manage its members ({name} does not "
                    "have the permission {permission})",
                    "项目组 {project} 的成员由其创建者和管理员管理（{name} 没有权限 {permission}）",
                    project=project,
                    permission=Permission.MEMBER_WRITE,
                    name=caller.name,
                )
            )

    def _edit(self, caller: Caller, project: str, act: str, change: MembersChange) -> Memberships:
        def kept(known: Memberships) -> Sequence[Membership]:
            after = change(known)
            _keeping_a_creator(caller, project, known, after)
            return after

        return self._store.edit_members(project, kept, self._clock.now(), by=caller.entry(act, ""))

    def _listed(self, members: Iterable[Membership]) -> Iterable[Member]:
        names = {user.name: user.display_name for user in self._store.users()}
        return (Member(one, names.get(one.user, "")) for one in members)


def _with(
    known: Memberships, project: str, roles: Mapping[str, MemberRole], now: Time, by: str
) -> Sequence[Membership]:
    """The members with these roles for these people; who has one already keeps the day they came."""
    before = {one.user: one for one in known}
    after = {
        user: replace(before[user], role=role, by=by)
        if user in before
        else Membership(project, user, role, now, by)
        for user, role in roles.items()
        if user not in before or before[user].role is not role
    }
    return list({**before, **after}.values())


def _keeping_a_creator(
    caller: Caller, project: str, before: Memberships, after: Sequence[Membership]
) -> None:
    """A project must keep a creator, who decides requests; only administrators may remove the last one."""
    had, has = (any(one.role is MemberRole.CREATOR for one in some) for some in (before, after))
    if had and not has and not caller.may_everywhere(Permission.MEMBER_WRITE):
        raise Conflict(
            say(
                "project {project} would have no creator left; make somebody else a creator first, or ask an "
                "administrator",
                "项目组 {project} 将没有创建者：请先指定另一位创建者，或联系管理员",
                project=project,
            )
        )


def _more(one: MemberRole | None, other: MemberRole) -> MemberRole:
    order = tuple(MemberRole)
    return other if one is None else min(one, other, key=order.index)


def _said(people: Iterable[tuple[User, str | None]]) -> Iterable[tuple[str, MemberRole | None]]:
    """Who should be what, as far as it was said; Invalid names every word that is no role."""
    wrong = []
    for user, word in people:
        if word is None or word in set(MemberRole):
            yield user.name, None if word is None else MemberRole(word)
        else:
            message = say(
                "{user}: '{word}' is not one of {choices}",
                "{user}：“{word}”不在可选范围内：{choices}",
                user=user.name,
                word=word,
                choices=listed(MemberRole),
            )
            hint = did_you_mean(word, list(MemberRole))
            wrong.append(FieldError(("text",), "no_such_role", message, word, list(MemberRole), hint))
    if wrong:
        raise Invalid(tuple(wrong))
