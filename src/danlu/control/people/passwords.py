"""Passwords: hashed slowly on purpose, a few at a time."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.people import PASSWORD_MAX, PASSWORD_MIN
from danlu.domain.words import say

_AT_ONCE = 2  # each takes tens of megabytes and tens of milliseconds


class Passwords:
    """Argon2id; blocks its thread, never the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = threading.BoundedSemaphore(_AT_ONCE)
        self._decoy = self._hasher.hash("nobody's password")

    def hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(password)

    def chosen(self, password: str, field: str) -> str:
        """The hash of a password that somebody chose; Invalid at `field` when it is too short or too long."""
        if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
            message = say(
                "a password has {least}–{most} characters; this one has {length}",
                "密码长度须为 {least}–{most} 个字符，当前为 {length} 个",
                least=PASSWORD_MIN,
                most=PASSWORD_MAX,
                length=len(password),
            )
            bounds = [PASSWORD_MIN, PASSWORD_MAX]
            raise Invalid((FieldError((field,), "out_of_range", message, bound=bounds),))
        return self.hash(password)

    def matches(self, hashed: str | None, password: str) -> bool:
        """Without a hash the same work is done, so that timing reveals nothing."""
        with self._turn:
            try:
                self._hasher.verify(hashed or self._decoy, password)
            except (VerificationError, InvalidHashError):
                return False
        return hashed is not None
