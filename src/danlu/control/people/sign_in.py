"""Sign-in, and the caller's own password, sessions and tokens."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.control.people.passwords import Passwords
from danlu.control.people.rights import Rights
from danlu.control.people.task_tokens import TASK_PREFIX, TaskTokens
from danlu.control.people.token_life import TOKEN_LIFE_MS, end_of_token, is_independent
from danlu.domain.audit import ITSELF, Entry
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
from danlu.domain.events import SignedIn
from danlu.domain.job import Time
from danlu.domain.people import USER_NAME, USER_NAME_RULE, Session, SignInLink, Token, User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.words import Words, listed, say
from danlu.ports.accounts import CredentialStore, PeopleStore, TokenStore
from danlu.ports.clock import Clock, Ids
from danlu.ports.governance import AuditStore, MemberStore
from danlu.ports.store import EventStore

TOKEN_PREFIX = "danlu_"
SESSION_LIFE_MS = 14 * 24 * 3_600_000
LINK_LIFE_MS = 3_600_000
_AGENT_MAX, _NAME_MAX = 200, 64


@dataclass(frozen=True, slots=True)
class Browser:
    """The browser that signs in: user agent and address."""

    agent: str = ""
    address: str = ""


UNKNOWN = Browser()


class PeopleAndSecrets(
    PeopleStore, CredentialStore, TokenStore, MemberStore, EventStore, AuditStore, Protocol
):
    """People, their credentials, and the audit log."""


class Authentication:
    """Sign-in, sessions and tokens. Secrets are returned once and stored only as hashes."""

    def __init__(
        self,
        store: PeopleAndSecrets,
        passwords: Passwords,
        clock: Clock,
        ids: Ids,
        session_life: int = SESSION_LIFE_MS,
        tasks: TaskTokens | None = None,
        rights: Rights | None = None,
        token_life: int = TOKEN_LIFE_MS,
    ) -> None:
        self._rights = rights or Rights(store)
        self._store, self._passwords, self._clock, self._ids = store, passwords, clock, ids
        self._session_life, self._token_life, self._tasks = session_life, token_life, tasks

    def make_user(
        self,
        name: str,
        role: UserRole,
        display_name: str = "",
        password: str | None = None,
        groups: tuple[str, ...] = (),
        email: str = "",
        *,
        by: Entry | None = None,
    ) -> User:
        """An account; without `by` it is made by Danlu itself (the first administrator, demonstrations)."""
        if not USER_NAME.fullmatch(name):
            raise Invalid(
                (
                    FieldError(
                        ("name",),
                        "bad_form",
                        say("'{name}': {rule}", "“{name}”：{rule}", name=name, rule=USER_NAME_RULE),
                        name,
                    ),
                )
            )
        if name == ITSELF:
            message = say(
                "'{name}' is reserved for Danlu itself; choose another name",
                "“{name}”在审计日志中代表丹炉自身，请换一个名称",
                name=name,
            )
            raise Invalid((FieldError(("name",), "reserved", message, name),))
        hashed = None if password is None else self._passwords.chosen(password, "password")
        user = User(name, role, self._clock.now(), display_name, hashed, groups=groups, email=email)
        self._store.add_user(user, by=by)
        return user

    # ── proving who one is ───────────────────────────────────────────────────────────────────────────

    def sign_in(self, name: str, password: str, browser: Browser = UNKNOWN) -> tuple[str, Session]:
        """A session for a user name and password; takes equally long whether or not the name exists."""
        user = self._store.user(name)
        right = self._passwords.matches(user.password_hash if user else None, password)
        if user is None or not right or user.disabled:
            self.note_failure(name, "password", browser)
            raise WrongCredentials
        return self.open_session(user, "password", browser)

    def sign_in_by_link(self, code: str, browser: Browser = UNKNOWN) -> tuple[str, Session]:
        link = self._store.take_link(_hash(code), self._clock.now())
        user = self._store.user(link.user) if link else None
        if user is None or user.disabled:
            self.note_failure(link.user if link else "unknown", "link", browser)
            raise WrongCredentials(
                Words(
                    "this link was already used or has expired; ask an administrator for a new one (`danlu up` and "
                    "`danlu server` print one for the first administrator)",
                    "该链接已使用过或已过期，请向管理员索取新的链接（首个链接由 `danlu up` 和 `danlu server` 打印）",
                )
            )
        return self.open_session(user, "link", browser)

    def open_session(self, user: User, means: str, browser: Browser) -> tuple[str, Session]:
        """A session for somebody who was authenticated by `means`: password, link or provider."""
        now, secret = self._clock.now(), self._ids.secret()
        session = Session(
            secret_hash=_hash(secret),
            user=user.name,
            csrf=self._ids.secret(),
            created_at=now,
            expires_at=now + self._session_life,
            id=self._ids.new(),
            seen_at=now,
            agent=_legible(browser.agent, _AGENT_MAX),
            address=_legible(browser.address, _AGENT_MAX),
        )
        self._store.add_session(session)
        self._store.record(SignedIn(user.name, means), now, actor=user.name)
        self._store.note([_attempt(user.name, "signed_in", means, browser)], now)
        return secret, session

    def note_failure(self, name: str, means: str, browser: Browser) -> None:
        """Record a failed sign-in."""
        with suppress(Unavailable):  # the refusal must reach the caller even if it cannot be recorded
            self._store.note([_attempt(name, "sign_in_failed", means, browser)], self._clock.now())

    def make_link(self, name: str, until: Time | None = None) -> str:
        """The secret of a one-time sign-in link; valid for an hour by default."""
        secret = self._ids.secret()
        self._store.add_link(SignInLink(_hash(secret), name, until or self._clock.now() + LINK_LIFE_MS))
        return secret

    def make_only_link(self, name: str) -> str | None:
        """The same, unless a valid link exists: of several servers that start, only one prints it."""
        secret, now = self._ids.secret(), self._clock.now()
        link = SignInLink(_hash(secret), name, now + LINK_LIFE_MS)
        return secret if self._store.add_link(link, unless_at=now) else None

    def session(self, secret: str) -> tuple[Session, Caller]:
        now = self._clock.now()
        session = self._store.session(_hash(secret), now)
        if session is None:
            raise NotSignedIn(Words("the session has ended; sign in again", "会话已结束，请重新登录"))
        user = self._active_user(session.user)
        caller = self._rights.caller(user, means="session", until=session.expires_at)
        with suppress(Unavailable):  # reading requests must work even when nothing can be written
            self._store.touch_session(session, now)
        return session, caller

    def sign_out(self, session: Session) -> None:
        self._store.end_sessions(session.user, secret_hash=session.secret_hash)

    def bearer(self, secret: str) -> Caller:
        """The caller with this token: a person, or a task."""
        if self._tasks is not None and secret.startswith(TASK_PREFIX):
            return self._tasks.caller(secret)
        now = self._clock.now()
        token = self._store.token(_hash(secret), now)
        if token is None:
            raise NotSignedIn(
                Words(
                    "this token is unknown, revoked or expired; sign in again with `danlu login`, or create a token in "
                    "the console",
                    "该令牌不存在、已吊销或已过期；请用 `danlu login` 重新登录，或在控制台中创建令牌",
                )
            )
        user = self._active_user(token.user)
        self._store.touch_token(token.id, now)
        means = f"token {token.name}"
        return self._rights.caller(user, token.scopes, means, token.id, token.expires_at)

    # ── one's own ────────────────────────────────────────────────────────────────────────────────────

    def set_password(
        self,
        caller: Caller,
        new: str,
        current: str | None,
        keep: str | None = None,
        *,
        end_sessions: bool = True,
        end_tokens: bool = False,
    ) -> None:
        """Set the caller's own password. All sessions but `keep` (the hash of its secret) end, and if asked for all
        tokens but the one in use."""
        caller.require_whole(Words("set a password", "设置密码"))
        user = self._active_user(caller.name)
        if user.subject and user.password_hash is None:
            raise Conflict(
                Words(
                    "you sign in through the organisation's identity provider; a password would bypass it",
                    "你通过统一认证登录，设置密码会绕过它",
                )
            )
        if user.password_hash is not None and not self._passwords.matches(user.password_hash, current or ""):
            raise Invalid(
                (
                    FieldError(
                        ("current",),
                        "wrong_password",
                        Words("this is not your current password", "当前密码不正确"),
                    ),
                )
            )
        hashed, known = self._passwords.chosen(new, "new"), user.password_hash

        def changed(now: User, _: tuple[User, ...]) -> User:
            if now.disabled or now.password_hash != known:
                raise Conflict(
                    Words("the account changed in the meantime; sign in again", "账号已发生变化，请重新登录")
                )
            return replace(now, password_hash=hashed)

        now = self._clock.now()
        self._store.edit_user(user.name, changed, now, by=caller.entry("password_set", ""))
        if end_sessions:
            self._store.end_sessions(user.name, keep=keep)
        if end_tokens:
            self._store.remove_tokens(user.name, caller.token, now, by=caller.entry("token_revoked", ""))

    def sessions(self, caller: Caller) -> tuple[Session, ...]:
        """Where one is signed in, the latest seen first."""
        caller.require_whole(Words("see where you are signed in", "查看你的会话"))
        return self._store.sessions(caller.name, self._clock.now())

    def end_session(self, caller: Caller, session_id: str) -> None:
        caller.require_whole(Words("sign you out", "结束你的会话"))
        if not self._store.end_session(caller.name, session_id):
            raise NotFound(
                say("you have no session '{session_id}'", "你没有会话“{session_id}”", session_id=session_id)
            )
        self._note_sign_out(caller)

    def end_other_sessions(self, caller: Caller, here: Session | None) -> None:
        """End all sessions but the current one."""
        caller.require_whole(Words("sign you out", "结束你的会话"))
        self._store.end_sessions(caller.name, keep=here.secret_hash if here else None)
        self._note_sign_out(caller)

    def make_token(
        self, caller: Caller, name: str, scopes: tuple[str, ...] = (), life: int | str | None = None
    ) -> tuple[str, Token]:
        """A new token and its secret, which is shown this once; how long it lasts: see token_life."""
        caller.require(Permission.TOKEN_WRITE)
        _known_scopes(scopes)
        secret, now = TOKEN_PREFIX + self._ids.secret(), self._clock.now()
        narrowed = scopes or tuple(sorted(caller.scopes or ()))
        token = Token(
            id=self._ids.new(),
            user=caller.name,
            name=name,
            secret_hash=_hash(secret),
            created_at=now,
            scopes=_within(narrowed, caller),
            expires_at=end_of_token(caller, life, now, self._token_life),
            parent=None if is_independent(caller, life) else caller.token,
        )
        self._store.add_token(token, by=caller.entry("token_made", ""))
        return secret, token

    def is_secret_of(self, secret: str, token: Token) -> bool:
        return _hash(secret) == token.secret_hash

    def tokens(self, caller: Caller) -> tuple[Token, ...]:
        caller.require(Permission.TOKEN_READ)
        return self._store.tokens(caller.name)

    def revoke_token(self, caller: Caller, token_id: str) -> None:
        """Revoke one's own token, and those that were made with it."""
        caller.require(Permission.TOKEN_WRITE)
        by = caller.entry("token_revoked", "")
        if not self._store.remove_token(caller.name, token_id, self._clock.now(), by=by):
            raise NotFound(say("you have no token '{token_id}'", "你没有令牌“{token_id}”", token_id=token_id))

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _active_user(self, name: str) -> User:
        user = self._store.user(name)
        if user is None or user.disabled:
            raise NotSignedIn(
                Words("this account is disabled; ask an administrator", "该账号已被停用，请联系管理员")
            )
        return user

    def _note_sign_out(self, caller: Caller) -> None:
        self._store.note([caller.entry("signed_out", f"user:{caller.name}")], self._clock.now())


