"""People: who they are, how they prove it, and what administrators do about them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from danlu.control.passwords import Passwords
from danlu.control.task_tokens import TASK_PREFIX, TaskTokens
from danlu.domain.errors import (
    Conflict,
    FieldError,
    Invalid,
    NotAllowed,
    NotFound,
    NotSignedIn,
    Unavailable,
    WrongCredentials,
)
from danlu.domain.events import SignedIn, UserChanged
from danlu.domain.job import ACTIVE
from danlu.domain.people import (
    PASSWORD_MAX,
    PASSWORD_MIN,
    USER_NAME,
    USER_NAME_RULE,
    Session,
    SignInLink,
    Token,
    User,
    UserRole,
)
from danlu.domain.permissions import Caller, Permission
from danlu.ports.clock import Clock, Ids
from danlu.ports.store import JobQuery, Store

TOKEN_PREFIX = "danlu_"
SESSION_LIFE_MS = 14 * 24 * 3_600_000
LINK_LIFE_MS = 3_600_000
_AGENT_MAX = 200


@dataclass(frozen=True, slots=True)
class Browser:
    """Who signs in, in their own words, and from where."""

    agent: str = ""
    address: str = ""


UNKNOWN = Browser()


class People:
    """Sign-in, sessions, tokens and accounts. Secrets leave here once and are kept only as hashes."""

    def __init__(
        self,
        store: Store,
        passwords: Passwords,
        clock: Clock,
        ids: Ids,
        session_life: int = SESSION_LIFE_MS,
        tasks: TaskTokens | None = None,
    ) -> None:
        self._store, self._passwords, self._clock, self._ids = store, passwords, clock, ids
        self._session_life, self._tasks = session_life, tasks

    # ── proving who one is ───────────────────────────────────────────────────────────────────────────

    def sign_in(self, name: str, password: str, browser: Browser = UNKNOWN) -> tuple[str, Session]:
        """A session for a name and its password; the answer takes as long whether the name exists or not."""
        user = self._store.user(name)
        right = self._passwords.matches(user.password_hash if user else None, password)
        if user is None or not right or user.disabled or user.deleted:
            raise WrongCredentials
        return self._open_session(user, "password", browser)

    def sign_in_by_link(self, code: str, browser: Browser = UNKNOWN) -> tuple[str, Session]:
        link = self._store.take_link(_hash(code), self._clock.now())
        user = self._store.user(link.user) if link else None
        if user is None or user.disabled or user.deleted:
            raise WrongCredentials(
                "this link was used already or has expired; `danlu up` or `danlu server` prints a new one"
            )
        return self._open_session(user, "link", browser)

    def make_link(self, name: str) -> str:
        """The secret of a link that signs a person in once."""
        secret = self._ids.secret()
        self._store.add_link(SignInLink(_hash(secret), name, self._clock.now() + LINK_LIFE_MS))
        return secret

    def make_only_link(self, name: str) -> str | None:
        """The same, unless they have one that still works: of several servers that start, one prints it."""
        secret, now = self._ids.secret(), self._clock.now()
        link = SignInLink(_hash(secret), name, now + LINK_LIFE_MS)
        return secret if self._store.add_link(link, unless_at=now) else None

    def session(self, secret: str) -> tuple[Session, Caller]:
        now = self._clock.now()
        session = self._store.session(_hash(secret), now)
        if session is None:
            raise NotSignedIn("the session has ended; sign in again")
        caller = Caller(self._active_user(session.user))
        with suppress(Unavailable):  # whoever only reads may go on when nothing can be written
            self._store.touch_session(session, now)
        return session, caller

    def sign_out(self, session: Session) -> None:
        self._store.end_sessions(session.user, secret_hash=session.secret_hash)

    def bearer(self, secret: str) -> Caller:
        """Whoever holds this token: a person, or a task."""
        if self._tasks is not None and secret.startswith(TASK_PREFIX):
            return self._tasks.caller(secret)
        now = self._clock.now()
        token = self._store.token(_hash(secret), now)
        if token is None:
            raise NotSignedIn("this token is unknown, revoked or expired; make one with `danlu token create`")
        user = self._active_user(token.user)
        self._store.touch_token(token.id, now)
        return Caller(user, frozenset(token.scopes) if token.scopes else None)

    # ── one's own ────────────────────────────────────────────────────────────────────────────────────

    def set_password(self, caller: Caller, new: str, current: str | None, keep: str | None = None) -> None:
        """One's own password; other sessions than `keep` (the hash of its secret) end."""
        caller.require_whole("set a password")
        user = self._active_user(caller.name)
        if user.password_hash is not None and not self._passwords.matches(user.password_hash, current or ""):
            raise Invalid((FieldError(("current",), "wrong_password", "this is not your present password"),))
        hashed, known = self._hashed(new, "new"), user.password_hash

        def changed(now: User, _: tuple[User, ...]) -> User:
            if now.disabled or now.password_hash != known:
                raise Conflict("the account changed meanwhile; sign in again")
            return replace(now, password_hash=hashed)

        self._store.edit_user(user.name, changed)
        self._store.end_sessions(user.name, keep=keep)

    def sessions(self, caller: Caller) -> tuple[Session, ...]:
        """Where one is signed in, the latest seen first."""
        caller.require_whole("see where you are signed in")
        return self._store.sessions(caller.name, self._clock.now())

    def end_session(self, caller: Caller, session_id: str) -> None:
        caller.require_whole("sign you out")
        if not self._store.end_session(caller.name, session_id):
            raise NotFound(f"you have no session '{session_id}'")

    def end_other_sessions(self, caller: Caller, here: Session | None) -> None:
        """All but the one that asks; a token has none."""
        caller.require_whole("sign you out")
        self._store.end_sessions(caller.name, keep=here.secret_hash if here else None)

    def make_token(
        self, caller: Caller, name: str, scopes: tuple[str, ...] = (), life: int | None = None
    ) -> tuple[str, Token]:
        """A new token and its secret, which is shown this once."""
        caller.require(Permission.TOKEN_WRITE)
        beyond = [scope for scope in scopes if scope not in set(Permission)]
        if beyond:
            raise Invalid(
                tuple(
                    FieldError(
                        ("scopes", scopes.index(scope)), "no_such_permission", f"there is no '{scope}'", scope
                    )
                    for scope in beyond
                )
            )
        secret, now = TOKEN_PREFIX + self._ids.secret(), self._clock.now()
        narrowed = scopes or tuple(sorted(caller.scopes or ()))
        token = Token(
            id=self._ids.new(),
            user=caller.name,
            name=name,
            secret_hash=_hash(secret),
            created_at=now,
            scopes=_within(narrowed, caller),
            expires_at=None if life is None else now + life,
        )
        self._store.add_token(token)
        return secret, token

    def is_secret_of(self, secret: str, token: Token) -> bool:
        return _hash(secret) == token.secret_hash

    def tokens(self, caller: Caller) -> tuple[Token, ...]:
        caller.require(Permission.TOKEN_READ)
        return self._store.tokens(caller.name)

    def revoke_token(self, caller: Caller, token_id: str) -> None:
        caller.require(Permission.TOKEN_WRITE)
        if not self._store.remove_token(caller.name, token_id):
            raise NotFound(f"you have no token '{token_id}'")

    # ── administrators' acts ─────────────────────────────────────────────────────────────────────────

    def users(self, caller: Caller) -> tuple[User, ...]:
        caller.require(Permission.USER_WRITE)
        return self._store.users()

    def add_user(
        self,
        caller: Caller,
        name: str,
        role: UserRole,
        display_name: str = "",
        password: str | None = None,
        groups: tuple[str, ...] = (),
    ) -> User:
        caller.require(Permission.USER_WRITE)
        user = self.make_user(name, role, display_name, password, groups)
        self._record(caller, user, "created")
        return user

    def make_user(
        self,
        name: str,
        role: UserRole,
        display_name: str = "",
        password: str | None = None,
        groups: tuple[str, ...] = (),
    ) -> User:
        """An account, made by Danlu itself (the first administrator, demonstrations)."""
        if not USER_NAME.fullmatch(name):
            raise Invalid(
                (FieldError(("name",), "bad_form", f"'{name}': a user's name is {USER_NAME_RULE}", name),)
            )
        hashed = None if password is None else self._hashed(password, "password")
        now = self._clock.now()
        user = User(name, role, now, display_name, hashed, groups=_groups(groups))
        self._store.add_user(user)
        return user

    def edit_user(
        self,
        caller: Caller,
        name: str,
        *,
        role: UserRole | None = None,
        display_name: str | None = None,
        disabled: bool | None = None,
        password: str | None = None,
        groups: tuple[str, ...] | None = None,
    ) -> User:
        caller.require(Permission.USER_WRITE)
        hashed = None if password is None else self._hashed(password, "password")
        wanted = {
            "role": role,
            "display_name": display_name,
            "disabled": disabled,
            "password_hash": hashed,
            "groups": None if groups is None else _groups(groups),
        }
        changes: dict[str, Any] = {key: value for key, value in wanted.items() if value is not None}
        edited = self._store.edit_user(name, _keeping_an_administrator(lambda user: replace(user, **changes)))
        if edited.disabled or password is not None:
            self._shut_out(name, tokens=edited.disabled)
        self._record(caller, edited, "edited")
        return edited

    def delete_user(self, caller: Caller, name: str) -> None:
        caller.require(Permission.USER_WRITE)
        active = self._store.page(JobQuery(owners=(name,), states=tuple(ACTIVE), limit=1)).total
        if active:
            raise Conflict(f"{name} has {active} active job(s); stop them first, or disable the account")
        gone = self._store.edit_user(
            name,
            _keeping_an_administrator(
                lambda user: replace(user, deleted=True, disabled=True, password_hash=None)
            ),
        )
        self._shut_out(name, tokens=True)
        self._record(caller, gone, "deleted")

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _open_session(self, user: User, means: str, browser: Browser) -> tuple[str, Session]:
        now, secret = self._clock.now(), self._ids.secret()
        session = Session(
            secret_hash=_hash(secret),
            user=user.name,
            csrf=self._ids.secret(),
            created_at=now,
            expires_at=now + self._session_life,
            id=self._ids.new(),
            seen_at=now,
            agent=_legible(browser.agent),
            address=_legible(browser.address),
        )
        self._store.add_session(session)
        self._store.record(SignedIn(user.name, means), now, actor=user.name)
        return secret, session

    def _active_user(self, name: str) -> User:
        user = self._store.user(name)
        if user is None or user.disabled or user.deleted:
            raise NotSignedIn("this account is disabled; ask an administrator")
        return user

    def _shut_out(self, name: str, *, tokens: bool) -> None:
        self._store.end_sessions(name)
        if tokens:
            self._store.remove_tokens(name)

    def _hashed(self, password: str, field: str) -> str:
        if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
            message = f"a password has {PASSWORD_MIN}–{PASSWORD_MAX} characters; this one has {len(password)}"
            raise Invalid(
                (FieldError((field,), "out_of_range", message, bound=[PASSWORD_MIN, PASSWORD_MAX]),)
            )
        return self._passwords.hash(password)

    def _record(self, caller: Caller, user: User, change: str) -> None:
        event = UserChanged(caller.name, user.name, change)
        self._store.record(event, self._clock.now(), actor=caller.name)


