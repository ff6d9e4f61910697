"""Everybody's tokens, for those who manage accounts: to see them and to revoke them, never their secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from danlu.control.people.granting import require_over
from danlu.domain.errors import NotFound
from danlu.domain.people import Token
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.rules import Group
from danlu.domain.words import say
from danlu.ports.accounts import PeopleStore, TokenStore
from danlu.ports.clock import Clock


class PeopleAndTokens(PeopleStore, TokenStore, Protocol):
    """Tokens, and whose they are."""


class TokenOversight:
    """Any thread."""

    def __init__(
        self, store: PeopleAndTokens, clock: Clock, groups: Callable[[], Mapping[str, Group]]
    ) -> None:
        self._store, self._clock, self._groups = store, clock, groups

    def tokens(self, caller: Caller, user: str | None = None) -> tuple[Token, ...]:
        """Everybody's, or one person's, oldest first."""
        caller.require(Permission.USER_WRITE, ANYBODY)
        return self._store.all_tokens() if user is None else self._store.tokens(user)

    def revoke(self, caller: Caller, token_id: str) -> str:
        """Revoke anybody's token, and those that were made with it; whose it was."""
        caller.require(Permission.USER_WRITE, ANYBODY)
        token = next((one for one in self._store.all_tokens() if one.id == token_id), None)
        owner = self._store.user(token.user) if token else None
        if token is not None and owner is not None:
            require_over(caller, owner, self._groups())
            by = caller.entry("token_revoked", "")
            if self._store.remove_token(token.user, token.id, self._clock.now(), by=by):
                return token.user
        raise NotFound(say("there is no token '{token_id}'", "没有令牌“{token_id}”", token_id=token_id))