def _attempt(name: str, act: str, means: str, browser: Browser) -> Entry:
    """A sign-in attempt for the audit log; the name may be anything that somebody typed."""
    tried = _legible(name, _NAME_MAX) or "unknown"
    return Entry(tried, act, f"user:{tried}", address=_legible(browser.address, _AGENT_MAX), means=means)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _legible(said: str, most: int) -> str:
    """Text from outside, shortened and without unprintable characters."""
    return "".join(character for character in said if character.isprintable())[:most]


def _known_scopes(scopes: tuple[str, ...]) -> None:
    wrong = tuple(
        FieldError(
            ("scopes", place),
            "no_such_permission",
            say("there is no permission '{scope}'", "没有名为“{scope}”的权限", scope=scope),
            scope,
        )
        for place, scope in enumerate(scopes)
        if scope not in set(Permission)
    )
    if wrong:
        raise Invalid(wrong)


def _within(scopes: tuple[str, ...], caller: Caller) -> tuple[str, ...]:
    """A token created with another token may do no more than that one."""
    if caller.scopes is None:
        return scopes
    beyond = sorted(set(scopes) - caller.scopes)
    if beyond:
        raise NotAllowed(
            say(
                "your own token does not have the permission {beyond}",
                "你的令牌没有权限 {beyond}",
                beyond=listed(beyond),
            )
        )
    return scopes
