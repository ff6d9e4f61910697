"""Storage of people, their preferences, and what they sign in with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.job import Time
from danlu.domain.people import Session, SignInLink, Token, User
from danlu.domain.preferences import Preferences


class PeopleStore(Protocol):
    def add_user(self, user: User, *, by: Entry | None = None) -> None:
        """NameTaken if the name is or was in use, Conflict if the subject is. With `by`, noted in the audit log (its
        subject, before and after are set) and recorded as UserChanged."""

    def user(self, name: str) -> User | None:
        """None also when deleted."""

    def users(self) -> tuple[User, ...]:
        """All that are not deleted, by name."""

    def uid(self, name: str) -> int | None:
        """The user id that the person's tasks run as, given with the account and never to anybody else; deleted people
        keep theirs. None for an unknown person."""

    def user_of_subject(self, subject: str) -> User | None:
        """The person with this identity at a provider; None also when deleted."""

    def edit_user(
        self,
        name: str,
        change: Callable[[User, tuple[User, ...]], User],
        now: Time = 0,
        *,
        by: Entry | None = None,
    ) -> User:
        """Write what `change` makes of the current person, given all people, in one transaction; an exception in it
        undoes everything. NotFound if the person does not exist or was deleted. With `by`, noted in the audit log and,
        if it is an administrator's act, recorded as UserChanged. Deleting a person removes their memberships and keys,
        which is noted too, and withdraws their requests."""

    def edit_users(
        self, change: Callable[[tuple[User, ...]], Iterable[User]], now: Time, *, by: Entry
    ) -> tuple[User, ...]:
        """The same for several at once: `change` returns those who differ, all of them are written or none, and each
        is noted and recorded. Returns those written."""


class PreferenceStore(Protocol):
    def preferences(self, name: str) -> Preferences:
        """A person's preferences; the defaults for an unknown person."""

    def edit_preferences(self, name: str, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Write what `change` makes of a person's preferences, in one transaction; an exception in it undoes it.
        NotFound if the person does not exist or was deleted."""


class CredentialStore(Protocol):
    """Sessions, tokens and links, found by the hash of their secret; expired ones are never returned."""

    def add_session(self, session: Session) -> None: ...

    def session(self, secret_hash: str, now: Time) -> Session | None: ...

    def sessions(self, user: str, now: Time) -> tuple[Session, ...]:
        """A person's, the latest seen first."""

    def touch_session(self, session: Session, now: Time) -> None:
        """Remember that it was seen; at most once a minute is written."""

    def end_session(self, user: str, session_id: str) -> bool:
        """One of a person's by its id; whether there was one."""

    def end_sessions(self, user: str, *, secret_hash: str | None = None, keep: str | None = None) -> None:
        """One session of a person; or all of them, but for one to keep, and their sign-in links too."""

    def add_link(self, link: SignInLink, *, unless_at: Time | None = None) -> bool:
        """Store a link; with a time, only if the person has none that is still valid then. Returns whether it was
        stored: of two concurrent calls, one succeeds."""

    def take_link(self, secret_hash: str, now: Time) -> SignInLink | None:
        """Use a link, once: of two concurrent calls, one succeeds."""


class TokenStore(Protocol):
    def add_token(self, token: Token, *, by: Entry | None = None) -> None:
        """NameTaken when the person has a token of that name that has not expired. With `by`, noted in the audit
        log."""

    def token(self, secret_hash: str, now: Time) -> Token | None: ...

    def tokens(self, user: str) -> tuple[Token, ...]:
        """One person's, oldest first."""

    def all_tokens(self) -> tuple[Token, ...]:
        """Everybody's, oldest first."""

    def remove_token(
        self, user: str, token_id: str, now: Time = 0, *, by: Entry | None = None, alone: bool = False
    ) -> bool:
        """Remove a token and, unless `alone`, those that were made with it. With `by`, each is noted."""

    def remove_tokens(
        self, user: str, keep: str | None = None, now: Time = 0, *, by: Entry | None = None
    ) -> None:
        """Remove all of a person's tokens but `keep`. With `by`, each is noted."""

    def touch_token(self, token_id: str, now: Time) -> None:
        """Remember the use; at most once a minute per token is written."""
