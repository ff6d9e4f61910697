"""Sign-in through the organisation's identity provider: accounts are found, created and updated at sign-in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from danlu.control.people.sign_in import Authentication, Browser
from danlu.domain.audit import ITSELF, Entry
from danlu.domain.errors import Conflict, NameTaken, WrongCredentials
from danlu.domain.people import USER_NAME, Session, User, UserRole
from danlu.domain.words import Words, listed, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock

_STRANGE = re.compile(r"[^a-z0-9_-]+")
_LONGEST = 32


@dataclass(frozen=True, slots=True)
class ProviderTerms:
    """How people of a provider get accounts; see the settings of `oidc`."""

    provider: str
    shown: str
    required_groups: frozenset[str] = frozenset()
    roles: Mapping[str, UserRole] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    role: UserRole = UserRole.ENGINEER
    create: bool = True


@dataclass(frozen=True, slots=True)
class ProvidedPerson:
    """Somebody as a provider describes them. `subject` is `issuer#sub`, which never changes; all else may."""

    subject: str
    name: str
    display_name: str = ""
    email: str = ""
    groups: tuple[str, ...] = ()


def described(
    issuer: str, claims: Mapping[str, Any], username_claim: str, groups_claim: str
) -> ProvidedPerson:
    """The relevant part of a provider's claims. Claims of an unexpected type are ignored, and so is an e-mail address
    that the provider has not verified, since rosters find people by address."""
    email = "" if claims.get("email_verified") is False else _text(claims.get("email"))
    name = _text(claims.get(username_claim)) or email.partition("@")[0] or _text(claims.get("sub"))
    told = claims.get(groups_claim)
    groups = tuple(one for one in told if isinstance(one, str)) if isinstance(told, list) else ()
    subject = f"{issuer}#{claims['sub']}"
    return ProvidedPerson(subject, name, _text(claims.get("name"))[:100], email[:200], groups)


class ProviderSignIn:
    """Any thread."""

    def __init__(self, store: PeopleStore, people: Authentication, clock: Clock) -> None:
        self._store, self._people, self._clock = store, people, clock

    def sign_in(
        self, terms: ProviderTerms, stranger: ProvidedPerson, browser: Browser
    ) -> tuple[str, Session]:
        """A session for somebody whom a provider has authenticated; WrongCredentials says why not."""
        known = self._store.user_of_subject(stranger.subject)
        try:
            user = self._admitted(terms, stranger, known, browser)
        except WrongCredentials:
            name = known.name if known else stranger.name
            self._people.note_failure(name, f"provider {terms.provider}", browser)
            raise
        return self._people.open_session(user, "provider", browser)

    def _admitted(
        self, terms: ProviderTerms, stranger: ProvidedPerson, known: User | None, browser: Browser
    ) -> User:
        if terms.required_groups and terms.required_groups.isdisjoint(stranger.groups):
            wanted = listed(sorted(terms.required_groups))
            raise WrongCredentials(
                say(
                    "only members of {wanted} at {shown} may sign in",
                    "只有 {shown} 中 {wanted} 的成员才能登录",
                    wanted=wanted,
                    shown=terms.shown,
                )
            )
        user = (
            self._made(terms, stranger, browser)
            if known is None
            else self._kept_up(terms, stranger, known, browser)
        )
        if user.disabled:
            raise WrongCredentials(
                Words("this account is disabled; ask an administrator", "该账号已被停用，请联系管理员")
            )
        return user

    def _made(self, terms: ProviderTerms, stranger: ProvidedPerson, browser: Browser) -> User:
        name = account_name(stranger.name)
        if not terms.create:
            raise WrongCredentials(
                say(
                    "{shown} confirmed who you are, but you have no account here; ask an administrator",
                    "{shown} 已确认你的身份，但你还没有丹炉账号，请联系管理员",
                    shown=terms.shown,
                )
            )
        if not USER_NAME.fullmatch(name) or name == ITSELF:
            raise WrongCredentials(
                say(
                    "'{name}' cannot become a user name here; ask an administrator",
                    "无法创建名为“{name}”的账号，请联系管理员",
                    name=stranger.name,
                )
            )
        user = User(
            name,
            _role(terms, stranger) or terms.role,
            self._clock.now(),
            stranger.display_name,
            groups=_groups(terms, stranger, ()),
            email=stranger.email,
            subject=stranger.subject,
        )
        try:
            self._store.add_user(user, by=_entry(terms, "created", browser))
        except NameTaken:
            raise WrongCredentials(
                say(
                    "the account '{name}' already exists and is not linked to {shown}; an administrator can link "
                    "it: danlu user edit {name} --subject '{subject}'",
                    "已有名为“{name}”的账号，但未与 {shown} 绑定；管理员可以绑定：danlu user edit {name} "
                    "--subject '{subject}'",
                    name=name,
                    shown=terms.shown,
                    subject=stranger.subject,
                )
            ) from None
        except Conflict:  # the same person, at the same time in another window, or once and deleted
            found = self._store.user_of_subject(stranger.subject)
            if found is None:
                raise WrongCredentials(
                    Words("your account was deleted; ask an administrator", "你的账号已被删除，请联系管理员")
                ) from None
            return found
        return user

    def _kept_up(self, terms: ProviderTerms, stranger: ProvidedPerson, known: User, browser: Browser) -> User:
        """Update what the provider decides; the last administrator keeps the role."""

        def after(user: User) -> User:
            return replace(
                user,
                role=_role(terms, stranger) or user.role,
                groups=_groups(terms, stranger, user.groups),
                display_name=stranger.display_name or user.display_name,
                email=stranger.email or user.email,
            )

        def changed(user: User, everybody: tuple[User, ...]) -> User:
            newer = after(user)
            alone = user.governs and sum(one.governs for one in everybody) == 1
            return replace(newer, role=user.role) if alone else newer

        if after(known) == known:
            return known
        return self._store.edit_user(
            known.name, changed, self._clock.now(), by=_entry(terms, "edited", browser)
        )


def account_name(told: str) -> str:
    """A valid user name: lower case, without special characters."""
    plain = _STRANGE.sub("-", told.partition("@")[0].lower()).strip("-_")
    return plain[:_LONGEST].rstrip("-_")


def _role(terms: ProviderTerms, stranger: ProvidedPerson) -> UserRole | None:
    """The role of the first provider group that gives one; if none does, the default role."""
    if not terms.roles:
        return None
    return next((role for group, role in terms.roles.items() if group in stranger.groups), terms.role)


def _groups(terms: ProviderTerms, stranger: ProvidedPerson, present: tuple[str, ...]) -> tuple[str, ...]:
    """Groups that the provider manages are updated; the others stay."""
    decided = set(terms.groups.values())
    theirs = [ours for told, ours in terms.groups.items() if told in stranger.groups]
    return tuple(dict.fromkeys([*(one for one in present if one not in decided), *theirs]))


def _entry(terms: ProviderTerms, act: str, browser: Browser) -> Entry:
    return Entry(ITSELF, act, "", address=browser.address, means=f"provider {terms.provider}")


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
    return "".join(character for character in text if character.isprintable()).strip()