def _keeping_an_administrator(change: Callable[[User], User]) -> Callable[[User, tuple[User, ...]], User]:
    """The change, refused when nobody would be left to govern."""

    def kept(user: User, everybody: tuple[User, ...]) -> User:
        after = change(user)
        if _governs(user) and not _governs(after) and sum(map(_governs, everybody)) == 1:
            raise Conflict(f"{user.name} is the last administrator; make another one first")
        return after

    return kept


def _groups(names: tuple[str, ...]) -> tuple[str, ...]:
    """Each once. Roles are groups already: one could be mistaken for the other."""
    roles = tuple(
        FieldError(("groups", place), "reserved", f"'{name}' is a role, not a group", name)
        for place, name in enumerate(names)
        if name in set(UserRole)
    )
    if roles:
        raise Invalid(roles)
    return tuple(dict.fromkeys(names))


def _governs(user: User) -> bool:
    return user.role is UserRole.ADMINISTRATOR and not user.disabled and not user.deleted


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _legible(said: str) -> str:
    """Whatever a browser says of itself, short and fit to be shown."""
    return "".join(character for character in said if character.isprintable())[:_AGENT_MAX]


def _within(scopes: tuple[str, ...], caller: Caller) -> tuple[str, ...]:
    """A token made through a token may do no more than that one."""
    if caller.scopes is None:
        return scopes
    beyond = sorted(set(scopes) - caller.scopes)
    if beyond:
        raise NotAllowed(f"your own token does not have {', '.join(beyond)}")
    return scopes
