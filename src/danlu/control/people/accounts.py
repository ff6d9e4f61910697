"""Accounts: what administrators do with them, one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from danlu.control.people.granting import (
    powers,
    require_grantable,
    require_heir,
    require_over,
    require_role,
    require_to_tie,
)
from danlu.control.people.leaving import STOP, Leaving
from danlu.control.people.passwords import Passwords
from danlu.control.people.sign_in import Authentication
from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound
from danlu.domain.job import ACTIVE, Time
from danlu.domain.members import Membership
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.rules import Group
from danlu.domain.terms import no_such
from danlu.domain.words import say
from danlu.files.mistakes import did_you_mean
from danlu.ports.accounts import CredentialStore, PeopleStore, TokenStore
from danlu.ports.clock import Clock
from danlu.ports.governance import KeyStore, MemberStore
from danlu.ports.store import JobQuery, JobStore

LINK_LIFE_MS = 7 * 24 * 3_600_000
P = Permission


class SignInMeans(StrEnum):
    """How a person signs in; an invited person without a password can only use their link."""

    PASSWORD = "password"
    PROVIDER = "provider"
    INVITED = "invited"


class UserState(StrEnum):
    ACTIVE = "active"
    INVITED = "invited"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class UserQuery:
    """Which people; `search` finds parts of names and addresses in any case."""

    search: str | None = None
    role: UserRole | None = None
    group: str | None = None
    state: UserState | None = None


@dataclass(frozen=True, slots=True)
class UserDetail:
    user: User
    projects: tuple[Membership, ...]
    active_jobs: int
    keys: int
    tokens: int
    uid: int


@dataclass(frozen=True, slots=True)
class Invitation:
    """The code of a one-time sign-in link, and until when it is valid."""

    user: User
    code: str
    expires_at: Time


class AccountsAndTheirs(PeopleStore, CredentialStore, TokenStore, MemberStore, KeyStore, JobStore, Protocol):
    """People, and what each has: where they are signed in, tokens, keys, projects and jobs."""


class Accounts:
    """Use cases of accounts. Each checks that nobody gives or gets more permissions than they have themselves, and
    that an administrator remains."""

    def __init__(
        self,
        store: AccountsAndTheirs,
        people: Authentication,
        passwords: Passwords,
        clock: Clock,
        leaving: Leaving,
        groups: Callable[[], Mapping[str, Group]],
        link_life: int = LINK_LIFE_MS,
    ) -> None:
        self._store, self._people, self._passwords, self._clock = store, people, passwords, clock
        self._leaving, self._groups, self._link_life = leaving, groups, link_life

    def users(self, caller: Caller, query: UserQuery | None = None) -> tuple[User, ...]:
        """Everybody who matches, by name."""
        caller.require(P.USER_READ, ANYBODY)
        asked = query or UserQuery()
        return tuple(user for user in self._store.users() if _matches(user, asked))

    def one(self, caller: Caller, name: str) -> UserDetail:
        caller.require(P.USER_READ, name)
        user = self._found(name)
        active = JobQuery(owners=(name,), states=tuple(ACTIVE), limit=1)
        return UserDetail(
            user,
            self._store.memberships(name),
            self._store.page(active).total,
            len(self._store.keys(name)),
            len(self._store.tokens(name)),
            self._store.uid(name) or 0,
        )

    def add_user(
        self,
        caller: Caller,
        name: str,
        role: UserRole,
        display_name: str = "",
        password: str | None = None,
        groups: tuple[str, ...] = (),
        email: str = "",
    ) -> User:
        return self._add(caller, "created", name, role, display_name, password, groups, email)

    def invite(
        self,
        caller: Caller,
        name: str,
        role: UserRole,
        display_name: str = "",
        groups: tuple[str, ...] = (),
        email: str = "",
        life: int | None = None,
    ) -> Invitation:
        """A new account and a link that signs the person in once, to choose a password."""
        user = self._add(caller, "invited", name, role, display_name, None, groups, email)
        return self._link(user, life)

    def reset(self, caller: Caller, name: str) -> Invitation:
        """Replace the password, all sessions and all earlier links with a new link. Tokens stay."""
        caller.require(P.USER_WRITE)

        def forgotten(user: User, _: tuple[User, ...]) -> User:
            require_over(caller, user, self._groups())
            require_heir(caller, user)
            if user.disabled:
                raise Conflict(
                    say(
                        "{name} is disabled; enable the account first",
                        "{name} 已被停用，请先启用该账号",
                        name=name,
                    )
                )
            if user.subject:
                raise _at_the_provider(name)
            return replace(user, password_hash=None)

        by = caller.entry("reset", "")
        user = self._store.edit_user(name, forgotten, self._clock.now(), by=by)
        self._store.end_sessions(name)
        return self._link(user, None)

    def edit_user(
        self,
        caller: Caller,
        name: str,
        *,
        role: UserRole | None = None,
        display_name: str | None = None,
        email: str | None = None,
        subject: str | None = None,
        disabled: bool | None = None,
        password: str | None = None,
        groups: tuple[str, ...] | None = None,
        jobs: str | None = None,
    ) -> User:
        """Change an account; None leaves a field as it is. Disabling or setting a password signs the person out
        everywhere. Disabling somebody with active jobs needs a decision about them: `keep` or `stop` (else
        HasActiveJobs)."""
        caller.require(P.USER_WRITE)
        if disabled and not self._found(name).disabled:
            self._leaving.settle(caller, [name], jobs)
        hashed = None if password is None else self._passwords.chosen(password, "password")
        wanted = {
            "role": role,
            "display_name": display_name,
            "email": email,
            "subject": subject,
            "disabled": disabled,
            "password_hash": hashed,
            "groups": None if groups is None else tuple(dict.fromkeys(groups)),
        }
        changes: dict[str, Any] = {key: value for key, value in wanted.items() if value is not None}

        def changed(user: User, everybody: tuple[User, ...]) -> User:
            after = replace(user, **changes)
            self.check_change(caller, user, after)
            keep_an_administrator(user, after, everybody)
            return after

        act = "edited" if disabled is None else "disabled" if disabled else "enabled"
        edited = self._store.edit_user(name, changed, self._clock.now(), by=caller.entry(act, ""))
        if edited.disabled or password is not None:
            self._leaving.shut_out(name, tokens=edited.disabled)
        if edited.disabled and jobs == STOP:
            self._leaving.stop_jobs(caller, name)
        return edited

    def delete_user(self, caller: Caller, name: str) -> None:
        """Delete an account with its keys, tokens and memberships; the name is never used again."""
        caller.require(P.USER_WRITE)
        self._leaving.refuse_with_jobs(name)

        def gone(user: User, everybody: tuple[User, ...]) -> User:
            require_over(caller, user, self._groups())
            after = replace(user, deleted=True, disabled=True, password_hash=None)
            keep_an_administrator(user, after, everybody)
            return after

        self._store.edit_user(name, gone, self._clock.now(), by=caller.entry("deleted", ""))
        self._leaving.shut_out(name, tokens=True)

    def check_change(self, caller: Caller, user: User, after: User) -> None:
        """Refuse a change that would give somebody more permissions than the caller has."""
        groups = self._groups()
        known_groups(after.groups, groups, besides=user.groups)
        require_over(caller, user, groups)
        if after.role is not user.role:
            require_role(caller, after.role)
        if after.password_hash != user.password_hash:
            require_heir(caller, user)
            if after.subject and user.password_hash is None:
                raise _at_the_provider(user.name)
        if after.subject != user.subject:
            require_to_tie(caller)
        require_grantable(caller, powers(after, groups) - powers(user, groups))

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _add(
        self,
        caller: Caller,
        act: str,
        name: str,
        role: UserRole,
        display_name: str,
        password: str | None,
        groups: tuple[str, ...],
        email: str,
    ) -> User:
        caller.require(P.USER_WRITE)
        groups, known = tuple(dict.fromkeys(groups)), self._groups()
        known_groups(groups, known)
        require_role(caller, role)
        require_grantable(caller, powers(User(name, role, 0, groups=groups), known))
        return self._people.make_user(
            name, role, display_name, password, groups, email, by=caller.entry(act, "")
        )

    def _link(self, user: User, life: int | None) -> Invitation:
        until = self._clock.now() + (life or self._link_life)
        return Invitation(user, self._people.make_link(user.name, until), until)

    def _found(self, name: str) -> User:
        user = self._store.user(name)
        if user is None:
            raise NotFound(no_such("user", name))
        return user


def _at_the_provider(name: str) -> Conflict:
    """A local password would let somebody in whom the provider no longer accepts."""
    return Conflict(
        say(
            "{name} signs in through the organisation's identity provider; reset the password there",
            "{name} 通过统一认证登录，请在统一认证中重置密码",
            name=name,
        )
    )


def sign_in_means(user: User) -> SignInMeans:
    if user.subject:
        return SignInMeans.PROVIDER
    return SignInMeans.PASSWORD if user.password_hash is not None else SignInMeans.INVITED


def user_state(user: User) -> UserState:
    if user.disabled:
        return UserState.DISABLED
    return UserState.INVITED if sign_in_means(user) is SignInMeans.INVITED else UserState.ACTIVE


def keep_an_administrator(user: User, after: User, everybody: tuple[User, ...]) -> None:
    """Conflict if no administrator would be left."""
    if user.governs and not after.governs and sum(one.governs for one in everybody) == 1:
        raise Conflict(
            say(
                "{name} is the last administrator; make another one first",
                "{name} 是最后一位管理员，请先指定另一位",
                name=user.name,
            )
        )


def known_groups(names: tuple[str, ...], groups: Mapping[str, Group], besides: tuple[str, ...] = ()) -> None:
    """Invalid for unknown groups. The names of roles are not allowed as groups, since they could be confused."""
    wrong = []
    for place, name in enumerate(names):
        if name in set(UserRole):
            message = say("'{name}' is a role, not a group", "“{name}”是角色，不是用户组", name=name)
            wrong.append(FieldError(("groups", place), "reserved", message, name))
        elif name not in groups and name not in besides:
            message, hint = no_such("group", name), did_you_mean(name, sorted(groups))
            hint = hint or say(
                "create it first: danlu group create {name}", "请先创建：danlu group create {name}", name=name
            )
            wrong.append(FieldError(("groups", place), "no_such_group", message, name, hint=hint))
    if wrong:
        raise Invalid(tuple(wrong))


def _matches(user: User, query: UserQuery) -> bool:
    if query.search:
        said = f"{user.name}\n{user.display_name}\n{user.email}".casefold()
        if query.search.casefold() not in said:
            return False
    return (
        query.role in (None, user.role)
        and (query.group is None or query.group in user.groups)
        and query.state in (None, user_state(user))
    )
