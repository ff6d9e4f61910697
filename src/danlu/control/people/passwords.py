"""Passwords: hashed slowly on purpose, a few at a time."""

from __future__ import annotations

import base64
import secrets
import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.people import PASSWORD_MAX, PASSWORD_MIN
from danlu.domain.words import Words, say

_GUESSED_FIRST = frozenset(
    {
        "password", "password1", "passw0rd", "12345678", "123456789", "1234567890", "87654321", "qwertyui",
        "qwertyuiop", "1q2w3e4r", "1qaz2wsx", "iloveyou", "administrator", "admin123", "admin1234", "adminadmin",
        "changeme", "letmein1", "welcome1", "danludanlu", "danlu123",
    }
)  # fmt: skip
_AT_ONCE = 2  # each takes tens of megabytes and tens of milliseconds


class Passwords:
    """Argon2id; blocks its thread, never the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = threading.BoundedSemaphore(_AT_ONCE)
        self._decoy = _decoy(self._hasher)

    def hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(password)

    def chosen(self, password: str, field: str) -> str:
        """The hash of a password that somebody chose; Invalid at `field` when it is too short, long or common."""
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
        if password.lower() in _GUESSED_FIRST or len(set(password)) == 1:
            message = Words(
                "this password is among the first that anybody would try", "该密码过于常见，极易被猜中"
            )
            hint = Words("choose another one, such as four words of your own", "请另选一个，例如由几个词组成")
            raise Invalid((FieldError((field,), "too_common", message, hint=hint),))
        return self.hash(password)

    def matches(self, hashed: str | None, password: str) -> bool:
        """Without a hash the same work is done, so that timing reveals nothing."""
        with self._turn:
            try:
                self._hasher.verify(hashed or self._decoy, password)
            except (VerificationError, InvalidHashError):
                return False
        return hashed is not None


def _decoy(hasher: PasswordHasher) -> str:
    """In the form of this hasher's own, and nobody's: checking a password against it takes as long as against any.
    Hashing one for it would be a tenth of the start."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2{hasher.type.name.lower()}$v={ARGON2_VERSION}${cost}${salt}${digest}"
